//! `take_any` and `take_any_while`.

use super::per_item::{PerPiece, shared};
use super::{adaptor, applied};
use crate::iter::plumbing::Folder;
use crate::sync::{AtomicBool, AtomicUsize, Ordering};

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Yields a given number of items, whichever come first in time; made by [`take_any`](crate::iter::ParallelIterator::take_any).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let some: filch::iter::TakeAny<_> = (0..10).into_par_iter().take_any(3);
    /// assert_eq!(some.count(), 3);
    /// ```
    pub struct TakeAny<I> { base: I, count: usize }
}

applied! {
    impl[I] TakeAny<I> => I::Item, where [];
    op(self) &TakeAnyOp(Countdown::from(self.count))
}

/// A number that threads count down together.
pub(super) struct Countdown(AtomicUsize);

impl Countdown {
    #[inline]
    pub(super) fn from(count: usize) -> Self {
        Countdown(AtomicUsize::new(count))
    }

    /// Counts one down; returns false at 0. Only the number itself matters: relaxed.
    #[inline]
    pub(super) fn step(&self) -> bool {
        // Once it is 0 it stays 0, and reading that is cheaper than an exchange that fails.
        !self.is_zero()
            && self
                .0
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| {
                    count.checked_sub(1)
                })
                .is_ok()
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

struct TakeAnyOp(Countdown);

impl<T: Send> PerPiece<T> for &TakeAnyOp {
    type Out = T;
    shared! {}

    const STOPS_EARLY: bool = true;

    #[inline]
    fn over(&self) -> bool {
        self.0.is_zero()
    }

    #[inline]
    fn many<G: Folder<T>>(&self, (): &mut (), folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.take_while(|_| self.0.step()))
    }
}

adaptor! {
    /// Yields items until a predicate rejects one anywhere; made by [`take_any_while`](crate::iter::ParallelIterator::take_any_while).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let some: filch::iter::TakeAnyWhile<_, _> = (0..10).into_par_iter().take_any_while(|&n| n < 3);
    /// assert!(some.count() <= 3);
    /// ```
    pub struct TakeAnyWhile<I, P> { base: I } { predicate: P }
}

applied! {
    impl[I, P] TakeAnyWhile<I, P> => I::Item, where [
        P: Fn(&I::Item) -> bool + Sync + Send
    ];
    op(self) &TakeAnyWhileOp(UntilFalse::new(&self.predicate))
}

/// A predicate that counts as false everywhere as soon as it is false anywhere.
pub(super) struct UntilFalse<'p, P> {
    predicate: &'p P,
    /// It was false. A hint, which publishes nothing: relaxed.
    over: AtomicBool,
}

impl<'p, P> UntilFalse<'p, P> {
    #[inline]
    pub(super) fn new(predicate: &'p P) -> Self {
        let over = AtomicBool::new(false);
        UntilFalse { predicate, over }
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    #[inline]
    pub(super) fn holds<T>(&self, item: &T) -> bool
    where
        P: Fn(&T) -> bool,
    {
        if self.is_over() {
            return false;
        }
        let holds = (self.predicate)(item);
        if !holds {
            self.over.store(true, Ordering::Relaxed);
        }
        holds
    }
}

struct TakeAnyWhileOp<'p, P>(UntilFalse<'p, P>);

impl<T: Send, P: Fn(&T) -> bool + Sync> PerPiece<T> for &TakeAnyWhileOp<'_, P> {
    type Out = T;
    shared! {}

    const STOPS_EARLY: bool = true;
    /// Otherwise the first item that is rejected, say at the end of sorted input, would end the loop before any thread has come that far.
    const FRONT_FIRST: bool = true;

    #[inline]
    fn over(&self) -> bool {
        self.0.is_over()
    }

    #[inline]
    fn many<G: Folder<T>>(&self, (): &mut (), folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.take_while(|item| self.0.holds(item)))
    }
}

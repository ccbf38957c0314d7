//! `take_any` and `take_any_while`.

use super::per_piece::{PerPiece, shared};
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
    op(self) &TakeOp(Countdown::from(self.count))
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
    op(self) &TakeOp(UntilFalse::new(&self.predicate))
}

/// Lets items through for some time, in all pieces together.
pub(super) trait Gate<T>: Sync {
    /// Whether items near the front are likely to close it.
    const FRONT_FIRST: bool = false;

    /// Whether it lets nothing through any more.
    fn is_closed(&self) -> bool;

    /// Lets this item through, or not, where the gate was just seen open. That may close it.
    fn pass_open(&self, item: &T) -> bool;

    /// The same, where the gate may have been closed for long: to read that is cheaper.
    #[inline]
    fn pass(&self, item: &T) -> bool {
        !self.is_closed() && self.pass_open(item)
    }
}

/// A number that threads count down together. Only the number itself matters: relaxed.
pub(super) struct Countdown(AtomicUsize);

impl Countdown {
    #[inline]
    pub(super) fn from(count: usize) -> Self {
        Countdown(AtomicUsize::new(count))
    }

    /// Whether it is 0. Then it stays 0.
    #[inline]
    fn is_closed(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

impl<T> Gate<T> for Countdown {
    #[inline]
    fn is_closed(&self) -> bool {
        Countdown::is_closed(self)
    }

    #[inline]
    fn pass_open(&self, _: &T) -> bool {
        let order = Ordering::Relaxed;
        self.0
            .fetch_update(order, order, |count| count.checked_sub(1))
            .is_ok()
    }
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

    /// Whether the predicate was false anywhere.
    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

impl<T, P: Fn(&T) -> bool + Sync> Gate<T> for UntilFalse<'_, P> {
    /// Otherwise the first item that is rejected, say at the end of sorted input, would end the loop before any thread has come that far.
    const FRONT_FIRST: bool = true;

    #[inline]
    fn is_closed(&self) -> bool {
        UntilFalse::is_closed(self)
    }

    #[inline]
    fn pass_open(&self, item: &T) -> bool {
        let holds = (self.predicate)(item);
        if !holds {
            self.over.store(true, Ordering::Relaxed);
        }
        holds
    }
}

/// Yields what a gate lets through.
struct TakeOp<G>(G);

impl<T: Send, G: Gate<T>> PerPiece<T> for &TakeOp<G> {
    type Out = T;
    shared! {}

    const STOPS_EARLY: bool = true;
    const FRONT_FIRST: bool = G::FRONT_FIRST;

    #[inline]
    fn over(&self) -> bool {
        self.0.is_closed()
    }

    #[inline]
    fn many<F: Folder<T>>(&self, (): &mut (), folder: F, items: impl Iterator<Item = T>) -> F {
        folder.consume_iter(WhileOpen {
            items,
            gate: &self.0,
        })
    }
}

/// The items that a gate lets through. When it is closed, no other one is asked for: it might be long in coming, and would be lost.
struct WhileOpen<'g, I, G> {
    items: I,
    gate: &'g G,
}

impl<I: Iterator, G: Gate<I::Item>> Iterator for WhileOpen<'_, I, G> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        if self.gate.is_closed() {
            return None;
        }
        self.items.next().filter(|item| self.gate.pass_open(item))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.items.size_hint().1)
    }
}

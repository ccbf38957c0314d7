//! `skip_any` and `skip_any_while`.

use super::per_item::PerItem;
use super::per_run_adaptor;
use super::take_any::Countdown;
use crate::iter::plumbing::Folder;
use crate::sync::{AtomicBool, Ordering};
use std::fmt;

/// Leaves out a given number of items, whichever come first in time; made by [`skip_any`](crate::iter::ParallelIterator::skip_any).
///
/// ```
/// use filch::prelude::*;
///
/// let rest: filch::iter::SkipAny<_> = (0..10).into_par_iter().skip_any(3);
/// assert_eq!(rest.count(), 7);
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct SkipAny<I> {
    base: I,
    count: usize,
}

impl<I> SkipAny<I> {
    #[inline]
    pub(crate) fn new(base: I, count: usize) -> Self {
        SkipAny { base, count }
    }
}

per_run_adaptor! {
    impl[I] SkipAny<I> => I::Item, where [];
    op(self) { SkipAnyOp { left: Countdown::from(self.count) } }
}

struct SkipAnyOp {
    left: Countdown,
}

impl<T: Send> PerItem<T> for SkipAnyOp {
    type Out = T;

    #[inline]
    fn one<G: Folder<T>>(&self, folder: G, item: T) -> G {
        if self.left.step() {
            folder
        } else {
            folder.consume(item)
        }
    }

    #[inline]
    fn many<G: Folder<T>>(&self, folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.skip_while(|_| self.left.step()))
    }
}

/// Leaves out items until a predicate rejects one anywhere; made by [`skip_any_while`](crate::iter::ParallelIterator::skip_any_while).
///
/// ```
/// use filch::prelude::*;
///
/// let rest: filch::iter::SkipAnyWhile<_, _> = (0..10).into_par_iter().skip_any_while(|&n| n < 3);
/// assert!(rest.count() >= 7);
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct SkipAnyWhile<I, P> {
    base: I,
    predicate: P,
}

impl<I, P> SkipAnyWhile<I, P> {
    #[inline]
    pub(crate) fn new(base: I, predicate: P) -> Self {
        SkipAnyWhile { base, predicate }
    }
}

impl<I: fmt::Debug, P> fmt::Debug for SkipAnyWhile<I, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkipAnyWhile")
            .field("base", &self.base)
            .finish()
    }
}

per_run_adaptor! {
    impl[I, P] SkipAnyWhile<I, P> => I::Item, where [
        P: Fn(&I::Item) -> bool + Sync + Send
    ];
    op(self) {
        SkipAnyWhileOp { predicate: &self.predicate, over: AtomicBool::new(false) }
    }
}

struct SkipAnyWhileOp<'p, P> {
    predicate: &'p P,
    /// The predicate has rejected an item, so no thread skips items any more. Publishes nothing: relaxed.
    over: AtomicBool,
}

impl<P> SkipAnyWhileOp<'_, P> {
    #[inline]
    fn skips<T>(&self, item: &T) -> bool
    where
        P: Fn(&T) -> bool,
    {
        if self.over.load(Ordering::Relaxed) {
            return false;
        }
        let skips = (self.predicate)(item);
        if !skips {
            self.over.store(true, Ordering::Relaxed);
        }
        skips
    }
}

impl<T: Send, P: Fn(&T) -> bool + Sync> PerItem<T> for SkipAnyWhileOp<'_, P> {
    type Out = T;

    #[inline]
    fn one<G: Folder<T>>(&self, folder: G, item: T) -> G {
        if self.skips(&item) {
            folder
        } else {
            folder.consume(item)
        }
    }

    #[inline]
    fn many<G: Folder<T>>(&self, folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.skip_while(|item| self.skips(item)))
    }
}

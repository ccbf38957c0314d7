//! `skip_any` and `skip_any_while`.

use super::per_piece::{PerPiece, shared};
use super::take_any::{Countdown, Gate, UntilFalse};
use super::{adaptor, applied};
use crate::iter::plumbing::Folder;

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Leaves out a given number of items, whichever come first in time; made by [`skip_any`](crate::iter::ParallelIterator::skip_any).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let rest: filch::iter::SkipAny<_> = (0..10).into_par_iter().skip_any(3);
    /// assert_eq!(rest.count(), 7);
    /// ```
    pub struct SkipAny<I> { base: I, count: usize }
}

applied! {
    impl[I] SkipAny<I> => I::Item, where [];
    op(self) &SkipOp(Countdown::from(self.count))
}

adaptor! {
    /// Leaves out items until a predicate rejects one anywhere; made by [`skip_any_while`](crate::iter::ParallelIterator::skip_any_while).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let rest: filch::iter::SkipAnyWhile<_, _> = (0..10).into_par_iter().skip_any_while(|&n| n < 3);
    /// assert!(rest.count() >= 7);
    /// ```
    pub struct SkipAnyWhile<I, P> { base: I } { predicate: P }
}

applied! {
    impl[I, P] SkipAnyWhile<I, P> => I::Item, where [
        P: Fn(&I::Item) -> bool + Sync + Send
    ];
    op(self) &SkipOp(UntilFalse::new(&self.predicate))
}

/// Leaves out what a gate lets through.
struct SkipOp<G>(G);

impl<T: Send, G: Gate<T>> PerPiece<T> for &SkipOp<G> {
    type Out = T;
    shared! {}

    #[inline]
    fn many<F: Folder<T>>(&self, (): &mut (), folder: F, items: impl Iterator<Item = T>) -> F {
        folder.consume_iter(items.skip_while(|item| self.0.pass(item)))
    }
}

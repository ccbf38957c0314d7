//! `fold` and `fold_with`: one accumulator for each piece.

use super::accumulate::{Accumulate, AccumulateOp};
use super::seed::{CloneOf, MadeBy};
use super::{adaptor, applied};
use std::convert::Infallible;
use std::ops::ControlFlow::{self, Continue};

/// [`Accumulate`] by a closure, which cannot fail.
#[derive(Clone, Copy)]
struct FoldOp<F>(F);

impl<T, U: Send, F: Fn(U, T) -> U + Copy + Send> Accumulate<T, U> for FoldOp<F> {
    type Residual = Infallible;
    type Out = U;

    #[inline]
    fn one(self, value: U, item: T) -> ControlFlow<Infallible, U> {
        Continue((self.0)(value, item))
    }

    #[inline]
    fn end(self, Continue(value): ControlFlow<Infallible, U>) -> U {
        value
    }
}

adaptor! {
    /// Folds stretches of the items by a closure, and yields the results; made by [`fold`](crate::iter::ParallelIterator::fold).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let sums: filch::iter::Fold<_, _, _> = (1..101).into_par_iter().fold(|| 0, |sum, n| sum + n);
    /// assert_eq!(sums.sum::<i32>(), 5050); // however many sums there are
    /// ```
    pub struct Fold<I, ID, F> { base: I } { identity: ID, fold_op: F }
}

applied! {
    impl[U, I, ID, F] Fold<I, ID, F> => U, where [
        F: Fn(U, I::Item) -> U + Sync + Send,
        ID: Fn() -> U + Sync + Send,
        U: Send
    ];
    op(self) AccumulateOp { seed: MadeBy(&self.identity), how: FoldOp(&self.fold_op) };
    in one round
}

adaptor! {
    /// Folds stretches of the items by a closure, each beginning with a clone of a value, and yields the results; made by
    /// [`fold_with`](crate::iter::ParallelIterator::fold_with).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let sums: filch::iter::FoldWith<_, _, _> = (1..101).into_par_iter().fold_with(0, |sum, n| sum + n);
    /// assert_eq!(sums.sum::<i32>(), 5050); // however many sums there are
    /// ```
    pub struct FoldWith<I, U, F> { base: I, item: U } { fold_op: F }
}

applied! {
    impl[U, I, F] FoldWith<I, U, F> => U, where [
        F: Fn(U, I::Item) -> U + Sync + Send,
        U: Send + Clone
    ];
    op(self) AccumulateOp { seed: CloneOf(self.item), how: FoldOp(&self.fold_op) };
    in one round
}

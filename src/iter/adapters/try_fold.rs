//! `try_fold` and `try_fold_with`: folds that may fail.

use super::accumulate::{Accumulate, AccumulateOp};
use super::seed::{CloneOf, MadeBy};
use super::{adaptor, applied};
use crate::iter::try_trait::Try;
use std::marker::PhantomData;
use std::ops::ControlFlow::{self, Break, Continue};

/// [`Accumulate`] by a closure that returns a `U`, until one is a failure.
#[derive(Clone, Copy)]
struct TryFoldOp<F>(F);

impl<T, V, U, F> Accumulate<T, V> for TryFoldOp<F>
where
    U: Try<Output = V> + Send,
    F: Fn(V, T) -> U + Copy + Send,
{
    type Residual = U::Residual;
    type Out = U;

    #[inline]
    fn one(self, value: V, item: T) -> ControlFlow<U::Residual, V> {
        (self.0)(value, item).branch()
    }

    #[inline]
    fn end(self, flow: ControlFlow<U::Residual, V>) -> U {
        match flow {
            Continue(output) => U::from_output(output),
            Break(residual) => U::from_residual(residual),
        }
    }
}

adaptor! {
    debug where [I: std::fmt::Debug + crate::iter::ParallelIterator];

    /// Folds stretches of the items by a closure, and yields the results or failures; made by [`try_fold`](crate::iter::ParallelIterator::try_fold).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let sums: filch::iter::TryFold<_, Option<u8>, _, _> = [1, 2].par_iter().try_fold(|| 0u8, |sum, &n| sum.checked_add(n));
    /// assert_eq!(sums.sum::<Option<u8>>(), Some(3));
    /// ```
    pub struct TryFold<I, U, ID, F> { base: I } { identity: ID, fold_op: F, returns: PhantomData<U> }
}

applied! {
    impl[U, I, ID, F] TryFold<I, U, ID, F> => U, where [
        F: Fn(U::Output, I::Item) -> U + Sync + Send,
        ID: Fn() -> U::Output + Sync + Send,
        U: Try + Send
    ];
    op(self) AccumulateOp { seed: MadeBy(&self.identity), how: TryFoldOp(&self.fold_op) };
    in one round
}

adaptor! {
    debug where [I: std::fmt::Debug, U: Try<Output: std::fmt::Debug>];
    /// Folds stretches of the items by a closure, each beginning with a clone of a value, and yields the results or failures; made by
    /// [`try_fold_with`](crate::iter::ParallelIterator::try_fold_with).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let sums: filch::iter::TryFoldWith<_, Option<u8>, _> = [1, 2].par_iter().try_fold_with(0u8, |sum, &n| sum.checked_add(n));
    /// assert_eq!(sums.sum::<Option<u8>>(), Some(3));
    /// ```
    pub struct TryFoldWith<I, U: Try, F> { base: I, item: U::Output } { fold_op: F }
}

applied! {
    impl[U, I, F] TryFoldWith<I, U, F> => U, where [
        F: Fn(U::Output, I::Item) -> U + Sync + Send,
        U: Try<Output: Clone + Send> + Send
    ];
    op(self) AccumulateOp { seed: CloneOf(self.item), how: TryFoldOp(&self.fold_op) };
    in one round
}

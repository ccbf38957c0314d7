//! `fold` and `fold_with`: one accumulator for each piece.

use super::accumulate::{Accumulate, drive, drive_into};
use super::seed::{CloneOf, Made};
use crate::iter::ParallelIterator;
use crate::iter::fold_in_place::fold_until_in_place;
use crate::iter::plumbing::{Folded, UnindexedConsumer};
use std::fmt;

/// [`Accumulate`] by a closure.
struct FoldOp<'f, F>(&'f F);

impl<F> Clone for FoldOp<'_, F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F> Copy for FoldOp<'_, F> {}

impl<T, U: Send, F: Fn(U, T) -> U + Sync> Accumulate<T, U> for FoldOp<'_, F> {
    type State = U;
    type Out = U;

    #[inline]
    fn begin(self, first: U) -> U {
        first
    }

    #[inline]
    fn many(self, state: U, items: impl Iterator<Item = T>, stop: impl Fn() -> bool) -> U {
        fold_until_in_place(items, state, self.0, stop)
    }

    #[inline]
    fn is_over(_: &U) -> bool {
        false
    }

    #[inline]
    fn end(self, state: U) -> U {
        state
    }
}

/// Folds stretches of the items by a closure, and yields the results; made by [`fold`](ParallelIterator::fold).
///
/// ```
/// use filch::prelude::*;
///
/// let sums: filch::iter::Fold<_, _, _> = (1..101).into_par_iter().fold(|| 0, |sum, n| sum + n);
/// assert_eq!(sums.sum::<i32>(), 5050); // however many sums there are
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct Fold<I, ID, F> {
    base: I,
    identity: ID,
    fold_op: F,
}

impl<I, ID, F> Fold<I, ID, F> {
    #[inline]
    pub(crate) fn new(base: I, identity: ID, fold_op: F) -> Self {
        Fold {
            base,
            identity,
            fold_op,
        }
    }
}

impl<I: fmt::Debug, ID, F> fmt::Debug for Fold<I, ID, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fold").field("base", &self.base).finish()
    }
}

impl<U, I, ID, F> ParallelIterator for Fold<I, ID, F>
where
    I: ParallelIterator,
    F: Fn(U, I::Item) -> U + Sync + Send,
    ID: Fn() -> U + Sync + Send,
    U: Send,
{
    type Item = U;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<U>,
    {
        let (seed, op) = (Made(&self.identity), FoldOp(&self.fold_op));
        drive(self.base, seed, op, consumer)
    }

    #[inline]
    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<U>,
    {
        let (seed, op) = (Made(&self.identity), FoldOp(&self.fold_op));
        drive_into::<_, _, _, C>(self.base, seed, op, folder)
    }
}

/// Folds stretches of the items by a closure, each beginning with a clone of a value, and yields the results; made by
/// [`fold_with`](ParallelIterator::fold_with).
///
/// ```
/// use filch::prelude::*;
///
/// let sums: filch::iter::FoldWith<_, _, _> = (1..101).into_par_iter().fold_with(0, |sum, n| sum + n);
/// assert_eq!(sums.sum::<i32>(), 5050); // however many sums there are
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct FoldWith<I, U, F> {
    base: I,
    item: U,
    fold_op: F,
}

impl<I, U, F> FoldWith<I, U, F> {
    #[inline]
    pub(crate) fn new(base: I, item: U, fold_op: F) -> Self {
        FoldWith {
            base,
            item,
            fold_op,
        }
    }
}

impl<I: fmt::Debug, U: fmt::Debug, F> fmt::Debug for FoldWith<I, U, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FoldWith")
            .field("base", &self.base)
            .field("item", &self.item)
            .finish()
    }
}

impl<U, I, F> ParallelIterator for FoldWith<I, U, F>
where
    I: ParallelIterator,
    F: Fn(U, I::Item) -> U + Sync + Send,
    U: Send + Clone,
{
    type Item = U;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<U>,
    {
        drive(
            self.base,
            CloneOf(self.item),
            FoldOp(&self.fold_op),
            consumer,
        )
    }

    #[inline]
    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<U>,
    {
        let (seed, op) = (CloneOf(self.item), FoldOp(&self.fold_op));
        drive_into::<_, _, _, C>(self.base, seed, op, folder)
    }
}

//! `map`.

use super::per_piece::{PerPiece, PerPieceIndexed, TwoEnded, shared};
use super::{adaptor, applied};
use crate::iter::plumbing::Folder;
use std::iter;

adaptor! {
    /// Calls a closure on each item and yields what it returns; made by [`map`](crate::iter::ParallelIterator::map).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let doubled: filch::iter::Map<_, _> = [1, 2].par_iter().map(|n| 2 * n);
    /// assert_eq!(doubled.collect::<Vec<i32>>(), [2, 4]);
    /// ```
    pub struct Map<I, F> { base: I } { op: MapOp<F> }
}

applied! {
    impl[I, F, R] Map<I, F> => R, where [F: Fn(I::Item) -> R + Sync + Send, R: Send];
    op(self) &self.op;
    one for one
}

#[derive(Clone)]
pub(crate) struct MapOp<F>(pub(crate) F);

impl<T, R, F: Fn(T) -> R + Sync> PerPiece<T> for &MapOp<F> {
    type Out = R;
    shared! {}

    #[inline]
    fn one<G: Folder<R>>(&self, (): &mut (), folder: G, item: T) -> G {
        folder.consume((self.0)(item))
    }

    #[inline]
    fn many<G: Folder<R>>(&self, (): &mut (), folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.map(&self.0))
    }
}

impl<'o, T, R, F: Fn(T) -> R + Sync> PerPieceIndexed<T> for &'o MapOp<F> {
    type Iter<I: TwoEnded<T>> = iter::Map<I, &'o F>;

    #[inline]
    fn wrap<I: TwoEnded<T>>(self, items: I, (): ()) -> Self::Iter<I> {
        items.map(&self.0)
    }
}

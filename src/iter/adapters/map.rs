//! `map`.

use super::per_item::{PerItem, PerItemIndexed, TwoEnded};
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

impl<T, R: Send, F: Fn(T) -> R + Sync> PerItem<T> for MapOp<F> {
    type Out = R;

    #[inline]
    fn one<G: Folder<R>>(&self, folder: G, item: T) -> G {
        folder.consume((self.0)(item))
    }

    #[inline]
    fn many<G: Folder<R>>(&self, folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.map(&self.0))
    }
}

impl<T, R: Send, F: Fn(T) -> R + Sync> PerItemIndexed<T> for MapOp<F> {
    type Iter<'o, I: TwoEnded<T>>
        = iter::Map<I, &'o F>
    where
        Self: 'o;

    #[inline]
    fn wrap<I: TwoEnded<T>>(&self, items: I) -> Self::Iter<'_, I> {
        items.map(&self.0)
    }
}

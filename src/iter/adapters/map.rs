//! `map`.

use super::per_item::{PerItem, PerItemIndexed, TwoEnded, std_op};
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

std_op! {
    impl[T, R, F: Fn(T) -> R + Sync] MapOp<F>, T => R;
    one(self, item) { (self.0)(item) }
    all(self, items) { items.map(&self.0) }
    iter(I, 'o) iter::Map<I, &'o F>;
}

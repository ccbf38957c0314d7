//! `filter` and `filter_map`.

use super::per_piece::{PerPiece, shared};
use super::{adaptor, applied};
use crate::iter::plumbing::Folder;

adaptor! {
    /// Yields the items that a predicate accepts; made by [`filter`](crate::iter::ParallelIterator::filter).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let even: filch::iter::Filter<_, _> = (0..6).into_par_iter().filter(|n| n % 2 == 0);
    /// assert_eq!(even.collect::<Vec<_>>(), [0, 2, 4]);
    /// ```
    pub struct Filter<I, P> { base: I } { op: FilterOp<P> }
}

applied! {
    impl[I, P] Filter<I, P> => I::Item, where [P: Fn(&I::Item) -> bool + Sync + Send];
    op(self) &self.op
}

#[derive(Clone)]
pub(crate) struct FilterOp<P>(pub(crate) P);

impl<T: Send, P: Fn(&T) -> bool + Sync> PerPiece<T> for &FilterOp<P> {
    type Out = T;
    shared! {}

    #[inline]
    fn one<G: Folder<T>>(&self, (): &mut (), folder: G, item: T) -> G {
        if (self.0)(&item) {
            folder.consume(item)
        } else {
            folder
        }
    }

    #[inline]
    fn many<G: Folder<T>>(&self, (): &mut (), folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_kept(items.map(|item| {
            let keep = (self.0)(&item);
            (item, keep)
        }))
    }
}

adaptor! {
    /// Yields the values inside the `Some`s that a closure returns; made by [`filter_map`](crate::iter::ParallelIterator::filter_map).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let numbers: filch::iter::FilterMap<_, _> = ["1", "x", "3"].par_iter().filter_map(|text| text.parse::<u8>().ok());
    /// assert_eq!(numbers.collect::<Vec<_>>(), [1, 3]);
    /// ```
    pub struct FilterMap<I, P> { base: I } { op: FilterMapOp<P> }
}

applied! {
    impl[I, P, R] FilterMap<I, P> => R, where [P: Fn(I::Item) -> Option<R> + Sync + Send, R: Send];
    op(self) &self.op
}

#[derive(Clone)]
pub(crate) struct FilterMapOp<P>(pub(crate) P);

impl<T, R: Send, P: Fn(T) -> Option<R> + Sync> PerPiece<T> for &FilterMapOp<P> {
    type Out = R;
    shared! {}

    #[inline]
    fn one<G: Folder<R>>(&self, (): &mut (), folder: G, item: T) -> G {
        match (self.0)(item) {
            Some(item) => folder.consume(item),
            None => folder,
        }
    }

    #[inline]
    fn many<G: Folder<R>>(&self, (): &mut (), folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.filter_map(&self.0))
    }
}

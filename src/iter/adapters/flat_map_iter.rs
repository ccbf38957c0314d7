//! `flat_map_iter` and `flatten_iter`: each item becomes a sequential iterator.

use super::per_item::PerItem;
use super::{adaptor, applied};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::Folder;

adaptor! {
    /// Yields everything from the sequential iterators that a closure makes of the items; made by
    /// [`flat_map_iter`](ParallelIterator::flat_map_iter).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let flat: filch::iter::FlatMapIter<_, _> = (1..4usize).into_par_iter().flat_map_iter(|n| std::iter::repeat_n(n, n));
    /// assert_eq!(flat.collect::<Vec<_>>(), [1, 2, 2, 3, 3, 3]);
    /// ```
    pub struct FlatMapIter<I, F> { base: I } { op: FlatMapIterOp<F> }
}

applied! {
    impl[I, F, SI] FlatMapIter<I, F> => SI::Item, where [
        F: Fn(I::Item) -> SI + Sync + Send,
        SI: IntoIterator<Item: Send>
    ];
    op(self) &self.op
}

#[derive(Clone)]
pub(crate) struct FlatMapIterOp<F>(pub(crate) F);

impl<T, SI, F> PerItem<T> for FlatMapIterOp<F>
where
    SI: IntoIterator<Item: Send>,
    F: Fn(T) -> SI + Sync,
{
    type Out = SI::Item;
    const AT_MOST_ONE: bool = false;

    #[inline]
    fn one<G: Folder<SI::Item>>(&self, folder: G, item: T) -> G {
        folder.consume_iter((self.0)(item))
    }

    #[inline]
    fn many<G: Folder<SI::Item>>(&self, folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.flat_map(&self.0))
    }
}

adaptor! {
    /// Yields everything from the sequential iterators that its base yields; made by [`flatten_iter`](ParallelIterator::flatten_iter).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let flat: filch::iter::FlattenIter<_> = vec![Some(1), None, Some(3)].into_par_iter().flatten_iter();
    /// assert_eq!(flat.collect::<Vec<_>>(), [1, 3]);
    /// ```
    pub struct FlattenIter<I> { base: I } { op: FlattenIterOp }
}

applied! {
    impl[I, SI] FlattenIter<I> => SI::Item, where [
        I: ParallelIterator<Item = SI>,
        SI: IntoIterator<Item: Send> + Send
    ];
    op(self) &self.op
}

#[derive(Clone)]
pub(crate) struct FlattenIterOp;

impl<SI: IntoIterator<Item: Send>> PerItem<SI> for FlattenIterOp {
    type Out = SI::Item;
    const AT_MOST_ONE: bool = false;

    #[inline]
    fn one<G: Folder<SI::Item>>(&self, folder: G, item: SI) -> G {
        folder.consume_iter(item)
    }

    #[inline]
    fn many<G: Folder<SI::Item>>(&self, folder: G, items: impl Iterator<Item = SI>) -> G {
        folder.consume_iter(items.flatten())
    }
}

//! `update`.

use super::per_item::{PerItem, PerItemIndexed};
use super::per_item_adaptor;
use crate::iter::plumbing::Folder;

per_item_adaptor! {
    /// Lets a closure change each item as it passes by; made by [`update`](crate::iter::ParallelIterator::update).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let more: filch::iter::Update<_, _> = vec![1, 2].into_par_iter().update(|n| *n += 1);
    /// assert_eq!(more.collect::<Vec<_>>(), [2, 3]);
    /// ```
    pub struct Update<I, F>(UpdateOp<F>);
    impl[F] item I::Item, where [F: Fn(&mut I::Item) + Send + Sync];
    one for one
}

#[derive(Clone)]
pub(crate) struct UpdateOp<F>(pub(crate) F);

impl<T: Send, F: Fn(&mut T) + Sync> PerItem<T> for UpdateOp<F> {
    type Out = T;

    #[inline]
    fn one<G: Folder<T>>(&self, folder: G, mut item: T) -> G {
        (self.0)(&mut item);
        folder.consume(item)
    }

    #[inline]
    fn many<G: Folder<T>>(&self, folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.map(updating(&self.0)))
    }
}

impl<T: Send, F: Fn(&mut T) + Sync> PerItemIndexed<T> for UpdateOp<F> {
    type Iter<'o, I>
        = Updated<'o, I, F>
    where
        Self: 'o,
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>;

    #[inline]
    fn wrap<I>(&self, items: I) -> Self::Iter<'_, I>
    where
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>,
    {
        Updated { items, op: &self.0 }
    }
}

#[inline]
fn updating<T>(op: impl Fn(&mut T)) -> impl Fn(T) -> T {
    move |mut item| {
        op(&mut item);
        item
    }
}

/// The sequential adaptor, which std does not have.
pub(crate) struct Updated<'o, I, F> {
    items: I,
    op: &'o F,
}

impl<I: Iterator, F: Fn(&mut I::Item)> Iterator for Updated<'_, I, F> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.items.next().map(updating(self.op))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }

    #[inline]
    fn fold<A, G: FnMut(A, I::Item) -> A>(self, init: A, fold_op: G) -> A {
        self.items.map(updating(self.op)).fold(init, fold_op)
    }
}

impl<I: DoubleEndedIterator, F: Fn(&mut I::Item)> DoubleEndedIterator for Updated<'_, I, F> {
    #[inline]
    fn next_back(&mut self) -> Option<I::Item> {
        self.items.next_back().map(updating(self.op))
    }
}

impl<I: ExactSizeIterator, F: Fn(&mut I::Item)> ExactSizeIterator for Updated<'_, I, F> {}

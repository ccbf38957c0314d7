//! `update`.

use super::passing::{Pass, Passing};
use super::per_item::{PerItem, PerItemIndexed, TwoEnded};
use super::{adaptor, applied};
use crate::iter::plumbing::Folder;

adaptor! {
    /// Lets a closure change each item as it passes by; made by [`update`](crate::iter::ParallelIterator::update).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let more: filch::iter::Update<_, _> = vec![1, 2].into_par_iter().update(|n| *n += 1);
    /// assert_eq!(more.collect::<Vec<_>>(), [2, 3]);
    /// ```
    pub struct Update<I, F> { base: I } { op: UpdateOp<F> }
}

applied! {
    impl[I, F] Update<I, F> => I::Item, where [F: Fn(&mut I::Item) + Send + Sync];
    op(self) &self.op;
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
    type Iter<'o, I: TwoEnded<T>>
        = Passing<I, Updating<'o, F>>
    where
        Self: 'o;

    #[inline]
    fn wrap<I: TwoEnded<T>>(&self, items: I) -> Self::Iter<'_, I> {
        let pass = Updating(&self.0);
        Passing { items, pass }
    }
}

#[inline]
fn updating<T>(op: impl Fn(&mut T)) -> impl Fn(T) -> T {
    move |mut item| {
        op(&mut item);
        item
    }
}

pub(crate) struct Updating<'o, F>(&'o F);

impl<T, F: Fn(&mut T)> Pass<T> for Updating<'_, F> {
    type Out = T;

    #[inline]
    fn pass(&mut self, next: impl FnOnce() -> Option<T>) -> Option<T> {
        next().map(updating(self.0))
    }

    #[inline]
    fn fold<B>(self, items: impl Iterator<Item = T>, init: B, op: impl FnMut(B, T) -> B) -> B {
        items.map(updating(self.0)).fold(init, op)
    }
}

//! `inspect`.

use super::per_item::{PerItem, PerItemIndexed, TwoEnded};
use super::{adaptor, applied};
use crate::iter::plumbing::Folder;
use std::iter;

adaptor! {
    /// Shows each item to a closure as it passes by; made by [`inspect`](crate::iter::ParallelIterator::inspect).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let seen: filch::iter::Inspect<_, _> = [1, 2].par_iter().inspect(|n| println!("{n}"));
    /// assert_eq!(seen.count(), 2);
    /// ```
    pub struct Inspect<I, F> { base: I } { op: InspectOp<F> }
}

applied! {
    impl[I, F] Inspect<I, F> => I::Item, where [F: Fn(&I::Item) + Sync + Send];
    op(self) &self.op;
    one for one
}

#[derive(Clone)]
pub(crate) struct InspectOp<F>(pub(crate) F);

impl<T: Send, F: Fn(&T) + Sync> PerItem<T> for InspectOp<F> {
    type Out = T;

    #[inline]
    fn one<G: Folder<T>>(&self, folder: G, item: T) -> G {
        (self.0)(&item);
        folder.consume(item)
    }

    #[inline]
    fn many<G: Folder<T>>(&self, folder: G, items: impl Iterator<Item = T>) -> G {
        folder.consume_iter(items.inspect(&self.0))
    }
}

impl<T: Send, F: Fn(&T) + Sync> PerItemIndexed<T> for InspectOp<F> {
    type Iter<'o, I: TwoEnded<T>>
        = iter::Inspect<I, &'o F>
    where
        Self: 'o;

    #[inline]
    fn wrap<I: TwoEnded<T>>(&self, items: I) -> Self::Iter<'_, I> {
        items.inspect(&self.0)
    }
}

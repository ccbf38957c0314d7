//! `inspect`.

use super::per_item::{PerItem, PerItemIndexed, TwoEnded, std_op};
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

std_op! {
    impl[T, F: Fn(&T) + Sync] InspectOp<F>, T => T;
    one(self, item) {
        (self.0)(&item);
        item
    }
    all(self, items) { items.inspect(&self.0) }
    iter(I, 'o) iter::Inspect<I, &'o F>;
}

//! `inspect`.

use super::map::MapOp;
use super::{adaptor, applied};

adaptor! {
    /// Shows each item to a closure as it passes by; made by [`inspect`](crate::iter::ParallelIterator::inspect).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let seen: filch::iter::Inspect<_, _> = [1, 2].par_iter().inspect(|n| println!("{n}"));
    /// assert_eq!(seen.count(), 2);
    /// ```
    pub struct Inspect<I, F> { base: I } { inspect_op: F }
}

applied! {
    impl[I, F] Inspect<I, F> => I::Item, where [F: Fn(&I::Item) + Sync + Send];
    op(self) &MapOp(showing(self.inspect_op));
    one for one
}

#[inline]
fn showing<T>(op: impl Fn(&T)) -> impl Fn(T) -> T {
    move |item| {
        op(&item);
        item
    }
}

//! `update`.

use super::map::MapOp;
use super::{adaptor, applied};

adaptor! {
    /// Lets a closure change each item as it passes by; made by [`update`](crate::iter::ParallelIterator::update).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let more: filch::iter::Update<_, _> = vec![1, 2].into_par_iter().update(|n| *n += 1);
    /// assert_eq!(more.collect::<Vec<_>>(), [2, 3]);
    /// ```
    pub struct Update<I, F> { base: I } { update_op: F }
}

applied! {
    impl[I, F] Update<I, F> => I::Item, where [F: Fn(&mut I::Item) + Send + Sync];
    op(self) &MapOp(updating(self.update_op));
    one for one
}

#[inline]
fn updating<T>(op: impl Fn(&mut T)) -> impl Fn(T) -> T {
    move |mut item| {
        op(&mut item);
        item
    }
}

//! Counting the items of a block without slowing the loop over them.

use crate::iter::adapters::passing::Pass;
use std::cell::Cell;

/// Counts the items that pass.
pub(super) struct Counting<'n>(pub(super) &'n Cell<usize>);

impl Counting<'_> {
    #[inline]
    fn add(&self, more: usize) {
        self.0.set(self.0.get() + more);
    }
}

impl<T> Pass<T> for Counting<'_> {
    type Out = T;

    #[inline]
    fn pass(&mut self, next: impl FnOnce() -> Option<T>) -> Option<T> {
        let item = next();
        self.add(usize::from(item.is_some()));
        item
    }

    /// If the length is known, the count is written once, so that the loop stays what it was without it.
    #[inline]
    fn fold<B>(self, items: impl Iterator<Item = T>, init: B, mut op: impl FnMut(B, T) -> B) -> B {
        match items.size_hint() {
            (len, Some(upper)) if len == upper => {
                let result = items.fold(init, op);
                self.add(len);
                result
            }
            _ => items.fold(init, |state, item| {
                self.add(1);
                op(state, item)
            }),
        }
    }
}

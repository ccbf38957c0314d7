//! The mutable iterators of std's maps, with weaker bounds for sending them.

use std::collections::{btree_map, hash_map};
use std::fmt;

/// A mutable iterator over a map's entries that can be sent to another thread even if the keys cannot.
///
/// std requires that keys are `Send`. But such an iterator only gives access to shared references to keys and mutable references to values.
/// So keys that are `Sync` and values that are `Send` are enough.
pub(super) struct PairsMut<I>(pub(super) I);

// SAFETY: the iterator borrows the map mutably for as long as it lives. It reads the map's own table, which is the same on all threads,
// hands out `&K`, which is `Send` because `K: Sync`, and `&mut V`, which is `Send` because `V: Send`. It drops and moves no key.
unsafe impl<K: Sync, V: Send> Send for PairsMut<hash_map::IterMut<'_, K, V>> {}

// SAFETY: as above, with the tree's nodes in place of the table.
unsafe impl<K: Sync, V: Send> Send for PairsMut<btree_map::IterMut<'_, K, V>> {}

impl<I: fmt::Debug> fmt::Debug for PairsMut<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<I: Iterator> Iterator for PairsMut<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, I::Item) -> B>(self, init: B, f: F) -> B {
        self.0.fold(init, f)
    }
}

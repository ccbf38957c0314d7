//! Parallel iterators over [`BTreeMap`].

use super::map_mut::PairsMut;
use crate::iter::IntoParallelIterator;
use crate::iter::sources::unindexed_source;
use crate::iter::sources::walk_in_place::WalkInPlace;
use std::collections::btree_map::{self, BTreeMap};

/// Over a B-tree map's entries by value, in the order of the keys; made by `into_par_iter`.
#[derive(Debug)]
pub struct IntoIter<K, V> {
    inner: btree_map::IntoIter<K, V>,
}

unindexed_source! {
    impl[K: Send, V: Send] IntoIter<K, V> => (K, V);
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<K: Send, V: Send> IntoParallelIterator for BTreeMap<K, V> {
    type Item = (K, V);
    type Iter = IntoIter<K, V>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<K, V> {
        IntoIter {
            inner: self.into_iter(),
        }
    }
}

/// Over references to a B-tree map's entries, in the order of the keys; made by `par_iter`.
#[derive(Debug)]
pub struct Iter<'a, K, V> {
    inner: btree_map::Iter<'a, K, V>,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Iter {
            inner: self.inner.clone(),
        }
    }
}

unindexed_source! {
    impl['a, K: Sync + 'a, V: Sync + 'a] Iter<'a, K, V> => (&'a K, &'a V);
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<'a, K: Sync, V: Sync> IntoParallelIterator for &'a BTreeMap<K, V> {
    type Item = (&'a K, &'a V);
    type Iter = Iter<'a, K, V>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, K, V> {
        Iter { inner: self.iter() }
    }
}

/// Over references to a B-tree map's keys and mutable references to their values, in the order of the keys; made by `par_iter_mut`.
#[derive(Debug)]
pub struct IterMut<'a, K, V> {
    inner: PairsMut<btree_map::IterMut<'a, K, V>>,
}

unindexed_source! {
    impl['a, K: Sync + 'a, V: Send + 'a] IterMut<'a, K, V> => (&'a K, &'a mut V);
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<'a, K: Sync, V: Send> IntoParallelIterator for &'a mut BTreeMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type Iter = IterMut<'a, K, V>;

    #[inline]
    fn into_par_iter(self) -> IterMut<'a, K, V> {
        IterMut {
            inner: PairsMut(self.iter_mut()),
        }
    }
}

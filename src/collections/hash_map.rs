//! Parallel iterators over [`HashMap`].

use super::map_mut::PairsMut;
use crate::iter::sources::unindexed_source;
use crate::iter::sources::walk_in_place::WalkInPlace;
use crate::iter::{IntoParallelIterator, ParallelDrainFull};
use std::collections::hash_map::{self, HashMap};

/// Over a hash map's entries by value, in the order of `iter`; made by `into_par_iter`.
#[derive(Debug)]
pub struct IntoIter<K, V> {
    inner: hash_map::IntoIter<K, V>,
}

unindexed_source! {
    impl[K: Send, V: Send] IntoIter<K, V> => (K, V);
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<K: Send, V: Send, S> IntoParallelIterator for HashMap<K, V, S> {
    type Item = (K, V);
    type Iter = IntoIter<K, V>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<K, V> {
        IntoIter {
            inner: self.into_iter(),
        }
    }
}

/// Over references to a hash map's entries, in the order of `iter`; made by `par_iter`.
#[derive(Debug)]
pub struct Iter<'a, K, V> {
    inner: hash_map::Iter<'a, K, V>,
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

impl<'a, K: Sync, V: Sync, S> IntoParallelIterator for &'a HashMap<K, V, S> {
    type Item = (&'a K, &'a V);
    type Iter = Iter<'a, K, V>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, K, V> {
        Iter { inner: self.iter() }
    }
}

/// Over references to a hash map's keys and mutable references to their values, in the order of `iter`; made by `par_iter_mut`.
#[derive(Debug)]
pub struct IterMut<'a, K, V> {
    inner: PairsMut<hash_map::IterMut<'a, K, V>>,
}

unindexed_source! {
    impl['a, K: Sync + 'a, V: Send + 'a] IterMut<'a, K, V> => (&'a K, &'a mut V);
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<'a, K: Sync, V: Send, S> IntoParallelIterator for &'a mut HashMap<K, V, S> {
    type Item = (&'a K, &'a mut V);
    type Iter = IterMut<'a, K, V>;

    #[inline]
    fn into_par_iter(self) -> IterMut<'a, K, V> {
        IterMut {
            inner: PairsMut(self.iter_mut()),
        }
    }
}

/// Moves all entries out of a hash map, which keeps its capacity; made by `par_drain`.
#[derive(Debug)]
pub struct Drain<'a, K, V> {
    inner: hash_map::Drain<'a, K, V>,
}

unindexed_source! {
    impl['a, K: Send, V: Send] Drain<'a, K, V> => (K, V);
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<'a, K: Send, V: Send, S> ParallelDrainFull for &'a mut HashMap<K, V, S> {
    type Item = (K, V);
    type Iter = Drain<'a, K, V>;

    #[inline]
    fn par_drain(self) -> Drain<'a, K, V> {
        Drain {
            inner: self.drain(),
        }
    }
}

//! Parallel iterators over [`HashSet`].

use crate::iter::sources::unindexed_source;
use crate::iter::sources::walk_in_place::WalkInPlace;
use crate::iter::{IntoParallelIterator, ParallelDrainFull};
use std::collections::hash_set::{self, HashSet};

/// Over a hash set's elements by value, in the order of `iter`; made by `into_par_iter`.
#[derive(Debug)]
pub struct IntoIter<T> {
    inner: hash_set::IntoIter<T>,
}

unindexed_source! {
    impl[T: Send] IntoIter<T> => T;
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<T: Send, S> IntoParallelIterator for HashSet<T, S> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        IntoIter {
            inner: self.into_iter(),
        }
    }
}

/// Over references to a hash set's elements, in the order of `iter`; made by `par_iter`.
#[derive(Debug)]
pub struct Iter<'a, T> {
    inner: hash_set::Iter<'a, T>,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter {
            inner: self.inner.clone(),
        }
    }
}

unindexed_source! {
    impl['a, T: Sync + 'a] Iter<'a, T> => &'a T;
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<'a, T: Sync, S> IntoParallelIterator for &'a HashSet<T, S> {
    type Item = &'a T;
    type Iter = Iter<'a, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, T> {
        Iter { inner: self.iter() }
    }
}

/// Moves all elements out of a hash set, which keeps its capacity; made by `par_drain`.
#[derive(Debug)]
pub struct Drain<'a, T> {
    inner: hash_set::Drain<'a, T>,
}

unindexed_source! {
    impl['a, T: Send] Drain<'a, T> => T;
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<'a, T: Send, S> ParallelDrainFull for &'a mut HashSet<T, S> {
    type Item = T;
    type Iter = Drain<'a, T>;

    #[inline]
    fn par_drain(self) -> Drain<'a, T> {
        Drain {
            inner: self.drain(),
        }
    }
}

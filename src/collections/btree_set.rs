//! Parallel iterators over [`BTreeSet`].

use crate::iter::IntoParallelIterator;
use crate::iter::sources::unindexed_source;
use crate::iter::sources::walk_in_place::WalkInPlace;
use std::collections::btree_set::{self, BTreeSet};

/// Over a B-tree set's elements by value, from the least to the greatest; made by `into_par_iter`.
#[derive(Debug)]
pub struct IntoIter<T> {
    inner: btree_set::IntoIter<T>,
}

unindexed_source! {
    impl[T: Send] IntoIter<T> => T;
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<T: Send> IntoParallelIterator for BTreeSet<T> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        IntoIter {
            inner: self.into_iter(),
        }
    }
}

/// Over references to a B-tree set's elements, from the least to the greatest; made by `par_iter`.
#[derive(Debug)]
pub struct Iter<'a, T> {
    inner: btree_set::Iter<'a, T>,
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

impl<'a, T: Sync> IntoParallelIterator for &'a BTreeSet<T> {
    type Item = &'a T;
    type Iter = Iter<'a, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, T> {
        Iter { inner: self.iter() }
    }
}

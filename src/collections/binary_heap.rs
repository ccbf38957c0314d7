//! Parallel iterators over [`BinaryHeap`].

use super::lent::Lent;
use crate::iter::sources::{indexed_source, same_as};
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, ParallelDrainFull, ParallelDrainRange,
};
use crate::{slice, vec};
use std::collections::BinaryHeap;

/// The elements of a heap by value, in arbitrary order; made by `into_par_iter`.
///
/// ```
/// use filch::prelude::*;
/// use std::collections::BinaryHeap;
///
/// let values = BinaryHeap::from([1, 2]);
/// let iter: filch::collections::binary_heap::IntoIter<_> = values.into_par_iter();
/// assert_eq!(iter.sum::<i32>(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct IntoIter<T> {
    inner: vec::IntoIter<T>,
}

same_as! {
    impl[T: Send] IntoIter<T> => T;
    len(self) { self.inner.len() }
    iter(self) { self.inner }
}

impl<T: Send> IntoParallelIterator for BinaryHeap<T> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        IntoIter {
            inner: self.into_vec().into_par_iter(),
        }
    }
}

/// References to the elements of a heap, in arbitrary order; made by `par_iter`.
///
/// ```
/// use filch::prelude::*;
/// use std::collections::BinaryHeap;
///
/// let values = BinaryHeap::from([1, 2]);
/// let iter: filch::collections::binary_heap::Iter<'_, _> = values.par_iter();
/// assert_eq!(iter.sum::<i32>(), 3);
/// ```
#[derive(Debug)]
pub struct Iter<'a, T> {
    inner: slice::Iter<'a, T>,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter {
            inner: self.inner.clone(),
        }
    }
}

same_as! {
    impl['a, T: Sync + 'a] Iter<'a, T> => &'a T;
    len(self) { self.inner.len() }
    iter(self) { self.inner }
}

impl<'a, T: Sync> IntoParallelIterator for &'a BinaryHeap<T> {
    type Item = &'a T;
    type Iter = Iter<'a, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, T> {
        Iter {
            inner: self.as_slice().into_par_iter(),
        }
    }
}

/// Moves all elements out of a heap, which keeps its capacity; made by `par_drain`.
///
/// If it is dropped unused, the elements are removed anyway.
///
/// ```
/// use filch::prelude::*;
/// use std::collections::BinaryHeap;
///
/// let mut values = BinaryHeap::from([1, 2]);
/// let iter: filch::collections::binary_heap::Drain<'_, _> = values.par_drain();
/// assert_eq!(iter.sum::<i32>(), 3);
/// assert!(values.is_empty());
/// ```
#[derive(Debug)]
pub struct Drain<'a, T> {
    heap: &'a mut BinaryHeap<T>,
}

impl<'a, T: Ord + Send> ParallelDrainFull for &'a mut BinaryHeap<T> {
    type Iter = Drain<'a, T>;
    type Item = T;

    #[inline]
    fn par_drain(self) -> Drain<'a, T> {
        Drain { heap: self }
    }
}

indexed_source! {
    impl['a, T: Ord + Send] Drain<'a, T> => T;
    len(self) { self.heap.len() }
    give(self, callback) {
        let drain = self;
        let mut lent = Lent::from(&mut *drain.heap);
        lent.items.par_drain(..).with_producer(callback)
    }
}

impl<T> Drop for Drain<'_, T> {
    fn drop(&mut self) {
        // Has an effect only if the elements were never taken.
        drop(self.heap.drain());
    }
}

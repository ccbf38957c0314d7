//! Parallel iterators over references to the elements.

use crate::iter::IntoParallelIterator;
use crate::iter::plumbing::Producer;
use crate::iter::sources::indexed_source;
use std::slice;

impl<'data, T: Sync> IntoParallelIterator for &'data [T] {
    type Item = &'data T;
    type Iter = Iter<'data, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'data, T> {
        Iter { slice: self }
    }
}

impl<'data, T: Send> IntoParallelIterator for &'data mut [T] {
    type Item = &'data mut T;
    type Iter = IterMut<'data, T>;

    #[inline]
    fn into_par_iter(self) -> IterMut<'data, T> {
        IterMut { slice: self }
    }
}

impl<'data, T: Sync> IntoParallelIterator for &'data Box<[T]> {
    type Item = &'data T;
    type Iter = Iter<'data, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'data, T> {
        Iter { slice: self }
    }
}

impl<'data, T: Send> IntoParallelIterator for &'data mut Box<[T]> {
    type Item = &'data mut T;
    type Iter = IterMut<'data, T>;

    #[inline]
    fn into_par_iter(self) -> IterMut<'data, T> {
        IterMut { slice: self }
    }
}

/// References to the elements of a slice; made by `par_iter`.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!([1, 2, 3].par_iter().sum::<i32>(), 6);
/// ```
#[derive(Debug)]
pub struct Iter<'data, T> {
    slice: &'data [T],
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter { slice: self.slice }
    }
}

indexed_source! {
    impl['data, T: Sync] Iter<'data, T> => &'data T;
    len(self) { self.slice.len() }
    producer(self) { IterProducer(self.slice) }
}

struct IterProducer<'data, T>(&'data [T]);

impl<'data, T: Sync> Producer for IterProducer<'data, T> {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = &'data T;
    type IntoIter = slice::Iter<'data, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.0.split_at(index);
        (IterProducer(left), IterProducer(right))
    }
}

/// Mutable references to the elements of a slice; made by `par_iter_mut`.
///
/// ```
/// use filch::prelude::*;
/// let mut v = [1, 2, 3];
/// v.par_iter_mut().for_each(|x| *x += 1);
/// assert_eq!(v, [2, 3, 4]);
/// ```
#[derive(Debug)]
pub struct IterMut<'data, T> {
    slice: &'data mut [T],
}

indexed_source! {
    impl['data, T: Send] IterMut<'data, T> => &'data mut T;
    len(self) { self.slice.len() }
    producer(self) { IterMutProducer(self.slice) }
}

struct IterMutProducer<'data, T>(&'data mut [T]);

impl<'data, T: Send> Producer for IterMutProducer<'data, T> {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = &'data mut T;
    type IntoIter = slice::IterMut<'data, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.0.split_at_mut(index);
        (IterMutProducer(left), IterMutProducer(right))
    }
}

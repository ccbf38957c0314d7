//! Parallel iterators over [`VecDeque`].

use super::lent::Lent;
use crate::iter::sources::bounds::within;
use crate::iter::sources::{indexed_source, same_as};
use crate::iter::{
    Chain, IndexedParallelIterator, IntoParallelIterator, ParallelDrainRange, ParallelIterator,
};
use crate::{slice, vec};
use std::collections::VecDeque;
use std::ops::{Range, RangeBounds};

/// The elements of a queue by value; made by `into_par_iter`.
///
/// If the elements do not begin at the start of the queue's memory, they are moved there beforehand.
///
/// ```
/// use filch::prelude::*;
/// use std::collections::VecDeque;
///
/// let values = VecDeque::from([1, 2]);
/// let iter: filch::collections::vec_deque::IntoIter<_> = values.into_par_iter();
/// assert_eq!(iter.sum::<i32>(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct IntoIter<T: Send> {
    inner: vec::IntoIter<T>,
}

same_as! {
    impl[T: Send] IntoIter<T> => T;
    len(self) { self.inner.len() }
    iter(self) { self.inner }
}

impl<T: Send> IntoParallelIterator for VecDeque<T> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        IntoIter {
            inner: Vec::from(self).into_par_iter(),
        }
    }
}

/// References to the elements of a queue; made by `par_iter`.
///
/// ```
/// use filch::prelude::*;
/// use std::collections::VecDeque;
///
/// let values = VecDeque::from([1, 2]);
/// let iter: filch::collections::vec_deque::Iter<'_, _> = values.par_iter();
/// assert_eq!(iter.sum::<i32>(), 3);
/// ```
#[derive(Debug)]
pub struct Iter<'a, T> {
    inner: Chain<slice::Iter<'a, T>, slice::Iter<'a, T>>,
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

impl<'a, T: Sync> IntoParallelIterator for &'a VecDeque<T> {
    type Item = &'a T;
    type Iter = Iter<'a, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, T> {
        let (front, back) = self.as_slices();
        Iter {
            inner: front.into_par_iter().chain(back),
        }
    }
}

/// Mutable references to the elements of a queue; made by `par_iter_mut`.
///
/// ```
/// use filch::prelude::*;
/// use std::collections::VecDeque;
///
/// let mut values = VecDeque::from([1, 2]);
/// let iter: filch::collections::vec_deque::IterMut<'_, _> = values.par_iter_mut();
/// iter.for_each(|n| *n += 1);
/// assert!(values.iter().eq(&[2, 3]));
/// ```
#[derive(Debug)]
pub struct IterMut<'a, T> {
    inner: Chain<slice::IterMut<'a, T>, slice::IterMut<'a, T>>,
}

same_as! {
    impl['a, T: Send + 'a] IterMut<'a, T> => &'a mut T;
    len(self) { self.inner.len() }
    iter(self) { self.inner }
}

impl<'a, T: Send> IntoParallelIterator for &'a mut VecDeque<T> {
    type Item = &'a mut T;
    type Iter = IterMut<'a, T>;

    #[inline]
    fn into_par_iter(self) -> IterMut<'a, T> {
        let (front, back) = self.as_mut_slices();
        IterMut {
            inner: front.into_par_iter().chain(back),
        }
    }
}

/// Moves the elements of a range out of a queue; made by `par_drain`. The queue keeps the others, and its capacity.
///
/// If it is dropped unused, the elements are removed anyway. If the elements do not begin at the start of the queue's memory, they are
/// moved there beforehand.
///
/// ```
/// use filch::prelude::*;
/// use std::collections::VecDeque;
///
/// let mut values = VecDeque::from([1, 2]);
/// let iter: filch::collections::vec_deque::Drain<'_, _> = values.par_drain(..);
/// assert_eq!(iter.sum::<i32>(), 3);
/// assert!(values.is_empty());
/// ```
#[derive(Debug)]
pub struct Drain<'a, T> {
    deque: &'a mut VecDeque<T>,
    range: Range<usize>,
    old_len: usize,
}

impl<'a, T: Send> ParallelDrainRange<usize> for &'a mut VecDeque<T> {
    type Iter = Drain<'a, T>;
    type Item = T;

    #[inline]
    #[track_caller]
    fn par_drain<R: RangeBounds<usize>>(self, range: R) -> Drain<'a, T> {
        Drain {
            range: within(&range, self.len()),
            old_len: self.len(),
            deque: self,
        }
    }
}

indexed_source! {
    impl['a, T: Send] Drain<'a, T> => T;
    len(self) { self.range.len() }
    give(self, callback) {
        let drain = self;
        let range = drain.range.clone();
        let mut lent = Lent::from(&mut *drain.deque);
        lent.items.par_drain(range).with_producer(callback)
    }
}

impl<T> Drop for Drain<'_, T> {
    fn drop(&mut self) {
        if self.deque.len() == self.old_len {
            // The elements were never taken, or there are none.
            drop(self.deque.drain(self.range.clone()));
        }
    }
}

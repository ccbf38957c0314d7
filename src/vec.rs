//! Parallel iterators over vectors.

use crate::iter::sources::bounds::within;
use crate::iter::sources::indexed_source;
use crate::iter::sources::owned::Owned;
use crate::iter::{IntoParallelIterator, ParallelDrainRange};
use crate::slice;
use std::ops::{Range, RangeBounds};
use std::ptr;

impl<'data, T: Sync + 'data> IntoParallelIterator for &'data Vec<T> {
    type Item = &'data T;
    type Iter = slice::Iter<'data, T>;

    #[inline]
    fn into_par_iter(self) -> Self::Iter {
        self.as_slice().into_par_iter()
    }
}

impl<'data, T: Send + 'data> IntoParallelIterator for &'data mut Vec<T> {
    type Item = &'data mut T;
    type Iter = slice::IterMut<'data, T>;

    #[inline]
    fn into_par_iter(self) -> Self::Iter {
        self.as_mut_slice().into_par_iter()
    }
}

impl<T: Send> IntoParallelIterator for Vec<T> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        IntoIter { vec: self }
    }
}

impl<T: Send> IntoParallelIterator for Box<[T]> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        self.into_vec().into_par_iter()
    }
}

/// The elements of a vector or boxed slice, by value.
///
/// Nothing is copied beforehand: elements move straight out of the vector's memory, which is freed at the end. Elements that are not taken,
/// because the loop stopped early or panicked, are dropped.
///
/// ```
/// use filch::prelude::*;
/// let words = vec!["two".to_string(), "words".to_string()];
/// let total: usize = words.into_par_iter().map(|word| word.len()).sum();
/// assert_eq!(total, 8);
/// ```
#[derive(Debug, Clone)]
pub struct IntoIter<T> {
    vec: Vec<T>,
}

indexed_source! {
    impl[T: Send] IntoIter<T> => T;
    len(self) { self.vec.len() }
    give(self, callback) {
        let mut vec = self.vec;
        vec.par_drain(..).with_producer(callback)
    }
}

impl<'data, T: Send> ParallelDrainRange<usize> for &'data mut Vec<T> {
    type Iter = Drain<'data, T>;
    type Item = T;

    #[inline]
    #[track_caller]
    fn par_drain<R: RangeBounds<usize>>(self, range: R) -> Drain<'data, T> {
        Drain {
            range: within(&range, self.len()),
            old_len: self.len(),
            vec: self,
        }
    }
}

/// Moves the elements of a range out of a vector. The vector keeps the others, and its capacity.
///
/// If it is dropped unused, the elements are removed anyway. If it is leaked in the middle of use, the vector keeps only the elements
/// before the range.
///
/// ```
/// use filch::prelude::*;
/// let mut v = vec![0, 10, 20, 30];
/// assert_eq!(v.par_drain(1..=2).sum::<i32>(), 30);
/// assert_eq!(v, [0, 30]);
/// ```
#[derive(Debug)]
pub struct Drain<'data, T: Send> {
    /// Has `old_len` elements until the range is taken, then only those before the range.
    vec: &'data mut Vec<T>,
    range: Range<usize>,
    old_len: usize,
}

indexed_source! {
    impl['data, T: Send] Drain<'data, T> => T;
    len(self) { self.range.len() }
    give(self, callback) {
        let drain = self;
        let Range { start, end } = drain.range;
        // SAFETY: not longer than before, so what remains is initialised.
        unsafe { drain.vec.set_len(start) };
        let slots = &mut drain.vec.spare_capacity_mut()[..end - start];
        // SAFETY: these slots hold the elements of the range, which was within the old length, and the vector has just given them up.
        // `Drain::drop` moves the tail over them, after the callback.
        let producer = unsafe { Owned::new(slots) };
        callback.callback(producer)
    }
}

impl<T: Send> Drop for Drain<'_, T> {
    fn drop(&mut self) {
        let Range { start, end } = self.range;
        if self.vec.len() == self.old_len {
            // The elements were never taken, or there are none.
            drop(self.vec.drain(start..end));
            return;
        }
        let tail = self.old_len - end;
        let base = self.vec.as_mut_ptr();
        // SAFETY: `start <= end <= old_len`, which was the length, so it is within the allocation.
        let (to, from) = unsafe { (base.add(start), base.add(end)) };
        // SAFETY: the `tail` elements from `end` on are initialised, since only the length was changed; the slots from `start` on belong to
        // the vector again, the producer's borrow being over; `copy` allows for the overlap.
        unsafe { ptr::copy(from, to, tail) };
        // SAFETY: the elements before `start` were never touched, and the tail follows them now.
        unsafe { self.vec.set_len(start + tail) };
    }
}

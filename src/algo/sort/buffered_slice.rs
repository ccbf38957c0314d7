//! A stretch of a slice whose elements lie in the slice, or in a buffer beside it.
//!
//! A merge sort moves elements back and forth between the slice and one buffer of the same length. A
//! [`BufferedSlice`] owns the elements of a stretch, and knows in which of the two places they are. Its drop
//! moves them back to the slice. So a comparator may unwind out of any stage, on any thread: every
//! buffered slice is dropped on the way out, and then the slice holds each element exactly once.
//!
//! To cut and to join is O(1). To move the elements back is O(n) moves, by many threads in parts of 64 KiB, and only if they are in the buffer.

use super::both;
use super::merge::RunMerge;
use super::order::{Less, Order};
use crate::algo::moves::{MOVED, leaf_of};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::{ptr, slice};

/// Elements that lie in a stretch of a slice, or in the same stretch of a buffer.
///
/// Invariants: `home` and `buffer` point to `len` slots each, valid for reads and writes, that
/// nothing else uses and that do not overlap. Those of the first of its [`places`](BufferedSlice::places) are initialised, and
/// their elements owned by this.
pub(crate) struct BufferedSlice<'a, T> {
    home: *mut T,
    buffer: *mut T,
    len: usize,
    in_buffer: bool,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: a `BufferedSlice` owns its elements as a `Vec` does, so it may go wherever they may.
unsafe impl<T: Send> Send for BufferedSlice<'_, T> {}

impl<'a, T> BufferedSlice<'a, T> {
    /// All of `slice`, at home.
    ///
    /// # Panics
    ///
    /// If the buffer is shorter than the slice.
    ///
    /// # Safety
    ///
    /// - The buffered slice, and each one made from it, is dropped before `'a` ends; none is leaked.
    /// - `T` is not zero-sized.
    pub(crate) unsafe fn new(slice: &'a mut [T], buffer: &'a mut [MaybeUninit<T>]) -> Self {
        assert!(slice.len() <= buffer.len());
        let (home, buffer) = (slice.as_mut_ptr(), buffer.as_mut_ptr().cast());
        BufferedSlice {
            home,
            buffer,
            len: slice.len(),
            in_buffer: false,
            borrow: PhantomData,
        }
    }

    /// Where the elements are, and the place beside it, where they may be moved. Each has as many slots as there are elements.
    pub(crate) fn places(&self) -> (*mut T, *mut T) {
        match self.in_buffer {
            true => (self.buffer, self.home),
            false => (self.home, self.buffer),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn elements(&self) -> &[T] {
        // SAFETY: initialised and owned, by the invariant.
        unsafe { slice::from_raw_parts(self.places().0, self.len) }
    }

    pub(crate) fn elements_mut(&mut self) -> &mut [T] {
        // SAFETY: initialised and owned, by the invariant.
        unsafe { slice::from_raw_parts_mut(self.places().0, self.len) }
    }

    /// Splits at `mid`.
    ///
    /// # Panics
    ///
    /// If `mid` is greater than the length.
    pub(crate) fn split_at(self, mid: usize) -> (Self, Self) {
        assert!(mid <= self.len);
        let this = ManuallyDrop::new(self);
        // SAFETY: `mid` is inside both stretches, or at their end.
        let (home, buffer) = unsafe { (this.home.add(mid), this.buffer.add(mid)) };
        (
            BufferedSlice { len: mid, ..*this },
            BufferedSlice {
                home,
                buffer,
                len: this.len - mid,
                ..*this
            },
        )
    }

    /// Joins two neighbours that lie in the same place.
    fn join(self, right: Self) -> Self {
        assert!(self.in_buffer == right.in_buffer);
        let (left, right) = (ManuallyDrop::new(self), ManuallyDrop::new(right));
        BufferedSlice {
            len: left.len + right.len,
            ..*left
        }
    }

    /// The elements, and the place beside them, which is as long.
    pub(crate) fn with_room(&mut self) -> (&mut [T], &mut [MaybeUninit<T>]) {
        let (place, other) = self.places();
        // SAFETY: both have `len` slots that nothing else uses, and do not overlap; those of `place` are initialised and owned.
        unsafe {
            (
                slice::from_raw_parts_mut(place, self.len),
                slice::from_raw_parts_mut(other.cast(), self.len),
            )
        }
    }

    /// Says that the elements have been moved to the other place.
    ///
    /// # Safety
    ///
    /// Every element has been copied there exactly once.
    pub(crate) unsafe fn moved(&mut self) {
        self.in_buffer = !self.in_buffer;
    }

    /// Moves the elements, in their order, to the other place.
    fn cross(&mut self) {
        let (from, to) = self.places();
        // SAFETY: the two stretches have `len` slots each, and do not overlap.
        unsafe { ptr::copy_nonoverlapping(from, to, self.len) };
        self.in_buffer = !self.in_buffer;
    }

    /// [`merge`](BufferedSlice::merge) without other threads.
    pub(crate) fn merge_alone<O: Less<T>>(self, right: Self, order: &O) -> Self {
        self.merge_by(right, order, |merge| merge.run_alone(order))
    }

    /// Sorts parts of at most `most` elements by `sort`, which leaks none, and merges them, without other threads.
    pub(crate) fn sort_parts<O: Less<T>>(
        self,
        most: usize,
        order: &O,
        sort: &impl Fn(Self) -> Self,
    ) -> Self {
        if self.len <= most {
            return sort(self);
        }
        let mid = self.len / 2;
        let (left, right) = self.split_at(mid);
        let left = left.sort_parts(most, order, sort);
        left.merge_alone(right.sort_parts(most, order, sort), order)
    }

    fn merge_by<O: Less<T>>(
        mut self,
        mut right: Self,
        order: &O,
        run: impl FnOnce(RunMerge<'_, T>),
    ) -> Self {
        assert!(ptr::eq(self.home.wrapping_add(self.len), right.home));
        if self.in_buffer != right.in_buffer {
            match self.len < right.len {
                true => self.cross(),
                false => right.cross(),
            }
        }
        match (self.elements().last(), right.elements().first()) {
            (Some(last), Some(first)) if order.is_less(first, last) => {}
            _ => return self.join(right),
        }
        let (left_len, right_len) = (self.len, right.len);
        let mut merged = self.join(right);
        let (runs, gap) = merged.places();
        let left = (runs.cast_const(), left_len);
        let right = (runs.cast_const().wrapping_add(left_len), right_len);
        merged.in_buffer = !merged.in_buffer;
        // SAFETY: the runs are the elements of `merged`, and the gap is its other place, as long
        // and apart. `merged` says already that they are in the gap. The merge, made later, is
        // dropped earlier, and then they are.
        run(unsafe { RunMerge::new(left, right, gap) });
        merged
    }
}

impl<T: Send> BufferedSlice<'_, T> {
    /// Merges two sorted neighbours, by comparisons of this [`weight`](super::weight). Moves nothing if they are in order already.
    pub(crate) fn merge<O: Order<T>>(self, right: Self, weight: usize, order: &O) -> Self {
        self.merge_by(right, order, |merge| merge.run(weight, order))
    }

    /// Moves the elements home, with other threads if there are many.
    pub(crate) fn go_home(self) {
        if self.in_buffer && self.len > leaf_of::<T>(MOVED) {
            let mid = self.len / 2;
            let (left, right) = self.split_at(mid);
            both(|| left.go_home(), || right.go_home());
        }
    }
}

impl<T> Drop for BufferedSlice<'_, T> {
    fn drop(&mut self) {
        if self.in_buffer {
            self.cross();
        }
    }
}

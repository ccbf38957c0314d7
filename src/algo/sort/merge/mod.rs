//! The merge of two sorted runs into a gap, in parallel, sound for every comparator.
//!
//! A [`RunMerge`] *owns* the elements of two runs and a gap that has room for exactly those. Whatever
//! happens to it, the gap is full at the end:
//!
//! - each step moves one element from the end of a run to the end of the gap, so that the room left
//!   always equals the elements left;
//! - the drop of a `RunMerge` moves what is left of the left run, then of the right one. That is both
//!   how a merge ends when one run is empty, and what happens when a comparator unwinds.
//!
//! [`RunMerge::split`] cuts a merge at the exact middle of its output by co-ranking, into two that
//! share nothing. Cuts are made recursively: the two parts own what they got, and no answer of the
//! comparator, however inconsistent, can make them overlap. (Cuts computed side by side for the
//! whole could cross.) Elements are compared where they lie, never as bitwise copies, and only by
//! the thread that runs the merge that owns them.
//!
//! Work O(n) comparisons and moves; span O(n / p + log² n), for each cut is a bisection; no memory but the gap.

mod kernel;
#[cfg(test)]
mod tests;

use super::order::{Less, Order};
use super::rank::co_rank;
use super::{both, threads};
use crate::core::leaf;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::Range;
use std::{ptr, slice};

/// Longest output of a merge that is not split any more, in bytes. A split costs a join and about
/// `2 log2(n)` cache misses, a leaf of 16,384 numbers takes 15 µs.
const LEAF_BYTES: usize = 1 << 17;

/// The same in elements, for small ones, and the shortest for large ones.
const LEAF: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 14;

/// So much shorter a part may be where threads are many: then a split is a twentieth of it.
const LEAST: usize = 4;

/// Two sorted runs and the gap that receives them. See the [module](self).
///
/// Invariants: `left` and `right` are initialised and owned by this value;
/// `gap` is writable, owned, and exactly as long as both together. The runs do not overlap
/// each other, and the gap overlaps neither, but for one case: the left run may lie at the very
/// start of the gap, if steps are taken at the back only.
pub(super) struct RunMerge<'a, T> {
    left: Range<*const T>,
    right: Range<*const T>,
    gap: Range<*mut T>,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: a `RunMerge` owns its elements like a `Vec` does, so it may go wherever they may.
unsafe impl<T: Send> Send for RunMerge<'_, T> {}

impl<'a, T> RunMerge<'a, T> {
    /// # Safety
    ///
    /// - `left` and `right` point to that many initialised elements; `gap` has room for all of
    ///   them, and is valid for writes. All three are valid, and used by nothing else, for `'a`.
    /// - The gap overlaps no run, or `left == gap` and [`RunMerge::run`] is not called.
    /// - The caller gives the elements away: they are to be found in the gap when this is dropped.
    /// - `T` is not zero-sized.
    pub(super) unsafe fn new(
        left: (*const T, usize),
        right: (*const T, usize),
        gap: *mut T,
    ) -> Self {
        debug_assert!(size_of::<T>() != 0);
        // SAFETY: ends of ranges that the caller vouches for.
        unsafe {
            RunMerge {
                left: left.0..left.0.add(left.1),
                right: right.0..right.0.add(right.1),
                gap: gap..gap.add(left.1 + right.1),
                borrow: PhantomData,
            }
        }
    }

    /// The runs `v[..mid]` and `v[mid..]`, to be merged into `v` from the back.
    ///
    /// # Safety
    ///
    /// [`RunMerge::run`] is not called on it, and it is not leaked. `T` is not zero-sized.
    pub(super) unsafe fn in_place(
        v: &'a mut [T],
        mid: usize,
        buffer: &'a mut [MaybeUninit<T>],
    ) -> Self {
        let len = v.len() - mid;
        assert!(len <= buffer.len());
        let (v, buffer) = (v.as_mut_ptr(), buffer.as_mut_ptr().cast::<T>());
        // SAFETY: the right run is `len` elements from `mid` on, and the buffer has room for them.
        unsafe { ptr::copy_nonoverlapping(v.add(mid), buffer, len) };
        // SAFETY: the left run is the first `mid` elements of `v`, the right one in the buffer, and
        // `v` is as long as both. No code of the caller has run since the right run was copied. The rest is
        // this function's contract.
        unsafe { RunMerge::new((v, mid), (buffer, len), v) }
    }

    #[inline(always)]
    fn left(&self) -> &[T] {
        // SAFETY: initialised and owned, by the invariant.
        unsafe { elements(&self.left) }
    }

    #[inline(always)]
    fn right(&self) -> &[T] {
        // SAFETY: initialised and owned, by the invariant.
        unsafe { elements(&self.right) }
    }

    /// Cuts the merge into the halves of its output.
    #[inline(always)]
    fn split<O: Less<T>>(self, order: &O) -> (Self, Self) {
        let k = self.len() / 2;
        let from_left = co_rank(self.left(), self.right(), k, order);
        let this = ManuallyDrop::new(self);
        // SAFETY: `co_rank` promises that `from_left` elements are in the left run, and the rest of
        // `k` in the right one: the cuts are inside the runs and the gap.
        let (left_cut, right_cut, gap_cut) = unsafe {
            (
                this.left.start.add(from_left),
                this.right.start.add(k - from_left),
                this.gap.start.add(k),
            )
        };
        // Each half gets its own part of each, and `self` gives them up: its drop does not run.
        let low = RunMerge {
            left: this.left.start..left_cut,
            right: this.right.start..right_cut,
            gap: this.gap.start..gap_cut,
            borrow: PhantomData,
        };
        let high = RunMerge {
            left: left_cut..this.left.end,
            right: right_cut..this.right.end,
            gap: gap_cut..this.gap.end,
            borrow: PhantomData,
        };
        (low, high)
    }

    /// Merges, with other threads if it is long for comparisons of this [`weight`](super::weight).
    pub(super) fn run<O: Order<T>>(self, weight: usize, order: &O)
    where
        T: Send,
    {
        let leaf = leaf_len::<T>(self.len(), weight);
        self.run_to(leaf, order);
    }

    /// [`run`](RunMerge::run) in parts that are not longer than a leaf.
    fn run_to<O: Order<T>>(self, leaf: usize, order: &O)
    where
        T: Send,
    {
        if self.len() <= leaf {
            return self.run_alone(order);
        }
        let (low, high) = self.split(order);
        both(|| low.run_to(leaf, order), || high.run_to(leaf, order));
    }

    /// How many elements are left to be merged.
    fn len(&self) -> usize {
        self.left().len() + self.right().len()
    }
}

impl<T> Drop for RunMerge<'_, T> {
    fn drop(&mut self) {
        let (left, right) = (self.left().len(), self.right().len());
        // SAFETY: the gap has room for both, by the invariant; `copy` allows a left run that
        // already lies at the start of it.
        unsafe {
            ptr::copy(self.left.start, self.gap.start, left);
            ptr::copy(self.right.start, self.gap.start.add(left), right);
        }
    }
}

/// # Safety
///
/// The places of the run hold elements, which are not used otherwise meanwhile.
#[inline(always)]
unsafe fn elements<'a, T>(run: &Range<*const T>) -> &'a [T] {
    // SAFETY: as the caller promises.
    unsafe { slice::from_raw_parts(run.start, run.end.offset_from_unsigned(run.start)) }
}

/// Longest part of an output of `len` elements that is not split any more, by comparisons of this [`weight`](super::weight). Many threads have two parts each,
/// as long as these are not too short.
pub(super) fn leaf_len<T>(len: usize, weight: usize) -> usize {
    let most = (LEAF_BYTES / size_of::<T>()).clamp(*LEAF.start(), *LEAF.end());
    leaf(
        (len / (2 * threads())).clamp(most / LEAST, most) / weight,
        1,
    )
}

//! The merge of two sorted runs into a gap, in parallel, sound for every comparator.
//!
//! A [`Merge`] *owns* the elements of two runs and a gap that has room for exactly those. Whatever
//! happens to it, the gap is full at the end:
//!
//! - each step moves one element from the end of a run to the end of the gap, so that the room left
//!   always equals the elements left;
//! - the drop of a `Merge` moves what is left of the left run, then of the right one. That is both
//!   how a merge ends when one run is empty, and what happens when a comparator unwinds.
//!
//! [`Merge::split`] cuts a merge at the exact middle of its output by co-ranking, into two that
//! share nothing. Cuts are made recursively: the two parts own what they got, and no answer of the
//! comparator, however inconsistent, can make them overlap. (Cuts computed side by side for the
//! whole could cross.) Elements are compared where they lie, never as bitwise copies, and only by
//! the thread that runs the merge that owns them.
//!
//! # The kernel
//!
//! A merge step is a chain of dependent instructions: load, compare, advance, load. One chain
//! leaves most of a processor idle, so a leaf is cut once more, and both halves are merged from
//! both ends at once: four chains that do not depend on each other. With `k` elements left in the
//! shorter run, `k / 2` pairs of steps, one at the front and one at the back, need no bounds check,
//! because they take at most `k` elements from either run.

use super::both;
use super::order::{Less, Order};
use super::rank::{co_rank, gallop};
use std::hint::select_unpredictable;
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::{ptr, slice};

/// Longest output of a merge that is not split any more, in bytes. A split costs a join and some `2
/// log2(n)` cache misses, a leaf of 16,384 numbers takes 15 µs.
const LEAF_BYTES: usize = 1 << 17;

/// The same in elements, for small ones, and the shortest for large ones.
const LEAF: std::ops::RangeInclusive<usize> = 1 << 10..=1 << 14;

/// Below so many unchecked steps, setting up a loop for them costs more than bounds checks do.
const FEW: usize = 8;

/// Stretches of one run shorter than this are merged rather than looked for.
const STRETCH: usize = 64;

/// Two sorted runs and the gap that receives them. See the [module](self).
///
/// Invariants: `left..left_end` and `right..right_end` are initialised and owned by this value;
/// `gap..gap_end` is writable, owned, and exactly as long as both together. The runs do not overlap
/// each other, and the gap overlaps neither, but for one case: the left run may lie at the very
/// start of the gap, if steps are taken at the back only.
pub(super) struct Merge<'a, T> {
    left: *const T,
    left_end: *const T,
    right: *const T,
    right_end: *const T,
    gap: *mut T,
    gap_end: *mut T,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: a `Merge` owns its elements like a `Vec` does, so it may go wherever they may.
unsafe impl<T: Send> Send for Merge<'_, T> {}

impl<'a, T> Merge<'a, T> {
    /// # Safety
    ///
    /// - `left` and `right` point to that many initialised elements; `gap` has room for all of
    ///   them, and is valid for writes. All three are valid, and used by nobody else, for `'a`.
    /// - The gap overlaps no run, or `left == gap` and [`Merge::run`] is not called.
    /// - The caller gives the elements away: they are to be found in the gap when this is dropped.
    /// - `T` is not zero-sized.
    pub(super) unsafe fn new(
        left: (*const T, usize),
        right: (*const T, usize),
        gap: *mut T,
    ) -> Self {
        debug_assert!(size_of::<T>() != 0);
        // SAFETY: ends of ranges that the caller vouches for.
        let (left_end, right_end, gap_end) = unsafe {
            (
                left.0.add(left.1),
                right.0.add(right.1),
                gap.add(left.1 + right.1),
            )
        };
        Merge {
            left: left.0,
            left_end,
            right: right.0,
            right_end,
            gap,
            gap_end,
            borrow: PhantomData,
        }
    }

    /// The runs `v[..mid]` and `v[mid..]`, to be merged into `v` from the back.
    ///
    /// # Safety
    ///
    /// [`Merge::run`] is not called on it, and it is not leaked. `T` is not zero-sized.
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
        unsafe { Merge::new((v, mid), (buffer, len), v) }
    }

    #[inline(always)]
    fn left(&self) -> &[T] {
        // SAFETY: initialised and owned, by the invariant.
        unsafe { slice::from_raw_parts(self.left, self.left_end.offset_from_unsigned(self.left)) }
    }

    #[inline(always)]
    fn right(&self) -> &[T] {
        // SAFETY: initialised and owned, by the invariant.
        unsafe {
            slice::from_raw_parts(self.right, self.right_end.offset_from_unsigned(self.right))
        }
    }

    /// Pairs of steps, one front and one back, that cannot exhaust a run.
    #[inline(always)]
    fn unchecked_pairs(&self) -> usize {
        self.unchecked_steps() / 2
    }

    /// Steps at one end that cannot exhaust a run.
    #[inline(always)]
    fn unchecked_steps(&self) -> usize {
        self.left().len().min(self.right().len())
    }

    /// Moves the lesser of the first elements to the start of the gap; the left one if equal.
    ///
    /// # Safety
    ///
    /// Neither run is empty, and the left run does not lie in the gap.
    #[inline(always)]
    unsafe fn front<O: Less<T>>(&mut self, order: &O) {
        // SAFETY: both runs have a first element. If the comparator unwinds, nothing has moved.
        let from_right = unsafe { order.is_less(&*self.right, &*self.left) };
        let next = select_unpredictable(from_right, self.right, self.left);
        // SAFETY: the gap has room for every element left, and `next` is one of them. It leaves its
        // run in this very block.
        unsafe {
            ptr::copy_nonoverlapping(next, self.gap, 1);
            self.gap = self.gap.add(1);
            self.right = self.right.add(usize::from(from_right));
            self.left = self.left.add(usize::from(!from_right));
        }
    }

    /// Moves the greater of the last elements to the end of the gap; the right one if equal.
    ///
    /// # Safety
    ///
    /// Neither run is empty.
    #[inline(always)]
    unsafe fn back<O: Less<T>>(&mut self, order: &O) {
        // SAFETY: both runs have a last element. If the comparator unwinds, nothing has moved. A
        // left run at the start of the gap ends at least one slot before the gap does, because the
        // right run is not empty.
        unsafe {
            let (left, right) = (self.left_end.sub(1), self.right_end.sub(1));
            let from_left = order.is_less(&*right, &*left);
            let next = select_unpredictable(from_left, left, right);
            self.gap_end = self.gap_end.sub(1);
            ptr::copy_nonoverlapping(next, self.gap_end, 1);
            self.left_end = self.left_end.sub(usize::from(from_left));
            self.right_end = self.right_end.sub(usize::from(!from_left));
        }
    }

    /// Cuts the merge into the halves of its output.
    #[inline(always)]
    fn split<O: Less<T>>(self, order: &O) -> (Self, Self) {
        let k = (self.left().len() + self.right().len()) / 2;
        let from_left = co_rank(self.left(), self.right(), k, order);
        let this = ManuallyDrop::new(self);
        // SAFETY: `co_rank` promises that `from_left` elements are in the left run, and the rest of
        // `k` in the right one: the cuts are inside the runs and the gap.
        let (left_cut, right_cut, gap_cut) = unsafe {
            (
                this.left.add(from_left),
                this.right.add(k - from_left),
                this.gap.add(k),
            )
        };
        // Each half gets its own part of each, and `self` gives them up: its drop does not run.
        let low = Merge {
            left_end: left_cut,
            right_end: right_cut,
            gap_end: gap_cut,
            ..*this
        };
        let high = Merge {
            left: left_cut,
            right: right_cut,
            gap: gap_cut,
            ..*this
        };
        (low, high)
    }

    /// Merges, with other threads if it is long for comparisons of this [`weight`](super::weight).
    pub(super) fn run<O: Order<T>>(self, weight: usize, order: &O)
    where
        T: Send,
    {
        if self.left().len() + self.right().len() <= leaf_len::<T>() / weight {
            return self.run_alone(order);
        }
        let (low, high) = self.split(order);
        both(|| low.run(weight, order), || high.run(weight, order));
    }

    /// Moves stretches of one run that come before all of the other, as long as they are long.
    ///
    /// Few keys, and runs that hardly overlap, make such stretches. False if a run is empty now.
    fn run_stretches<O: Less<T>>(&mut self, order: &O) -> bool {
        loop {
            let (left, right) = (self.left(), self.right());
            let Some(first) = right.first() else {
                return false;
            };
            let from_left = gallop(left, |x| !order.is_less(first, x));
            let Some(first) = left.get(from_left) else {
                return false;
            };
            let from_right = gallop(right, |x| order.is_less(x, first));
            // SAFETY: that many elements are in the runs, so there is room for them; they leave the
            // runs here.
            unsafe {
                ptr::copy_nonoverlapping(self.left, self.gap, from_left);
                self.left = self.left.add(from_left);
                self.gap = self.gap.add(from_left);
                ptr::copy_nonoverlapping(self.right, self.gap, from_right);
                self.right = self.right.add(from_right);
                self.gap = self.gap.add(from_right);
            }
            if from_left + from_right < STRETCH {
                return true;
            }
        }
    }

    /// Merges on this thread, as two merges at once, each from both ends.
    pub(super) fn run_alone<O: Less<T>>(mut self, order: &O) {
        if !self.run_stretches(order) {
            return;
        }
        let (mut low, mut high) = self.split(order);
        loop {
            let pairs = low.unchecked_pairs().min(high.unchecked_pairs());
            if pairs < FEW {
                break;
            }
            for _ in 0..pairs {
                // SAFETY: a pair takes at most two elements from a run, and each run has two for
                // every pair.
                unsafe {
                    low.front(order);
                    high.front(order);
                    low.back(order);
                    high.back(order);
                }
            }
        }
        low.run_both_ends(order);
        high.run_both_ends(order);
    }

    /// Runs two merges in place, one step of each in turn.
    pub(super) fn run_two_in_place<O: Less<T>>(mut low: Self, mut high: Self, order: &O) {
        loop {
            let steps = low.unchecked_steps().min(high.unchecked_steps());
            if steps < FEW {
                break;
            }
            for _ in 0..steps {
                // SAFETY: neither merge has a run with fewer elements than there are steps.
                unsafe { low.back(order) };
                // SAFETY: likewise.
                unsafe { high.back(order) };
            }
        }
        low.run_backwards(order);
        high.run_backwards(order);
    }

    fn run_backwards<O: Less<T>>(&mut self, order: &O) {
        while self.left != self.left_end && self.right != self.right_end {
            for _ in 0..self.unchecked_steps() {
                // SAFETY: a step takes one element from a run, and each run has one for every step.
                unsafe { self.back(order) };
            }
        }
    }

    /// Merges in place where hardly anything comes from the right: so a branch is foretold.
    pub(super) fn run_sparse<O: Less<T>>(mut self, order: &O) {
        while self.left != self.left_end && self.right != self.right_end {
            // SAFETY: both runs have a last element. If the comparator unwinds, nothing has moved. The gap has a slot for each element
            // left, and the left run ends before it, because the right run is not empty.
            unsafe {
                let (left, right) = (self.left_end.sub(1), self.right_end.sub(1));
                let from_left = order.is_less(&*right, &*left);
                self.gap_end = self.gap_end.sub(1);
                if from_left {
                    ptr::copy_nonoverlapping(left, self.gap_end, 1);
                    self.left_end = left;
                } else {
                    ptr::copy_nonoverlapping(right, self.gap_end, 1);
                    self.right_end = right;
                }
            }
        }
    }

    fn run_both_ends<O: Less<T>>(&mut self, order: &O) {
        loop {
            let pairs = self.unchecked_pairs();
            if pairs < FEW {
                break;
            }
            for _ in 0..pairs {
                // SAFETY: a pair takes at most two elements from a run, and each run has two for
                // every pair.
                unsafe {
                    self.front(order);
                    self.back(order);
                }
            }
        }
        while self.left != self.left_end && self.right != self.right_end {
            // SAFETY: neither run is empty.
            unsafe { self.front(order) };
        }
    }
}

impl<T> Drop for Merge<'_, T> {
    fn drop(&mut self) {
        let (left, right) = (self.left().len(), self.right().len());
        // SAFETY: the gap has room for both, by the invariant; `copy` allows a left run that
        // already lies at the start of it.
        unsafe {
            ptr::copy(self.left, self.gap, left);
            ptr::copy(self.right, self.gap.add(left), right);
        }
    }
}

/// Longest output of a merge that is not split any more.
fn leaf_len<T>() -> usize {
    (LEAF_BYTES / size_of::<T>()).clamp(*LEAF.start(), *LEAF.end())
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::{LEAF, Merge};
    use std::cell::Cell;
    use std::cmp::Ordering;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// Merges by a comparator that may panic, and returns what is in the gap after.
    fn merge<F>(left: &[(u32, u32)], right: &[(u32, u32)], compare: F) -> (bool, Vec<(u32, u32)>)
    where
        F: Fn(&(u32, u32), &(u32, u32)) -> Ordering + Sync,
    {
        let mut gap = vec![(u32::MAX, u32::MAX); left.len() + right.len()];
        // SAFETY: three vectors of fitting lengths, apart from each other. The elements are `Copy`: that
        // they stay where they were, too, harms nobody.
        let merge = unsafe {
            Merge::new(
                (left.as_ptr(), left.len()),
                (right.as_ptr(), right.len()),
                gap.as_mut_ptr(),
            )
        };
        let unwound = catch_unwind(AssertUnwindSafe(|| merge.run(1, &By(compare)))).is_err();
        (unwound, gap)
    }

    fn run(keys: impl Iterator<Item = u32>, first: u32) -> Vec<(u32, u32)> {
        let mut keys: Vec<u32> = keys.collect();
        keys.sort();
        keys.into_iter().zip(first..).collect()
    }

    #[test]
    fn merges_stably_whatever_the_lengths() {
        let lengths = [0, 1, 2, 7, 40, 300, 5000, *LEAF.end() as u32 + 1];
        for (left_len, right_len) in lengths.iter().flat_map(|&a| lengths.map(|b| (a, b))) {
            for keys in [1, 2, 50, 1 << 20] {
                let left = run(
                    (0..left_len).map(|i| i.wrapping_mul(2_654_435_761) % keys),
                    0,
                );
                let right = run(
                    (0..right_len).map(|i| i.wrapping_mul(40_503) % keys),
                    left_len,
                );
                let (_, merged) = merge(&left, &right, |a, b| a.0.cmp(&b.0));
                let mut sorted = [left, right].concat();
                sorted.sort();
                assert_eq!(merged, sorted);
            }
        }
    }

    #[test]
    fn keeps_every_element_when_a_comparison_panics() {
        let left = run((0..150).map(|i| i * 7 % 101), 0);
        let right = run((0..90).map(|i| i * 5 % 83), 150);
        let mut last = 0;
        for panics_at in 0.. {
            let calls = AtomicUsize::new(0);
            let (unwound, mut merged) = merge(&left, &right, |a, b| {
                if calls.fetch_add(1, Relaxed) == panics_at {
                    resume_unwind(Box::new(()));
                }
                a.0.cmp(&b.0)
            });
            merged.sort_by_key(|x| x.1);
            assert!(merged.into_iter().map(|x| x.1).eq(0..240));
            if !unwound {
                break;
            }
            last = panics_at;
        }
        assert!(last > 100);
    }

    #[test]
    fn keeps_every_element_whatever_the_comparator_answers() {
        thread_local!(static STATE: Cell<u32> = const { Cell::new(1) });
        let answers: [fn() -> Ordering; 4] = [
            || Ordering::Less,
            || Ordering::Greater,
            || Ordering::Equal,
            || {
                STATE.set(
                    STATE
                        .get()
                        .wrapping_mul(1_664_525)
                        .wrapping_add(1_013_904_223),
                );
                (STATE.get() >> 16 & 1).cmp(&(STATE.get() >> 17 & 1))
            },
        ];
        for answer in answers {
            for (left_len, right_len) in [(0, 5), (1, 1), (3, 400), (400, 3), (9000, 11_000)] {
                let (left, right) = (run(0..left_len, 0), run(0..right_len, left_len));
                let (_, mut merged) = merge(&left, &right, |_, _| answer());
                merged.sort_by_key(|x| x.1);
                assert!(merged.into_iter().map(|x| x.1).eq(0..left_len + right_len));
            }
        }
    }
}

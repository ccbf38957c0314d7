//! The merge on one thread.
//!
//! A merge step is a chain of dependent instructions: load, compare, advance, load. One chain
//! leaves most of a processor idle, so a leaf is cut once more, and both halves are merged from
//! both ends at once: four chains that do not depend on each other. With `k` elements left in the
//! shorter run, `k / 2` pairs of steps, one at the front and one at the back, need no bounds check,
//! because they take at most `k` elements from either run.
//!
//! Work O(n) comparisons and moves, all of it on this thread; no memory.

use super::RunMerge;
use crate::algo::sort::order::Less;
use crate::algo::sort::rank::{gallop, gallop_back};
use std::hint::select_unpredictable;
use std::ptr;

/// Below this many unchecked steps, setting up a loop for them costs more than bounds checks do.
const FEW: usize = 8;

/// Stretches of one run shorter than this are merged rather than looked for.
const STRETCH: usize = 64;

impl<T> RunMerge<'_, T> {
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
        let from_right = unsafe { order.is_less(&*self.right.start, &*self.left.start) };
        let next = select_unpredictable(from_right, self.right.start, self.left.start);
        // SAFETY: the gap has room for every element left, and `next` is one of them. It leaves its
        // run in this very block.
        unsafe {
            ptr::copy_nonoverlapping(next, self.gap.start, 1);
            self.gap.start = self.gap.start.add(1);
            self.right.start = self.right.start.add(usize::from(from_right));
            self.left.start = self.left.start.add(usize::from(!from_right));
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
            let (left, right) = (self.left.end.sub(1), self.right.end.sub(1));
            let from_left = order.is_less(&*right, &*left);
            let next = select_unpredictable(from_left, left, right);
            self.gap.end = self.gap.end.sub(1);
            ptr::copy_nonoverlapping(next, self.gap.end, 1);
            self.left.end = self.left.end.sub(usize::from(from_left));
            self.right.end = self.right.end.sub(usize::from(!from_left));
        }
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
                ptr::copy_nonoverlapping(self.left.start, self.gap.start, from_left);
                self.left.start = self.left.start.add(from_left);
                self.gap.start = self.gap.start.add(from_left);
                ptr::copy_nonoverlapping(self.right.start, self.gap.start, from_right);
                self.right.start = self.right.start.add(from_right);
                self.gap.start = self.gap.start.add(from_right);
            }
            if from_left + from_right < STRETCH {
                return true;
            }
        }
    }

    /// Merges on this thread, as two merges at once, each from both ends.
    pub(in crate::algo::sort) fn run_alone<O: Less<T>>(mut self, order: &O) {
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
    pub(in crate::algo::sort) fn run_two_in_place<O: Less<T>>(
        mut low: Self,
        mut high: Self,
        order: &O,
    ) {
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

    /// Merges in place, from the back, with a comparison for each element.
    pub(in crate::algo::sort) fn run_backwards<O: Less<T>>(&mut self, order: &O) {
        while !self.left.is_empty() && !self.right.is_empty() {
            for _ in 0..self.unchecked_steps() {
                // SAFETY: a step takes one element from a run, and each run has one for every step.
                unsafe { self.back(order) };
            }
        }
    }

    /// Merges in place, from the back, where the elements of one run, as a rule, come in long stretches between those of the other. O(k log(n / k))
    /// comparisons for k elements in the right run: as many as three an element if k is n / 2.
    pub(in crate::algo::sort) fn run_scattered<O: Less<T>>(mut self, order: &O) {
        while let Some(last) = self.right().last() {
            let from_left = gallop_back(self.left(), |x| order.is_less(last, x));
            // SAFETY: that many elements are at the end of the left run, so there is room for them; they leave it here. They may overlap the place they
            // move to, which lies further back, because the right run is not empty.
            unsafe {
                self.left.end = self.left.end.sub(from_left);
                self.gap.end = self.gap.end.sub(from_left);
                ptr::copy(self.left.end, self.gap.end, from_left);
            }
            let Some(last) = self.left().last() else {
                return;
            };
            let from_right = gallop_back(self.right(), |x| !order.is_less(x, last));
            // One at least, whatever the order answers now.
            let from_right = from_right.max(1);
            // SAFETY: that many elements are at the end of the right run, so there is room for them; they leave it here. It does not lie in the gap. What is left
            // of the left run ends before them, because the gap is as long as both runs.
            unsafe {
                self.right.end = self.right.end.sub(from_right);
                self.gap.end = self.gap.end.sub(from_right);
                ptr::copy_nonoverlapping(self.right.end, self.gap.end, from_right);
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
        while !self.left.is_empty() && !self.right.is_empty() {
            // SAFETY: neither run is empty.
            unsafe { self.front(order) };
        }
    }
}

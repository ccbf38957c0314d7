//! The merge of a long sorted run with a shorter one behind it, in place.
//!
//! The buffer has room for the shorter run alone. A merge that proceeds from the back then never
//! overtakes itself. To share the work, the merge is cut at the exact middle of its output, as
//! often as there are threads for. A cut moves the elements about the middle, so that each half has
//! its two runs side by side. It owns them, so that no answer of the comparator can make the halves
//! overlap.

use super::merge::Merge;
use super::order::{Less, Order};
use super::rank::co_rank;
use super::sequential::{room_on_stack, with_room};
use super::{both, current_num_threads};
use crate::algo::reorder::rotate_by_reversals;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;

/// Longest output that is not cut for other threads.
const LEAF: usize = 1 << 14;

/// From so many threads for a cut on, its elements move by reversals. These move each element twice, but all threads take part; a move through the
/// buffer is the work of one thread.
const REVERSERS: usize = 4;

/// Merges the sorted runs `v[..mid]` and `v[mid..]`, with a buffer as long as the second one, by comparisons of this
/// [`weight`](super::weight).
pub(super) fn merge_in_place<T, O>(
    v: &mut [T],
    mid: usize,
    buffer: &mut [MaybeUninit<T>],
    weight: usize,
    order: &O,
) where
    T: Send,
    O: Order<T>,
{
    // Each cut moves up to half of the elements: no more cuts than threads need.
    let cuts = current_num_threads().next_power_of_two().ilog2();
    Runs { v, mid, buffer }.merge(cuts, LEAF / weight, order);
}

/// The same with room on the stack only: what lies in the way is rotated.
pub(super) fn merge_in_little_room<T: Send, O: Order<T>>(
    v: &mut [T],
    mid: usize,
    weight: usize,
    order: &O,
) {
    let Some(span) = overlap(v, mid, order) else {
        return;
    };
    let (v, mid) = (&mut v[span.clone()], mid - span.start);
    if v.len() <= LEAF / weight {
        let room = room_on_stack::<T>().min(v.len() - mid);
        return with_room(room, |room| merge_in_place_alone(v, mid, room, order));
    }
    let half = v.len() / 2;
    let from_left = co_rank(&v[..mid], &v[mid..], half, order);
    let from_right = half - from_left;
    rotate_by_reversals(&mut v[from_left..mid + from_right], mid - from_left);
    let (low, high) = v.split_at_mut(half);
    both(
        || merge_in_little_room(low, from_left, weight, order),
        || merge_in_little_room(high, mid - from_left, weight, order),
    );
}

/// The same on this thread, with room for a few elements: the less of it, the more elements are rotated.
///
/// # Panics
///
/// If there is no room, and something to merge.
pub(super) fn merge_in_place_alone<T, O: Less<T>>(
    v: &mut [T],
    mid: usize,
    room: &mut [MaybeUninit<T>],
    order: &O,
) {
    let Some(span) = overlap(v, mid, order) else {
        return;
    };
    let (v, mid) = (&mut v[span.clone()], mid - span.start);
    if v.len() - mid <= room.len() {
        // SAFETY: `run_sparse` takes steps at the back, and to the end. Nothing sorts elements of no size.
        return unsafe { Merge::in_place(v, mid, room) }.run_sparse(order);
    }
    assert!(!room.is_empty());
    let half = v.len() / 2;
    let from_left = co_rank(&v[..mid], &v[mid..], half, order);
    let from_right = half - from_left;
    v[from_left..mid + from_right].rotate_right(from_right);
    let (low, high) = v.split_at_mut(half);
    merge_in_place_alone(low, from_left, room, order);
    merge_in_place_alone(high, mid - from_left, room, order);
}

/// What is between the start of the left run and the end of the right one that are in their places already: something of both. `None` if everything
/// is in its place, or if the order says first that it is not and then that it is.
fn overlap<T, O: Less<T>>(v: &[T], mid: usize, order: &O) -> Option<Range<usize>> {
    let (left, right) = v.split_at(mid);
    let (last, first) = (left.last()?, right.first()?);
    if !order.is_less(first, last) {
        return None;
    }
    let start = left.partition_point(|x| !order.is_less(first, x));
    let end = mid + right.partition_point(|x| order.is_less(x, last));
    (start < mid && mid < end).then_some(start..end)
}

/// Two sorted runs, `v[..mid]` and `v[mid..]`, and a buffer as long as the second one at least.
struct Runs<'a, T> {
    v: &'a mut [T],
    mid: usize,
    buffer: &'a mut [MaybeUninit<T>],
}

impl<'a, T> Runs<'a, T> {
    fn merge<O: Order<T>>(self, cuts: u32, leaf: usize, order: &O)
    where
        T: Send,
    {
        let Some(runs) = self.trim(order) else { return };
        let is_leaf = cuts == 0 || runs.v.len() <= leaf;
        let (low, high) = runs.cut(1 << cuts, order);
        if is_leaf {
            // SAFETY: that runs both by steps, and to their ends. Nothing sorts elements of no size.
            let (low, high) = unsafe { (low.into_merge(), high.into_merge()) };
            return Merge::run_two_in_place(low, high, order);
        }
        both(
            || low.merge(cuts - 1, leaf, order),
            || high.merge(cuts - 1, leaf, order),
        );
    }

    /// Leaves off the start of the left run and the end of the right one that are in their places
    /// already. `None` if everything is.
    fn trim<O: Order<T>>(self, order: &O) -> Option<Self> {
        let Range { start, end } = overlap(self.v, self.mid, order)?;
        Some(Runs {
            v: &mut self.v[start..end],
            mid: self.mid - start,
            buffer: self.buffer,
        })
    }

    /// Cuts the merge into the halves of its output, with the help of so many threads.
    fn cut<O: Order<T>>(self, threads: usize, order: &O) -> (Self, Self)
    where
        T: Send,
    {
        let Runs { v, mid, buffer } = self;
        let (left, right) = v.split_at(mid);
        let half = v.len() / 2;
        let from_left = co_rank(left, right, half, order);
        let from_right = half - from_left;
        // The right run's share of the lower half goes before the left run's share of the upper
        // one.
        let between = &mut v[from_left..mid + from_right];
        if threads >= REVERSERS {
            rotate_by_reversals(between, mid - from_left);
        } else {
            rotate(between, from_right, buffer);
        }
        let (low, high) = v.split_at_mut(half);
        let (low_buffer, high_buffer) = buffer.split_at_mut(from_right);
        let low = Runs {
            v: low,
            mid: from_left,
            buffer: low_buffer,
        };
        let high = Runs {
            v: high,
            mid: mid - from_left,
            buffer: high_buffer,
        };
        (low, high)
    }

    /// # Safety
    ///
    /// As for [`Merge::in_place`].
    unsafe fn into_merge(self) -> Merge<'a, T> {
        // SAFETY: the caller's promise.
        unsafe { Merge::in_place(self.v, self.mid, self.buffer) }
    }
}

/// Moves the last `k` elements to the front. The buffer spares the exchanges that std's rotation
/// needs.
fn rotate<T>(v: &mut [T], k: usize, buffer: &mut [MaybeUninit<T>]) {
    assert!(k <= v.len() && k <= buffer.len());
    let rest = v.len() - k;
    let (v, buffer) = (v.as_mut_ptr(), buffer.as_mut_ptr().cast::<T>());
    // SAFETY: `v` has `rest + k` elements, and the buffer has room for `k`. Each element is in one
    // place when this is done, and no other code runs before.
    unsafe {
        ptr::copy_nonoverlapping(v.add(rest), buffer, k);
        ptr::copy(v, v.add(k), rest);
        ptr::copy_nonoverlapping(buffer, v, k);
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::{LEAF, Runs};
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn runs(left: usize, right: usize, keys: usize) -> Vec<(usize, usize)> {
        let key = |i: usize| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % keys;
        let mut v: Vec<_> = (0..left + right).map(|i| (key(i), i)).collect();
        v[..left].sort();
        v[left..].sort();
        v
    }

    #[test]
    fn merges_stably_whatever_the_lengths_and_cuts() {
        let lengths = [0, 1, 2, 30, 700, LEAF + 3];
        let pairs = lengths.iter().flat_map(|&a| lengths.map(|b| (a, b)));
        // The last ones are so long that a cut is the work of several threads.
        for (left, right) in pairs.chain([(5 * LEAF, 4 * LEAF), (6 * LEAF, 3 * LEAF)]) {
            for (keys, cuts) in [(1, 1), (3, 0), (50, 2), (1 << 20, 3)] {
                let mut v = runs(left, right, keys);
                let mut sorted = v.clone();
                sorted.sort();
                let mut buffer = Vec::with_capacity(right);
                let buffer = buffer.spare_capacity_mut();
                Runs {
                    v: &mut v,
                    mid: left,
                    buffer,
                }
                .merge(
                    cuts,
                    LEAF,
                    &By(|a: &(usize, _), b: &(usize, _)| a.0.cmp(&b.0)),
                );
                assert_eq!(v, sorted);
            }
        }
    }

    /// Merges boxes of runs so long, with a panic at the comparison of this number. Whether it came to that.
    fn panics_at(left: usize, right: usize, cuts: u32, call: usize) -> bool {
        let mut v: Vec<Box<(usize, usize)>> = runs(left, right, left / 5)
            .into_iter()
            .map(Box::new)
            .collect();
        let calls = AtomicUsize::new(0);
        #[allow(clippy::borrowed_box)] // the elements are boxes
        let order = By(|a: &Box<(usize, usize)>, b: &Box<(usize, usize)>| {
            if calls.fetch_add(1, Relaxed) == call {
                resume_unwind(Box::new(()));
            }
            a.0.cmp(&b.0)
        });
        let mut buffer = Vec::with_capacity(right);
        let runs = Runs {
            v: &mut v,
            mid: left,
            buffer: buffer.spare_capacity_mut(),
        };
        let unwound = catch_unwind(AssertUnwindSafe(|| runs.merge(cuts, LEAF, &order))).is_err();
        v.sort_by_key(|x| x.1);
        assert!(v.iter().map(|x| x.1).eq(0..left + right));
        unwound
    }

    #[test]
    fn keeps_every_element_when_a_comparison_panics() {
        let last = (0..).find(|&call| !panics_at(200, 60, 0, call));
        assert!(last > Some(100));
    }

    #[test]
    fn keeps_every_element_when_a_comparison_panics_between_shared_cuts() {
        // First each comparison of the first cuts, then those of the leaves at longer and longer steps.
        let mut call = 0;
        while panics_at(3 * LEAF, 2 * LEAF, 2, call) {
            call += 1 + call / 2;
        }
        assert!(call > 3 * LEAF);
    }
}

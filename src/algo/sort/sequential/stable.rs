//! The stable quicksort, with room for as many elements as there are.
//!
//! What goes left of the pivot moves forward inside the slice, the rest to the room, and from there back behind the others. Elements that
//! equal the pivot of an enclosing partition are put aside in one pass, so that k keys take O(n log k).
//!
//! Memory: the room, and O(log n) of the stack.
//!
//! # Any comparator
//!
//! The pivot is taken out of the slice, and a [`PivotPartition`] knows where every other element lives, so that all go back if a comparison
//! unwinds. Partitions inside one another have a budget; when it is used up, halves are sorted and merged instead. So the depth is
//! O(log n), and O(n log n) comparisons are the most.

use super::super::buffered_slice::BufferedSlice;
use super::super::order::Less;
use super::pivot;
use super::small::{SMALL, sort_small_apart};
use std::hint::select_unpredictable;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr;

/// Up to this size an element is copied to both sides, and only one copy counts: that is cheaper than to choose the side.
const TWICE: usize = 16;

/// Sorts `v`, with at least as much room. `T` is not zero-sized.
pub(super) fn sort<T, O: Less<T>>(v: &mut [T], room: &mut [MaybeUninit<T>], order: &O) {
    quicksort(v, room, None, 2 * (v.len() | 1).ilog2(), order);
}

/// `least` is the index of an element than which no other is less, if one is known; `budget` how many partitions may still come, one inside
/// another.
fn quicksort<T, O: Less<T>>(
    mut v: &mut [T],
    room: &mut [MaybeUninit<T>],
    mut least: Option<usize>,
    mut budget: u32,
    order: &O,
) {
    while v.len() > SMALL {
        if budget == 0 {
            // SAFETY: `T` is not zero-sized. `sort_parts` leaks no buffered slice.
            let slice = unsafe { BufferedSlice::new(v, room) };
            return drop(slice.sort_parts(SMALL, order, &|mut part| {
                let (v, room) = part.with_room();
                sort_small_apart(v, room, order);
                part
            }));
        }
        budget -= 1;
        let pivot = pivot::choose(v, order);
        let is_least = least.is_some_and(|i| i == pivot || !order.is_less(&v[i], &v[pivot]));
        if !is_least {
            let parts = partition(v, room, pivot, least, false, |x, p| order.is_less(x, p));
            if parts.mid > 0 {
                let (low, high) = v.split_at_mut(parts.mid);
                quicksort(high, room, Some(parts.pivot), budget, order);
                (v, least) = (low, parts.tracked);
                continue;
            }
        }
        // Nothing is less than the pivot: its equals come first, and are in order.
        let parts = partition(v, room, pivot, None, true, |x, p| !order.is_less(p, x));
        (v, least) = (&mut v[parts.mid..], None);
    }
    sort_small_apart(v, room, order);
}

struct PivotParts {
    /// How many elements went left.
    mid: usize,
    /// Where the pivot is in its part.
    pivot: usize,
    /// Where the tracked element is in the left part, if it is there.
    tracked: Option<usize>,
}

/// Brings the elements for which `goes_left` holds to the front. Either part keeps its order. `goes_left` gets an element and the pivot, and
/// is not asked about the pivot itself.
fn partition<T>(
    v: &mut [T],
    room: &mut [MaybeUninit<T>],
    pivot: usize,
    tracked: Option<usize>,
    pivot_goes_left: bool,
    goes_left: impl Fn(&T, &T) -> bool,
) -> PivotParts {
    let len = v.len();
    assert!(len <= room.len() && pivot < len);
    let base = v.as_mut_ptr();
    let mut state = PivotPartition {
        v: base,
        room: room.as_mut_ptr().cast(),
        // SAFETY: the pivot is in the slice, and is written back when `state` is dropped.
        pivot: ManuallyDrop::new(unsafe { ptr::read(base.add(pivot)) }),
        place: PivotPlace::Left(pivot),
        next: 0,
        left: 0,
    };
    let mut tracked_left = None;
    let scan = |state: &mut PivotPartition<T>, end: usize| {
        let (mut next, mut left) = (state.next, state.left);
        while next < end {
            // SAFETY: `next` is not the pivot, and below the length; the element there has not moved.
            let x = unsafe { &*state.v.add(next) };
            let is_left = goes_left(x, &state.pivot);
            // SAFETY: `left` is at most `next`, the number of those in the room is the difference, and less than the length. Both slots are
            // free, or the first one is the element's own.
            unsafe {
                let (front, back) = (state.v.add(left), state.room.add(next - left));
                if size_of::<T>() <= TWICE {
                    ptr::copy_nonoverlapping(x, back, 1);
                    ptr::copy(x, front, 1);
                } else {
                    ptr::copy(x, select_unpredictable(is_left, front, back), 1);
                }
            }
            next += 1;
            left += usize::from(is_left);
            (state.next, state.left) = (next, left);
        }
    };
    if let Some(tracked) = tracked.filter(|&i| i < pivot) {
        scan(&mut state, tracked);
        tracked_left = Some(state.left);
    }
    scan(&mut state, pivot);
    state.keep_place(pivot_goes_left);
    if let Some(tracked) = tracked.filter(|&i| pivot < i && i < len) {
        scan(&mut state, tracked);
        tracked_left = Some(state.left);
    }
    scan(&mut state, len);
    let mid = state.left;
    let (PivotPlace::Left(pivot) | PivotPlace::Right(pivot)) = state.place;
    PivotParts {
        mid,
        pivot,
        tracked: tracked_left.filter(|&i| i < mid),
    }
}

/// A partition on its way. Its drop brings all elements back to the slice: the left part, the right part, and what has not been looked at.
///
/// Invariants:
/// - The first `left` slots of `v` and the first `next - left` of `room` hold the elements that `v[..next]` held, but for the pivot, whose
///   slot is empty. `v[next..]` is as it was, but for the pivot, if its slot is there.
/// - Both have at least as many slots as there are elements, do not overlap, and are used by nothing else.
struct PivotPartition<T> {
    v: *mut T,
    room: *mut T,
    pivot: ManuallyDrop<T>,
    place: PivotPlace,
    next: usize,
    left: usize,
}

/// The pivot's slot.
#[derive(Clone, Copy)]
enum PivotPlace {
    /// An index in the slice.
    Left(usize),
    /// An index in the room.
    Right(usize),
}

impl<T> PivotPartition<T> {
    /// Passes the pivot, and keeps a slot for it in one of the parts.
    fn keep_place(&mut self, on_the_left: bool) {
        self.place = if on_the_left {
            PivotPlace::Left(self.left)
        } else {
            PivotPlace::Right(self.next - self.left)
        };
        self.next += 1;
        self.left += usize::from(on_the_left);
    }
}

impl<T> Drop for PivotPartition<T> {
    #[inline(always)]
    fn drop(&mut self) {
        let place = match self.place {
            PivotPlace::Left(index) => index,
            PivotPlace::Right(index) => self.left + index,
        };
        // SAFETY: by the invariant; the slots of the slice from `left` to `next` hold nothing that is owned there. The pivot's slot is one
        // of the slice's after that.
        unsafe {
            ptr::copy_nonoverlapping(self.room, self.v.add(self.left), self.next - self.left);
            ptr::copy_nonoverlapping(&*self.pivot, self.v.add(place), 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::order::By;
    use super::{partition, quicksort};
    use std::cell::Cell;

    #[test]
    fn a_used_up_budget_leaves_the_rest_to_merges() {
        for (budget, distinct) in (0..4).flat_map(|budget| [(budget, 7), (budget, 1_000)]) {
            let keys = (0..1_000).map(|i| i * 7919 % 1009 % distinct);
            let mut v: Vec<(usize, usize)> = keys.zip(0..).collect();
            let mut sorted = v.clone();
            sorted.sort();
            let mut room = Vec::with_capacity(v.len());
            let order = By(|a: &(usize, usize), b: &(usize, usize)| a.0.cmp(&b.0));
            quicksort(&mut v, room.spare_capacity_mut(), None, budget, &order);
            assert_eq!(v, sorted);
        }
    }

    /// So that its index is one of the left part, also if an order that is none says that the least element is not less than the pivot.
    #[test]
    fn the_tracked_element_is_known_if_it_goes_left() {
        for (tracked, lefts) in (0..6).flat_map(|i| (0..1 << 5).map(move |lefts| (i, lefts))) {
            let (pivot, calls) = (2, Cell::new(0));
            let mut v: Vec<String> = (0..6).map(|i| i.to_string()).collect();
            let name = v[tracked].clone();
            let mut room = Vec::with_capacity(v.len());
            let room = room.spare_capacity_mut();
            let parts = partition(&mut v, room, pivot, Some(tracked), false, |_, _| {
                calls.set(calls.get() + 1);
                lefts >> (calls.get() - 1) & 1 == 1
            });
            assert_eq!(parts.mid as u32, u32::count_ones(lefts));
            assert_eq!(v[parts.mid + parts.pivot], "2");
            let goes_left = v[..parts.mid].contains(&name);
            assert!(parts.tracked.is_none_or(|i| i < parts.mid));
            if goes_left {
                assert_eq!(v[parts.tracked.unwrap()], name);
            }
        }
    }
}

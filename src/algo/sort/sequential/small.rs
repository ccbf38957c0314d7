//! The stable sort of a few elements, with hardly a branch that depends on them.
//!
//! 1. The slice is halved until each piece has at most four elements. Those are sorted by at most five comparisons.
//! 2. Neighbours are merged from both ends at once: half of the output is taken at the front, half at the back.
//!
//! Work O(n log n) comparisons for up to 32 elements; memory: a pointer for each, on the stack.
//!
//! # Any comparator
//!
//! A merge compares first and moves afterwards. While it compares, it only notes which element goes where. The front and the back meet
//! exactly if the answers fit together. If they do not, the elements stay in the order they had. So each element is compared where it
//! lives, also one with interior mutability, and no answer can double an element.
//!
//! # Inlining
//!
//! Inlining is forced, but not if debug assertions are on: then there is mostly no optimisation, and it would make 100 KB of code for each
//! type of element.

use super::super::hole::Hole;
use super::super::order::Less;
use super::network;
use std::hint::select_unpredictable;
use std::mem::MaybeUninit;
use std::ptr;

/// Longest slice that is sorted here.
pub(super) const SMALL: usize = 32;

/// Longest slice that is sorted without a merge.
const TINY: usize = 4;

/// Sorts at most [`SMALL`] elements.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sort_small<T, O: Less<T>>(v: &mut [T], room: &mut [MaybeUninit<T>], order: &O) {
    let len = v.len();
    assert!(len <= SMALL && len <= room.len());
    let half = len / 2;
    let (v, room) = (v.as_mut_ptr(), room.as_mut_ptr().cast::<T>());
    // SAFETY: both point to `len` slots beside each other, those of `v` with elements. They are cut alike, and the pieces are short enough,
    // because each is half as long as what it was cut from, rounded up.
    unsafe {
        if len <= TINY {
            sort_tiny(v, len, v, order);
        } else if len <= 2 * TINY {
            sort_and_merge(v, len, room, v, order);
        } else if len <= 4 * TINY {
            sort_and_merge(v, half, v, room, order);
            sort_and_merge(v.add(half), len - half, v.add(half), room.add(half), order);
            merge_home(room, len, v, order);
        } else {
            let (low, high) = (half / 2, half + (len - half) / 2);
            for (start, end) in [(0, low), (low, half), (half, high), (high, len)] {
                let (v, room) = (v.add(start), room.add(start));
                sort_and_merge(v, end - start, room, v, order);
            }
            merge(v, half, room, order);
            merge(v.add(half), len - half, room.add(half), order);
            merge_home(room, len, v, order);
        }
    }
}

/// [`sort_small`] as a function of its own, so that its piece of stack is not one of every partition that a slice lies in.
#[inline(never)]
pub(super) fn sort_small_apart<T, O: Less<T>>(v: &mut [T], room: &mut [MaybeUninit<T>], order: &O) {
    sort_small(v, room, order);
}

/// Sorts at most [`SMALL`] small elements, equal ones in any order.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sort_small_unstable<T, O: Less<T>>(
    v: &mut [T],
    room: &mut [MaybeUninit<T>],
    order: &O,
) {
    let len = v.len();
    assert!(len <= SMALL && len <= room.len());
    if len <= network::MOST {
        return network::sort(v, order);
    }
    let half = len / 2;
    let (low, high) = v.split_at_mut(half);
    if half < network::MOST {
        network::sort(low, order);
        network::sort(high, order);
        let v = v.as_mut_ptr();
        let room = room.as_mut_ptr().cast::<T>();
        // SAFETY: `len` elements and as much room; then each element is in the room once, and goes home.
        return unsafe {
            merge(v, len, room, order);
            ptr::copy_nonoverlapping(room, v, len);
        };
    }
    for half in [low, high] {
        let (low, high) = half.split_at_mut(half.len() / 2);
        network::sort(low, order);
        network::sort(high, order);
    }
    let (v, room) = (v.as_mut_ptr(), room.as_mut_ptr().cast::<T>());
    // SAFETY: `len` elements and as much room, halved alike.
    unsafe {
        merge(v, half, room, order);
        merge(v.add(half), len - half, room.add(half), order);
        merge_home(room, len, v, order);
    }
}

/// Sorts the halves of `len` elements at `v` into `via`, which may be `v` itself, and merges them into `to`, which is `v` if `via` is not.
///
/// # Safety
///
/// All three point to `len` slots, at most twice [`TINY`], those of `v` with elements that nothing else uses. Those that are not the same do
/// not overlap.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn sort_and_merge<T, O: Less<T>>(v: *mut T, len: usize, via: *mut T, to: *mut T, order: &O) {
    let half = len / 2;
    // SAFETY: halves of what the caller vouches for. Once both are in `via`, the elements live there, and are merged home if that is
    // elsewhere.
    unsafe {
        sort_tiny(v, half, via, order);
        sort_tiny(v.add(half), len - half, via.add(half), order);
        if via == v {
            merge(via, len, to, order);
        } else {
            merge_home(via, len, to, order);
        }
    }
}

/// Sorts at most [`TINY`] elements at `v` into `to`, which may be `v` itself. If a comparison unwinds, nothing has moved.
///
/// # Safety
///
/// Both point to `len` slots, those of `v` with elements that nothing else uses. They are the same or do not overlap.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn sort_tiny<T, O: Less<T>>(v: *mut T, len: usize, to: *mut T, order: &O) {
    let pair = |a: *const T, b: *const T| {
        // SAFETY: two of the elements.
        let swap = unsafe { order.is_less(&*b, &*a) };
        (
            select_unpredictable(swap, b, a),
            select_unpredictable(swap, a, b),
        )
    };
    let at = |i| v.cast_const().wrapping_add(i);
    match len {
        4 => {
            let ((a, b), (c, d)) = (pair(at(0), at(1)), pair(at(2), at(3)));
            // SAFETY: four of the elements.
            let (right_first, left_last) =
                unsafe { (order.is_less(&*c, &*a), order.is_less(&*d, &*b)) };
            // Whatever the two say, each of the four is in one of these places.
            let first = select_unpredictable(right_first, c, a);
            let last = select_unpredictable(left_last, b, d);
            let left = select_unpredictable(right_first, a, select_unpredictable(left_last, c, b));
            let right = select_unpredictable(left_last, d, select_unpredictable(right_first, b, c));
            let (second, third) = pair(left, right);
            // SAFETY: each of the four once.
            unsafe { put([first, second, third, last], to) };
        }
        3 => {
            let (a, b) = pair(at(0), at(1));
            let c = at(2);
            // SAFETY: three of the elements.
            let (first, second) = unsafe { (order.is_less(&*c, &*a), order.is_less(&*c, &*b)) };
            let second = second | first;
            let middle = select_unpredictable(first, a, select_unpredictable(second, c, b));
            // SAFETY: each of the three once, whatever the answers were.
            unsafe {
                put(
                    [
                        select_unpredictable(first, c, a),
                        middle,
                        select_unpredictable(second, b, c),
                    ],
                    to,
                )
            };
        }
        2 => {
            let (a, b) = pair(at(0), at(1));
            // SAFETY: both of them.
            unsafe { put([a, b], to) };
        }
        // SAFETY: one element or none.
        _ => unsafe { ptr::copy(v, to, len) },
    }
}

/// Copies the elements at `from` to `to`, in this order.
///
/// # Safety
///
/// There is an element at each of `from`, and `to` points to as many slots; they may be the same ones.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn put<T, const N: usize>(from: [*const T; N], to: *mut T) {
    // SAFETY: reads and writes as promised. The copies are the elements, or are forgotten as bytes.
    unsafe {
        to.cast::<[MaybeUninit<T>; N]>()
            .write(from.map(|x| x.cast::<MaybeUninit<T>>().read()))
    };
}

/// [`merge`] of elements that live in `room`, to where they are at home: that is where they are, too, if a comparison unwinds.
///
/// # Safety
///
/// As for [`merge`].
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn merge_home<T, O: Less<T>>(room: *const T, len: usize, home: *mut T, order: &O) {
    let back = GoHome { room, home, len };
    // SAFETY: the caller's promise.
    unsafe { merge(room, len, home, order) };
    std::mem::forget(back);
}

struct GoHome<T> {
    room: *const T,
    home: *mut T,
    len: usize,
}

impl<T> Drop for GoHome<T> {
    fn drop(&mut self) {
        // SAFETY: as promised to `merge_home`.
        unsafe { ptr::copy_nonoverlapping(self.room, self.home, self.len) };
    }
}

/// Inserts the elements from `start` on into the sorted ones before them.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn insert_from<T, O: Less<T>>(v: &mut [T], start: usize, order: &O) {
    for i in start..v.len() {
        insert_last(&mut v[..=i], order);
    }
}

/// Inserts the last element into the sorted ones before it, and returns how many it has passed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn insert_last<T, O: Less<T>>(v: &mut [T], order: &O) -> usize {
    let last = v.len() - 1;
    if last == 0 || !order.is_less(&v[last], &v[last - 1]) {
        return 0;
    }
    let base = v.as_mut_ptr();
    let mut at = last;
    // SAFETY: the last element, and `v` is borrowed mutably, so no other code uses it.
    let mut hole = unsafe { Hole::at(base.add(at)) };
    loop {
        at -= 1;
        // SAFETY: an element before the hole, which it moves to.
        unsafe { hole.fill_from(base.add(at)) };
        // SAFETY: `at` is at least 1 where this looks.
        if at == 0 || !order.is_less(hole.element(), unsafe { &*base.add(at - 1) }) {
            return last - at;
        }
    }
}

/// Copies the stable merge of the halves of `len` elements at `from` to `to`; the lower half is the shorter one. If a comparison unwinds, `to` is as
/// it was.
///
/// # Safety
///
/// - `from` points to `len` initialised elements, at most [`SMALL`], and `to` to as much writable room; the two do not overlap.
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn merge<T, O: Less<T>>(from: *const T, len: usize, to: *mut T, order: &O) {
    debug_assert!(len <= SMALL);
    let mid = len / 2;
    let mut picks = [const { MaybeUninit::<*const T>::uninit() }; SMALL];
    let picks = picks.as_mut_ptr().cast::<*const T>();
    let (mut left, mut right) = (from, from.wrapping_add(mid));
    let (mut left_last, mut right_last) = (right.wrapping_sub(1), from.wrapping_add(len - 1));
    for i in 0..mid {
        // SAFETY: before the `i`th step, either end of either run has moved by at most `i`, which is less than `mid` and so than the
        // length of either run. All four point into their runs, whatever the answers were. A note goes to an index below `len`.
        unsafe {
            let from_right = order.is_less(&*right, &*left);
            *picks.add(i) = select_unpredictable(from_right, right, left);
            right = right.add(usize::from(from_right));
            left = left.add(usize::from(!from_right));
            let from_left = order.is_less(&*right_last, &*left_last);
            *picks.add(len - 1 - i) = select_unpredictable(from_left, left_last, right_last);
            left_last = left_last.wrapping_sub(usize::from(from_left));
            right_last = right_last.wrapping_sub(usize::from(!from_left));
        }
    }
    if len % 2 == 1 {
        let from_left = left != left_last.wrapping_add(1);
        // SAFETY: `mid` is below `len`.
        unsafe { *picks.add(mid) = select_unpredictable(from_left, left, right) };
        left = left.wrapping_add(usize::from(from_left));
        right = right.wrapping_add(usize::from(!from_left));
    }
    if left != left_last.wrapping_add(1) || right != right_last.wrapping_add(1) {
        // SAFETY: as promised by the caller.
        return unsafe { ptr::copy_nonoverlapping(from, to, len) };
    }
    for i in 0..len {
        // SAFETY: every pick has been written. The front took what comes before `left` and `right`, the back the rest, so every element is
        // picked once.
        unsafe { ptr::copy_nonoverlapping(*picks.add(i), to.add(i), 1) };
    }
}

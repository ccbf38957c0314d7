//! The merge of a sorted run with another one behind it, in place.
//!
//! | function | memory | who merges |
//! |---|---|---|
//! | [`merge_in_place`] | a buffer as long as the second run | a few threads, or this one if the second run is far shorter |
//! | [`merge_in_little_room`] | room on the stack | all threads |
//! | [`merge_in_place_alone`] | room for a few elements | this thread |
//!
//! If the second run is copied to a buffer, a merge from the back never overwrites elements that it still needs. To share the work, or if
//! there is less room, the merge is cut at the exact middle of its output. A cut rotates the elements about the middle, so that each half
//! has its two runs side by side. Each half owns its elements, so no answer of the comparator can make the halves overlap. Work O(n log c)
//! moves for c leaves, and O(n) comparisons; span O(n) moves with a buffer, O((n / p) log n) if rotations are made by reversals.

use super::merge::{RunMerge, leaf_len};
use super::order::{Less, Order};
use super::rank::{bisect, co_rank};
use super::sequential::{room_on_stack, with_room};
use super::{both, threads};
use crate::algo::reorder::rotate_by_reversals;
use crate::core::leaf;
use std::mem::MaybeUninit;
use std::ptr;

/// The second run counts as scattered in a slice that is more than this many times as long.
const SCATTERED: usize = 32;

/// If the second run has one of this many elements or more, the runs may alternate: one comparison for each element is fewer than a search for each stretch.
const MIXED: usize = 8;

/// Longest output that is not cut for other threads.
const LEAF: usize = 1 << 14;

/// Merges the sorted runs `v[..mid]` and `v[mid..]`, with a buffer as long as the second one, by comparisons of this
/// [`weight`](super::weight).
pub(super) fn merge_in_place<T: Send, O: Order<T>>(
    v: &mut [T],
    mid: usize,
    buffer: &mut [MaybeUninit<T>],
    weight: usize,
    order: &O,
) {
    if is_scattered(v.len(), mid) {
        return merge_scattered(v, mid, buffer, order);
    }
    // Each cut moves up to half of the elements: no more cuts than threads need.
    let parts = threads().max(v.len() / leaf(usize::MAX, 2));
    let cuts = parts.next_power_of_two().ilog2();
    merge_by_cuts(v, mid, buffer, cuts, leaf(LEAF / weight, 2), order);
}

/// The same: halved `cuts` times, but no part further that is no longer than a leaf.
fn merge_by_cuts<T: Send, O: Order<T>>(
    v: &mut [T],
    mid: usize,
    buffer: &mut [MaybeUninit<T>],
    cuts: u32,
    leaf: usize,
    order: &O,
) {
    let Some((v, mid)) = trim(v, mid, order) else {
        return;
    };
    let is_leaf = cuts == 0 || v.len() <= leaf;
    let [low, high] = halve(v, mid, order, |v, by| rotate(v, by, buffer));
    let (low_buffer, high_buffer) = buffer.split_at_mut(low.0.len() - low.1);
    if is_leaf {
        let [low, high] = [(low, low_buffer), (high, high_buffer)].map(|((v, mid), buffer)| {
            // SAFETY: both are run by steps at the back, and to their ends. Nothing sorts elements of no size.
            unsafe { RunMerge::in_place(v, mid, buffer) }
        });
        return RunMerge::run_two_in_place(low, high, order);
    }
    both(
        || merge_by_cuts(low.0, low.1, low_buffer, cuts - 1, leaf, order),
        || merge_by_cuts(high.0, high.1, high_buffer, cuts - 1, leaf, order),
    );
}

/// The same with room on the stack only: what lies in the way is rotated.
pub(super) fn merge_in_little_room<T: Send, O: Order<T>>(
    v: &mut [T],
    mid: usize,
    weight: usize,
    order: &O,
) {
    merge_down_to(leaf_len::<T>(v.len(), weight), v, mid, order);
}

/// The same by cuts, until what is left is no longer than a leaf.
fn merge_down_to<T: Send, O: Order<T>>(leaf: usize, v: &mut [T], mid: usize, order: &O) {
    let Some((v, mid)) = trim(v, mid, order) else {
        return;
    };
    if v.len() <= leaf {
        let room = room_on_stack::<T>().min(v.len() - mid);
        return with_room(room, |room| merge_in_place_alone(v, mid, room, order));
    }
    let [low, high] = halve(v, mid, order, rotate_by_reversals);
    both(
        || merge_down_to(leaf, low.0, low.1, order),
        || merge_down_to(leaf, high.0, high.1, order),
    );
}

/// The same on this thread, with room for a few elements: the less of it, the more elements are rotated.
pub(super) fn merge_in_place_alone<T, O: Less<T>>(
    v: &mut [T],
    mid: usize,
    room: &mut [MaybeUninit<T>],
    order: &O,
) {
    let Some((v, mid)) = trim(v, mid, order) else {
        return;
    };
    if v.len() - mid <= room.len() {
        if v.len() - mid < v.len() / MIXED {
            return merge_scattered(v, mid, room, order);
        }
        // SAFETY: `run_backwards` takes steps at the back, and to the end. Nothing sorts elements of no size.
        return unsafe { RunMerge::in_place(v, mid, room) }.run_backwards(order);
    }
    for (v, mid) in halve(v, mid, order, <[T]>::rotate_left) {
        merge_in_place_alone(v, mid, room, order);
    }
}

/// Whether so few elements are behind `mid` that those before them are moved in stretches, by one thread: that takes hardly any comparisons, and no longer
/// than the cuts for several threads do.
pub(super) fn is_scattered(len: usize, mid: usize) -> bool {
    len - mid < len / SCATTERED
}

/// The same where hardly anything of one run lies between elements of the other, as where the second one [is short](is_scattered): on this thread, with a
/// buffer as long as that.
pub(super) fn merge_scattered<T, O: Less<T>>(
    v: &mut [T],
    mid: usize,
    buffer: &mut [MaybeUninit<T>],
    order: &O,
) {
    // SAFETY: `run_scattered` takes steps at the back, and to the end. Nothing sorts elements of no size.
    unsafe { RunMerge::in_place(v, mid, buffer) }.run_scattered(order);
}

/// Two sorted runs side by side, and where the second one begins.
type Runs<'a, T> = (&'a mut [T], usize);

/// Leaves off the start of the left run and the end of the right one that are in their places already; something of both is left. `None` if everything
/// is in its place, or if the order says first that it is not and then that it is.
pub(super) fn trim<'a, T, O: Less<T>>(
    v: &'a mut [T],
    mid: usize,
    order: &O,
) -> Option<Runs<'a, T>> {
    let (left, right) = v.split_at(mid);
    let (last, first) = (left.last()?, right.first()?);
    if !order.is_less(first, last) {
        return None;
    }
    let start = bisect(left, |x| !order.is_less(first, x));
    let end = mid + bisect(right, |x| order.is_less(x, last));
    match start < mid && mid < end {
        true => Some((&mut v[start..end], mid - start)),
        false => None,
    }
}

/// Cuts a merge into the halves of its output. `rotate(part, n)` brings the first `n` elements of `part` behind the others: those of the left run that belong to
/// the upper half go behind those of the right run that belong to the lower half.
fn halve<'a, T, O: Less<T>>(
    v: &'a mut [T],
    mid: usize,
    order: &O,
    rotate: impl FnOnce(&mut [T], usize),
) -> [Runs<'a, T>; 2] {
    let half = v.len() / 2;
    let from_left = co_rank(&v[..mid], &v[mid..], half, order);
    let from_right = half - from_left;
    rotate(&mut v[from_left..mid + from_right], mid - from_left);
    let (low, high) = v.split_at_mut(half);
    [(low, from_left), (high, mid - from_left)]
}

/// Brings the first `mid` elements behind the others. The buffer, which has room for the others, spares the exchanges that std's rotation needs.
fn rotate<T>(v: &mut [T], mid: usize, buffer: &mut [MaybeUninit<T>]) {
    let rest = v.len() - mid;
    assert!(rest <= buffer.len());
    let (v, buffer) = (v.as_mut_ptr(), buffer.as_mut_ptr().cast::<T>());
    // SAFETY: `v` has `mid + rest` elements, and the buffer has room for `rest`. Each element is in one
    // place when this is done, and no other code runs before.
    unsafe {
        ptr::copy_nonoverlapping(v.add(mid), buffer, rest);
        ptr::copy(v, v.add(rest), mid);
        ptr::copy_nonoverlapping(buffer, v, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::{LEAF, merge_by_cuts, merge_scattered, rotate};
    use std::cmp::Ordering;
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
                let order = By(|a: &(usize, _), b: &(usize, _)| a.0.cmp(&b.0));
                merge_by_cuts(&mut v, left, buffer, cuts, LEAF, &order);
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
        let buffer = buffer.spare_capacity_mut();
        let merge = || merge_by_cuts(&mut v, left, buffer, cuts, LEAF, &order);
        let unwound = catch_unwind(AssertUnwindSafe(merge)).is_err();
        v.sort_by_key(|x| x.1);
        assert!(v.iter().map(|x| x.1).eq(0..left + right));
        unwound
    }

    #[test]
    fn a_few_scattered_elements_take_a_few_comparisons_each() {
        for (left, right, keys) in [
            (1, 1, 2),
            (33, 1, 50),
            (700, 7, 3),
            (5000, 40, 1 << 20),
            (7, 60, 20),
            (9, 0, 5),
        ] {
            let mut v = runs(left, right, keys);
            let mut sorted = v.clone();
            sorted.sort();
            let calls = AtomicUsize::new(0);
            let order = By(|a: &(usize, _), b: &(usize, _)| {
                calls.fetch_add(1, Relaxed);
                a.0.cmp(&b.0)
            });
            let mut buffer = Vec::with_capacity(right);
            merge_scattered(&mut v, left, buffer.spare_capacity_mut(), &order);
            assert_eq!(v, sorted);
            let each = 8 + 4 * (left / right.max(1) + 1).ilog2() as usize;
            assert!(calls.into_inner() <= right * each, "{left} and {right}");
        }
    }

    /// Also if a comparison panics, or the answers make no sense.
    #[test]
    fn every_scattered_element_is_kept() {
        let answers: [fn(usize, usize, usize) -> Ordering; 6] = [
            |_, a, b| a.cmp(&b),
            |_, a, b| b.cmp(&a),
            |_, _, _| Ordering::Less,
            |_, _, _| Ordering::Greater,
            |call, _, _| (call * 7919 % 5).cmp(&2),
            // The other way round each time: neither run has an element that comes last.
            |call, _, _| [Ordering::Greater, Ordering::Less][call % 2],
        ];
        for answer in answers {
            for panics_at in 0.. {
                let mut v: Vec<_> = runs(200, 6, 90).into_iter().map(Box::new).collect();
                let calls = AtomicUsize::new(0);
                #[allow(clippy::borrowed_box)] // the elements are boxes
                let order = By(|a: &Box<(usize, usize)>, b: &Box<(usize, usize)>| {
                    assert!(!std::ptr::eq(a, b));
                    let call = calls.fetch_add(1, Relaxed);
                    if call == panics_at {
                        resume_unwind(Box::new(()));
                    }
                    answer(call, a.0, b.0)
                });
                let mut buffer = Vec::with_capacity(6);
                let buffer = buffer.spare_capacity_mut();
                let merge = || merge_scattered(&mut v, 200, buffer, &order);
                let unwound = catch_unwind(AssertUnwindSafe(merge)).is_err();
                v.sort_by_key(|x| x.1);
                assert!(v.iter().map(|x| x.1).eq(0..206));
                if !unwound {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_buffer_without_room_is_refused() {
        let refused =
            |move_all: fn(&mut [i32])| catch_unwind(|| move_all(&mut [1, 3, 0, 2])).is_err();
        assert!(refused(|v| merge_scattered(v, 2, &mut [], &By(i32::cmp))));
        assert!(refused(|v| rotate(v, 2, &mut [])));
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

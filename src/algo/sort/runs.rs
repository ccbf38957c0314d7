//! Sorted runs that lie behind one another, merged into one.
//!
//! Work O(n log k) for k runs, span O((n / p) log k + log³ n). Memory: as many elements as there are; for two runs see [`room_for_two`].

use super::buffered_slice::BufferedSlice;
use super::in_place::{is_scattered, merge_in_place, trim};
use super::order::Order;
use super::rank::cut;
use super::sequential::{self, with_room};
use super::weight::{is_tiny, weight, weight_if_shared};
use super::{SHORT, both, in_pool, threads};
use crate::algo::buffer::Buffer;
use crate::core::leaf;
use std::mem::MaybeUninit;

/// From this many threads on, two runs are merged into a buffer for both, and go home: they need no cuts in place, each of which moves half of the
/// elements after the one before. With fewer threads less memory is the faster way.
const MANY: usize = 4;

/// How many elements the buffer of [`merge_two`] has room for, with `len` elements, of which the second run has so many.
pub(super) fn room_for_two(len: usize, second: usize) -> usize {
    match threads() < MANY || is_scattered(len, len - second) {
        true => second,
        false => len,
    }
}

/// Merges the sorted runs `v[..mid]` and `v[mid..]`, by comparisons of this [`weight`](super::weight). The buffer is as long as
/// [`room_for_two`] says, or longer. What is in its place at either end stays there.
pub(super) fn merge_two<T: Send, O: Order<T>>(
    v: &mut [T],
    mid: usize,
    buffer: &mut [MaybeUninit<T>],
    weight: usize,
    order: &O,
) {
    let Some((v, mid)) = trim(v, mid, order) else {
        return;
    };
    if room_for_two(v.len(), v.len() - mid) < v.len() || buffer.len() < v.len() {
        return merge_in_place(v, mid, buffer, weight, order);
    }
    merge_in_buffer(v, &[mid, v.len()], buffer, weight, order, &|run| run);
}

/// Merges the sorted runs `v[..mid]` and `v[mid..]`.
pub(crate) fn merge_neighbours<T: Send, O: Order<T>>(v: &mut [T], mid: usize, order: &O) {
    let Some((v, mid)) = trim(v, mid, order) else {
        return;
    };
    if size_of::<T>() == 0 {
        return;
    }
    let second = v.len() - mid;
    let Some(weight) = weight_if_shared(v, 2, order) else {
        return with_room(second, |room| merge_in_place(v, mid, room, 1, order));
    };
    let mut buffer = Buffer::new(room_for_two(v.len(), second));
    in_pool(|| merge_two(v, mid, buffer.slots(), weight, order));
}

/// Merges the sorted runs that end at `ends`.
pub(crate) fn merge_runs<T: Send, O: Order<T>>(v: &mut [T], ends: &[usize], order: &O) {
    let is_alone = is_tiny(v) || size_of::<T>() == 0;
    let weight = if is_alone { 1 } else { weight(v, order) };
    if is_alone || v.len() <= leaf(SHORT / weight, 2) {
        return sequential::sort(v, order);
    }
    let mut buffer = Buffer::new(v.len());
    in_pool(|| merge_in_buffer(v, ends, buffer.slots(), weight, order, &|run| run));
}

/// Merges the runs that end at `ends`, of elements that have a size, with a buffer as long as the slice. Before that, `sort` is called with
/// each of them, and may make a run of it.
pub(super) fn merge_in_buffer<T, O, F>(
    v: &mut [T],
    ends: &[usize],
    buffer: &mut [MaybeUninit<T>],
    weight: usize,
    order: &O,
    sort: &F,
) where
    T: Send,
    O: Order<T>,
    F: for<'a> Fn(BufferedSlice<'a, T>) -> BufferedSlice<'a, T> + Sync,
{
    // SAFETY: `T` is not zero-sized. No buffered slice is leaked: those made from this one are merged into it again, and it goes home here; or they are dropped, when a
    // comparator unwinds. A join runs both sides, and drops what one returned if the other one panics.
    let slice = unsafe { BufferedSlice::new(v, buffer) };
    merge_buffered(slice, 0, ends, weight, order, sort).go_home();
}

/// Merges the runs of a buffered slice, which begins at `start` of what `ends` are indices of.
fn merge_buffered<'a, T, O, F>(
    slice: BufferedSlice<'a, T>,
    start: usize,
    ends: &[usize],
    weight: usize,
    order: &O,
    sort: &F,
) -> BufferedSlice<'a, T>
where
    T: Send,
    O: Order<T>,
    F: for<'b> Fn(BufferedSlice<'b, T>) -> BufferedSlice<'b, T> + Sync,
{
    // Rounded up, so that what was halved, and each half rounded down, is halved here.
    let Some((before, mid)) = cut(start + slice.len().div_ceil(2), ends) else {
        return sort(slice);
    };
    let (low_ends, high_ends) = ends.split_at(before);
    let (low, high) = slice.split_at(mid - start);
    let (low, high) = both(
        || merge_buffered(low, start, low_ends, weight, order, sort),
        || merge_buffered(high, mid, high_ends, weight, order, sort),
    );
    low.merge(high, weight, order)
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::merge_runs;
    use std::cmp::Ordering;

    /// Whatever their order answers: the merge is not for them.
    #[test]
    fn elements_without_a_size_are_left_as_they_are() {
        for len in [0, 9, 12_000] {
            merge_runs(
                &mut vec![(); len],
                &[len / 3, len],
                &By(|_: &(), _: &()| Ordering::Less),
            );
        }
    }
}

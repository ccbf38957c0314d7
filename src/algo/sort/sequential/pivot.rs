//! The element by which a slice is partitioned, and the partition of what is sorted in place.
//!
//! To choose it takes O(n^0.53) comparisons: three for each group of three medians. No memory.

use super::super::order::Less;
use super::super::partition::{Left, partition_by};
use std::hint::select_unpredictable;

/// From this length on, each of the three candidates is a median itself.
const LONG: usize = 64;

/// Index of an element that is probably close to the median of at least eight. (Tukey's "ninther", 1978, to any depth.)
pub(super) fn choose<T, O: Less<T>>(v: &[T], order: &O) -> usize {
    median_near(v, 0, v.len() / 8, order)
}

/// Looks at `8 * step` elements from `start` on: at the start, in the middle and towards the end.
fn median_near<T, O: Less<T>>(v: &[T], start: usize, step: usize, order: &O) -> usize {
    let mut candidates = [start, start + 4 * step, start + 7 * step];
    if step * 8 >= LONG {
        for candidate in &mut candidates {
            *candidate = median_near(v, *candidate, step / 8, order);
        }
    }
    let [a, b, c] = candidates;
    let a_before_b = order.is_less(&v[a], &v[b]);
    if a_before_b != order.is_less(&v[a], &v[c]) {
        // `a` is between the two.
        return a;
    }
    // `a` is the least or the greatest: then it is the lesser or the greater of the two others.
    let b_before_c = order.is_less(&v[b], &v[c]);
    select_unpredictable(a_before_b == b_before_c, b, c)
}

/// A slice after a partition by one of its elements.
pub(super) struct Parted<'a, T> {
    /// What is less than the pivot.
    pub(super) low: &'a mut [T],
    /// What is where it belongs: the pivot, or all that equal it.
    pub(super) done: &'a [T],
    pub(super) high: &'a mut [T],
    /// The pivot, if some of `high` may equal it.
    pub(super) least: Option<&'a T>,
}

/// Partitions `v`, which has eight elements at least. None of them is less than `least`, if that is known.
#[inline(always)]
pub(super) fn part<'a, T, O: Less<T>>(
    v: &'a mut [T],
    least: Option<&T>,
    order: &O,
) -> Parted<'a, T> {
    v.swap(0, choose(v, order));
    let (pivot, rest) = v.split_first_mut().expect("eight elements");
    // If nothing is less than the pivot, its equals are in their places once they are on the left.
    let is_least = least.is_some_and(|least| !order.is_less(least, pivot));
    let (start, end) = if is_least {
        (0, 1 + partition_by(rest, pivot, Left::NotGreater, order))
    } else {
        let mid = partition_by(rest, pivot, Left::Less, order);
        v.swap(0, mid);
        (mid, mid + 1)
    };
    let (low, rest) = v.split_at_mut(start);
    let (done, high) = rest.split_at_mut(end - start);
    let done = &*done;
    Parted {
        low,
        done,
        high,
        least: done.first().filter(|_| !is_least),
    }
}

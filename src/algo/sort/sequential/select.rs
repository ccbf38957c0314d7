//! Selection by one thread: a quicksort of the side that matters. Work O(n) as a rule, and O(n log n) at most.

use super::super::order::Less;
use super::unstable::quicksort;

/// Brings the element that belongs at `index` there, what is less to its left, and what is greater to its right.
///
/// # Panics
///
/// If `index` is not in the slice.
pub(crate) fn select<T, O: Less<T>>(v: &mut [T], index: usize, order: &O) {
    assert!(index < v.len());
    if size_of::<T>() > 0 {
        quicksort(v, None, 2 * v.len().ilog2(), Some(index), order);
    }
}

//! Selection by one thread.
//!
//! Work O(n) as a rule, and O(n log n) at most; no memory.

use super::super::order::Less;
use super::small::insert_from;
use super::{heap, pivot};

/// So few are sorted by insertion.
const FEW: usize = 16;

/// Brings the element that belongs at `index` there, what is less to its left, and what is greater to its right.
///
/// Whatever the comparator answers, it is O(n log n) comparisons at most: partitions have a budget, and what is left when it is used up is
/// sorted.
pub(crate) fn select<T, O: Less<T>>(mut v: &mut [T], mut index: usize, order: &O) {
    assert!(index < v.len());
    if size_of::<T>() == 0 {
        return;
    }
    let mut budget = 2 * v.len().ilog2();
    // An element than which none of `v` is less, if one is known.
    let mut least: Option<&T> = None;
    while v.len() > FEW {
        if budget == 0 {
            return heap::sort(v, order);
        }
        budget -= 1;
        let parted = pivot::part(v, least, order);
        let done = parted.low.len() + parted.done.len();
        if index < parted.low.len() {
            v = parted.low;
        } else if index < done {
            return;
        } else {
            (v, index, least) = (parted.high, index - done, parted.least);
        }
    }
    insert_from(v, 1, order);
}

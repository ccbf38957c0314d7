//! Selection by one thread.
//!
//! Work O(n) as a rule, and O(n log n) at most; no memory.

use super::super::order::Less;
use super::super::partition::{Left, partition_rest};
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
    // Whether the element before `v` is one than which none of `v` is less.
    let mut least: Option<&T> = None;
    while v.len() > FEW {
        if budget == 0 {
            return heap::sort(v, order);
        }
        budget -= 1;
        let pivot = pivot::choose(v, order);
        v.swap(0, pivot);
        if least.is_some_and(|least| !order.is_less(least, &v[0])) {
            let equal = 1 + partition_rest(v, Left::NotGreater, order);
            if index < equal {
                return;
            }
            (v, index, least) = (&mut v[equal..], index - equal, None);
            continue;
        }
        let mid = partition_rest(v, Left::Less, order);
        v.swap(0, mid);
        let (low, rest) = v.split_at_mut(mid);
        let (pivot, high) = rest.split_first_mut().expect("the pivot");
        if index < mid {
            v = low;
        } else if index == mid {
            return;
        } else {
            (v, index, least) = (high, index - mid - 1, Some(&*pivot));
        }
    }
    insert_from(v, 1, order);
}

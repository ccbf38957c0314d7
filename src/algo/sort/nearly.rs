//! The unstable sort of what is nearly sorted, by several threads.
//!
//! Each block of the slice keeps its elements that are in order, and puts the others aside (see `sequential::nearly`). If few were put
//! aside, each block is sorted, and neighbouring blocks are merged in place, by cuts at the exact middle. (Partitions would destroy the
//! order that is there.)
//!
//! Nothing is allocated but a number for each block. Work O(n log p + k log k), span O((n/p) log n) for k elements out of place.

use super::both;
use super::in_place::merge_in_little_room;
use super::order::Order;
use super::sequential;
use crate::algo::reorder::reverse;

/// Sorts `v` in up to `blocks` blocks, a power of two, with comparisons of this `weight`, if it is nearly sorted or nearly descending: true. Else it is in any order.
pub(super) fn sort<T: Send, O: Order<T>>(
    v: &mut [T],
    blocks: usize,
    weight: usize,
    order: &O,
) -> bool {
    if !sequential::nearly_ascends(v, order, reverse) {
        return false;
    }
    let mut kept = vec![None; blocks];
    put_aside(v, &mut kept, order);
    let Some(kept) = kept.into_iter().collect::<Option<Vec<usize>>>() else {
        return false;
    };
    put_back(v, &kept, weight, order);
    true
}

/// How many elements each block keeps; `None` if that is too few.
fn put_aside<T: Send, O: Order<T>>(v: &mut [T], kept: &mut [Option<usize>], order: &O) {
    if let [kept] = kept {
        *kept = sequential::put_aside(v, order);
        return;
    }
    let (low, high) = v.split_at_mut(v.len() / 2);
    let (low_kept, high_kept) = kept.split_at_mut(kept.len() / 2);
    both(
        || put_aside(low, low_kept, order),
        || put_aside(high, high_kept, order),
    );
}

fn put_back<T: Send, O: Order<T>>(v: &mut [T], kept: &[usize], weight: usize, order: &O) {
    if let [kept] = kept {
        return sequential::put_back(v, *kept, order);
    }
    let mid = v.len() / 2;
    let (low, high) = v.split_at_mut(mid);
    let (low_kept, high_kept) = kept.split_at(kept.len() / 2);
    both(
        || put_back(low, low_kept, weight, order),
        || put_back(high, high_kept, weight, order),
    );
    merge_in_little_room(v, mid, weight, order);
}

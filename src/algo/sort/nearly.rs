//! The unstable sort of what is nearly sorted, by several threads.
//!
//! Each block of the slice is sorted by itself: what is out of place is put aside, sorted, and merged back (see `sequential::nearly`). If that is little in
//! each, neighbouring blocks are merged in place, by cuts at the exact middle. (Partitions would destroy the order that is there.)
//!
//! Nothing is allocated. Work O(n log p + k log k), span O((n/p) log n) for k elements out of place.

use super::both;
use super::in_place::merge_in_little_room;
use super::order::Order;
use super::sequential;
use crate::algo::reorder::reverse;
use crate::sync::{AtomicBool, Ordering::Relaxed};

/// Sorts `v` in up to `blocks` blocks, a power of two, with comparisons of this `weight`, if it is nearly sorted or nearly descending: true. Else it is in any order.
pub(super) fn sort<T: Send, O: Order<T>>(
    v: &mut [T],
    blocks: usize,
    weight: usize,
    order: &O,
) -> bool {
    let give_up = AtomicBool::new(false);
    sequential::nearly_ascends(v, order, reverse)
        && sort_blocks(v, (blocks, weight), order, &give_up)
}

/// The same for what seems to be. `give_up`: some block was not, so the others need not be sorted. It publishes nothing: relaxed.
fn sort_blocks<T: Send, O: Order<T>>(
    v: &mut [T],
    (blocks, weight): (usize, usize),
    order: &O,
    give_up: &AtomicBool,
) -> bool {
    if blocks == 1 {
        let done = sequential::sort_aside(v, order, || !give_up.load(Relaxed));
        if !done {
            give_up.store(true, Relaxed);
        }
        return done;
    }
    let mid = v.len() / 2;
    let (low, high) = v.split_at_mut(mid);
    let done = both(
        || sort_blocks(low, (blocks / 2, weight), order, give_up),
        || sort_blocks(high, (blocks / 2, weight), order, give_up),
    );
    let done = done == (true, true) && !give_up.load(Relaxed);
    if done {
        merge_in_little_room(v, mid, weight, order);
    }
    done
}

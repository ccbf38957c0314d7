//! The stable sort: sorted leaves, then parallel merges.
//!
//! 1. A short slice, and any slice if there is but one thread, is sorted by one thread.
//! 2. A slice that begins with a run of half its length and more keeps the run: the rest is sorted,
//!    and merged with it; by few threads, or if the rest is short, in place with a buffer for the rest alone.
//! 3. Any other slice is cut into leaves. Each is sorted by one thread. Pairs of neighbours are
//!    merged, to and fro between the slice and one buffer of its length.
//!
//! Many short runs need nothing of their own: they are found inside the leaves, and a merge moves
//! stretches that do not overlap in bulk.
//!
//! Work O(n log n), span O(n/p log n) for the leaves and O(log³ n) for the merges above them (O(n) moves, if a run of more than 31 parts in 32 is kept);
//! memory for n elements.
//!
//! # A comparator that panics
//!
//! The buffer is allocated before anything moves. Both sides of a join end or unwind before the
//! payload travels on; then the slice holds every element once, in some order. The buffer is freed
//! as memory, and no element in it is dropped.

use super::leading_run::LeadingRun;
use super::order::Order;
use super::runs::{merge_in_buffer, merge_two, room_for_two};
use super::sequential;
use super::weight::weight_if_shared;
use super::{in_pool, threads};
use crate::algo::buffer::Buffer;
use crate::algo::moves::leaf_of;
use crate::core::leaf;
use std::mem::MaybeUninit;

/// Leaves for each thread. Every doubling costs a merge, which is as cheap as what it saves in the
/// leaves on random data, and more expensive where few keys make those fast. It halves the span of the leaves, which is most of the whole
/// from [`MANY`] threads on.
const LEAVES: usize = 2;
const LEAVES_OF_MANY: usize = 4;
const MANY: usize = 16;

/// Longest leaf, in bytes: with as much room it should stay in the cache of the last level.
const LEAF_BYTES: usize = 8 << 20;

/// Shortest leaf, in elements, if comparisons are cheap; and if they are as expensive as can be.
const MIN_LEAF: usize = 2048;
const LEAST_LEAF: usize = 32;

pub(crate) fn sort<T: Send, O: Order<T>>(v: &mut [T], order: &O) {
    let Some(weight) = weight_if_shared(v, 2, order) else {
        return sequential::sort(v, order);
    };
    let run = LeadingRun::leading(v, order);
    if run.len() == v.len() {
        return run.ascend(v);
    }
    let room = match is_long(run, v.len()) {
        true => room_for_two(v.len(), v.len() - run.len()),
        false => v.len(),
    };
    in_pool(|| {
        let mut buffer = Buffer::new(room);
        sort_after(run, v, buffer.slots(), weight, order);
    });
}

fn is_long(run: LeadingRun, len: usize) -> bool {
    run.len() >= len / 2
}

/// Sorts a slice that begins with `run`. The buffer is as long as [`room_for_two`] says if the run is long, else as
/// the slice.
fn sort_after<T, O>(
    run: LeadingRun,
    v: &mut [T],
    buffer: &mut [MaybeUninit<T>],
    weight: usize,
    order: &O,
) where
    T: Send,
    O: Order<T>,
{
    if !is_long(run, v.len()) {
        let levels = levels::<T>(v.len(), threads(), weight);
        return sort_leaves(v, buffer, levels, weight, order);
    }
    run.ascend(v);
    let rest = &mut v[run.len()..];
    if rest.is_empty() {
        return;
    }
    // The rest is half of the slice or less, so a run kept in it in turn makes for half the work,
    // and so on: keeping runs costs O(n) in all.
    let next = LeadingRun::leading(rest, order);
    sort_after(next, rest, buffer, weight, order);
    merge_two(v, run.len(), buffer, weight, order);
}

/// Sorts a slice as 2^`levels` leaves, no two of which differ in length by more than one element.
fn sort_leaves<T, O>(
    v: &mut [T],
    buffer: &mut [MaybeUninit<T>],
    levels: u32,
    weight: usize,
    order: &O,
) where
    T: Send,
    O: Order<T>,
{
    let end = |leaf: usize| ((v.len() as u128 * leaf as u128) >> levels) as usize;
    let ends: Vec<usize> = (1..=1 << levels).map(end).collect();
    merge_in_buffer(v, &ends, buffer, weight, order, &|leaf| {
        sequential::sort_buffered(leaf, order)
    });
}

/// How often to halve a slice of `len` elements, whose comparisons have this [`weight`].
fn levels<T>(len: usize, threads: usize, weight: usize) -> u32 {
    let of_each = if threads < MANY {
        LEAVES
    } else {
        LEAVES_OF_MANY
    };
    let leaves = (of_each * threads).max(len / leaf_of::<T>(LEAF_BYTES));
    let levels = leaves.next_power_of_two().ilog2();
    // A merge moves the elements to the other place, and so does the sort of large ones. One level
    // more, if need be, and they end up at home.
    let moves = levels + u32::from(sequential::moves_once::<T>());
    let min_leaf = leaf((MIN_LEAF / weight).max(LEAST_LEAF), 2);
    (levels + moves % 2).min((len / min_leaf).max(1).ilog2())
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::sort_leaves;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn sweep<T: Send>(element: impl Fn(usize) -> T, key: impl Fn(&T) -> usize + Sync) {
        const LEN: usize = 120;
        for levels in 0..=3 {
            for panics_at in 0.. {
                let mut v: Vec<T> = (0..LEN).map(|i| element(i * 7919 % LEN)).collect();
                let calls = AtomicUsize::new(0);
                let order = By(|a: &T, b: &T| {
                    if calls.fetch_add(1, Relaxed) == panics_at {
                        resume_unwind(Box::new(()));
                    }
                    (key(a) / 3).cmp(&(key(b) / 3))
                });
                let mut buffer = Vec::with_capacity(LEN);
                let buffer = buffer.spare_capacity_mut();
                let sort = AssertUnwindSafe(|| sort_leaves(&mut v, buffer, levels, 1, &order));
                let unwound = catch_unwind(sort).is_err();
                if !unwound {
                    assert!(v.iter().map(|x| key(x) / 3).eq((0..LEN).map(|i| i / 3)));
                }
                v.sort_by_key(&key);
                assert!(v.iter().map(&key).eq(0..LEN));
                if !unwound {
                    assert!(panics_at > LEN);
                    break;
                }
            }
        }
    }

    #[test]
    fn keeps_every_element_when_any_comparison_panics() {
        sweep(|i| i.to_string(), |x| x.parse().unwrap());
    }

    #[test]
    fn keeps_every_large_element_when_any_comparison_panics() {
        sweep(
            |i| [const { None }; 8].map(|_: Option<()>| i.to_string()),
            |x| x[7].parse().unwrap(),
        );
    }
}

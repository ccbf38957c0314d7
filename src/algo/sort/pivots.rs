//! The partition of one slice by several threads, each with a pivot of its own.
//!
//! Elements need not be `Sync`, so two threads must not compare with the same pivot. But if one
//! thread partitioned a long slice, the others would stand idle. So the slice is cut into blocks,
//! and each block has its own pivot: neighbours in one sorted sample of the whole, so that they
//! differ little. The blocks are partitioned in parallel, and their parts brought together.
//!
//! What lies between the least and the greatest pivot may be on either side after. Where keys
//! repeat, pivots are equal, and the sides do not overlap.

use super::both;
use super::order::Order;
use super::partition::partition;
use super::sequential;
use crate::algo::reorder::exchange;
use std::ops::Range;

/// Which elements a partition brings to the left.
#[derive(Clone, Copy)]
pub(super) enum Left {
    /// Those less than the pivot.
    Less,
    /// Those not greater than it: for a slice whose least element is frequent.
    NotGreater,
}

/// Longest sample that is sorted as a whole: for a longer one that takes longer than a thread's part of the partition.
const SORTED: usize = 512;

/// Brings a sample of elements from all over `v` to its front, and those of some ranks to their places in it. Returns what of the sample is in order:
/// those, or all of it.
pub(super) fn rank_sample<T, O: Order<T>>(
    v: &mut [T],
    sample: usize,
    ranks: Range<usize>,
    order: &O,
) -> Range<usize> {
    let stride = v.len() / sample;
    // Marsaglia's xorshift. Chance foils patterns; a caller who foils chance is met by a limit on
    // bad partitions.
    let mut random = v.len() as u64 | 1;
    for i in 0..sample {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        v.swap(i, i * stride + (random % stride as u64) as usize);
    }
    let v = &mut v[..sample];
    if sample <= SORTED {
        sequential::sort_unstable(v, order);
        return 0..sample;
    }
    sequential::select(v, ranks.start, order);
    sequential::select(&mut v[ranks.start..], ranks.len() - 1, order);
    sequential::sort_unstable(&mut v[ranks.clone()], order);
    ranks
}

/// Partitions `v` by its first `pivots` elements, each of which serves one block of the rest.
///
/// Returns how many elements went left. Behind those come the pivots, in the order they had, and
/// then what went right.
pub(super) fn partition_by_first<T, O>(v: &mut [T], pivots: usize, left: Left, order: &O) -> usize
where
    T: Send,
    O: Order<T>,
{
    let (pivots, rest) = v.split_at_mut(pivots);
    let block = rest.len().div_ceil(pivots.len());
    let mid = partition_blocks(rest, block, pivots, left, order);
    if let Some(start) = mid.checked_sub(pivots.len()) {
        pivots.swap_with_slice(&mut rest[start..mid]);
    } else {
        let pivots = pivots.len();
        v[..mid + pivots].rotate_left(pivots);
    }
    mid
}

fn partition_blocks<T, O>(
    v: &mut [T],
    block: usize,
    pivots: &mut [T],
    left: Left,
    order: &O,
) -> usize
where
    T: Send,
    O: Order<T>,
{
    if let [pivot] = &*pivots {
        return match left {
            Left::Less => partition(v, |x| order.is_less(x, pivot)),
            Left::NotGreater => partition(v, |x| !order.is_less(pivot, x)),
        };
    }
    let half = pivots.len() / 2;
    let (low_pivots, high_pivots) = pivots.split_at_mut(half);
    let (low, high) = v.split_at_mut(v.len().min(half * block));
    let (low_mid, high_mid) = both(
        || partition_blocks(low, block, low_pivots, left, order),
        || partition_blocks(high, block, high_pivots, left, order),
    );
    // Between the borders lies what belongs right, then what belongs left: exchange the shorter one
    // with as much at the far end of the longer one.
    let (belongs_right, belongs_left) = (&mut low[low_mid..], &mut high[..high_mid]);
    let len = belongs_right.len().min(belongs_left.len());
    let start = belongs_left.len() - len;
    exchange(&mut belongs_right[..len], &mut belongs_left[start..]);
    low_mid + high_mid
}

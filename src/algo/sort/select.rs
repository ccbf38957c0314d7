//! Selection: brings to an index the element that a sort would bring there, and lesser elements to its left.
//!
//! 1. A sample is drawn. Its elements whose ranks are a little above the expected rank of the wanted element, or a little below, become
//!    pivots: one for each block of the slice, since two threads must not compare with the same element.
//! 2. Each thread partitions a block by its own pivot, and the parts are brought together. The pivots go between the two sides. The search
//!    goes on in the side that has the index.
//! 3. These steps are repeated until few elements are left. One thread selects among them.
//! 4. The sides of a partition by several pivots may overlap, in the elements between the least and the greatest pivot. So the element that
//!    was found is compared with all pivots. If it is on the wrong side of one, the slice is sorted. A random sample makes this
//!    rare; a comparator that is not a total order can cause it.
//!
//! The first round leaves about half of the elements if the median is wanted, the second a few in a hundred (Floyd and Rivest, "Expected
//! time bounds for selection", 1975, with the pivots in turn).
//!
//! Work O(n), span O(n/p). Nothing is allocated but a few indices. Elements are only swapped.
//!
//! # Any comparator
//!
//! The number of rounds is limited. If many elements are left after them, these are sorted. So the work is at most O(n log n).

use super::leading_run::LeadingRun;
use super::order::Order;
use super::partition::Left;
use super::pivots::{self, fetch_sample, partition_by_some};
use super::sequential;
use super::unstable::sort_unstable;
use super::{MANY, in_pool, threads};
use crate::core::leaf;

/// Slices no longer than this are left to one thread, which takes some tens of microseconds for them.
const SHORT: usize = 1 << 14;

/// Fewest elements of a block if there are [`MANY`] threads: it takes as long as it takes until another thread has it. And if there are fewer: some times
/// as long.
const MIN_BLOCK: usize = 1 << 11;
const MIN_BLOCK_OF_FEW: usize = 1 << 13;

/// This many blocks for each thread if there are [`MANY`], so that none is long: the chain of a selection is a block of each round, and what is done
/// with samples.
const BLOCKS: usize = 4;

/// Elements of the sample for each block, at least, if the threads are many. The pivots are neighbours in the sample, so with this many the window of the
/// next round is longer by 1/16 of this one.
const APART: usize = 16;

/// Elements left to one thread in the end.
const FEW: usize = 1 << 12;

/// The shortest window that is partitioned by a sample.
const SMALLEST: usize = 8;

/// Rounds after which what is left is sorted. Two or three are the rule, and one more where keys repeat.
const ROUNDS: usize = 16;

/// Brings the element that belongs at `index` there, what is less to its left, and what is greater to its right.
pub(crate) fn select<T: Send, O: Order<T>>(v: &mut [T], index: usize, order: &O) {
    if v.len() <= leaf(SHORT, SMALLEST) || size_of::<T>() == 0 || threads() == 1 {
        return sequential::select(v, index, order);
    }
    in_pool(|| select_together(v, index, order));
}

/// How many elements to sample.
fn sample_len(len: usize) -> usize {
    2 * len.isqrt()
}

/// Into how many blocks a window is cut.
fn blocks_of(len: usize, threads: usize) -> usize {
    let (blocks, least) = match threads {
        ..MANY => (threads, MIN_BLOCK_OF_FEW),
        _ => (BLOCKS * threads, MIN_BLOCK),
    };
    let blocks = blocks.min(sample_len(len) / leaf(APART, 2));
    blocks.min(len / leaf(least, 4)).clamp(1, pivots::MOST)
}

fn select_together<T: Send, O: Order<T>>(v: &mut [T], index: usize, order: &O) {
    let threads = threads();
    let few = leaf(FEW, SMALLEST);
    // Where the wanted element still may be.
    let mut window = 0..v.len();
    // Elements outside the window that must not be greater than the wanted one, and those that must not be less.
    let (mut below, mut above) = (Vec::new(), Vec::new());
    let mut goes_left = Left::Less;
    for _ in 0..ROUNDS {
        let len = window.len();
        if len <= few {
            break;
        }
        // All equal, perhaps, as between two pivots that are equal.
        if LeadingRun::sort_one(&mut v[window.clone()], order) {
            window = index..index + 1;
            break;
        }
        let blocks = blocks_of(len, threads);
        let wanted = index - window.start;
        let mid =
            window.start + partition(&mut v[window.clone()], wanted, blocks, goes_left, order);
        if index < mid {
            above.push(mid);
            window.end = mid;
        } else if index >= mid + blocks {
            below.push(mid + blocks - 1);
            window.start = mid + blocks;
        } else if blocks == 1 {
            // The pivot itself.
            window = mid..mid + 1;
        }
        // Where next to nothing is less than the pivot, the pivot's equals are many.
        goes_left = if window.len() > len / 8 * 7 {
            Left::NotGreater
        } else {
            Left::Less
        };
    }
    if window.len() <= few {
        let wanted = index - window.start;
        sequential::select(&mut v[window], wanted, order);
    } else {
        sort_unstable(&mut v[window], order);
    }
    let found = &v[index];
    let fits = below.iter().all(|&i: &usize| !order.is_less(found, &v[i]))
        && above.iter().all(|&i: &usize| !order.is_less(&v[i], found));
    if !fits {
        sort_unstable(v, order);
    }
}

/// Partitions a window, and returns how many went left. Behind those are the pivots, one for each block: the least of
/// them first and the greatest last, those between in any order.
fn partition<T: Send, O: Order<T>>(
    v: &mut [T],
    index: usize,
    blocks: usize,
    goes_left: Left,
    order: &O,
) -> usize {
    let sample = sample_len(v.len());
    // Off by three standard deviations and some more towards the greater part of the window: that part goes.
    let share = index as f64 / v.len() as f64;
    let expected = share * sample as f64;
    let margin = 4 + (3.0 * (expected * (1.0 - share)).sqrt()) as usize;
    let expected = expected as usize;
    let rank = if index < v.len() / 2 {
        expected + margin
    } else {
        expected.saturating_sub(margin + blocks)
    };
    let rank = rank.min(sample - blocks);
    let pivots = rank..rank + blocks;
    fetch_sample(v, sample);
    pivots::rank(&mut v[..sample], pivots.clone(), order);
    partition_by_some(v, pivots, goes_left, order)
}

#[cfg(test)]
mod tests {
    use super::super::comparison_meter::{measure, random};
    use super::{select, sort_unstable};

    /// A partition is as long as its longest block, and there are some, one after the other: so blocks have to be many and short.
    #[test]
    fn sixty_four_threads_select() {
        for (bits, least) in [(17, 8.0), (20, 28.0), (22, 60.0)] {
            let n = 1 << bits;
            for index in [n / 10, n / 3, n / 2] {
                let mut v = random(n as u64);
                let (work, span) = measure(64, |order| select(&mut v, index, order));
                let (low, high) = v.split_at(index);
                assert!(
                    low.iter().max() < Some(&high[0]) && high[1..].iter().min() > Some(&high[0])
                );
                let parallelism = work as f64 / span as f64;
                assert!(parallelism > least, "{bits} {index}: {work} {span}");
                assert!(work < 5 * n as u64 / 2, "{bits} {index}: {work}");
            }
        }
        // And a sort of what a selection has left.
        let mut v = random(1 << 17);
        let (work, span) = measure(64, |order| sort_unstable(&mut v, order));
        assert!(work as f64 / span as f64 > 20.0, "{work} {span}");
    }
}

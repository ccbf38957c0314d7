//! The unstable sort: quicksort in place, with partitions in parallel.
//!
//! A long slice is partitioned by several threads, by pivots close to its median, which differ a
//! little (see `pivots`). So when both sides are sorted, a few elements at the end of the left side
//! may be greater than a few at the start of the right one. Those elements lie side by side, about as many as
//! there are between two elements of a sample, and are merged in place, in parallel. If many keys are equal, the pivots are
//! equal, and there are no such elements.
//!
//! Nothing is allocated. Work O(n log n); span O(n/p log n).
//!
//! # Any comparator
//!
//! Elements are only swapped, but for merges, which bring all of them back. So the slice holds the same elements in the end.
//! Bad partitions have a budget, which is passed down through the joins. When it is used up, one thread sorts
//! the rest. So the depth is O(log n), whatever the comparator answers.

use super::in_place::merge_in_little_room;
use super::leading_run::LeadingRun;
use super::nearly;
use super::order::Order;
use super::partition::Left;
use super::pivots::{self, fetch_sample, partition_by_some, rank};
use super::sequential;
use super::weight::weight_if_shared;
use super::{MANY, both, in_pool, threads};
use crate::core::leaf;

/// Leaves for each thread: enough that unequal ones even out, and if there are [`MANY`], that none is long.
const LEAVES: usize = 4;
const LEAVES_OF_MANY: usize = 16;

/// Blocks for each of [`MANY`] threads in the first partition: a partition is as long as a block. Fewer threads have one each.
const BLOCKS_OF_MANY: usize = 4;

/// Shortest leaf, in elements, if comparisons are cheap; and if they are as expensive as can be.
const MIN_LEAF: usize = 1024;
const LEAST_LEAF: usize = 32;

/// Sizes at which leaves should be short: when std sorted those, a million elements of 32 and 64
/// bytes took 0.91 and 0.88 of std's work with short leaves, 1.00 and 1.05 with long ones.
const MIDDLING: std::ops::Range<usize> = 32..96;

/// Shortest block that one of [`MANY`] threads partitions for a common partition, if comparisons are cheap; and one of fewer than that.
const MIN_BLOCK: usize = 1 << 12;
const MIN_BLOCK_OF_FEW: usize = 1 << 14;

/// Slices no longer than this are left to one thread if keys repeat: it sorts few keys in few passes.
const REPEATING: usize = 1 << 14;

/// Elements of the sample for each block, if there are more than two. The overlap of the two sides is then about one part in this many of the slice.
const APART: usize = 32;

/// Longest sample that is sorted as a whole: for a longer one that takes longer than a thread's part of the partition.
const SORTED: usize = 512;

/// A side with less than one part in this many makes a partition a bad one.
const BAD: usize = 8;

/// The shortest slice that can be partitioned: the sample has as many elements at least, and more than a few for each block.
const SMALLEST: usize = 16;
const SMALLEST_BLOCK: usize = 4;

pub(crate) fn sort_unstable<T: Send, O: Order<T>>(v: &mut [T], order: &O) {
    let Some(weight) = weight_if_shared(v, SMALLEST, order) else {
        return sequential::sort_unstable(v, order);
    };
    if LeadingRun::sort_one(v, order) {
        return;
    }
    let min_leaf = (MIN_LEAF / weight).max(LEAST_LEAF);
    let threads = threads();
    let (leaves, of_each, min_block) = match threads {
        ..MANY => (LEAVES, 1, MIN_BLOCK_OF_FEW / weight),
        _ => (LEAVES_OF_MANY, BLOCKS_OF_MANY, MIN_BLOCK / weight),
    };
    let usual = if MIDDLING.contains(&size_of::<T>()) {
        min_leaf
    } else {
        v.len() / (leaves * threads)
    };
    let min_block = leaf(min_block, SMALLEST_BLOCK);
    let sort = Quicksort {
        order,
        leaf: leaf(usual.max(min_leaf), SMALLEST),
        min_block,
        weight,
    };
    let budget = v.len().ilog2();
    let blocks = (of_each * threads).next_power_of_two().min(pivots::MOST);
    // For what is nearly sorted: a power of two, and each block long enough.
    let even_blocks = blocks.min(1 << (v.len() / min_block).max(1).ilog2());
    if even_blocks == 1 && sequential::sort_nearly_sorted(v, order) {
        return;
    }
    in_pool(|| {
        if even_blocks == 1 || !nearly::sort(v, even_blocks, weight, order) {
            sort.partition_and_sort(v, Left::Less, blocks, budget);
        }
    });
}

struct Quicksort<'a, O> {
    order: &'a O,
    /// Longest slice left to one thread.
    leaf: usize,
    /// Shortest block in a partition by several threads.
    min_block: usize,
    /// What a comparison costs.
    weight: usize,
}

impl<O> Quicksort<'_, O> {
    /// Sorts `v`, unless that is a leaf, or sorted already, by a partition.
    ///
    /// `blocks` is how many threads may take part in it, `budget` how many bad partitions are left.
    fn sort<T>(&self, v: &mut [T], left: Left, blocks: usize, budget: u32)
    where
        T: Send,
        O: Order<T>,
    {
        if v.len() <= self.leaf || budget == 0 {
            return sequential::sort_unstable(v, self.order);
        }
        if !LeadingRun::sort_one(v, self.order) {
            self.partition_and_sort(v, left, blocks, budget);
        }
    }

    fn partition_and_sort<T>(&self, v: &mut [T], left: Left, blocks: usize, budget: u32)
    where
        T: Send,
        O: Order<T>,
    {
        let blocks = blocks.min(v.len() / self.min_block).max(1);
        let sample = sample_len(v.len(), blocks);
        let median = (sample - blocks) / 2;
        let pivots = median..median + blocks;
        fetch_sample(v, sample);
        let sorted = if sample > leaf(SORTED, 1) {
            rank(&mut v[..sample], pivots.clone(), self.order);
            pivots.clone()
        } else {
            0..sample
        };
        sequential::sort_unstable(&mut v[sorted.clone()], self.order);
        let pairs = v[sorted.clone()].windows(2);
        let equal = pairs.filter(|pair| !self.order.is_less(&pair[0], &pair[1]));
        let repeats = equal.count() > (sorted.len() / 10).max(1);
        if repeats && v.len() <= leaf(REPEATING / self.weight, 1) {
            return sequential::sort_unstable(v, self.order);
        }
        let mid = partition_by_some(v, pivots, left, self.order);
        let few = v.len() / BAD;
        let budget = budget - u32::from(mid < few || v.len() - mid < few);
        // If few were less than the median, the least of the rest is frequent.
        let next = if mid < few {
            Left::NotGreater
        } else {
            Left::Less
        };
        let (low, high) = v.split_at_mut(mid);
        // One thread sorts few keys in few passes: cut only as long as there are
        // threads to cut for.
        let budget = if repeats && blocks <= 2 { 0 } else { budget };
        both(
            || self.sort(low, Left::Less, blocks.div_ceil(2), budget),
            || self.sort(high, next, blocks.div_ceil(2), budget),
        );
        if blocks > 1 {
            merge_in_little_room(v, mid, self.weight, self.order);
        }
    }
}

/// Elements to sample: few enough to be cheap, and so many that pivots are rarely bad, and overlaps short. The pivots are `blocks` neighbours in the
/// sample, and the elements between the first and the last of them may be on either side.
fn sample_len(len: usize, blocks: usize) -> usize {
    let sample = (len.isqrt() / 4).clamp(16, 512);
    let apart = if blocks > 2 { APART } else { 4 };
    sample.max((apart * blocks).min(len / 4)).max(4 * blocks)
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::super::partition::Left;
    use super::Quicksort;
    use std::cmp::Ordering::{Greater, Less};
    use std::iter::successors;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    const LEN: usize = 400;

    fn keys(distinct: usize) -> impl Iterator<Item = usize> {
        (0..LEN).map(move |i| i * 7919 % 401 % distinct)
    }

    #[test]
    fn sorts_in_blocks() {
        for distinct in [1, 2, 3, 20, LEN] {
            for blocks in [1, 2, 3, 4, 8] {
                for left in [Left::Less, Left::NotGreater] {
                    let mut v: Vec<usize> = keys(distinct).collect();
                    let mut sorted = v.clone();
                    sorted.sort();
                    let order = By(usize::cmp);
                    let sort = Quicksort {
                        order: &order,
                        leaf: 32,
                        min_block: 32,
                        weight: usize::MAX,
                    };
                    sort.partition_and_sort(&mut v, left, blocks, 9);
                    assert_eq!(v, sorted);
                }
            }
        }
    }

    /// For which there is no room on the stack.
    #[test]
    fn sorts_elements_of_any_size_and_alignment() {
        #[repr(align(64))]
        struct Aligned(usize);
        fn check<T: Send>(element: impl Fn(usize) -> T, key: impl Fn(&T) -> usize + Sync) {
            let mut v: Vec<T> = keys(LEN).map(element).collect();
            let order = By(|a: &T, b: &T| key(a).cmp(&key(b)));
            let sort = Quicksort {
                order: &order,
                leaf: 32,
                min_block: 32,
                weight: 1,
            };
            sort.partition_and_sort(&mut v, Left::Less, 8, 9);
            assert!(v.is_sorted_by_key(key));
        }
        check(Aligned, |x| x.0);
        check(|i| [i; 600], |x| x[7]);
    }

    #[test]
    fn keeps_every_element_when_any_comparison_panics() {
        for (distinct, blocks) in [(LEN, 1), (LEN, 4), (3, 4)] {
            // At longer and longer steps, unless all cases are asked for.
            let longer = usize::from(std::env::var_os("FILCH_TEST_CASES").is_none());
            for panics_at in successors(Some(0), |at| Some(at + 1 + longer * at / 64)) {
                let mut v: Vec<(Box<usize>, usize)> =
                    keys(distinct).map(Box::new).zip(0..).collect();
                let calls = AtomicUsize::new(0);
                let order = By(|a: &(Box<usize>, usize), b: &(Box<usize>, usize)| {
                    if calls.fetch_add(1, Relaxed) == panics_at {
                        resume_unwind(Box::new(()));
                    }
                    a.0.cmp(&b.0)
                });
                let sort = Quicksort {
                    order: &order,
                    leaf: 32,
                    min_block: 64,
                    weight: if distinct == LEN { 1 } else { usize::MAX },
                };
                let sort =
                    AssertUnwindSafe(|| sort.partition_and_sort(&mut v, Left::Less, blocks, 9));
                let unwound = catch_unwind(sort).is_err();
                v.sort_by_key(|x| x.1);
                assert!(v.iter().map(|x| *x.0).eq(keys(distinct)));
                if !unwound {
                    assert!(panics_at > LEN);
                    break;
                }
            }
        }
    }

    #[test]
    fn a_used_up_budget_leaves_the_rest_to_one_thread() {
        let mut v: Vec<usize> = keys(LEN).collect();
        let order = By(usize::cmp);
        Quicksort {
            order: &order,
            leaf: 32,
            min_block: 64,
            weight: usize::MAX,
        }
        .sort(&mut v, Left::Less, 4, 0);
        assert!(v.is_sorted());
    }

    /// Also by an order that sends nearly all elements to the same side.
    #[test]
    fn bad_partitions_are_few() {
        const LEN: usize = 4_000;
        let calls = AtomicUsize::new(0);
        let order = By(
            |_: &usize, _: &usize| match calls.fetch_add(1, Relaxed) % 400 {
                0 => Greater,
                _ => Less,
            },
        );
        let sort = Quicksort {
            order: &order,
            leaf: 32,
            min_block: LEN,
            weight: usize::MAX,
        };
        let mut v: Vec<usize> = (0..LEN).collect();
        sort.partition_and_sort(&mut v, Left::Less, 1, LEN.ilog2());
        v.sort();
        assert!(v.into_iter().eq(0..LEN));
        let calls = calls.into_inner();
        assert!(calls <= 6 * LEN * LEN.ilog2() as usize, "{calls}");
    }
}

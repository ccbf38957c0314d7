//! The unstable sort: quicksort in place, std's sort on leaves, and partitions in parallel.
//!
//! Elements need not be `Sync`, so two threads must not compare with the same pivot. But if one
//! thread partitioned the whole slice, the others would stand idle for a tenth of the time and
//! more. So the slice is cut into blocks, and each block has a *pivot of its own*, close to the
//! median of the slice: the least element of a sample of the block that is not below the median of
//! a sample of the whole. The blocks are partitioned in parallel, and their parts brought together.
//!
//! The pivots differ a little. So when both sides are sorted, a few elements at the end of the left
//! side may be greater than a few at the start of the right one. Those lie side by side, about as
//! many as there are between two elements of a sample, and are sorted again. Where keys repeat,
//! pivots are equal, and there are none.
//!
//! Nothing is allocated. Work O(n log n); span O(n/p log n).
//!
//! # Any comparator
//!
//! Elements are only swapped, here and in std: the slice is always a permutation of what it was.
//! Bad partitions have a budget, which is passed down through the joins; std sorts what is left
//! when it is used up. So the depth is O(log n), whatever the comparator answers.

use super::exchange::exchange;
use super::order::Order;
use super::partition::partition;
use super::probe::Run;
use super::{SHORT, current_num_threads, in_pool, join};

/// Leaves for each thread: enough that unequal ones even out. std needs no fewer comparisons than
/// we do.
const LEAVES: usize = 4;

/// Shortest leaf, in elements.
const MIN_LEAF: usize = 1024;

/// Sizes at which our partition is that much faster than std's that leaves should be short: a
/// million elements of 32 and 64 bytes took 0.91 and 0.88 of std's work with short leaves, 1.00 and
/// 1.05 with long ones.
const MIDDLING: std::ops::Range<usize> = 32..96;

/// Shortest block that a thread partitions for a common partition.
const MIN_BLOCK: usize = 1 << 14;

/// A side with less than one part in so many makes a partition a bad one.
const BAD: usize = 8;

pub(crate) fn sort_unstable<T: Send, O: Order<T>>(v: &mut [T], order: &O) {
    if v.len() <= SHORT || size_of::<T>() == 0 || current_num_threads() == 1 {
        return order.sort_unstable(v);
    }
    let run = Run::leading(v, order);
    if run.len() == v.len() {
        return run.ascend(v);
    }
    let threads = current_num_threads();
    let leaf = if MIDDLING.contains(&size_of::<T>()) {
        MIN_LEAF
    } else {
        v.len() / (LEAVES * threads)
    };
    let sort = Quicksort {
        order,
        leaf: leaf.max(MIN_LEAF),
        min_block: MIN_BLOCK,
    };
    let budget = v.len().ilog2();
    in_pool(|| sort.partition_and_sort(v, Left::Less, threads.next_power_of_two(), budget));
}

/// Which elements a partition brings to the left.
#[derive(Clone, Copy)]
enum Left {
    /// Those less than the pivot.
    Less,
    /// Those not greater than it: for a slice whose least element is frequent.
    NotGreater,
}

struct Quicksort<'a, O> {
    order: &'a O,
    /// Longest slice left to std.
    leaf: usize,
    /// Shortest block in a partition by several threads.
    min_block: usize,
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
            return self.order.sort_unstable(v);
        }
        let run = Run::leading(v, self.order);
        if run.len() == v.len() {
            return run.ascend(v);
        }
        self.partition_and_sort(v, left, blocks, budget);
    }

    fn partition_and_sort<T>(&self, v: &mut [T], left: Left, blocks: usize, budget: u32)
    where
        T: Send,
        O: Order<T>,
    {
        let blocks = blocks.min(v.len() / self.min_block).max(1);
        let mid = self.partition(v, left, blocks);
        let few = v.len() / BAD;
        let budget = budget - u32::from(mid < few || v.len() - mid < few);
        // If few were less than the median, the least of the rest is frequent.
        let next = if mid < few {
            Left::NotGreater
        } else {
            Left::Less
        };
        let (low, high) = v.split_at_mut(mid);
        join(
            || self.sort(low, Left::Less, blocks.div_ceil(2), budget),
            || self.sort(high, next, blocks.div_ceil(2), budget),
        );
        if blocks > 1 {
            self.sort_overlap(v, mid);
        }
    }

    /// Sorts the stretch around `mid` in which two sorted sides overlap.
    fn sort_overlap<T>(&self, v: &mut [T], mid: usize)
    where
        O: Order<T>,
    {
        let (low, high) = v.split_at(mid);
        if let (Some(last), Some(first)) = (low.last(), high.first())
            && self.order.is_less(first, last)
        {
            let start = low.partition_point(|x| !self.order.is_less(first, x));
            let end = mid + high.partition_point(|x| self.order.is_less(x, last));
            self.order.sort_unstable(&mut v[start..end]);
        }
    }

    /// Partitions `v` near its median, and returns how many elements went left.
    fn partition<T>(&self, v: &mut [T], left: Left, blocks: usize) -> usize
    where
        T: Send,
        O: Order<T>,
    {
        let sample = sample_len(v.len());
        let block = v.len().div_ceil(blocks);
        self.sort_sample(v, sample);
        // Each pivot becomes the first element of its block. The median is the one of the first
        // block.
        let (first, rest) = v.split_at_mut(block);
        let median = sample / 2;
        for other in rest.chunks_mut(block) {
            let sample = sample.min(other.len());
            self.sort_sample(other, sample);
            let pivot = other[..sample].partition_point(|x| self.order.is_less(x, &first[median]));
            other.swap(0, pivot.min(sample - 1));
        }
        first.swap(0, median);
        self.partition_blocks(v, left, block)
    }

    /// Brings elements from all over `v` to its front, and sorts them.
    fn sort_sample<T>(&self, v: &mut [T], sample: usize)
    where
        O: Order<T>,
    {
        let stride = v.len() / sample;
        // Marsaglia's xorshift. Chance foils patterns; a caller who foils chance is met by the
        // budget.
        let mut random = v.len() as u64 | 1;
        for i in 0..sample {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            v.swap(i, i * stride + (random % stride as u64) as usize);
        }
        self.order.sort_unstable(&mut v[..sample]);
    }

    /// Partitions each block by its first element, and brings the left parts together.
    fn partition_blocks<T>(&self, v: &mut [T], left: Left, block: usize) -> usize
    where
        T: Send,
        O: Order<T>,
    {
        if v.len() <= block {
            return self.partition_block(v, left);
        }
        let cut = v.len().div_ceil(block) / 2 * block;
        let (low, high) = v.split_at_mut(cut);
        let (low_mid, high_mid) = join(
            || self.partition_blocks(low, left, block),
            || self.partition_blocks(high, left, block),
        );
        // Between the borders lies what belongs right, then what belongs left: exchange the shorter
        // one with as much at the far end of the longer one.
        let (belongs_right, belongs_left) = (&mut low[low_mid..], &mut high[..high_mid]);
        let len = belongs_right.len().min(belongs_left.len());
        let start = belongs_left.len() - len;
        exchange(&mut belongs_right[..len], &mut belongs_left[start..]);
        low_mid + high_mid
    }

    fn partition_block<T>(&self, v: &mut [T], left: Left) -> usize
    where
        O: Order<T>,
    {
        let Some((pivot, rest)) = v.split_first_mut() else {
            return 0;
        };
        let pivot = &*pivot;
        match left {
            Left::Less => {
                let mid = partition(rest, |x| self.order.is_less(x, pivot));
                v.swap(0, mid);
                mid
            }
            Left::NotGreater => 1 + partition(rest, |x| !self.order.is_less(pivot, x)),
        }
    }
}

/// Elements to sample: few enough to be cheap, and such that pivots are rarely bad and overlaps
/// short.
fn sample_len(len: usize) -> usize {
    (len.isqrt() / 4).clamp(16, 512)
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::{Left, Quicksort};
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
                    };
                    sort.partition_and_sort(&mut v, left, blocks, 9);
                    assert_eq!(v, sorted);
                }
            }
        }
    }

    #[test]
    fn keeps_every_element_when_any_comparison_panics() {
        for (distinct, blocks) in [(LEN, 1), (LEN, 4), (3, 4)] {
            for panics_at in 0.. {
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
    fn a_used_up_budget_leaves_the_rest_to_std() {
        let mut v: Vec<usize> = keys(LEN).collect();
        let order = By(usize::cmp);
        Quicksort {
            order: &order,
            leaf: 32,
            min_block: 64,
        }
        .sort(&mut v, Left::Less, 4, 0);
        assert!(v.is_sorted());
    }
}

//! The partition of one slice by several threads, each with a pivot of its own.
//!
//! Elements need not be `Sync`, so two threads must not compare with the same pivot. But if one
//! thread partitioned a long slice, the others would stand idle. So the slice is cut into blocks,
//! and each block has its own pivot: neighbours in rank in one sample of the whole, so that they
//! differ little. The blocks are partitioned in parallel. What is on the wrong side of the border then, of all blocks together, is exchanged at
//! once: each element moves once, and the longest chain of moves is as short with 64 blocks as with two.
//!
//! Afterwards, elements between the least and the greatest pivot may be on either side. If many keys
//! are equal, the pivots are equal too, and the sides do not overlap.
//!
//! Work O(n); span a block, a part of the exchange, and what is done with the sample: O(n / p + sample). Memory: a number for each block, on the stack.

use super::both;
use super::order::Order;
use super::partition::{Left, partition_by};
use super::sequential;
use crate::algo::moves::leaf_of;
use crate::core::leaf;
use std::ops::Range;

/// The most blocks: what there is to note for each has room on the stack, since a sort in place allocates nothing for it.
pub(super) const MOST: usize = 256;

/// How many bytes one thread exchanges.
const EXCHANGED: usize = 1 << 15;

/// How many elements of a sample one thread fetches: some microseconds, as long as it takes until another thread has its part.
const GROUP: usize = 256;

/// Brings a sample of elements from all over `v` to its front.
pub(super) fn fetch_sample<T: Send>(v: &mut [T], sample: usize) {
    let stride = v.len() / sample;
    let group = leaf(GROUP, 2);
    draw(&mut v[..sample * stride], group, stride, 1);
    // Each group is at the front of its part now. The first one is where it belongs.
    let parts = (group..sample).step_by(group);
    for (start, end) in parts.map(|start| (start, sample.min(start + group))) {
        // With a stride of 1 they are there already. Else what goes there ends before the part begins.
        if stride > 1 {
            let (front, part) = v.split_at_mut(start * stride);
            front[start..end].swap_with_slice(&mut part[..end - start]);
        }
    }
}

/// Brings the elements of some ranks of a sample to their places: the first and the last of them exactly, those between in any order.
pub(super) fn rank<T, O: Order<T>>(sample: &mut [T], ranks: Range<usize>, order: &O) {
    sequential::select(sample, ranks.start, order);
    if ranks.len() > 1 {
        sequential::select(&mut sample[ranks.start + 1..], ranks.len() - 2, order);
    }
}

/// Cuts `v` into parts of `group` times `stride` elements, and brings one element of each stride to the front of its part. Each of them is far from
/// the others, and most are in no cache: to fetch the whole sample is too much for one thread.
fn draw<T: Send>(v: &mut [T], group: usize, stride: usize, seed: u64) {
    let sample = v.len() / stride;
    if sample > group {
        let mid = sample.div_ceil(2 * group) * group * stride;
        let (low, high) = v.split_at_mut(mid);
        both(
            || draw(low, group, stride, 2 * seed),
            || draw(high, group, stride, 2 * seed + 1),
        );
        return;
    }
    // Marsaglia's xorshift. Chance foils patterns; a caller who foils chance is met by a limit on
    // bad partitions.
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for i in 0..sample {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        v.swap(i, i * stride + (random % stride as u64) as usize);
    }
}

/// Partitions `v` by elements of it, those at `pivots`, each of which serves one block of the rest: one at least, and [`MOST`] at most.
///
/// Returns how many elements went left. Behind those come the pivots, in the order they had, and
/// then what went right.
pub(super) fn partition_by_some<T, O>(
    v: &mut [T],
    pivots: Range<usize>,
    left: Left,
    order: &O,
) -> usize
where
    T: Send,
    O: Order<T>,
{
    assert!((1..=MOST).contains(&pivots.len()));
    for (i, pivot) in pivots.clone().enumerate() {
        v.swap(i, pivot);
    }
    let (pivots, rest) = v.split_at_mut(pivots.len());
    let block = rest.len().div_ceil(pivots.len());
    let mut lens = [0; MOST];
    let lens = &mut lens[..pivots.len()];
    partition_blocks(rest, block, pivots, lens, left, order);
    let (len, mid) = (rest.len(), lens.iter().sum());
    let blocks = PartedBlocks {
        len,
        block,
        lens,
        mid,
    };
    let (low, high) = BorderSide { v: rest, start: 0 }.split_at(mid);
    let strays = blocks.belong_right().map(|stretch| stretch.len()).sum();
    blocks.exchange(low, high, 0..strays);
    if let Some(start) = mid.checked_sub(pivots.len()) {
        pivots.swap_with_slice(&mut rest[start..mid]);
    } else {
        let pivots = pivots.len();
        v[..mid + pivots].rotate_left(pivots);
    }
    mid
}

/// Partitions each block, and notes in `lens` how many of it went left.
fn partition_blocks<T, O>(
    v: &mut [T],
    block: usize,
    pivots: &mut [T],
    lens: &mut [usize],
    left: Left,
    order: &O,
) where
    T: Send,
    O: Order<T>,
{
    if let ([pivot], [len]) = (&*pivots, &mut *lens) {
        *len = partition_by(v, pivot, left, order);
        return;
    }
    let half = pivots.len() / 2;
    let (low_pivots, high_pivots) = pivots.split_at_mut(half);
    let (low_lens, high_lens) = lens.split_at_mut(half);
    let (low, high) = v.split_at_mut(v.len().min(half * block));
    both(
        || partition_blocks(low, block, low_pivots, low_lens, left, order),
        || partition_blocks(high, block, high_pivots, high_lens, left, order),
    );
}

/// Blocks of a slice, each of which was partitioned.
struct PartedBlocks<'l> {
    /// How long the slice is, and each block but the last ones.
    len: usize,
    block: usize,
    /// How many elements of each went left; and of all.
    lens: &'l [usize],
    mid: usize,
}

impl PartedBlocks<'_> {
    /// Where each block begins, where its right part does, and where it ends.
    fn borders(&self) -> impl Iterator<Item = [usize; 3]> {
        (0..).zip(self.lens).map(|(i, len)| {
            let [start, end] = [i, i + 1].map(|i| self.len.min(i * self.block));
            [start, start + len, end]
        })
    }

    /// What lies before the border, but belongs behind it.
    fn belong_right(&self) -> impl Iterator<Item = Range<usize>> {
        let mid = self.mid;
        let strays = move |[_, right, end]: [usize; 3]| right.min(mid)..end.min(mid);
        self.borders().map(strays)
    }

    /// What lies behind the border, but belongs before it: just as much.
    fn belong_left(&self) -> impl Iterator<Item = Range<usize>> {
        let mid = self.mid;
        let strays = move |[start, right, _]: [usize; 3]| start.max(mid)..right.max(mid);
        self.borders().map(strays)
    }

    /// Exchanges the strays of these numbers on one side with those on the other. The sides have all of them.
    fn exchange<T: Send>(
        &self,
        low: BorderSide<'_, T>,
        high: BorderSide<'_, T>,
        numbers: Range<usize>,
    ) {
        if numbers.len() <= leaf_of::<T>(EXCHANGED) {
            return self.exchange_alone(low, high, numbers);
        }
        let mid = numbers.start + numbers.len() / 2;
        let start = |first: Option<Range<usize>>| first.expect("more strays").start;
        let (low, next_low) = low.split_at(start(skip_elements(self.belong_right(), mid).next()));
        let (high, next_high) = high.split_at(start(skip_elements(self.belong_left(), mid).next()));
        both(
            || self.exchange(low, high, numbers.start..mid),
            || self.exchange(next_low, next_high, mid..numbers.end),
        );
    }

    fn exchange_alone<T>(
        &self,
        low: BorderSide<'_, T>,
        high: BorderSide<'_, T>,
        numbers: Range<usize>,
    ) {
        let mut of_low = skip_elements(self.belong_right(), numbers.start);
        let mut of_high = skip_elements(self.belong_left(), numbers.start);
        let (mut a, mut b, mut rest) = (0..0, 0..0, numbers.len());
        while rest > 0 {
            if a.is_empty() {
                a = of_low.next().expect("as many strays on both sides");
            }
            if b.is_empty() {
                b = of_high.next().expect("as many strays on both sides");
            }
            let len = a.len().min(b.len()).min(rest);
            let (at_low, at_high) = (a.start - low.start, b.start - high.start);
            low.v[at_low..at_low + len].swap_with_slice(&mut high.v[at_high..at_high + len]);
            (a.start, b.start, rest) = (a.start + len, b.start + len, rest - len);
        }
    }
}

/// The stretches without the first `number` elements that they have together. None of those that are left is empty.
fn skip_elements(
    stretches: impl Iterator<Item = Range<usize>>,
    number: usize,
) -> impl Iterator<Item = Range<usize>> {
    let mut skip = number;
    stretches.filter_map(move |stretch| {
        let skipped = skip.min(stretch.len());
        skip -= skipped;
        (skipped < stretch.len()).then_some(stretch.start + skipped..stretch.end)
    })
}

/// A part of a slice, and where in that it begins.
struct BorderSide<'a, T> {
    v: &'a mut [T],
    start: usize,
}

impl<T> BorderSide<'_, T> {
    /// Cuts it before what is at `at` in that slice.
    fn split_at(self, at: usize) -> (Self, Self) {
        let (low, high) = self.v.split_at_mut(at - self.start);
        (
            BorderSide { v: low, ..self },
            BorderSide { v: high, start: at },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::super::partition::Left;
    use super::{EXCHANGED, GROUP, MOST, fetch_sample, partition_by_some, rank};

    /// One of each stride, the least or the greatest of which may be those that are asked for.
    #[test]
    fn a_sample_is_from_all_over() {
        for (sample, stride) in [
            (1, 9),
            (GROUP, 3),
            (GROUP + 1, 1),
            (1_000, 2),
            (1_000, 70),
            (3 * GROUP, 8),
        ] {
            for (first, ranks) in [(0, 1), (sample / 2, sample.div_ceil(3)), (sample - 1, 1)] {
                // And some that are too few for another stride of each.
                let len = sample * stride + (stride / 2).min(sample - 1);
                let mut v: Vec<usize> = (0..len).collect();
                fetch_sample(&mut v, sample);
                let mut drawn = v[..sample].to_vec();
                rank(&mut v[..sample], first..first + ranks, &By(usize::cmp));
                drawn.sort();
                let ends = [first, first + ranks - 1];
                assert_eq!(ends.map(|i| v[i]), ends.map(|i| drawn[i]));
                v[first..first + ranks].sort();
                assert_eq!(v[first..first + ranks], drawn[first..first + ranks]);
                assert!((0..).zip(&drawn).all(|(i, x)| x / stride == i));
                v.sort();
                assert!(v.into_iter().eq(0..len));
            }
        }
    }

    /// A selection tells by them which elements are on the wrong side.
    #[test]
    fn the_first_and_the_last_of_some_ranks_are_in_place() {
        for sample in [8, 100, 1_000] {
            for (first, ranks) in [(0, 4), (sample / 2, sample / 4), (sample - 3, 3)] {
                for seed in 1..100 {
                    let mut v: Vec<usize> = (0..sample).collect();
                    let mut random: u64 = seed;
                    for i in 1..sample {
                        random = random * 1_103_515_245 % 2_147_483_647;
                        v.swap(i, random as usize % (i + 1));
                    }
                    rank(&mut v, first..first + ranks, &By(usize::cmp));
                    assert_eq!((v[first], v[first + ranks - 1]), (first, first + ranks - 1));
                }
            }
        }
    }

    /// Whatever the number of blocks, their lengths, and what belongs where; also where an exchange is the work of several threads.
    #[test]
    fn blocks_become_one_partition() {
        let long = 20 * EXCHANGED / size_of::<(usize, usize)>();
        for (len, pivots) in [
            (1, 1),
            (2, 2),
            (9, 4),
            (10, 8),
            (300, 7),
            (1_000, MOST),
            (long, 5),
        ] {
            for (spread, limit) in [(1, 0), (1, 1), (7, 3), (1_000, 200), (1_000, 990)] {
                let key = |i: usize| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
                let element = |i: usize| (if i < pivots { limit } else { key(i) % spread }, i);
                let mut v: Vec<(usize, usize)> = (0..len).map(element).collect();
                let order = By(|a: &(usize, usize), b: &(usize, usize)| a.0.cmp(&b.0));
                let mid = partition_by_some(&mut v, 0..pivots, Left::Less, &order);
                assert!(v[..mid].iter().all(|x| x.0 < limit));
                assert!(v[mid..mid + pivots].iter().all(|x| x.0 == limit));
                assert!(v[mid + pivots..].iter().all(|x| x.0 >= limit));
                v.sort_by_key(|x| x.1);
                assert!(v.into_iter().eq((0..len).map(element)));
            }
        }
    }
}

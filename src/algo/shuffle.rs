//! Random orders and random samples from a seed, the same on any number of threads.
//!
//! The result depends on the seed and the lengths alone, on any machine. A new minor version of the crate may change it. Every order, and
//! every sample, is as likely as any other, as far as 64 bits of seed allow. Do not use it for secrets.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014), which can give its
//! `i`-th number at once. Numbers below a bound are drawn without bias (Lemire, *Fast random integer generation in an interval*, 2019).
//!
//! [`shuffle`] puts each element into one of about n / 4,096 parts (n / 16,384 if elements are many), which is chosen at random, and then
//! shuffles each part (Sanders, *Random permutations on distributed, external and hierarchical memory*, 1998; a part as Fisher and Yates
//! do, in Knuth, *The Art of Computer Programming*, volume 2, algorithm P). [`sample`] has two ways. Up to 4,096 of at least twice as many
//! elements are drawn one by one, and one that was drawn before is skipped. Otherwise each element gets a random number, and the k elements
//! with the least numbers are taken, and shuffled.
//!
//! | | work | span | memory |
//! |---|---|---|---|
//! | [`shuffle`] | O(n) | O(n / p + parts + p) | the elements once more, and up to one and a half bytes for each; up to 16,383 elements none |
//! | [`sample`] of few | O(k) | O(k) | a set of the k |
//! | [`sample`] of many | O(n) | O(n / p), and that of a selection | four words for each of the k, and some more |
//!
//! # Measured
//!
//! <!-- measured: par_shuffle -->
//! Measured, `par_shuffle` of 1,000,000 numbers: work 5.6 ms, span 81 µs, so up to 68 threads can be of use.
//!
//! <!-- measured: par_sample -->
//! Measured, `par_sample` of a tenth of 1,000,000 numbers: work 1.9 ms, span 54 µs, so up to 35 threads can be of use.

use crate::algo::buckets;
use crate::algo::buffer::{Buffer, touch};
use crate::algo::pack::retain;
use crate::algo::select::select_nth_unstable;
use crate::algo::sort::{BufferedSlice, in_pool};
use crate::core::threads;
use crate::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use crate::slice::{ParallelSlice, ParallelSliceMut};
use std::collections::HashSet;

/// How many elements a part has, about: they stay in a cache while they are put in order. With up to [`MANY`] parts a quarter as many, so that many
/// threads have enough of them. Fewer than a part has are not dealt out.
const PART: usize = 1 << 14;
const MANY: usize = 256;

/// How many elements of a block a part gets at least, on average.
const TO_A_PART: usize = 16;

/// So few are drawn one by one.
const FEW: usize = 1 << 12;

/// Puts the elements into a random order, which `seed` decides.
///
/// The same on any number of threads. See the [module](self) for the generator and what it costs.
///
/// ```
/// let mut cards: Vec<u8> = (1..=52).collect();
/// filch::algo::shuffle(&mut cards, 2024);
/// let mut again: Vec<u8> = (1..=52).collect();
/// filch::algo::shuffle(&mut again, 2024);
/// assert_eq!(cards, again);
/// again.sort();
/// assert!(again.iter().eq(&(1..=52).collect::<Vec<u8>>()) && cards != again);
/// ```
#[doc(alias("random_shuffle", "permutation"))]
pub fn shuffle<T: Send>(v: &mut [T], seed: u64) {
    if size_of::<T>() == 0 {
        return;
    }
    let parts = parts(v.len());
    if parts < 2 {
        return Numbers::of(seed, 0).shuffle(v);
    }
    let part = |i: usize| {
        let product = u128::from(number(seed, i as u64)) * parts as u128;
        (product >> 64) as usize
    };
    let block = v.len().div_ceil(4 * threads());
    let block = block.max(TO_A_PART * parts);
    let blocks = v.len().div_ceil(block);
    let mut buffer = Buffer::new(v.len());
    in_pool(|| {
        touch(buffer.slots());
        // SAFETY: `T` is not zero-sized. The buffered slices of the parts go home when they are dropped; nothing unwinds, but if something did it would be the same.
        let mut slice = unsafe { BufferedSlice::new(v, buffer.slots()) };
        let ends = buckets::scatter(&mut slice, blocks, parts, &|i, _| part(i));
        buckets::for_each(slice, &ends, 0..parts, &|part, mut slice| {
            Numbers::of(seed, part as u64 + 1).shuffle(slice.elements_mut());
        });
    });
}

/// How many parts so many elements are dealt out to; the same on any number of threads.
fn parts(len: usize) -> usize {
    match len {
        ..PART => 1,
        _ => (len / (PART / 4)).min(MANY.max(len / PART)),
    }
}

/// Draws `k` of the elements (all, if there are fewer), no position twice, in a random order. `seed` decides which.
///
/// The same on any number of threads. See the [module](self) for the generator and what it costs.
///
/// ```
/// let v: Vec<u32> = (0..1_000_000).collect();
/// let drawn = filch::algo::sample(&v, 5, 7);
/// assert_eq!(drawn.len(), 5);
/// assert_eq!(drawn, filch::algo::sample(&v, 5, 7));
/// assert_ne!(drawn, filch::algo::sample(&v, 5, 8));
/// ```
#[doc(alias("choose_multiple", "reservoir"))]
pub fn sample<T: Sync>(v: &[T], k: usize, seed: u64) -> Vec<&T> {
    let (n, k) = (v.len(), k.min(v.len()));
    if k <= FEW && 2 * k <= n {
        let (mut numbers, mut seen) = (Numbers::of(seed, 0), HashSet::with_capacity(k));
        let mut drawn = Vec::with_capacity(k);
        while drawn.len() < k {
            let i = numbers.below(n as u64) as usize;
            if seen.insert(i) {
                drawn.push(&v[i]);
            }
        }
        return drawn;
    }
    // Below the second number there are k and some more, and below the first one not quite k, but for once in many billions of seeds.
    let spread = 8.0 * (k as f64).sqrt() + 64.0;
    let [low, limit] =
        [-spread, spread].map(|by| ((k as f64 + by) / n as f64 * 2f64.powi(64)) as u64);
    let below = |limit: u64| -> Vec<(u64, usize)> {
        let drawn = (0..n).into_par_iter().map(|i| (number(seed, i as u64), i));
        drawn.filter(|drawn| drawn.0 <= limit).collect()
    };
    let mut drawn = below(limit);
    if drawn.len() < k {
        drawn = below(u64::MAX);
    }
    if 0 < k && k < drawn.len() {
        let above = |low: u64| -> Vec<u64> {
            let numbers = drawn.par_iter().map(|drawn| drawn.0);
            numbers.filter(|&number| number >= low).collect()
        };
        let mut numbers = above(low);
        if drawn.len() - numbers.len() >= k {
            numbers = above(0);
        }
        // No two numbers are equal, so there are k up to the one at k - 1 of all.
        let rank = k - 1 - (drawn.len() - numbers.len());
        let greatest = *select_nth_unstable(&mut numbers, rank).1;
        retain(&mut drawn, |drawn| drawn.0 <= greatest);
    }
    let mut drawn: Vec<&T> = drawn[..k].par_iter().map(|&(_, i)| &v[i]).collect();
    shuffle(&mut drawn, number(!seed, u64::MAX));
    drawn
}

/// What SplitMix64 adds at each step; odd, so that no two of 2^64 steps have the same sum.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The number `i` of SplitMix64 from `seed` on. No two of them are equal, since each step of it can be undone.
#[inline]
fn number(seed: u64, i: u64) -> u64 {
    let mut x = seed.wrapping_add(i.wrapping_add(1).wrapping_mul(STEP));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Random numbers one after the other.
struct Numbers {
    seed: u64,
    next: u64,
}

impl Numbers {
    /// The numbers for part `part` of what `seed` decides.
    fn of(seed: u64, part: u64) -> Self {
        // As a seed of its own, far from the numbers that deal out the elements.
        Numbers {
            seed: number(!seed, part),
            next: 0,
        }
    }

    /// The next number below `end`, which is not 0.
    #[inline]
    fn below(&mut self, end: u64) -> u64 {
        loop {
            let product = u128::from(number(self.seed, self.next)) * u128::from(end);
            self.next += 1;
            let low = product as u64;
            if low >= end || low >= end.wrapping_neg() % end {
                return (product >> 64) as u64;
            }
        }
    }

    fn shuffle<T>(mut self, v: &mut [T]) {
        for i in (1..v.len()).rev() {
            v.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// Random orders: `use filch::ext::*`.
///
/// ```
/// use filch::ext::*;
/// let mut v: Vec<u32> = (0..100).collect();
/// v.par_shuffle(7);
/// v.sort();
/// assert!(v.into_iter().eq(0..100));
/// ```
pub trait ParallelShuffle<T: Send>: ParallelSliceMut<T> {
    /// Puts the elements into a random order, which `seed` decides. See [`shuffle`].
    ///
    /// ```
    /// use filch::ext::ParallelShuffle;
    /// let mut v = [1, 2, 3, 4];
    /// v.par_shuffle(1);
    /// v.sort();
    /// assert_eq!(v, [1, 2, 3, 4]);
    /// ```
    #[doc(alias("shuffle", "random_shuffle"))]
    fn par_shuffle(&mut self, seed: u64) {
        shuffle(self.as_parallel_slice_mut(), seed);
    }
}

impl<T: Send, V: ParallelSliceMut<T> + ?Sized> ParallelShuffle<T> for V {}

/// Random samples: `use filch::ext::*`.
///
/// ```
/// use filch::ext::*;
/// assert_eq!([1, 2, 3, 4].par_sample(2, 7).len(), 2);
/// ```
pub trait ParallelSample<T: Sync>: ParallelSlice<T> {
    /// Draws `k` of the elements, which `seed` decides. See [`sample`].
    ///
    /// ```
    /// use filch::ext::ParallelSample;
    /// assert_eq!([1, 2, 3, 4].par_sample(2, 1).len(), 2);
    /// ```
    #[doc(alias("sample", "choose_multiple"))]
    fn par_sample(&self, k: usize, seed: u64) -> Vec<&T> {
        sample(self.as_parallel_slice(), k, seed)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelSample<T> for V {}

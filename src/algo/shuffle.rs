//! Random orders and random samples from a seed, the same on any number of threads.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014), which can be asked for its
//! number `i` at once; numbers below a bound are drawn as by Lemire (*Fast random integer generation in an interval*, 2019), without bias. It
//! is no generator for secrets. What a seed gives depends on the seed and the lengths alone, on any machine; a new minor version of the
//! crate may change it.
//!
//! [`shuffle`] puts each element into a random one of about n / 16,384 parts, and each part into a random order in its turn (Sanders, *Random
//! permutations on distributed, external and hierarchical memory*, 1998; the order of a part by Fisher and Yates, as in Knuth, *The Art of
//! Computer Programming*, volume 2, algorithm P). [`sample`] gives each element a random number, and takes the k with the least ones. Every
//! order, and every sample, comes out as often as any other, as far as 64 bits of seed can tell.
//!
//! | | work | span | memory |
//! |---|---|---|---|
//! | [`shuffle`] | O(n) | O(n / p), and a part | three words an element, and the elements once more; up to 32,767 elements none |
//! | [`sample`] | O(n + k log k) | O(n / p), and that of a sort of the k | two words for each of the k, and some more |

use crate::algo::deal::deal;
use crate::algo::permute::permute_by;
use crate::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use crate::slice::{ParallelSlice, ParallelSliceMut};

/// How many elements a part has, about: their indices stay in a cache while they are put in order.
const PART: usize = 1 << 14;

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
pub fn shuffle<T: Send>(v: &mut [T], seed: u64) {
    let parts = v.len() / PART;
    if parts < 2 {
        return Numbers::of(seed, 0).shuffle(v);
    }
    let part = |i: usize| {
        let product = u128::from(number(seed, i as u64)) * parts as u128;
        (product >> 64) as usize
    };
    let order = deal(v.len(), parts, part).into_positions(|part, positions| {
        Numbers::of(seed, part as u64 + 1).shuffle(positions);
    });
    // SAFETY: every position below the length was dealt out once, and a shuffle neither loses nor doubles one.
    unsafe { permute_by(v, |i| order[i]) };
}

/// Draws `k` of the elements, no position twice, in a random order; all of them if they are fewer. `seed` decides which.
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
pub fn sample<T: Sync>(v: &[T], k: usize, seed: u64) -> Vec<&T> {
    let (n, k) = (v.len(), k.min(v.len()));
    // Below this number there are k and some more, but for once in many billions of seeds.
    let enough = k as f64 + 8.0 * (k as f64).sqrt() + 64.0;
    let limit = (enough / n as f64 * 2f64.powi(64)) as u64;
    let below = |limit: u64| -> Vec<(u64, usize)> {
        let drawn = (0..n).into_par_iter().map(|i| (number(seed, i as u64), i));
        drawn.filter(|drawn| drawn.0 <= limit).collect()
    };
    let mut drawn = below(limit);
    if drawn.len() < k {
        drawn = below(u64::MAX);
    }
    // No two numbers are equal, so there is one order.
    drawn.par_sort_unstable();
    drawn.truncate(k);
    drawn.par_iter().map(|&(_, i)| &v[i]).collect()
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
pub trait ParallelShuffle<T: Send>: ParallelSliceMut<T> {
    /// [`shuffle`]: puts the elements into a random order, which `seed` decides.
    ///
    /// ```
    /// use filch::ext::ParallelShuffle;
    /// let mut v = [1, 2, 3, 4];
    /// v.par_shuffle(1);
    /// v.sort();
    /// assert_eq!(v, [1, 2, 3, 4]);
    /// ```
    fn par_shuffle(&mut self, seed: u64) {
        shuffle(self.as_parallel_slice_mut(), seed);
    }
}

impl<T: Send, V: ParallelSliceMut<T> + ?Sized> ParallelShuffle<T> for V {}

/// Random samples: `use filch::ext::*`.
pub trait ParallelSample<T: Sync>: ParallelSlice<T> {
    /// [`sample`]: draws `k` of the elements, which `seed` decides.
    ///
    /// ```
    /// use filch::ext::ParallelSample;
    /// assert_eq!([1, 2, 3, 4].par_sample(2, 1).len(), 2);
    /// ```
    fn par_sample(&self, k: usize, seed: u64) -> Vec<&T> {
        sample(self.as_parallel_slice(), k, seed)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelSample<T> for V {}

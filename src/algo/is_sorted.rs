//! Whether a slice is sorted.
//!
//! The slice is cut into blocks that overlap by one element, and std's method checks each block. The first block that is not in
//! order ends the search. The first 17 elements tell what a comparison costs: a block takes up to 10 µs, and has 512 pairs at most. If that is
//! cheap, the caller checks the first block alone.
//!
//! Work O(n), span O(n / p + log n). Nothing is allocated.
//!
//! # Measured
//!
//! <!-- measured: par_is_sorted -->
//! Measured, `par_is_sorted` of 1,000,000 numbers in order: work 110 µs, span 4.7 µs, so up to 23 threads can be of use.

use crate::core::{clock, leaf};
use crate::iter::{IntoParallelIterator, ParallelIterator};
use crate::slice::ParallelSlice;

/// Pairs that std compares at a time. Its loop over numbers has no branch in it, and needs a hundred of them to get going.
const BLOCK: usize = 512;

/// Pairs that the caller compares first, to learn what that costs.
const FIRST: usize = 16;

/// For how long, in nanoseconds, a block should be compared, at the most.
const LONG: u64 = 10_000;

/// Whether no element is less than the one before it; see [`ParallelSliceIsSorted::par_is_sorted`].
///
/// ```
/// assert!(filch::algo::is_sorted(&[1, 2, 2]));
/// assert!(!filch::algo::is_sorted(&[1.0, f64::NAN])); // a NaN compares with nothing
/// ```
///
/// # Panics
///
/// With the panic of a comparison.
pub fn is_sorted<T: PartialOrd + Sync>(v: &[T]) -> bool {
    every_block(v, |block| block.is_sorted())
}

/// Whether `in_order` holds for all neighbours; see [`ParallelSliceIsSorted::par_is_sorted_by`].
///
/// ```
/// assert!(filch::algo::is_sorted_by(&[3, 2, 2], |a, b| a >= b));
/// ```
///
/// # Panics
///
/// With the panic of `in_order`.
pub fn is_sorted_by<T, F>(v: &[T], in_order: F) -> bool
where
    T: Sync,
    F: Fn(&T, &T) -> bool + Sync,
{
    every_block(v, |block| block.is_sorted_by(&in_order))
}

/// Whether the keys of the elements are sorted; see [`ParallelSliceIsSorted::par_is_sorted_by_key`].
///
/// ```
/// assert!(filch::algo::is_sorted_by_key(&["a", "bb", "cc"], |word| word.len()));
/// ```
///
/// # Panics
///
/// With the panic of `key` or of a comparison of keys.
pub fn is_sorted_by_key<T, K, F>(v: &[T], key: F) -> bool
where
    T: Sync,
    K: PartialOrd,
    F: Fn(&T) -> K + Sync,
{
    every_block(v, |block| block.is_sorted_by_key(&key))
}

/// Whether `holds` for all blocks of a slice, where neighbouring blocks have one element in common.
fn every_block<T: Sync>(v: &[T], holds: impl Fn(&[T]) -> bool + Sync) -> bool {
    let pairs = v.len().saturating_sub(1);
    let holds = |start: usize, pairs: usize| {
        let end = start.saturating_add(pairs).saturating_add(1);
        holds(&v[start..v.len().min(end)])
    };
    let first = leaf(FIRST, 1);
    if pairs <= first {
        return holds(0, pairs);
    }
    let (mut begun, mut long) = (first, leaf(BLOCK, 1));
    let since = clock::ticks();
    if !holds(0, first) {
        return false;
    }
    let taken = clock::ticks().saturating_sub(since) / first as u64;
    let most = LONG * clock::per_us() / 1000;
    if taken > most / BLOCK as u64 {
        // A second look, because this thread may just have waited for a processor.
        let since = clock::ticks();
        if !holds(begun, 1) {
            return false;
        }
        begun += 1;
        let taken = clock::ticks().saturating_sub(since).clamp(1, taken);
        long = long.min((most / taken) as usize).max(1);
    }
    if long >= BLOCK {
        // If this block is not in order, nothing else is looked at, and no thread is asked for help.
        if !holds(begun, long) {
            return false;
        }
        begun = begun.saturating_add(long);
    }
    let rest = pairs.saturating_sub(begun);
    let blocks = (0..rest.div_ceil(long)).into_par_iter();
    blocks
        .map(|block| begun + block * long)
        .all(|start| holds(start, long))
}

/// Whether a slice is sorted.
///
/// The answer is the same in each run. Which pairs are compared may differ, because threads look at different places at the same time. So a
/// comparison behind the first unsorted place may be called, and panic, in one run and not in another.
///
/// ```
/// use filch::ext::*;
///
/// assert!([1, 2, 2].par_is_sorted());
/// ```
pub trait ParallelSliceIsSorted<T: Sync>: ParallelSlice<T> {
    /// Whether no element is less than the one before it, and all can be compared.
    ///
    /// The answer of [`is_sorted`](slice::is_sorted): false if two neighbours have no order, as a NaN and its neighbours. Work O(n), less
    /// if a pair early on is out of order; span O(n/p + log n).
    ///
    /// ```
    /// use filch::ext::ParallelSliceIsSorted;
    /// assert!([1, 2, 2, 9].par_is_sorted());
    /// assert!(![1.0, f64::NAN].par_is_sorted());
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    fn par_is_sorted(&self) -> bool
    where
        T: PartialOrd,
    {
        is_sorted(self.as_parallel_slice())
    }

    /// Whether `in_order` holds for each element and the one after it.
    ///
    /// ```
    /// use filch::ext::ParallelSliceIsSorted;
    /// assert!([9, 2, 1].par_is_sorted_by(|a, b| a > b));
    /// assert!(![2, 2].par_is_sorted_by(|a, b| a < b));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `in_order`.
    fn par_is_sorted_by<F>(&self, in_order: F) -> bool
    where
        F: Fn(&T, &T) -> bool + Sync,
    {
        is_sorted_by(self.as_parallel_slice(), in_order)
    }

    /// Whether no element's key is less than the key of the one before it.
    ///
    /// `key` is called once for each element, and a second time for one in 512.
    ///
    /// ```
    /// use filch::ext::ParallelSliceIsSorted;
    /// assert!(["c", "bb", "aaa"].par_is_sorted_by_key(|s| s.len()));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `key` or of a comparison of keys.
    fn par_is_sorted_by_key<K, F>(&self, key: F) -> bool
    where
        K: PartialOrd,
        F: Fn(&T) -> K + Sync,
    {
        is_sorted_by_key(self.as_parallel_slice(), key)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelSliceIsSorted<T> for V {}

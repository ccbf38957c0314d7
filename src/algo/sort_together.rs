//! Sorts two slices together, by the first: each value of the second slice stays beside its key.
//!
//! Keys and values are moved into pairs, the pairs are sorted, and moved back. So a comparison reads two keys that lie side by side. (With
//! [`argsort`](crate::algo::argsort()) it would read two distant places.)
//!
//! Work O(n log n), span as that of [`par_sort`](crate::slice::ParallelSliceMut::par_sort_by). Memory: the pairs, and what that sort takes for
//! pairs. For three or more slices, take an [`argsort`](crate::algo::argsort()), and [`permute`](crate::algo::permute()) each of them.
//!
//! # A comparison that panics, or is not a total order
//!
//! Both slices hold each of their elements once, in some order, and each value is still beside its key.
//!
//! # Measured
//!
//! <!-- measured: par_sort_together -->
//! Measured, `par_sort_together` of 1,000,000 keys in no order, and as many values: work 22 ms, span 190 µs, so up to 120 threads can be of use.

use crate::algo::buffer::Buffer;
use crate::core::unwind::{catch, resume};
use crate::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use crate::slice::ParallelSliceMut;
use std::cmp::Ordering;
use std::mem::ManuallyDrop;
use std::ptr;

/// Sorts `keys`, and moves the element of `values` at the index of each key along with it.
///
/// Stable: values of equal keys stay in their order. See the [module](self) for what it costs.
///
/// ```
/// let mut years = [1992, 1815, 1906];
/// let mut names = ["Hopper d.", "Lovelace", "Hopper"];
/// filch::algo::sort_together(&mut years, &mut names);
/// assert_eq!(names, ["Lovelace", "Hopper", "Hopper d."]);
/// ```
///
/// # Panics
///
/// If the slices differ in length, or with the panic of a comparison.
#[doc(alias("sort_by_key", "zip_sort"))]
#[track_caller]
pub fn sort_together<K: Ord + Send, V: Send>(keys: &mut [K], values: &mut [V]) {
    sort_together_by(keys, values, K::cmp);
}

/// Sorts `keys` by a comparison, and moves the element of `values` at the index of each key along with it.
///
/// Stable: values of equal keys stay in their order. See the [module](self) for what it costs.
///
/// ```
/// let (mut scores, mut names) = ([0.5f64, 2.5, 1.5], ["c", "a", "b"]);
/// filch::algo::sort_together_by(&mut scores, &mut names, |a, b| b.total_cmp(a));
/// assert_eq!((scores, names), ([2.5, 1.5, 0.5], ["a", "b", "c"]));
/// ```
///
/// # Panics
///
/// If the slices differ in length, or with the panic of the comparison.
#[track_caller]
pub fn sort_together_by<K, V, F>(keys: &mut [K], values: &mut [V], compare: F)
where
    K: Send,
    V: Send,
    F: Fn(&K, &K) -> Ordering + Sync,
{
    assert!(
        keys.len() == values.len(),
        "filch: {} keys for {} values",
        keys.len(),
        values.len()
    );
    let pair = |(key, value): (&mut K, &mut V)| {
        // SAFETY: both references may be read from. The copies are forgotten, whatever happens, but for those that are written over the originals
        // in the end, which nothing reads before.
        ManuallyDrop::new(unsafe { (ptr::read(key), ptr::read(value)) })
    };
    let both = keys.par_iter_mut().zip(values.par_iter_mut());
    let mut pairs: Buffer<ManuallyDrop<(K, V)>> = Buffer(both.map(pair).collect());
    let sorted = catch(|| pairs.0.par_sort_by(|a, b| compare(&a.0, &b.0)));
    let both = keys.par_iter_mut().zip(values.par_iter_mut());
    both.zip(pairs.0.par_iter_mut())
        .for_each(|((key, value), pair)| {
            // SAFETY: each pair is taken once, here. A sort neither loses nor doubles a pair, also if it unwinds, so each key and value goes
            // to one slot, and what is in the slot was moved out.
            unsafe {
                let (old_key, old_value) = ManuallyDrop::take(pair);
                ptr::write(key, old_key);
                ptr::write(value, old_value);
            }
        });
    if let Err(payload) = sorted {
        resume(payload);
    }
}

/// Keys that are sorted together with values: `use filch::ext::*`.
///
/// ```
/// use filch::ext::*;
/// let (mut keys, mut values) = ([3, 1, 2], ["c", "a", "b"]);
/// keys.par_sort_together(&mut values);
/// assert_eq!((keys, values), ([1, 2, 3], ["a", "b", "c"]));
/// ```
pub trait ParallelSortTogether<K: Send>: ParallelSliceMut<K> {
    /// Sorts these keys, and moves the values along. See [`sort_together`].
    ///
    /// ```
    /// use filch::ext::ParallelSortTogether;
    /// let (mut keys, mut values) = ([3, 1, 2], ["c", "a", "b"]);
    /// keys.par_sort_together(&mut values);
    /// assert_eq!((keys, values), ([1, 2, 3], ["a", "b", "c"]));
    /// ```
    ///
    /// # Panics
    ///
    /// If the slices differ in length, or with the panic of a comparison.
    #[doc(alias("sort_by_key", "zip_sort"))]
    #[track_caller]
    fn par_sort_together<V: Send>(&mut self, values: &mut [V])
    where
        K: Ord,
    {
        sort_together(self.as_parallel_slice_mut(), values);
    }

    /// Sorts these keys by a comparison, and moves the values along. See [`sort_together_by`].
    ///
    /// ```
    /// use filch::ext::ParallelSortTogether;
    /// let (mut keys, mut values) = ([3, 1, 2], ["c", "a", "b"]);
    /// keys.par_sort_together_by(&mut values, |a, b| b.cmp(a));
    /// assert_eq!((keys, values), ([3, 2, 1], ["c", "b", "a"]));
    /// ```
    ///
    /// # Panics
    ///
    /// If the slices differ in length, or with the panic of the comparison.
    #[track_caller]
    fn par_sort_together_by<V, F>(&mut self, values: &mut [V], compare: F)
    where
        V: Send,
        F: Fn(&K, &K) -> Ordering + Sync,
    {
        sort_together_by(self.as_parallel_slice_mut(), values, compare);
    }
}

impl<K: Send, S: ParallelSliceMut<K> + ?Sized> ParallelSortTogether<K> for S {}

//! Merges of sorted slices: two or many, into a new vector, into a slice, or in place.
//!
// | file | idea |
// |---|---|
// | `merged` | two sorted slices as one parallel iterator |
// | `many` | neighbouring runs, merged in pairs |
// | `methods` | the functions as methods |
//!
//! | to merge | into | work | memory besides the result |
//! |---|---|---|---|
//! | two slices | a new vector: [`merge`]; a slice: [`merge_into`] | O(n) | none |
//! | two neighbouring runs | their place: [`merge_in_place`] | O(n) | for the second run; from four threads on, for both, unless the second one is short |
//! | k slices | a new vector: [`kmerge`] | O(n log k) | for n elements |
//!
//! A *run* is a sorted stretch of elements. Every merge is stable: of elements that compare equal, those of the earlier run come first.
//!
//! A merge is cut in two whenever a thread asks for work. The cut is at the middle of the *output*: a bisection of both runs at once finds
//! how many elements of each come before the middle (co-ranking; Siebert and Träff, "Perfectly load-balanced, optimal, stable, parallel
//! merge", 2013). So the two parts are equal however the runs overlap, and span is O(n / p + log² n).
//!
//! In place, elements at either end that are in their place stay there. With four threads or more, the rest is merged into a buffer in the
//! same way, and moved back: the same span. With two or three threads, there are about log p cuts, one inside another. Each rotates
//! up to half of its elements, and the buffer has room for the second run only: O(n) moves and span. If the second run is less than a 32nd of
//! the rest, one thread moves the elements between those of the second run in stretches: O(k log(n / k)) comparisons for k elements, and O(n) moves.
//!
//! If the runs are not sorted, or the order is not total, the result has every element once, in some order.
//!
//! # Measured
//!
//! <!-- measured: merge -->
//! Measured, `merge` of two sorted slices of 1,000,000 numbers: work 3.4 ms, span 6.3 µs, so up to 550 threads can be of use.
//!
//! <!-- measured: par_kmerge -->
//! Measured, `par_kmerge` of eight sorted slices, together 1,000,000 numbers: work 2.2 ms, span 29 µs, so up to 79 threads can be of use.
//!
//! <!-- measured: par_merge_in_place -->
//! Measured, `par_merge_in_place` of two halves of 1,000,000 numbers: work 970 µs, span 16 µs, so up to 62 threads can be of use.

mod many;
mod merged;
mod methods;

pub use many::{ParallelKMerge, kmerge, kmerge_by, kmerge_by_key};
pub use methods::ParallelMerge;

use super::sort::{Order, by_order, merge_neighbours};
use crate::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use merged::MergedSlices;

fn merge_ordered<T, O>(left: &[T], right: &[T], order: &O) -> Vec<T>
where
    T: Clone + Send + Sync,
    O: Order<T>,
{
    MergedSlices { left, right, order }.cloned().collect()
}

#[track_caller]
fn merge_into_ordered<T, O>(left: &[T], right: &[T], out: &mut [T], order: &O)
where
    T: Clone + Send + Sync,
    O: Order<T>,
{
    assert_eq!(
        left.len().checked_add(right.len()),
        Some(out.len()),
        "filch: a merge needs as much room as both slices have elements"
    );
    MergedSlices { left, right, order }
        .zip(out.par_iter_mut())
        .for_each(|(x, slot)| slot.clone_from(x));
}

#[track_caller]
fn merge_in_place_ordered<T: Send, O: Order<T>>(v: &mut [T], mid: usize, order: &O) {
    assert!(
        mid <= v.len(),
        "filch: the second run begins at {mid}, behind the end of the slice"
    );
    merge_neighbours(v, mid, order);
}

by_order! {
    <T>(left: &[T], right: &[T]) -> Vec<T>
    where [T: Clone + Send + Sync]
    |order| merge_ordered(left, right, order);

    /// Merges two sorted slices into a new vector; see [`ParallelMerge::par_merge`].
    ///
    /// ```
    /// assert_eq!(filch::algo::merge(&[1, 4], &[2, 3]), [1, 2, 3, 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison or a clone. The new vector is dropped with what is in it.
    pub fn merge;

    /// Merges two sorted slices into a new vector, by a comparator; see [`ParallelMerge::par_merge_by`].
    ///
    /// ```
    /// assert_eq!(filch::algo::merge_by(&[4, 1], &[3, 2], |a, b| b.cmp(a)), [4, 3, 2, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`merge`].
    pub fn merge_by;

    /// Merges two sorted slices into a new vector, by a key; see [`ParallelMerge::par_merge_by_key`].
    ///
    /// ```
    /// assert_eq!(filch::algo::merge_by_key(&["a", "ccc"], &["bb"], |word| word.len()), ["a", "bb", "ccc"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`merge`], or with the panic of `key`.
    pub fn merge_by_key;
}

by_order! {
    <T>(left: &[T], right: &[T], out: &mut [T])
    where [T: Clone + Send + Sync]
    |order| merge_into_ordered(left, right, out, order);

    /// Merges two sorted slices into a third one; see [`ParallelMerge::par_merge_into`].
    ///
    /// ```
    /// let mut out = [0; 4];
    /// filch::algo::merge_into(&[1, 4], &[2, 3], &mut out);
    /// assert_eq!(out, [1, 2, 3, 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `out` is not as long as both slices together, and with the panic of a comparison, a key or a clone.
    #[track_caller]
    pub fn merge_into;

    /// Merges two sorted slices into a third one, by a comparator; see [`ParallelMerge::par_merge_into_by`].
    ///
    /// ```
    /// let mut out = [0; 4];
    /// filch::algo::merge_into_by(&[4, 1], &[3, 2], &mut out, |a, b| b.cmp(a));
    /// assert_eq!(out, [4, 3, 2, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `out` is not as long as both slices together, and with the panic of a comparison, a key or a clone.
    #[track_caller]
    pub fn merge_into_by;

    /// Merges two sorted slices into a third one, by a key; see [`ParallelMerge::par_merge_into_by_key`].
    ///
    /// ```
    /// let mut out = [""; 3];
    /// filch::algo::merge_into_by_key(&["a", "ccc"], &["bb"], &mut out, |word| word.len());
    /// assert_eq!(out, ["a", "bb", "ccc"]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `out` is not as long as both slices together, and with the panic of a comparison, a key or a clone.
    #[track_caller]
    pub fn merge_into_by_key;
}

by_order! {
    <T>(v: &mut [T], mid: usize)
    where [T: Send]
    |order| merge_in_place_ordered(v, mid, order);

    /// Merges the sorted runs `v[..mid]` and `v[mid..]` in place; see [`ParallelMerge::par_merge_in_place`].
    ///
    /// ```
    /// let mut v = [1, 4, 2, 3];
    /// filch::algo::merge_in_place(&mut v, 2);
    /// assert_eq!(v, [1, 2, 3, 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `mid` is greater than the length, and with the panic of a comparison or a key.
    #[doc(alias("inplace_merge"))]
    #[track_caller]
    pub fn merge_in_place;

    /// Merges the sorted runs `v[..mid]` and `v[mid..]` in place, by a comparator; see [`ParallelMerge::par_merge_in_place_by`].
    ///
    /// ```
    /// let mut v = [4, 1, 3, 2];
    /// filch::algo::merge_in_place_by(&mut v, 2, |a, b| b.cmp(a));
    /// assert_eq!(v, [4, 3, 2, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `mid` is greater than the length, and with the panic of a comparison or a key.
    #[track_caller]
    pub fn merge_in_place_by;

    /// Merges the sorted runs `v[..mid]` and `v[mid..]` in place, by a key; see [`ParallelMerge::par_merge_in_place_by_key`].
    ///
    /// ```
    /// let mut v = ["a", "ccc", "bb"];
    /// filch::algo::merge_in_place_by_key(&mut v, 2, |word| word.len());
    /// assert_eq!(v, ["a", "bb", "ccc"]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `mid` is greater than the length, and with the panic of a comparison or a key.
    #[track_caller]
    pub fn merge_in_place_by_key;
}

//! Merges of sorted slices: two or many, into a new vector, into a slice, or in place.
//!
// | file | idea |
// |---|---|
// | `merged` | two sorted slices as one parallel iterator |
// | `many` | neighbouring runs, merged in pairs |
//!
//! | to merge | into | work | memory besides the result |
//! |---|---|---|---|
//! | two slices | a new vector: [`merge`]; a slice: [`merge_into`] | O(n) | none |
//! | two neighbouring runs | their place: [`merge_in_place`] | O(n) | for the second run |
//! | k slices | a new vector: [`kmerge`] | O(n log k) | for n elements |
//!
//! Every merge is stable: of elements that compare equal, those of the earlier run come first. A merge is cut, as often as threads ask for
//! work, where the stable merge itself cuts: the number of elements of either run that come before the middle of the output is found by
//! bisection of both runs at once (co-ranking; Siebert and Träff, "Perfectly load-balanced, optimal, stable, parallel merge", 2013). So the
//! parts are equal however the runs overlap, and span is O(n/p + log² n). In place there are about log p cuts, one inside another. Each also
//! rotates up to half of its elements, and all of its threads take part: O(n log p) moves, and span O(n/p · log p + log² n).
//!
//! If the runs are not sorted, or the order is not total, the result has every element once, in some order.
//!
//! # Measured
//!
//! <!-- measured: merge -->
//! Measured, `merge` of two sorted slices of 1,000,000 numbers: work 5.2 ms, span 6.2 µs, so up to 840 threads can be of use.
//!
//! <!-- measured: par_kmerge -->
//! Measured, `par_kmerge` of eight sorted slices, together 1,000,000 numbers: work 4.2 ms, span 52 µs, so up to 80 threads can be of use.
//!
//! <!-- measured: par_merge_in_place -->
//! Measured, `par_merge_in_place` of two halves of 1,000,000 numbers: work 2.8 ms, span 120 µs, so up to 24 threads can be of use.

mod many;
mod merged;

pub use many::{ParallelKMerge, kmerge, kmerge_by, kmerge_by_key};

use super::sort::{By, ByKey, Natural, Order, merge_neighbours};
use crate::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use merged::Merged;
use std::cmp::Ordering;

fn merge_ordered<T, O>(left: &[T], right: &[T], order: &O) -> Vec<T>
where
    T: Clone + Send + Sync,
    O: Order<T>,
{
    Merged { left, right, order }.cloned().collect()
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
    Merged { left, right, order }
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

/// Merges two sorted slices into a new vector; see [`ParallelMerge::par_merge`].
///
/// ```
/// assert_eq!(filch::algo::merge(&[1, 4], &[2, 3]), [1, 2, 3, 4]);
/// ```
///
/// # Panics
///
/// With the panic of a comparison or a clone. The new vector is dropped with what is in it.
pub fn merge<T>(left: &[T], right: &[T]) -> Vec<T>
where
    T: Ord + Clone + Send + Sync,
{
    merge_ordered(left, right, &Natural)
}

/// Merges two sorted slices into a new vector, by a comparator; see [`ParallelMerge::par_merge_by`].
///
/// ```
/// assert_eq!(filch::algo::merge_by(&[4, 1], &[3, 2], |a, b| b.cmp(a)), [4, 3, 2, 1]);
/// ```
///
/// # Panics
///
/// As [`merge`].
pub fn merge_by<T, F>(left: &[T], right: &[T], compare: F) -> Vec<T>
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> Ordering + Sync,
{
    merge_ordered(left, right, &By(compare))
}

/// Merges two sorted slices into a new vector, by a key; see [`ParallelMerge::par_merge_by_key`].
///
/// ```
/// assert_eq!(filch::algo::merge_by_key(&["a", "ccc"], &["bb"], |word| word.len()), ["a", "bb", "ccc"]);
/// ```
///
/// # Panics
///
/// As [`merge`], or with the panic of `key`.
pub fn merge_by_key<T, K, F>(left: &[T], right: &[T], key: F) -> Vec<T>
where
    T: Clone + Send + Sync,
    K: Ord,
    F: Fn(&T) -> K + Sync,
{
    merge_ordered(left, right, &ByKey(key))
}

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
/// If `out` is not as long as both slices together.
#[track_caller]
pub fn merge_into<T>(left: &[T], right: &[T], out: &mut [T])
where
    T: Ord + Clone + Send + Sync,
{
    merge_into_ordered(left, right, out, &Natural);
}

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
/// If `out` is not as long as both slices together.
#[track_caller]
pub fn merge_into_by<T, F>(left: &[T], right: &[T], out: &mut [T], compare: F)
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> Ordering + Sync,
{
    merge_into_ordered(left, right, out, &By(compare));
}

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
/// If `out` is not as long as both slices together.
#[track_caller]
pub fn merge_into_by_key<T, K, F>(left: &[T], right: &[T], out: &mut [T], key: F)
where
    T: Clone + Send + Sync,
    K: Ord,
    F: Fn(&T) -> K + Sync,
{
    merge_into_ordered(left, right, out, &ByKey(key));
}

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
/// If `mid` is behind the end of the slice.
#[doc(alias("inplace_merge"))]
#[track_caller]
pub fn merge_in_place<T>(v: &mut [T], mid: usize)
where
    T: Ord + Send,
{
    merge_in_place_ordered(v, mid, &Natural);
}

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
/// If `mid` is behind the end of the slice.
#[track_caller]
pub fn merge_in_place_by<T, F>(v: &mut [T], mid: usize, compare: F)
where
    T: Send,
    F: Fn(&T, &T) -> Ordering + Sync,
{
    merge_in_place_ordered(v, mid, &By(compare));
}

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
/// If `mid` is behind the end of the slice.
#[track_caller]
pub fn merge_in_place_by_key<T, K, F>(v: &mut [T], mid: usize, key: F)
where
    T: Send,
    K: Ord,
    F: Fn(&T) -> K + Sync,
{
    merge_in_place_ordered(v, mid, &ByKey(key));
}

/// Merges of sorted slices.
///
/// All are stable: of elements that compare equal, those of the slice itself, or of the first run, come first. Work O(n), span
/// O(n/p + log² n); in place O(n/p · log p + log² n), for the moves.
///
/// If the runs are not sorted, or the order is not total, every element is in the result once, in some order. If a comparison, a key or a
/// clone panics, so does the merge; a new vector is dropped with what is in it, in a slice some elements have been replaced, and a slice
/// merged in place has all its elements, in some order.
///
/// ```
/// use filch::ext::*;
///
/// assert_eq!([1, 4, 7].par_merge(&[2, 4]), [1, 2, 4, 4, 7]);
/// ```
pub trait ParallelMerge<T: Send>: AsRef<[T]> + AsMut<[T]> {
    /// Merges this sorted slice and another one into a new vector.
    ///
    /// The elements are cloned, each once. To merge a great many small vectors, or to take only a part, an iterator such as itertools'
    /// `merge` is the better tool.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// assert_eq!([1, 4, 7].par_merge(&[2, 4, 9]), [1, 2, 4, 4, 7, 9]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison or a clone. The new vector is dropped with what is in it.
    #[doc(alias("merge"))]
    fn par_merge(&self, other: &[T]) -> Vec<T>
    where
        T: Ord + Clone + Sync,
    {
        merge(self.as_ref(), other)
    }

    /// [`par_merge`](Self::par_merge) by a comparator.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// assert_eq!([7, 1].par_merge_by(&[9, 4], |a, b| b.cmp(a)), [9, 7, 4, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_merge`](Self::par_merge).
    fn par_merge_by<F>(&self, other: &[T], compare: F) -> Vec<T>
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        merge_by(self.as_ref(), other, compare)
    }

    /// [`par_merge`](Self::par_merge) by a key, which is computed at each comparison.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// let merged = [(1, 'a'), (2, 'a')].par_merge_by_key(&[(1, 'b'), (2, 'b')], |x| x.0);
    /// assert_eq!(merged, [(1, 'a'), (1, 'b'), (2, 'a'), (2, 'b')]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_merge`](Self::par_merge), or with the panic of `key`.
    fn par_merge_by_key<K, F>(&self, other: &[T], key: F) -> Vec<T>
    where
        T: Clone + Sync,
        K: Ord,
        F: Fn(&T) -> K + Sync,
    {
        merge_by_key(self.as_ref(), other, key)
    }

    /// Merges this sorted slice and another one into `out`, over what is there.
    ///
    /// Elements of `out` are replaced by [`clone_from`](Clone::clone_from), so what they hold can be used again.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// let mut out = [0; 5];
    /// [1, 4, 7].par_merge_into(&[2, 4], &mut out);
    /// assert_eq!(out, [1, 2, 4, 4, 7]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `out` is not as long as both slices together.
    #[track_caller]
    fn par_merge_into(&self, other: &[T], out: &mut [T])
    where
        T: Ord + Clone + Sync,
    {
        merge_into(self.as_ref(), other, out);
    }

    /// [`par_merge_into`](Self::par_merge_into) by a comparator.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// let mut out = [0.0; 4];
    /// [-1.0, 2.0].par_merge_into_by(&[0.5, 9.0], &mut out, f64::total_cmp);
    /// assert_eq!(out, [-1.0, 0.5, 2.0, 9.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_merge_into`](Self::par_merge_into).
    #[track_caller]
    fn par_merge_into_by<F>(&self, other: &[T], out: &mut [T], compare: F)
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        merge_into_by(self.as_ref(), other, out, compare);
    }

    /// [`par_merge_into`](Self::par_merge_into) by a key, which is computed at each comparison.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// let mut out = [""; 3];
    /// ["a", "ccc"].par_merge_into_by_key(&["bb"], &mut out, |s| s.len());
    /// assert_eq!(out, ["a", "bb", "ccc"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_merge_into`](Self::par_merge_into).
    #[track_caller]
    fn par_merge_into_by_key<K, F>(&self, other: &[T], out: &mut [T], key: F)
    where
        T: Clone + Sync,
        K: Ord,
        F: Fn(&T) -> K + Sync,
    {
        merge_into_by_key(self.as_ref(), other, out, key);
    }

    /// Merges the sorted runs before and from `mid` on, in place.
    ///
    /// Memory for as many elements as the second run has. What is in its place already at either end of the slice is not moved.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// let mut v = [1, 4, 7, 2, 4];
    /// v.par_merge_in_place(3);
    /// assert_eq!(v, [1, 2, 4, 4, 7]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `mid` is greater than the length; with the comparison's panic.
    #[doc(alias("inplace_merge"))]
    #[track_caller]
    fn par_merge_in_place(&mut self, mid: usize)
    where
        T: Ord,
    {
        merge_in_place(self.as_mut(), mid);
    }

    /// [`par_merge_in_place`](Self::par_merge_in_place) by a comparator.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// let mut v = [7, 1, 9, 4];
    /// v.par_merge_in_place_by(2, |a, b| b.cmp(a));
    /// assert_eq!(v, [9, 7, 4, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_merge_in_place`](Self::par_merge_in_place).
    #[track_caller]
    fn par_merge_in_place_by<F>(&mut self, mid: usize, compare: F)
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        merge_in_place_by(self.as_mut(), mid, compare);
    }

    /// [`par_merge_in_place`](Self::par_merge_in_place) by a key, which is computed at each comparison.
    ///
    /// ```
    /// use filch::ext::ParallelMerge;
    /// let mut v = ["a", "ccc", "b", "dd"];
    /// v.par_merge_in_place_by_key(2, |s| s.len());
    /// assert_eq!(v, ["a", "b", "dd", "ccc"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_merge_in_place`](Self::par_merge_in_place).
    #[track_caller]
    fn par_merge_in_place_by_key<K, F>(&mut self, mid: usize, key: F)
    where
        K: Ord,
        F: Fn(&T) -> K + Sync,
    {
        merge_in_place_by_key(self.as_mut(), mid, key);
    }
}

impl<T: Send> ParallelMerge<T> for [T] {}

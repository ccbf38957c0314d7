//! The merges of two slices as methods.
//!
//! Costs are those of the functions.

use super::{merge_in_place_ordered, merge_into_ordered, merge_ordered};
use crate::algo::sort::by_order;

/// Merges of sorted slices.
///
/// All are stable: of elements that compare equal, those of the slice itself, or of the first run, come first.
///
/// Work O(n), span O(n / p + log² n). In place this span needs four threads. With two or three, it is O(n) moves. If the second run is less
/// than a 32nd of both, there are O(k log(n / k)) comparisons for its k elements, and the span is O(n) moves.
///
/// If the runs are not sorted, or the order is not total, every element is in the result once, in some order. If a comparison, a key or a
/// clone panics, so does the merge. A new vector is then dropped, a slice that is merged into has some new elements, and a slice that is
/// merged in place has all its elements, in some order.
///
/// ```
/// use filch::ext::*;
///
/// assert_eq!([1, 4, 7].par_merge(&[2, 4]), [1, 2, 4, 4, 7]);
/// ```
pub trait ParallelMerge<T: Send>: AsRef<[T]> + AsMut<[T]> {
    by_order! {
        <>(&self, other: &[T]) -> Vec<T>
        where [T: Clone + Sync]
        |order| merge_ordered(self.as_ref(), other, order);

        /// Merges this sorted slice and another one into a new vector.
        ///
        /// The elements are cloned, each once. To merge very many small vectors, or to take only a part of the result, use an iterator such as
        /// itertools' `merge`.
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
        fn par_merge;

        /// Merges this sorted slice and another one into a new vector, by a comparator; see
        /// [`par_merge`](Self::par_merge).
        ///
        /// ```
        /// use filch::ext::ParallelMerge;
        /// assert_eq!([7, 1].par_merge_by(&[9, 4], |a, b| b.cmp(a)), [9, 7, 4, 1]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`par_merge`](Self::par_merge).
        fn par_merge_by;

        /// Merges this sorted slice and another one into a new vector, by a key, which is computed at each comparison; see
        /// [`par_merge`](Self::par_merge).
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
        fn par_merge_by_key;
    }

    by_order! {
        <>(&self, other: &[T], out: &mut [T])
        where [T: Clone + Sync]
        |order| merge_into_ordered(self.as_ref(), other, out, order);

        /// Merges this sorted slice and another one into `out`, and overwrites it.
        ///
        /// Elements of `out` are set by [`clone_from`](Clone::clone_from), so their allocations can be used again.
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
        /// If `out` is not as long as both slices together. With the panic of a comparison or a clone: some elements of `out` are then new.
        #[track_caller]
        fn par_merge_into;

        /// Merges this sorted slice and another one into `out`, by a comparator; see
        /// [`par_merge_into`](Self::par_merge_into).
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
        fn par_merge_into_by;

        /// Merges this sorted slice and another one into `out`, by a key, which is computed at each comparison; see
        /// [`par_merge_into`](Self::par_merge_into).
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
        fn par_merge_into_by_key;
    }

    by_order! {
        <>(&mut self, mid: usize)
        where []
        |order| merge_in_place_ordered(self.as_mut(), mid, order);

        /// Merges the sorted runs `self[..mid]` and `self[mid..]` in place.
        ///
        /// Elements at either end that are in their place do not move; they are found by O(log n) comparisons. Memory: room for what is left of the second
        /// run; with four threads or more, for what is left of both, if the second run is a 32nd of that or more. None is needed if the slice is sorted already.
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
        /// If `mid` is greater than the length, and with the panic of a comparison.
        #[doc(alias("inplace_merge"))]
        #[track_caller]
        fn par_merge_in_place;

        /// Merges the sorted runs `self[..mid]` and `self[mid..]` in place, by a comparator; see
        /// [`par_merge_in_place`](Self::par_merge_in_place).
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
        fn par_merge_in_place_by;

        /// Merges the sorted runs `self[..mid]` and `self[mid..]` in place, by a key, which is computed at each comparison; see
        /// [`par_merge_in_place`](Self::par_merge_in_place).
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
        fn par_merge_in_place_by_key;
    }
}

impl<T: Send> ParallelMerge<T> for [T] {}

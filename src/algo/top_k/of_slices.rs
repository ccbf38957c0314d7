//! The k greatest or least elements of a slice: functions and methods in terms of its iterator.
//!
//! Costs are those of [`ParallelTopK`].

use super::ParallelTopK;
use crate::algo::sort::by_comparison;
use crate::iter::IntoParallelRefIterator;
use crate::slice::ParallelSlice;

by_comparison! {
    <T>(v: &[T], k: usize) -> Vec<&T>
    where [T: Sync]
    |compare: Sync| v.par_iter().top_k_by(k, |a, b| compare(a, b));

    /// The `k` greatest elements, the greatest first; see [`ParallelTopK::top_k`].
    ///
    /// ```
    /// assert_eq!(filch::algo::top_k(&[3, 1, 4, 1, 5], 2), [&5, &4]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelTopK::top_k`].
    #[doc(alias("largest", "partial_sort_copy"))]
    pub fn top_k;

    /// The `k` greatest elements by a comparator, the greatest first; see [`ParallelTopK::top_k_by`].
    ///
    /// ```
    /// assert_eq!(filch::algo::top_k_by(&[0.5, -2.0, 8.0], 2, f64::total_cmp), [&8.0, &0.5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelTopK::top_k`].
    pub fn top_k_by;
}

/// The `k` elements with the greatest keys, the greatest first; each key is computed once. See [`ParallelTopK::top_k_by_key`].
///
/// ```
/// assert_eq!(filch::algo::top_k_by_key(&["a", "list", "of"], 1, |w| w.len()), [&"list"]);
/// ```
///
/// # Panics
///
/// As [`ParallelTopK::top_k_by_key`].
pub fn top_k_by_key<T, K, F>(v: &[T], k: usize, key: F) -> Vec<&T>
where
    T: Sync,
    K: Ord + Send,
    F: Fn(&T) -> K + Sync + Send,
{
    v.par_iter().top_k_by_key(k, |x| key(x))
}

by_comparison! {
    <T>(v: &[T], k: usize) -> Vec<&T>
    where [T: Sync]
    |compare: Sync| v.par_iter().bottom_k_by(k, |a, b| compare(a, b));

    /// The `k` least elements, the least first; see [`ParallelTopK::bottom_k`].
    ///
    /// ```
    /// assert_eq!(filch::algo::bottom_k(&[3, 1, 4, 1, 5], 2), [&1, &1]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelTopK::top_k`].
    #[doc(alias("smallest", "partial_sort_copy"))]
    pub fn bottom_k;

    /// The `k` least elements by a comparator, the least first; see [`ParallelTopK::bottom_k_by`].
    ///
    /// ```
    /// assert_eq!(filch::algo::bottom_k_by(&[0.5, -2.0, 8.0], 2, f64::total_cmp), [&-2.0, &0.5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelTopK::top_k`].
    pub fn bottom_k_by;
}

/// The `k` elements with the least keys, the least first; each key is computed once. See [`ParallelTopK::bottom_k_by_key`].
///
/// ```
/// assert_eq!(filch::algo::bottom_k_by_key(&["list", "a", "of"], 1, |w| w.len()), [&"a"]);
/// ```
///
/// # Panics
///
/// As [`ParallelTopK::top_k_by_key`].
pub fn bottom_k_by_key<T, K, F>(v: &[T], k: usize, key: F) -> Vec<&T>
where
    T: Sync,
    K: Ord + Send,
    F: Fn(&T) -> K + Sync + Send,
{
    v.par_iter().bottom_k_by_key(k, |x| key(x))
}

/// The greatest or least elements of a slice, in order: short for [`ParallelTopK`] on its iterator, which says what they cost.
///
/// ```
/// use filch::ext::*;
///
/// assert_eq!([3, 9, 4].par_top_k(2), [&9, &4]);
/// ```
pub trait ParallelSliceTopK<T: Sync>: ParallelSlice<T> {
    by_comparison! {
        <>(&self, k: usize) -> Vec<&T>
        where []
        |compare: Sync| top_k_by(self.as_parallel_slice(), k, compare);

        /// The `k` greatest elements, the greatest first.
        ///
        /// ```
        /// use filch::ext::ParallelSliceTopK;
        /// assert_eq!([3, 1, 4, 1, 5].par_top_k(2), [&5, &4]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`ParallelTopK::top_k`].
        #[doc(alias("top_k", "largest", "partial_sort_copy"))]
        fn par_top_k;

        /// The `k` greatest elements by a comparator, the greatest first.
        ///
        /// ```
        /// use filch::ext::ParallelSliceTopK;
        /// assert_eq!([0.5, -2.0, 8.0].par_top_k_by(2, f64::total_cmp), [&8.0, &0.5]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`ParallelTopK::top_k`].
        fn par_top_k_by;
    }

    /// The `k` elements with the greatest keys, the greatest first; each key is computed once.
    ///
    /// ```
    /// use filch::ext::ParallelSliceTopK;
    /// assert_eq!(["a", "list", "of"].par_top_k_by_key(1, |w| w.len()), [&"list"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelTopK::top_k_by_key`].
    fn par_top_k_by_key<K, F>(&self, k: usize, key: F) -> Vec<&T>
    where
        K: Ord + Send,
        F: Fn(&T) -> K + Sync + Send,
    {
        top_k_by_key(self.as_parallel_slice(), k, key)
    }

    by_comparison! {
        <>(&self, k: usize) -> Vec<&T>
        where []
        |compare: Sync| bottom_k_by(self.as_parallel_slice(), k, compare);

        /// The `k` least elements, the least first.
        ///
        /// ```
        /// use filch::ext::ParallelSliceTopK;
        /// assert_eq!([3, 1, 4, 1, 5].par_bottom_k(2), [&1, &1]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`ParallelTopK::top_k`].
        #[doc(alias("bottom_k", "smallest", "partial_sort_copy"))]
        fn par_bottom_k;

        /// The `k` least elements by a comparator, the least first.
        ///
        /// ```
        /// use filch::ext::ParallelSliceTopK;
        /// assert_eq!([0.5, -2.0, 8.0].par_bottom_k_by(2, f64::total_cmp), [&-2.0, &0.5]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`ParallelTopK::top_k`].
        fn par_bottom_k_by;
    }

    /// The `k` elements with the least keys, the least first; each key is computed once.
    ///
    /// ```
    /// use filch::ext::ParallelSliceTopK;
    /// assert_eq!(["list", "a", "of"].par_bottom_k_by_key(1, |w| w.len()), [&"a"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelTopK::top_k_by_key`].
    fn par_bottom_k_by_key<K, F>(&self, k: usize, key: F) -> Vec<&T>
    where
        K: Ord + Send,
        F: Fn(&T) -> K + Sync + Send,
    {
        bottom_k_by_key(self.as_parallel_slice(), k, key)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelSliceTopK<T> for V {}

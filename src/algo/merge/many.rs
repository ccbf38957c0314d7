//! The merge of many runs.
//!
//! The runs lie behind one another. They are divided into two parts of about equal length, each part is merged in the same way, and then the two
//! parts are merged. Elements move back and forth between the slice and a buffer.
//!
//! Work O(n log k) for k runs of n elements; span O((n / p) log k + log k log² n); memory for n elements beside the result.

use crate::algo::pack::{Filling, SlotStretch, emit};
use crate::algo::sort::{Order, by_order, merge_runs};
use std::borrow::Borrow;
use std::mem;

fn kmerge_ordered<T, V, O>(runs: &[V], order: &O) -> Vec<T>
where
    T: Clone + Send + Sync,
    V: Borrow<[T]>,
    O: Order<T>,
{
    let runs = runs.iter().map(V::borrow).filter(|run| !run.is_empty());
    let runs: Vec<&[T]> = runs.collect();
    let ends = runs.iter().scan(0usize, |end, run| {
        *end = end.checked_add(run.len()).expect("a length of a vector");
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    let len = ends.last().copied().unwrap_or(0);
    let joined = Joined { runs, ends };
    let mut merged = emit(len, &joined);
    merge_runs(&mut merged, &joined.ends, order);
    merged
}

/// Runs behind one another. To clone each in parallel by itself would be a visit to the pool for each, and they may be short and many.
struct Joined<'a, T> {
    /// None is empty.
    runs: Vec<&'a [T]>,
    /// Where they end, when they lie behind one another.
    ends: Vec<usize>,
}

impl<T: Clone + Sync> Filling<T> for Joined<'_, T> {
    fn advance(&self, next: &mut usize, end: usize, out: &mut SlotStretch<'_, T>) {
        let mut start = mem::replace(next, end);
        let first = self.ends.partition_point(|&end| end <= start);
        for (run, &run_end) in self.runs.iter().zip(&self.ends).skip(first) {
            if start == end {
                break;
            }
            let until = end.min(run_end);
            let from = run.len() - (run_end - start);
            out.extend_from_slice(&run[from..from + until - start]);
            start = until;
        }
    }
}

by_order! {
    <T, V>(runs: &[V]) -> Vec<T>
    where [T: Clone + Send + Sync, V: Borrow<[T]>]
    |order| kmerge_ordered(runs, order);

    /// Merges sorted slices into a new vector; see [`ParallelKMerge::par_kmerge`].
    ///
    /// ```
    /// let runs = [vec![1, 4], vec![2], vec![0, 5]];
    /// assert_eq!(filch::algo::kmerge(&runs), [0, 1, 2, 4, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelKMerge::par_kmerge`].
    #[doc(alias("multiway_merge"))]
    pub fn kmerge;

    /// Merges sorted slices into a new vector, by a comparator; see [`ParallelKMerge::par_kmerge_by`].
    ///
    /// ```
    /// let runs = [vec![4, 1], vec![2], vec![5, 0]];
    /// assert_eq!(filch::algo::kmerge_by(&runs, |a: &i32, b: &i32| b.cmp(a)), [5, 4, 2, 1, 0]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelKMerge::par_kmerge`].
    pub fn kmerge_by;

    /// Merges sorted slices into a new vector, by a key; see [`ParallelKMerge::par_kmerge_by_key`].
    ///
    /// ```
    /// let runs = [vec!["a", "ccc"], vec!["bb"]];
    /// assert_eq!(filch::algo::kmerge_by_key(&runs, |word: &&str| word.len()), ["a", "bb", "ccc"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ParallelKMerge::par_kmerge`].
    pub fn kmerge_by_key;
}

/// The merge of many sorted slices: on a slice of slices, or of vectors.
///
/// ```
/// use filch::ext::*;
///
/// let runs = [vec![1, 4], vec![2], vec![0, 5]];
/// assert_eq!(runs.par_kmerge(), [0, 1, 2, 4, 5]);
/// ```
pub trait ParallelKMerge<T, V>: AsRef<[V]>
where
    T: Clone + Send + Sync,
    V: Borrow<[T]>,
{
    by_order! {
        <>(&self) -> Vec<T>
        where []
        |order| kmerge_ordered(self.as_ref(), order);

        /// Merges sorted slices into a new vector.
        ///
        /// Stable: of elements that compare equal, those of the earlier slice come first. Each element is cloned once. Work O(n log k) for n
        /// elements in k slices, span O(n/p log k + log k log² n); memory for n elements besides the result.
        ///
        /// ```
        /// use filch::ext::ParallelKMerge;
        /// assert_eq!([&[1, 5][..], &[2, 6, 8], &[], &[0]].par_kmerge(), [0, 1, 2, 5, 6, 8]);
        /// assert_eq!([vec!["b"], vec!["a", "c"]].par_kmerge(), ["a", "b", "c"]);
        /// ```
        ///
        /// # Panics
        ///
        /// With the panic of a comparison or a clone.
        #[doc(alias("multiway_merge", "kmerge"))]
        fn par_kmerge;

        /// Merges sorted slices into a new vector, by a comparator; see
        /// [`par_kmerge`](Self::par_kmerge).
        ///
        /// ```
        /// use filch::ext::ParallelKMerge;
        /// let merged = [[2.0, -1.0], [f64::MAX, 0.5]].par_kmerge_by(|a, b| b.total_cmp(a));
        /// assert_eq!(merged, [f64::MAX, 2.0, 0.5, -1.0]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`par_kmerge`](Self::par_kmerge).
        fn par_kmerge_by;

        /// Merges sorted slices into a new vector, by a key, which is computed at each comparison; see
        /// [`par_kmerge`](Self::par_kmerge).
        ///
        /// ```
        /// use filch::ext::ParallelKMerge;
        /// let merged = [["a", "ccc"], ["b", "dd"]].par_kmerge_by_key(|s| s.len());
        /// assert_eq!(merged, ["a", "b", "dd", "ccc"]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`par_kmerge`](Self::par_kmerge).
        fn par_kmerge_by_key;
    }
}

impl<T, V> ParallelKMerge<T, V> for [V]
where
    T: Clone + Send + Sync,
    V: Borrow<[T]>,
{
}

//! [`ParallelSliceMut`].

use super::{
    ChunkByMut, ChunksExactMut, ChunksMut, RChunksExactMut, RChunksMut, SplitInclusiveMut, SplitMut,
};
use crate::algo::sort;
use std::cmp::Ordering;

/// Parallel iterators over mutable parts of a slice, and sorting.
///
/// In scope with `use filch::prelude::*`. The iterators over chunks are indexed. The others are not, since the end of a part depends on the
/// elements.
///
/// All of them are lazy, yield the parts in order, and allocate nothing. To cut chunks takes the same time for any length. The others are cut
/// at a separator near the middle, which is looked for.
///
/// ```
/// use filch::prelude::*;
///
/// let mut v = vec![3, 1, 2];
/// v.par_sort();
/// assert_eq!(v.as_parallel_slice_mut(), [1, 2, 3]);
/// ```
pub trait ParallelSliceMut<T: Send> {
    /// The slice that the other methods work on.
    fn as_parallel_slice_mut(&mut self) -> &mut [T];

    /// Yields the parts between elements that `separator` accepts, including empty ones.
    ///
    /// The separators themselves are left out. `separator` is called once for each element.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 0, 3, 4];
    /// v.par_split_mut(|&x| x == 0).for_each(|part| part.reverse());
    /// assert_eq!(v, [2, 1, 0, 4, 3]);
    /// ```
    fn par_split_mut<P>(&mut self, separator: P) -> SplitMut<'_, T, P>
    where
        P: Fn(&T) -> bool + Sync + Send,
    {
        SplitMut::new(self.as_parallel_slice_mut(), separator)
    }

    /// Yields parts that end with an element that `separator` accepts; the last one may end without.
    ///
    /// No part is empty, so an empty slice yields nothing.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 0, 3, 4];
    /// v.par_split_inclusive_mut(|&x| x == 0).for_each(|part| part.reverse());
    /// assert_eq!(v, [0, 2, 1, 4, 3]);
    /// ```
    fn par_split_inclusive_mut<P>(&mut self, separator: P) -> SplitInclusiveMut<'_, T, P>
    where
        P: Fn(&T) -> bool + Sync + Send,
    {
        SplitInclusiveMut::new(self.as_parallel_slice_mut(), separator)
    }

    /// Yields chunks of `chunk_size` elements, from the start; the last one may be shorter.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 3, 4, 5];
    /// v.par_chunks_mut(2).for_each(|chunk| chunk.reverse());
    /// assert_eq!(v, [2, 1, 4, 3, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn par_chunks_mut(&mut self, chunk_size: usize) -> ChunksMut<'_, T> {
        assert!(chunk_size != 0, "filch: chunk_size must not be zero");
        ChunksMut::new(self.as_parallel_slice_mut(), chunk_size)
    }

    /// Yields chunks of exactly `chunk_size` elements, from the start.
    ///
    /// Elements that do not fill a chunk are left out; [`remainder`](ChunksExactMut::remainder) and similar methods return them.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 3, 4, 5];
    /// v.par_chunks_exact_mut(3).for_each(|chunk| chunk.reverse());
    /// assert_eq!(v, [3, 2, 1, 4, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn par_chunks_exact_mut(&mut self, chunk_size: usize) -> ChunksExactMut<'_, T> {
        assert!(chunk_size != 0, "filch: chunk_size must not be zero");
        ChunksExactMut::new(self.as_parallel_slice_mut(), chunk_size)
    }

    /// Yields chunks of `chunk_size` elements, from the end; the last one, at the start of the slice, may be shorter.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 3, 4, 5];
    /// v.par_rchunks_mut(2).for_each(|chunk| chunk.reverse());
    /// assert_eq!(v, [1, 3, 2, 5, 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn par_rchunks_mut(&mut self, chunk_size: usize) -> RChunksMut<'_, T> {
        assert!(chunk_size != 0, "filch: chunk_size must not be zero");
        RChunksMut::new(self.as_parallel_slice_mut(), chunk_size)
    }

    /// Yields chunks of exactly `chunk_size` elements, from the end.
    ///
    /// Elements that do not fill a chunk, at the start of the slice, are left out; [`remainder`](RChunksExactMut::remainder) and similar
    /// methods return them.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 3, 4, 5];
    /// v.par_rchunks_exact_mut(3).for_each(|chunk| chunk.reverse());
    /// assert_eq!(v, [1, 2, 5, 4, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn par_rchunks_exact_mut(&mut self, chunk_size: usize) -> RChunksExactMut<'_, T> {
        assert!(chunk_size != 0, "filch: chunk_size must not be zero");
        RChunksExactMut::new(self.as_parallel_slice_mut(), chunk_size)
    }

    /// Sorts the slice; equal elements keep their order.
    ///
    /// The slice is cut into a few leaves per thread. One thread sorts a leaf, and then neighbouring leaves are merged. Each merge is cut at its
    /// exact middle, again and again, so all threads share it. Stretches that are already ascending or descending are kept. If comparisons
    /// are expensive, shorter slices are sorted in parallel too.
    ///
    /// Work O(n log n). Span O(n / p log n) for the leaves and O(log³ n) for the merges. (If a sorted run of more than 31 parts in
    /// 32 is kept, the merge with the rest is O(n) moves by one thread, and hardly any comparisons.) Memory: n elements, and for elements of 64 bytes or
    /// more 8 bytes for each in the leaves that are being sorted.
    ///
    /// <!-- measured: par_sort -->
    /// Measured, `par_sort` of 1,000,000 numbers in no order: work 14 ms, span 120 µs, so up to 120 threads can be of use.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [5, -3, 2];
    /// v.par_sort();
    /// assert_eq!(v, [-3, 2, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// If a comparison panics: with its panic. The slice then holds every element once, in some order. If the comparison is not a total
    /// order, this does not panic, and the elements end up in some order.
    #[doc(alias("stable_sort", "parallel_sort"))]
    fn par_sort(&mut self)
    where
        T: Ord,
    {
        sort::sort(self.as_parallel_slice_mut(), &sort::Natural);
    }

    /// [`par_sort`](Self::par_sort) by a comparator.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [5, -3, 2];
    /// v.par_sort_by(|a, b| b.cmp(a));
    /// assert_eq!(v, [5, 2, -3]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_sort`](Self::par_sort).
    fn par_sort_by<F>(&mut self, compare: F)
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        sort::sort(self.as_parallel_slice_mut(), &sort::By(compare));
    }

    /// [`par_sort`](Self::par_sort) by a key, which is computed at each comparison.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [5i32, -3, 2];
    /// v.par_sort_by_key(|x| x.abs());
    /// assert_eq!(v, [2, -3, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_sort`](Self::par_sort).
    fn par_sort_by_key<K, F>(&mut self, f: F)
    where
        K: Ord,
        F: Fn(&T) -> K + Sync,
    {
        sort::sort(self.as_parallel_slice_mut(), &sort::ByKeyOf(f));
    }

    /// [`par_sort`](Self::par_sort) by a key that is computed once per element, in parallel: for expensive keys.
    ///
    /// <!-- measured: par_sort_by_cached_key -->
    /// Measured, `par_sort_by_cached_key` of 1,000,000 numbers in no order: work 26 ms, span 300 µs, so up to 85 threads can be of use.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [12, 5, 100];
    /// v.par_sort_by_cached_key(|x| x.to_string());
    /// assert_eq!(v, [100, 12, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_sort`](Self::par_sort).
    fn par_sort_by_cached_key<K, F>(&mut self, f: F)
    where
        F: Fn(&T) -> K + Sync,
        K: Ord + Send,
    {
        sort::sort_by_cached_key(self.as_parallel_slice_mut(), &f);
    }

    /// Sorts the slice in place; equal elements may change their order.
    ///
    /// It is a quicksort, and all threads share the first partitions. Input that is nearly sorted, or nearly descending, is recognised, and only the
    /// elements out of place are sorted and merged back. If comparisons are expensive, shorter slices are sorted in parallel too.
    ///
    /// Work O(n log n), and O(n + k log k) on one thread for k elements out of place. Span O(n / p log n). Memory: nothing that grows with
    /// the slice. The depth of the recursion is O(log n), whatever the comparator does.
    ///
    /// <!-- measured: par_sort_unstable -->
    /// Measured, `par_sort_unstable` of 1,000,000 numbers in no order: work 14 ms, span 210 µs, so up to 66 threads can be of use.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [5, -3, 2];
    /// v.par_sort_unstable();
    /// assert_eq!(v, [-3, 2, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_sort`](Self::par_sort).
    #[doc(alias("sort", "parallel_sort"))]
    fn par_sort_unstable(&mut self)
    where
        T: Ord,
    {
        sort::sort_unstable(self.as_parallel_slice_mut(), &sort::Natural);
    }

    /// [`par_sort_unstable`](Self::par_sort_unstable) by a comparator.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [5, -3, 2];
    /// v.par_sort_unstable_by(|a, b| b.cmp(a));
    /// assert_eq!(v, [5, 2, -3]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_sort`](Self::par_sort).
    fn par_sort_unstable_by<F>(&mut self, compare: F)
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        sort::sort_unstable(self.as_parallel_slice_mut(), &sort::By(compare));
    }

    /// [`par_sort_unstable`](Self::par_sort_unstable) by a key, which is computed at each comparison.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [5i32, -3, 2];
    /// v.par_sort_unstable_by_key(|x| x.abs());
    /// assert_eq!(v, [2, -3, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`par_sort`](Self::par_sort).
    fn par_sort_unstable_by_key<K, F>(&mut self, f: F)
    where
        K: Ord,
        F: Fn(&T) -> K + Sync,
    {
        sort::sort_unstable(self.as_parallel_slice_mut(), &sort::ByKeyOf(f));
    }

    // ---- runs ----

    /// Yields runs of elements. `pred` says whether an element and the next one belong to the same run.
    ///
    /// `pred` is called once for each pair of neighbours, before either of them is yielded. No run is empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 3, 1, 2];
    /// v.par_chunk_by_mut(|a, b| a < b).for_each(|run| run.reverse());
    /// assert_eq!(v, [3, 2, 1, 2, 1]);
    /// ```
    fn par_chunk_by_mut<F>(&mut self, pred: F) -> ChunkByMut<'_, T, F>
    where
        F: Fn(&T, &T) -> bool + Send + Sync,
    {
        ChunkByMut::new(self.as_parallel_slice_mut(), pred)
    }
}

impl<T: Send> ParallelSliceMut<T> for [T] {
    #[inline]
    fn as_parallel_slice_mut(&mut self) -> &mut [T] {
        self
    }
}

//! [`ParallelSlice`].

use super::{
    ArrayWindows, ChunkBy, Chunks, ChunksExact, RChunks, RChunksExact, Split, SplitInclusive,
    Windows,
};

/// Parallel iterators over parts of a slice.
///
/// In scope with `use filch::prelude::*`. The iterators over chunks and windows are indexed. The others are not, since the end of a part
/// depends on the elements.
///
/// All of them are lazy, yield the parts in order, and allocate nothing. To cut chunks or windows takes the same time for any length. The
/// others are cut at a separator near the middle, which is looked for.
///
/// ```
/// use filch::prelude::*;
///
/// assert_eq!([1, 2, 3, 4].par_chunks(2).map(|pair| pair[0] * pair[1]).sum::<i32>(), 2 + 12);
/// assert_eq!(vec![1, 2].as_parallel_slice().len(), 2);
/// ```
pub trait ParallelSlice<T: Sync> {
    /// The slice that the other methods work on.
    fn as_parallel_slice(&self) -> &[T];

    /// Yields the parts between elements that `separator` accepts, including empty ones.
    ///
    /// The separators themselves are left out. `separator` is called once for each element.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let sums: Vec<i32> = [1, 2, 0, 3, 0]
    ///     .par_split(|&x| x == 0)
    ///     .map(|part| part.iter().sum())
    ///     .collect();
    /// assert_eq!(sums, [3, 3, 0]);
    /// ```
    fn par_split<P>(&self, separator: P) -> Split<'_, T, P>
    where
        P: Fn(&T) -> bool + Sync + Send,
    {
        Split::new(self.as_parallel_slice(), separator)
    }

    /// Yields parts that end with an element that `separator` accepts; the last one may end without.
    ///
    /// No part is empty, so an empty slice yields nothing.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let lengths: Vec<usize> = [1, 2, 0, 3, 0]
    ///     .par_split_inclusive(|&x| x == 0)
    ///     .map(|part| part.len())
    ///     .collect();
    /// assert_eq!(lengths, [3, 2]);
    /// ```
    fn par_split_inclusive<P>(&self, separator: P) -> SplitInclusive<'_, T, P>
    where
        P: Fn(&T) -> bool + Sync + Send,
    {
        SplitInclusive::new(self.as_parallel_slice(), separator)
    }

    /// Yields all windows of `window_size` neighbours, each starting one element after the one before.
    ///
    /// Yields nothing if the slice is shorter.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let rises = [1, 3, 2, 4, 5].par_windows(2).filter(|w| w[0] < w[1]).count();
    /// assert_eq!(rises, 3);
    /// ```
    ///
    /// # Panics
    ///
    /// If `window_size` is 0.
    #[track_caller]
    fn par_windows(&self, window_size: usize) -> Windows<'_, T> {
        assert!(window_size != 0, "filch: window_size must not be zero");
        Windows::new(self.as_parallel_slice(), window_size)
    }

    /// Yields all windows of `N` neighbours as arrays, each starting one element after the one before.
    ///
    /// Yields nothing if the slice is shorter.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let sums: Vec<i32> = [1, 2, 3, 4].par_array_windows().map(|[a, b]| a + b).collect();
    /// assert_eq!(sums, [3, 5, 7]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `N` is 0.
    #[track_caller]
    fn par_array_windows<const N: usize>(&self) -> ArrayWindows<'_, T, N> {
        assert!(N != 0, "filch: window_size must not be zero");
        ArrayWindows::new(self.as_parallel_slice())
    }

    /// Yields chunks of `chunk_size` elements, from the start; the last one may be shorter.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let sums: Vec<i32> = [1, 2, 3, 4, 5].par_chunks(2).map(|chunk| chunk.iter().sum()).collect();
    /// assert_eq!(sums, [3, 7, 5]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn par_chunks(&self, chunk_size: usize) -> Chunks<'_, T> {
        assert!(chunk_size != 0, "filch: chunk_size must not be zero");
        Chunks::new(self.as_parallel_slice(), chunk_size)
    }

    /// Yields chunks of exactly `chunk_size` elements, from the start.
    ///
    /// Elements that do not fill a chunk are left out; [`remainder`](ChunksExact::remainder) returns them.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let chunks = [1, 2, 3, 4, 5];
    /// let chunks = chunks.par_chunks_exact(2);
    /// assert_eq!(chunks.remainder(), [5]);
    /// assert_eq!(chunks.map(|pair| pair[0] * pair[1]).sum::<i32>(), 14);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn par_chunks_exact(&self, chunk_size: usize) -> ChunksExact<'_, T> {
        assert!(chunk_size != 0, "filch: chunk_size must not be zero");
        ChunksExact::new(self.as_parallel_slice(), chunk_size)
    }

    /// Yields chunks of `chunk_size` elements, from the end; the last one, at the start of the slice, may be shorter.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let sums: Vec<i32> = [1, 2, 3, 4, 5].par_rchunks(2).map(|chunk| chunk.iter().sum()).collect();
    /// assert_eq!(sums, [9, 5, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn par_rchunks(&self, chunk_size: usize) -> RChunks<'_, T> {
        assert!(chunk_size != 0, "filch: chunk_size must not be zero");
        RChunks::new(self.as_parallel_slice(), chunk_size)
    }

    /// Yields chunks of exactly `chunk_size` elements, from the end.
    ///
    /// Elements that do not fill a chunk, at the start of the slice, are left out; [`remainder`](RChunksExact::remainder) returns them.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let sums: Vec<i32> = [1, 2, 3].par_rchunks_exact(2).map(|chunk| chunk.iter().sum()).collect();
    /// assert_eq!(sums, [5]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn par_rchunks_exact(&self, chunk_size: usize) -> RChunksExact<'_, T> {
        assert!(chunk_size != 0, "filch: chunk_size must not be zero");
        RChunksExact::new(self.as_parallel_slice(), chunk_size)
    }

    /// Yields runs of elements. `pred` says whether an element and the next one belong to the same run.
    ///
    /// `pred` is called once for each pair of neighbours. No run is empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let runs: Vec<usize> = [1, 1, 2, 3, 3, 3]
    ///     .par_chunk_by(|a, b| a == b)
    ///     .map(|run| run.len())
    ///     .collect();
    /// assert_eq!(runs, [2, 1, 3]);
    /// ```
    fn par_chunk_by<F>(&self, pred: F) -> ChunkBy<'_, T, F>
    where
        F: Fn(&T, &T) -> bool + Send + Sync,
    {
        ChunkBy::new(self.as_parallel_slice(), pred)
    }
}

impl<T: Sync> ParallelSlice<T> for [T] {
    #[inline]
    fn as_parallel_slice(&self) -> &[T] {
        self
    }
}

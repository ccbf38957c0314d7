//! [`ParallelSliceMut`].

use super::{
    ChunkByMut, ChunksExactMut, ChunksMut, RChunksExactMut, RChunksMut, SplitInclusiveMut, SplitMut,
};

/// Parallel iterators over mutable parts of a slice, and sorting.
///
/// In scope with `use filch::prelude::*`. The iterators over chunks are indexed; the others are not, since only the elements can tell where a
/// part ends.
pub trait ParallelSliceMut<T: Send> {
    /// The slice that the other methods work on.
    fn as_parallel_slice_mut(&mut self) -> &mut [T];

    /// Yields what is between elements that `separator` picks out, empty pieces included.
    ///
    /// The separators themselves are left out. `separator` is called once for each element.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 0, 3, 4];
    /// v.par_split_mut(|&x| x == 0).for_each(|piece| piece.reverse());
    /// assert_eq!(v, [2, 1, 0, 4, 3]);
    /// ```
    fn par_split_mut<P>(&mut self, separator: P) -> SplitMut<'_, T, P>
    where
        P: Fn(&T) -> bool + Sync + Send,
    {
        SplitMut::new(self.as_parallel_slice_mut(), separator)
    }

    /// Yields pieces that end with an element that `separator` picks out; the last one may end without.
    ///
    /// No piece is empty, so an empty slice yields nothing.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 0, 3, 4];
    /// v.par_split_inclusive_mut(|&x| x == 0).for_each(|piece| piece.reverse());
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
        assert!(chunk_size != 0, "filch: chunk size must not be zero");
        ChunksMut::new(self.as_parallel_slice_mut(), chunk_size)
    }

    /// Yields chunks of exactly `chunk_size` elements, from the start.
    ///
    /// What does not fill a chunk is left out; [`remainder`](ChunksExactMut::remainder) and its kin hand it out.
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
        assert!(chunk_size != 0, "filch: chunk size must not be zero");
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
        assert!(chunk_size != 0, "filch: chunk size must not be zero");
        RChunksMut::new(self.as_parallel_slice_mut(), chunk_size)
    }

    /// Yields chunks of exactly `chunk_size` elements, from the end.
    ///
    /// What does not fill a chunk, at the start of the slice, is left out; [`remainder`](RChunksExactMut::remainder) and its kin hand it out.
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
        assert!(chunk_size != 0, "filch: chunk size must not be zero");
        RChunksExactMut::new(self.as_parallel_slice_mut(), chunk_size)
    }

    // ---- sort ----

    // ---- runs ----

    /// Yields runs of elements, each of which belongs together with the next one according to `pred`.
    ///
    /// `pred` is called once for each two neighbours, before either of them is handed out. No run is empty.
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

//! Chunks of equal size, counted from the end.

use super::chunks::{Backward, BackwardExact, ChunksProducer};
use crate::iter::sources::indexed_source;
use std::mem;

/// Chunks of a slice, from its end; made by [`par_rchunks`](super::ParallelSlice::par_rchunks).
///
/// ```
/// use filch::prelude::*;
///
/// let chunks: filch::slice::RChunks<'_, _> = [1, 2, 3].par_rchunks(2);
/// assert_eq!(chunks.collect::<Vec<_>>(), [&[2, 3][..], &[1]]);
/// ```
#[derive(Debug)]
pub struct RChunks<'data, T> {
    slice: &'data [T],
    size: usize,
}

impl<'data, T> RChunks<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data [T], size: usize) -> Self {
        RChunks { slice, size }
    }
}

impl<T> Clone for RChunks<'_, T> {
    fn clone(&self) -> Self {
        RChunks::new(self.slice, self.size)
    }
}

indexed_source! {
    impl['data, T: Sync] RChunks<'data, T> => &'data [T];
    len(self) { self.slice.len().div_ceil(self.size) }
    producer(self) { ChunksProducer::<_, Backward>::new(self.slice, self.size) }
}

/// Full chunks of a slice, from its end; made by [`par_rchunks_exact`](super::ParallelSlice::par_rchunks_exact).
///
/// ```
/// use filch::prelude::*;
///
/// let chunks: filch::slice::RChunksExact<'_, _> = [1, 2, 3].par_rchunks_exact(2);
/// assert_eq!(chunks.collect::<Vec<_>>(), [[2, 3]]);
/// ```
#[derive(Debug)]
pub struct RChunksExact<'data, T> {
    /// A whole number of chunks.
    slice: &'data [T],
    size: usize,
    remainder: &'data [T],
}

impl<'data, T> RChunksExact<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data [T], size: usize) -> Self {
        let (remainder, slice) = slice.split_at(slice.len() % size);
        RChunksExact {
            slice,
            size,
            remainder,
        }
    }

    /// The elements at the start that do not fill a chunk.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([1, 2, 3, 4, 5].par_rchunks_exact(2).remainder(), [1]);
    /// ```
    pub fn remainder(&self) -> &'data [T] {
        self.remainder
    }
}

impl<T> Clone for RChunksExact<'_, T> {
    fn clone(&self) -> Self {
        RChunksExact {
            slice: self.slice,
            size: self.size,
            remainder: self.remainder,
        }
    }
}

indexed_source! {
    impl['data, T: Sync] RChunksExact<'data, T> => &'data [T];
    len(self) { self.slice.len() / self.size }
    producer(self) { ChunksProducer::<_, BackwardExact>::new(self.slice, self.size) }
}

/// Mutable chunks of a slice, from its end; made by [`par_rchunks_mut`](super::ParallelSliceMut::par_rchunks_mut).
///
/// ```
/// use filch::prelude::*;
///
/// let mut values = [1, 2, 3];
/// let chunks: filch::slice::RChunksMut<'_, _> = values.par_rchunks_mut(2);
/// chunks.for_each(|chunk| chunk[0] = 0);
/// assert_eq!(values, [0, 0, 3]);
/// ```
#[derive(Debug)]
pub struct RChunksMut<'data, T> {
    slice: &'data mut [T],
    size: usize,
}

impl<'data, T> RChunksMut<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data mut [T], size: usize) -> Self {
        RChunksMut { slice, size }
    }
}

indexed_source! {
    impl['data, T: Send] RChunksMut<'data, T> => &'data mut [T];
    len(self) { self.slice.len().div_ceil(self.size) }
    producer(self) { ChunksProducer::<_, Backward>::new(self.slice, self.size) }
}

/// Full mutable chunks of a slice, from its end; made by [`par_rchunks_exact_mut`](super::ParallelSliceMut::par_rchunks_exact_mut).
///
/// ```
/// use filch::prelude::*;
///
/// let mut values = [1, 2, 3];
/// let chunks: filch::slice::RChunksExactMut<'_, _> = values.par_rchunks_exact_mut(2);
/// chunks.for_each(|chunk| chunk[0] = 0);
/// assert_eq!(values, [1, 0, 3]);
/// ```
#[derive(Debug)]
pub struct RChunksExactMut<'data, T: Send> {
    /// A whole number of chunks.
    slice: &'data mut [T],
    size: usize,
    remainder: &'data mut [T],
}

impl<'data, T: Send> RChunksExactMut<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data mut [T], size: usize) -> Self {
        let (remainder, slice) = slice.split_at_mut(slice.len() % size);
        RChunksExactMut {
            slice,
            size,
            remainder,
        }
    }

    /// The elements at the start that do not fill a chunk, for as long as the slice is borrowed.
    ///
    /// Drops the chunks; [`take_remainder`](Self::take_remainder) does not.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([1, 2, 3].par_rchunks_exact_mut(2).into_remainder(), [1]);
    /// ```
    pub fn into_remainder(self) -> &'data mut [T] {
        self.remainder
    }

    /// The elements at the start that do not fill a chunk.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([1, 2, 3].par_rchunks_exact_mut(2).remainder(), [1]);
    /// ```
    pub fn remainder(&mut self) -> &mut [T] {
        self.remainder
    }

    /// Takes the elements at the start that do not fill a chunk. After that, the remainder is empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 3];
    /// let mut chunks = v.par_rchunks_exact_mut(2);
    /// let rest = chunks.take_remainder();
    /// chunks.for_each(|pair| pair.swap(0, 1));
    /// rest[0] = 0;
    /// assert_eq!(v, [0, 3, 2]);
    /// ```
    pub fn take_remainder(&mut self) -> &'data mut [T] {
        mem::take(&mut self.remainder)
    }
}

indexed_source! {
    impl['data, T: Send] RChunksExactMut<'data, T> => &'data mut [T];
    len(self) { self.slice.len() / self.size }
    producer(self) { ChunksProducer::<_, BackwardExact>::new(self.slice, self.size) }
}

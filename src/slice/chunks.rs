//! Chunks of equal size, counted from the start; and the producer of all chunks, from either end.

use crate::iter::plumbing::Producer;
use crate::iter::sources::indexed_source;
use crate::iter::sources::pieces::Data;
use std::marker::PhantomData;
use std::{mem, slice};

/// Where the chunks of a slice are, and std's iterator over them.
pub(super) trait ChunkLayout<D>: Send {
    type Iter: Iterator<Item = D> + DoubleEndedIterator + ExactSizeIterator;

    /// Whether the first chunk is at the end of the slice.
    const FROM_END: bool;

    fn iter(data: D, size: usize) -> Self::Iter;
}

/// Cut from the start.
pub(super) struct Forward;
/// Cut from the start, without remainder.
pub(super) struct ForwardExact;
/// Cut from the end.
pub(super) struct Backward;
/// Cut from the end, without remainder.
pub(super) struct BackwardExact;

macro_rules! layout {
    ($Marker:ident, $from_end:literal: $Iter:ident $iter:ident, $IterMut:ident $iter_mut:ident) => {
        impl<'data, T> ChunkLayout<&'data [T]> for $Marker {
            type Iter = slice::$Iter<'data, T>;
            const FROM_END: bool = $from_end;

            #[inline]
            fn iter(data: &'data [T], size: usize) -> Self::Iter {
                data.$iter(size)
            }
        }

        impl<'data, T> ChunkLayout<&'data mut [T]> for $Marker {
            type Iter = slice::$IterMut<'data, T>;
            const FROM_END: bool = $from_end;

            #[inline]
            fn iter(data: &'data mut [T], size: usize) -> Self::Iter {
                data.$iter_mut(size)
            }
        }
    };
}
layout! { Forward, false: Chunks chunks, ChunksMut chunks_mut }
layout! { ForwardExact, false: ChunksExact chunks_exact, ChunksExactMut chunks_exact_mut }
layout! { Backward, true: RChunks rchunks, RChunksMut rchunks_mut }
layout! { BackwardExact, true: RChunksExact rchunks_exact, RChunksExactMut rchunks_exact_mut }

/// The producer of chunks of `size` elements, of which only the last may have fewer.
pub(super) struct ChunksProducer<D, L> {
    data: D,
    size: usize,
    layout: PhantomData<L>,
}

impl<D, L> ChunksProducer<D, L> {
    #[inline]
    pub(super) fn new(data: D, size: usize) -> Self {
        ChunksProducer {
            data,
            size,
            layout: PhantomData,
        }
    }
}

impl<D: Data, L: ChunkLayout<D>> Producer for ChunksProducer<D, L> {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = D;
    type IntoIter = L::Iter;

    #[inline]
    fn into_iter(self) -> L::Iter {
        L::iter(self.data, self.size)
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let len = self.data.len();
        // This exceeds the length if the last chunk is on the left, and is short.
        let at = index.saturating_mul(self.size).min(len);
        let (left, right) = if L::FROM_END {
            let (right, left) = self.data.halves(len - at);
            (left, right)
        } else {
            self.data.halves(at)
        };
        (
            ChunksProducer::new(left, self.size),
            ChunksProducer::new(right, self.size),
        )
    }
}

/// Chunks of a slice; made by [`par_chunks`](super::ParallelSlice::par_chunks).
///
/// ```
/// use filch::prelude::*;
///
/// let chunks: filch::slice::Chunks<'_, _> = [1, 2, 3].par_chunks(2);
/// assert_eq!(chunks.collect::<Vec<_>>(), [&[1, 2][..], &[3]]);
/// ```
#[derive(Debug)]
pub struct Chunks<'data, T> {
    slice: &'data [T],
    size: usize,
}

impl<'data, T> Chunks<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data [T], size: usize) -> Self {
        Chunks { slice, size }
    }
}

impl<T> Clone for Chunks<'_, T> {
    fn clone(&self) -> Self {
        Chunks::new(self.slice, self.size)
    }
}

indexed_source! {
    impl['data, T: Sync] Chunks<'data, T> => &'data [T];
    len(self) { self.slice.len().div_ceil(self.size) }
    producer(self) { ChunksProducer::<_, Forward>::new(self.slice, self.size) }
}

/// Full chunks of a slice; made by [`par_chunks_exact`](super::ParallelSlice::par_chunks_exact).
///
/// ```
/// use filch::prelude::*;
///
/// let chunks: filch::slice::ChunksExact<'_, _> = [1, 2, 3].par_chunks_exact(2);
/// assert_eq!(chunks.collect::<Vec<_>>(), [[1, 2]]);
/// ```
#[derive(Debug)]
pub struct ChunksExact<'data, T> {
    /// A whole number of chunks.
    slice: &'data [T],
    size: usize,
    remainder: &'data [T],
}

impl<'data, T> ChunksExact<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data [T], size: usize) -> Self {
        let (slice, remainder) = slice.split_at(slice.len() - slice.len() % size);
        ChunksExact {
            slice,
            size,
            remainder,
        }
    }

    /// The elements at the end that do not fill a chunk.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([1, 2, 3, 4, 5].par_chunks_exact(2).remainder(), [5]);
    /// ```
    pub fn remainder(&self) -> &'data [T] {
        self.remainder
    }
}

impl<T> Clone for ChunksExact<'_, T> {
    fn clone(&self) -> Self {
        ChunksExact {
            slice: self.slice,
            size: self.size,
            remainder: self.remainder,
        }
    }
}

indexed_source! {
    impl['data, T: Sync] ChunksExact<'data, T> => &'data [T];
    len(self) { self.slice.len() / self.size }
    producer(self) { ChunksProducer::<_, ForwardExact>::new(self.slice, self.size) }
}

/// Mutable chunks of a slice; made by [`par_chunks_mut`](super::ParallelSliceMut::par_chunks_mut).
///
/// ```
/// use filch::prelude::*;
///
/// let mut values = [1, 2, 3];
/// let chunks: filch::slice::ChunksMut<'_, _> = values.par_chunks_mut(2);
/// chunks.for_each(|chunk| chunk[0] = 0);
/// assert_eq!(values, [0, 2, 0]);
/// ```
#[derive(Debug)]
pub struct ChunksMut<'data, T> {
    slice: &'data mut [T],
    size: usize,
}

impl<'data, T> ChunksMut<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data mut [T], size: usize) -> Self {
        ChunksMut { slice, size }
    }
}

indexed_source! {
    impl['data, T: Send] ChunksMut<'data, T> => &'data mut [T];
    len(self) { self.slice.len().div_ceil(self.size) }
    producer(self) { ChunksProducer::<_, Forward>::new(self.slice, self.size) }
}

/// Full mutable chunks of a slice; made by [`par_chunks_exact_mut`](super::ParallelSliceMut::par_chunks_exact_mut).
///
/// ```
/// use filch::prelude::*;
///
/// let mut values = [1, 2, 3];
/// let chunks: filch::slice::ChunksExactMut<'_, _> = values.par_chunks_exact_mut(2);
/// chunks.for_each(|chunk| chunk[0] = 0);
/// assert_eq!(values, [0, 2, 3]);
/// ```
#[derive(Debug)]
pub struct ChunksExactMut<'data, T> {
    /// A whole number of chunks.
    slice: &'data mut [T],
    size: usize,
    remainder: &'data mut [T],
}

impl<'data, T> ChunksExactMut<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data mut [T], size: usize) -> Self {
        let (slice, remainder) = slice.split_at_mut(slice.len() - slice.len() % size);
        ChunksExactMut {
            slice,
            size,
            remainder,
        }
    }

    /// The elements at the end that do not fill a chunk, for as long as the slice is borrowed.
    ///
    /// Drops the chunks; [`take_remainder`](Self::take_remainder) does not.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([1, 2, 3].par_chunks_exact_mut(2).into_remainder(), [3]);
    /// ```
    pub fn into_remainder(self) -> &'data mut [T] {
        self.remainder
    }

    /// The elements at the end that do not fill a chunk.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([1, 2, 3].par_chunks_exact_mut(2).remainder(), [3]);
    /// ```
    pub fn remainder(&mut self) -> &mut [T] {
        self.remainder
    }

    /// Takes the elements at the end that do not fill a chunk. After that, the remainder is empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 3];
    /// let mut chunks = v.par_chunks_exact_mut(2);
    /// let rest = chunks.take_remainder();
    /// chunks.for_each(|pair| pair.swap(0, 1));
    /// rest[0] = 0;
    /// assert_eq!(v, [2, 1, 0]);
    /// ```
    pub fn take_remainder(&mut self) -> &'data mut [T] {
        mem::take(&mut self.remainder)
    }
}

indexed_source! {
    impl['data, T: Send] ChunksExactMut<'data, T> => &'data mut [T];
    len(self) { self.slice.len() / self.size }
    producer(self) { ChunksProducer::<_, ForwardExact>::new(self.slice, self.size) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<'d, L: ChunkLayout<&'d [u8]>>(data: &'d [u8], size: usize) {
        let whole: Vec<_> = L::iter(data, size).collect();
        for index in 0..=whole.len() {
            let (left, right) = ChunksProducer::<_, L>::new(data, size).split_at(index);
            let (left, right) = (left.into_iter(), right.into_iter());
            assert_eq!((left.len(), right.len()), (index, whole.len() - index));
            assert!(left.chain(right).eq(whole.iter().copied()));
        }
    }

    #[test]
    fn splits_at_every_index() {
        let data: Vec<u8> = (0..13).collect();
        for len in 0..=data.len() {
            for size in [1, 2, 5, 13, 14, usize::MAX] {
                check::<Forward>(&data[..len], size);
                check::<Backward>(&data[..len], size);
                let whole = len - len % size;
                check::<ForwardExact>(&data[..whole], size);
                check::<BackwardExact>(&data[..whole], size);
            }
        }
    }
}

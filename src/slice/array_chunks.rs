//! Chunks as references to arrays.

use crate::iter::IntoParallelIterator;
use crate::iter::sources::same_as;

/// Chunks of a slice as references to arrays; made by [`par_array_chunks`](crate::ext::ParallelSliceArrays::par_array_chunks).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let chunks: filch::ext::SliceArrayChunks<'_, _, 2> = [1, 2, 3].par_array_chunks();
/// assert_eq!(chunks.collect::<Vec<_>>(), [&[1, 2]]);
/// ```
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ArrayChunks<'data, T, const N: usize> {
    chunks: &'data [[T; N]],
    remainder: &'data [T],
}

impl<'data, T, const N: usize> ArrayChunks<'data, T, N> {
    pub(super) fn new(slice: &'data [T]) -> Self {
        let (chunks, remainder) = slice.as_chunks();
        ArrayChunks { chunks, remainder }
    }

    /// The elements at the end that do not fill an array: fewer than `N`.
    ///
    /// ```
    /// use filch::ext::*;
    /// assert_eq!([1, 2, 3].par_array_chunks::<2>().remainder(), [3]);
    /// ```
    pub fn remainder(&self) -> &'data [T] {
        self.remainder
    }
}

impl<T, const N: usize> Clone for ArrayChunks<'_, T, N> {
    fn clone(&self) -> Self {
        ArrayChunks {
            chunks: self.chunks,
            remainder: self.remainder,
        }
    }
}

same_as! {
    impl['data, T: Sync, const N: usize] ArrayChunks<'data, T, N> => &'data [T; N];
    len(self) { self.chunks.len() }
    iter(self) { self.chunks.into_par_iter() }
}

/// Chunks of a slice as mutable references to arrays; made by
/// [`par_array_chunks_mut`](crate::ext::ParallelSliceArrays::par_array_chunks_mut).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let mut values = [1, 2, 3];
/// let chunks: filch::ext::SliceArrayChunksMut<'_, _, 2> = values.par_array_chunks_mut();
/// chunks.for_each(|chunk| *chunk = [0, 0]);
/// assert_eq!(values, [0, 0, 3]);
/// ```
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ArrayChunksMut<'data, T, const N: usize> {
    chunks: &'data mut [[T; N]],
    remainder: &'data mut [T],
}

impl<'data, T, const N: usize> ArrayChunksMut<'data, T, N> {
    pub(super) fn new(slice: &'data mut [T]) -> Self {
        let (chunks, remainder) = slice.as_chunks_mut();
        ArrayChunksMut { chunks, remainder }
    }

    /// The elements at the end that do not fill an array, as a mutable slice; the chunks are dropped.
    ///
    /// ```
    /// use filch::ext::*;
    /// let mut v = [1, 2, 3];
    /// v.par_array_chunks_mut::<2>().into_remainder()[0] = 0;
    /// assert_eq!(v, [1, 2, 0]);
    /// ```
    pub fn into_remainder(self) -> &'data mut [T] {
        self.remainder
    }

    /// The elements at the end that do not fill an array, as a mutable slice; the chunks stay.
    ///
    /// ```
    /// use filch::ext::*;
    /// let mut v = [1, 2, 3];
    /// assert_eq!(v.par_array_chunks_mut::<2>().remainder(), [3]);
    /// ```
    pub fn remainder(&mut self) -> &mut [T] {
        self.remainder
    }
}

same_as! {
    impl['data, T: Send, const N: usize] ArrayChunksMut<'data, T, N> => &'data mut [T; N];
    len(self) { self.chunks.len() }
    iter(self) { self.chunks.into_par_iter() }
}

/// Parallel iterators over parts of a slice as arrays. Not in rayon.
///
/// For windows as arrays see [`par_array_windows`](super::ParallelSlice::par_array_windows).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let sums: Vec<i32> = [1, 2, 3, 4].par_array_chunks().map(|[a, b]| a + b).collect();
/// assert_eq!(sums, [3, 7]);
/// ```
pub trait ParallelSliceArrays<T> {
    /// Yields every `N` elements as a reference to an array, from the start.
    ///
    /// Elements at the end that do not fill an array are not yielded; [`remainder`](ArrayChunks::remainder) returns them. An `N` of 0 is a
    /// compile error. Because the length is known, a loop over an array is unrolled and needs no bounds checks.
    ///
    /// Indexed. Work: one call of the next step for each array. Span: the longest call, plus the logarithm of the number of arrays.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let v = [1, 2, 3, 4, 5];
    /// let products: Vec<i32> = v.par_array_chunks().map(|&[a, b]| a * b).collect();
    /// assert_eq!(products, [2, 12]);
    /// ```
    fn par_array_chunks<const N: usize>(&self) -> ArrayChunks<'_, T, N>
    where
        T: Sync;

    /// Yields every `N` elements as a mutable reference to an array, from the start.
    ///
    /// As [`par_array_chunks`](Self::par_array_chunks).
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let mut v = [1, 2, 3, 4, 5];
    /// v.par_array_chunks_mut().for_each(|[a, b]| std::mem::swap(a, b));
    /// assert_eq!(v, [2, 1, 4, 3, 5]);
    /// ```
    fn par_array_chunks_mut<const N: usize>(&mut self) -> ArrayChunksMut<'_, T, N>
    where
        T: Send;
}

impl<T> ParallelSliceArrays<T> for [T] {
    fn par_array_chunks<const N: usize>(&self) -> ArrayChunks<'_, T, N>
    where
        T: Sync,
    {
        const { assert!(N > 0, "chunks need at least one element") }
        ArrayChunks::new(self)
    }

    fn par_array_chunks_mut<const N: usize>(&mut self) -> ArrayChunksMut<'_, T, N>
    where
        T: Send,
    {
        const { assert!(N > 0, "chunks need at least one element") }
        ArrayChunksMut::new(self)
    }
}

//! `array_chunks`: runs of neighbours as arrays.

use crate::iter::IndexedParallelIterator;
use crate::iter::adapters::reindex::{Reindex, indexed_adaptor, reindex};
use crate::iter::plumbing::{Indexed, Producer};
use std::array;

/// Yields every `N` items as an array; made by [`array_chunks`](crate::ext::ParallelArrayChunks::array_chunks).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let pairs: filch::ext::ArrayChunks<_, 2> = (0..5).into_par_iter().array_chunks();
/// assert_eq!(pairs.collect::<Vec<_>>(), [[0, 1], [2, 3]]);
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Debug, Clone)]
pub struct ArrayChunks<I, const N: usize> {
    base: I,
}

impl<I, const N: usize> ArrayChunks<I, N> {
    pub(super) fn new(base: I) -> Self {
        const { assert!(N > 0, "chunks need at least one item") }
        ArrayChunks { base }
    }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator, const N: usize] ArrayChunks<I, N> => [I::Item; N];
    len(self) { self.base.len() / N }
    give(self, callback) { reindex(self.base, Arrays::<N>, callback) }
}

struct Arrays<const N: usize>;

impl<T, const N: usize> Reindex<T> for Arrays<N> {
    type Item = [T; N];
    type Producer<P: Producer<Item = T>> = ArrayProducer<P, N>;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> ArrayProducer<P, N> {
        // Items that do not fill an array are cut off here, so that they are never made, from whichever end the arrays are taken.
        let whole = base.len - base.len % N;
        ArrayProducer {
            base: base.up_to(whole),
        }
    }
}

struct ArrayProducer<P, const N: usize> {
    base: P,
}

impl<P: Producer, const N: usize> Producer for ArrayProducer<P, N> {
    type Item = [P::Item; N];
    type IntoIter = ArrayIter<P::IntoIter, N>;
    const REPRODUCIBLE: bool = P::REPRODUCIBLE;
    const CAN_PAUSE: bool = P::CAN_PAUSE;
    const BOUNDED: bool = P::BOUNDED;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        ArrayIter {
            items: self.base.into_iter(),
        }
    }

    #[inline]
    fn min_len(&self) -> usize {
        self.base.min_len().div_ceil(N)
    }

    #[inline]
    fn max_len(&self) -> usize {
        self.base.max_len() / N
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.base.split_at(index * N);
        (ArrayProducer { base: left }, ArrayProducer { base: right })
    }
}

/// What a producer that lies is told.
const FEWER: &str = "a producer has fewer items than it says, and `array_chunks` needs all of them";

/// Takes `N` items at a time; their number is a multiple of `N`.
struct ArrayIter<I, const N: usize> {
    items: I,
}

impl<I: ExactSizeIterator, const N: usize> Iterator for ArrayIter<I, N> {
    type Item = [I::Item; N];

    #[inline]
    fn next(&mut self) -> Option<[I::Item; N]> {
        let first = self.items.next()?;
        let mut first = Some(first);
        Some(array::from_fn(|_| {
            let item = first.take().or_else(|| self.items.next());
            item.expect(FEWER)
        }))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.items.len() / N;
        (len, Some(len))
    }
}

impl<I, const N: usize> DoubleEndedIterator for ArrayIter<I, N>
where
    I: DoubleEndedIterator + ExactSizeIterator,
{
    #[inline]
    fn next_back(&mut self) -> Option<[I::Item; N]> {
        let mut last = Some(self.items.next_back()?);
        let mut array = array::from_fn(|_| {
            let item = last.take().or_else(|| self.items.next_back());
            item.expect(FEWER)
        });
        array.reverse();
        Some(array)
    }
}

impl<I: ExactSizeIterator, const N: usize> ExactSizeIterator for ArrayIter<I, N> {}

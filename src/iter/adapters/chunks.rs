//! `chunks`, `fold_chunks` and `fold_chunks_with`: groups of neighbours, which are made one by one while the producer is walked.

use super::adaptor;
use super::reindex::{Reindex, indexed_adaptor, reindex};
use super::seed::{CloneOf, MadeBy, Seed};
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Folder, Indexed, Producer, as_producer};

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Collects every `chunk_size` items into a vector; made by [`chunks`](IndexedParallelIterator::chunks).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let chunks: filch::iter::Chunks<_> = (0..5).into_par_iter().chunks(2);
    /// assert_eq!(chunks.collect::<Vec<_>>(), [vec![0, 1], vec![2, 3], vec![4]]);
    /// ```
    pub struct Chunks<I> { base: I, size: usize }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] Chunks<I> => Vec<I::Item>;
    len(self) { self.base.len().div_ceil(self.size) }
    give(self, callback) {
        let op = Chunked { size: self.size, gather: IntoVec };
        reindex(self.base, op, callback)
    }
}

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Folds every `chunk_size` items; made by [`fold_chunks`](IndexedParallelIterator::fold_chunks).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let sums: filch::iter::FoldChunks<_, _, _> = (0..5).into_par_iter().fold_chunks(2, || 0, |sum, n| sum + n);
    /// assert_eq!(sums.collect::<Vec<i32>>(), [1, 5, 4]);
    /// ```
    pub struct FoldChunks<I, ID, F> { base: I, size: usize } { identity: ID, fold_op: F }
}

indexed_adaptor! {
    impl[I, ID, U, F] FoldChunks<I, ID, F> => U, where [
        I: IndexedParallelIterator,
        ID: Fn() -> U + Send + Sync,
        F: Fn(U, I::Item) -> U + Send + Sync,
        U: Send
    ];
    len(self) { self.base.len().div_ceil(self.size) }
    give(self, callback) {
        let gather = FoldFrom(MadeBy(&self.identity), &self.fold_op);
        let op = Chunked { size: self.size, gather };
        reindex(self.base, op, callback)
    }
}

adaptor! {
    debug where [I: std::fmt::Debug, U: std::fmt::Debug];

    /// Folds every `chunk_size` items from a clone of a value; made by [`fold_chunks_with`](IndexedParallelIterator::fold_chunks_with).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let sums: filch::iter::FoldChunksWith<_, _, _> = (0..5).into_par_iter().fold_chunks_with(2, 0, |sum, n| sum + n);
    /// assert_eq!(sums.collect::<Vec<i32>>(), [1, 5, 4]);
    /// ```
    pub struct FoldChunksWith<I, U, F> { base: I, size: usize, init: U } { fold_op: F }
}

indexed_adaptor! {
    impl[I, U, F] FoldChunksWith<I, U, F> => U, where [
        I: IndexedParallelIterator,
        U: Send + Clone,
        F: Fn(U, I::Item) -> U + Send + Sync
    ];
    len(self) { self.base.len().div_ceil(self.size) }
    give(self, callback) {
        let gather = FoldFrom(CloneOf(self.init), &self.fold_op);
        let op = Chunked { size: self.size, gather };
        reindex(self.base, op, callback)
    }
}

/// What is made of a chunk of items.
trait ChunkOp<T>: Clone + Send {
    type Out;

    fn gather(&self, chunk: impl Iterator<Item = T>) -> Self::Out;
}

#[derive(Clone)]
struct IntoVec;

impl<T> ChunkOp<T> for IntoVec {
    type Out = Vec<T>;

    #[inline]
    fn gather(&self, chunk: impl Iterator<Item = T>) -> Vec<T> {
        chunk.collect()
    }
}

#[derive(Clone)]
struct FoldFrom<S, F>(S, F);

impl<T, S: Seed, F: Fn(S::State, T) -> S::State + Copy + Send> ChunkOp<T> for FoldFrom<S, F> {
    type Out = S::State;

    #[inline]
    fn gather(&self, chunk: impl Iterator<Item = T>) -> S::State {
        chunk.fold(self.0.begin(), self.1)
    }
}

#[derive(Clone)]
struct Chunked<G> {
    size: usize,
    gather: G,
}

impl<T, G: ChunkOp<T>> Reindex<T> for Chunked<G> {
    type Item = G::Out;
    type Producer<P: Producer<Item = T>> = ChunkProducer<P, G>;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> ChunkProducer<P, G> {
        ChunkProducer { base, op: self }
    }
}

struct ChunkProducer<P, G> {
    base: Indexed<P>,
    op: Chunked<G>,
}

impl<P: Producer, G: ChunkOp<P::Item>> Producer for ChunkProducer<P, G> {
    type Item = G::Out;
    type IntoIter = ChunkIter<P, G>;

    as_producer! { P: base.producer; every op.size }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        ChunkIter {
            rest: (self.base.len > 0).then_some(self.base),
            op: self.op,
        }
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let at = index.saturating_mul(self.op.size).min(self.base.len);
        let (left, base) = self.base.split_at(at);
        let op = self.op.clone();
        let left = ChunkProducer { base: left, op };
        (left, ChunkProducer { base, ..self })
    }

    #[inline]
    fn fold_with<F: Folder<G::Out>>(self, folder: F) -> F {
        if const { P::CAN_PAUSE } {
            return folder.consume_iter(self.into_iter());
        }
        // The producer is walked without a split for each chunk.
        let Indexed { producer, len } = self.base;
        let (size, mut items, mut left) = (self.op.size, producer.into_iter(), len);
        folder.consume_iter((0..len.div_ceil(size)).map(|_| {
            let chunk = left.min(size);
            left -= chunk;
            self.op.gather.gather(items.by_ref().take(chunk))
        }))
    }
}

/// Splits chunks off the producer, from either end.
struct ChunkIter<P, G> {
    /// `None` at the end; never without items.
    rest: Option<Indexed<P>>,
    op: Chunked<G>,
}

impl<P: Producer, G: ChunkOp<P::Item>> Iterator for ChunkIter<P, G> {
    type Item = G::Out;

    #[inline]
    fn next(&mut self) -> Option<G::Out> {
        let chunk = Indexed::first_of(&mut self.rest, self.op.size)?;
        Some(self.op.gather.gather(chunk.producer.into_iter()))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let items = self.rest.as_ref().map_or(0, |rest| rest.len);
        let len = items.div_ceil(self.op.size);
        (len, Some(len))
    }
}

impl<P: Producer, G: ChunkOp<P::Item>> DoubleEndedIterator for ChunkIter<P, G> {
    #[inline]
    fn next_back(&mut self) -> Option<G::Out> {
        let mut chunk = self.rest.take()?;
        if chunk.len > self.op.size {
            // Only the very last chunk can be short.
            let last = (chunk.len - 1) % self.op.size + 1;
            let at = chunk.len - last;
            let (rest, tail) = chunk.split_at(at);
            (chunk, self.rest) = (tail, Some(rest));
        }
        Some(self.op.gather.gather(chunk.producer.into_iter()))
    }
}

impl<P: Producer, G: ChunkOp<P::Item>> ExactSizeIterator for ChunkIter<P, G> {}

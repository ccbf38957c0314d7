//! `by_exponential_blocks` and `by_uniform_blocks`: one stretch after the other, each of them in parallel.

use super::adaptor;
use super::ongoing::FlattenConsumer;
use crate::core::current_num_threads;
use crate::core::guest::in_pool;
use crate::iter::plumbing::{
    Consumer, Folder, Indexed, Length, Producer, ProducerCallback, RoundSource, RoundsCallback,
    UnindexedConsumer,
};
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use std::iter;

adaptor! {
    /// Goes through the items in blocks, each twice as long as the one before; made by
    /// [`by_exponential_blocks`](IndexedParallelIterator::by_exponential_blocks).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let blocks: filch::iter::ExponentialBlocks<_> = (0..100).into_par_iter().by_exponential_blocks();
    /// assert_eq!(blocks.count(), 100);
    /// ```
    pub struct ExponentialBlocks<I> { base: I }
}

impl<I: IndexedParallelIterator> ParallelIterator for ExponentialBlocks<I> {
    type Item = I::Item;

    const OPT_LEN: Length = Length::Never;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        drive(self.base, consumer, doubling)
    }

    fn with_rounds<CB: RoundsCallback<I::Item>>(self, callback: CB) -> CB::Output {
        with_rounds(self.base, callback, doubling)
    }
}

/// The lengths of blocks for so many threads.
fn doubling(threads: usize) -> impl Iterator<Item = usize> + Send {
    iter::successors(Some(threads), |size| Some(size.saturating_mul(2)))
}

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Goes through the items in blocks of the same length; made by [`by_uniform_blocks`](IndexedParallelIterator::by_uniform_blocks).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let blocks: filch::iter::UniformBlocks<_> = (0..100).into_par_iter().by_uniform_blocks(10);
    /// assert_eq!(blocks.count(), 100);
    /// ```
    pub struct UniformBlocks<I> { base: I, size: usize }
}

impl<I: IndexedParallelIterator> ParallelIterator for UniformBlocks<I> {
    type Item = I::Item;

    const OPT_LEN: Length = Length::Never;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        drive(self.base, consumer, |_| iter::repeat(self.size))
    }

    fn with_rounds<CB: RoundsCallback<I::Item>>(self, callback: CB) -> CB::Output {
        with_rounds(self.base, callback, |_| iter::repeat(self.size))
    }
}

/// Drives `base` in blocks; `sizes` is asked for their lengths once it is known how many threads there are.
fn drive<I, C, S, N>(base: I, consumer: C, sizes: S) -> C::Result
where
    I: IndexedParallelIterator,
    C: UnindexedConsumer<I::Item>,
    S: FnOnce(usize) -> N + Send,
    N: Iterator<Item = usize>,
{
    let len = base.len();
    base.with_producer(InBlocks {
        len,
        consumer,
        sizes,
    })
}

struct InBlocks<C, S> {
    len: usize,
    consumer: C,
    sizes: S,
}

impl<T, C, S, N> ProducerCallback<T> for InBlocks<C, S>
where
    T: Send,
    C: UnindexedConsumer<T>,
    S: FnOnce(usize) -> N + Send,
    N: Iterator<Item = usize>,
{
    type Output = C::Result;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Result {
        in_pool(move |worker, _| {
            let len = self.len;
            let mut blocks = BlockSource {
                rest: (len > 0).then_some(Indexed { producer, len }),
                sizes: (self.sizes)(worker.pool().num_threads()),
                left: 0,
            };
            blocks.some(usize::MAX, self.consumer)
        })
    }
}

/// [`ParallelIterator::with_rounds`] in blocks: a round has as many items as it may, be they of one block or of several.
fn with_rounds<I, CB, S, N>(base: I, callback: CB, sizes: S) -> CB::Output
where
    I: IndexedParallelIterator,
    CB: RoundsCallback<I::Item>,
    S: FnOnce(usize) -> N,
    N: Iterator<Item = usize> + Send,
{
    let (len, sizes) = (base.len(), sizes(current_num_threads()));
    base.with_producer(BlockRounds {
        len,
        callback,
        sizes,
    })
}

struct BlockRounds<CB, N> {
    len: usize,
    callback: CB,
    sizes: N,
}

impl<T, CB, N> ProducerCallback<T> for BlockRounds<CB, N>
where
    T: Send,
    CB: RoundsCallback<T>,
    N: Iterator<Item = usize> + Send,
{
    type Output = CB::Output;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> CB::Output {
        let len = self.len;
        self.callback.callback(BlockSource {
            rest: (len > 0).then_some(Indexed { producer, len }),
            sizes: self.sizes,
            left: 0,
        })
    }
}

/// What is left, and the lengths of the blocks.
struct BlockSource<P, N> {
    rest: Option<Indexed<P>>,
    sizes: N,
    /// How many items of the present block are left.
    left: usize,
}

impl<P: Producer, N: Iterator<Item = usize>> BlockSource<P, N> {
    /// The next block, or `n` items of it if it has more.
    fn next(&mut self, n: usize) -> Option<Indexed<P>> {
        if self.left == 0 {
            self.left = self.sizes.next().unwrap_or(usize::MAX);
        }
        let n = n.clamp(1, self.left.max(1));
        self.left = self.left.saturating_sub(n);
        Indexed::first_of(&mut self.rest, n)
    }

    /// The next `n` items. One fold goes on from block to block; after a block in which another thread took part, a new one begins.
    fn some<C: UnindexedConsumer<P::Item>>(&mut self, n: usize, base: C) -> C::Result
    where
        P::Item: Send,
    {
        let mut room = n.max(1);
        let least = self.rest.as_ref().map_or(1, |rest| rest.producer.min_len());
        let blocks = iter::from_fn(|| {
            let block = if room > 0 {
                self.next(room)?
            } else {
                return None;
            };
            room -= block.len;
            Some(block)
        });
        let mut folder = Consumer::<Indexed<P>>::into_folder(FlattenConsumer { base });
        <FlattenConsumer<C> as Consumer<Indexed<P>>>::expect(&mut folder, usize::MAX, least);
        Folder::<Indexed<P>>::complete(folder.consume_iter(blocks))
    }
}

impl<P, N> RoundSource for BlockSource<P, N>
where
    P: Producer<Item: Send>,
    N: Iterator<Item = usize> + Send,
{
    type Item = P::Item;

    fn round<C: UnindexedConsumer<P::Item>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        self.rest.as_ref()?;
        Some(in_pool(|_, _| self.some(n, consumer)))
    }
}

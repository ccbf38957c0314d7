//! `by_exponential_blocks` and `by_uniform_blocks`: one stretch after the other, each of them in parallel.

use super::adaptor;
use super::ongoing::FlattenConsumer;
use crate::core::guest::in_pool;
use crate::iter::plumbing::{
    Consumer, Folder, Indexed, Length, Producer, ProducerCallback, UnindexedConsumer,
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
        drive(self.base, consumer, |threads| {
            iter::successors(Some(threads), |size| Some(size.saturating_mul(2)))
        })
    }
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
            let mut sizes = (self.sizes)(worker.pool().num_threads());
            let (base, len) = (self.consumer, self.len);
            let mut rest = (len > 0).then_some(Indexed { producer, len });
            let blocks = iter::from_fn(|| {
                let size = sizes.next().unwrap_or(usize::MAX);
                Indexed::first_of(&mut rest, size)
            });
            // One fold goes on from block to block; after a block in which another thread took part, a new one begins.
            let folder = Consumer::<Indexed<P>>::into_folder(FlattenConsumer { base });
            Folder::<Indexed<P>>::complete(folder.consume_iter(blocks))
        })
    }
}

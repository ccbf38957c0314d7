//! The ways into the driver: for whole iterators and for producers, to a fresh consumer or into a running fold.

use super::drive::Folded;
use super::leaves::run_leaves;
use super::piece::{Indexed, Unindexed};
use super::run::{apart, run, run_into};
use super::traits::{Consumer, Producer, ProducerCallback, UnindexedConsumer, UnindexedProducer};
use crate::iter::IndexedParallelIterator;

/// Feeds an indexed parallel iterator to a consumer: what [`drive`](IndexedParallelIterator::drive) usually is.
///
/// ```
/// use filch::iter::plumbing::{Consumer, bridge};
/// use filch::prelude::*;
/// # fn drive<C: Consumer<u32>>(consumer: C) -> C::Result {
/// bridge((0..10u32).into_par_iter(), consumer)
/// # }
/// ```
pub fn bridge<I, C>(par_iter: I, consumer: C) -> C::Result
where
    I: IndexedParallelIterator,
    C: Consumer<I::Item>,
{
    struct Callback<C> {
        len: usize,
        consumer: C,
    }

    impl<C: Consumer<Item>, Item> ProducerCallback<Item> for Callback<C> {
        type Output = C::Result;

        #[inline]
        fn callback<P: Producer<Item = Item>>(self, producer: P) -> C::Result {
            bridge_producer_consumer(self.len, producer, self.consumer)
        }
    }

    let len = par_iter.len();
    par_iter.with_producer(Callback { len, consumer })
}

/// Feeds `len` items of a producer to a consumer, in as many pieces as it is worth.
///
/// Work: one fold over all items, and one reduction a piece that another thread took.
pub fn bridge_producer_consumer<P, C>(len: usize, producer: P, consumer: C) -> C::Result
where
    P: Producer,
    C: Consumer<P::Item>,
{
    let piece = Indexed { producer, len };
    if P::REPRODUCIBLE {
        return run_leaves(piece, consumer);
    }
    run(piece, consumer)
}

/// Feeds a producer of unknown length to a consumer, in as many pieces as it is worth.
pub fn bridge_unindexed<P, C>(producer: P, consumer: C) -> C::Result
where
    P: UnindexedProducer,
    C: UnindexedConsumer<P::Item>,
{
    run(Unindexed(producer), consumer)
}

/// Feeds an indexed parallel iterator into a running fold: what [`drive_into`](crate::iter::ParallelIterator::drive_into) usually is. Not in
/// rayon.
///
/// # Panics
///
/// If the fold has to be split and the consumer cannot do that; see [`Consumer::SPLITS_LIVE`].
pub fn bridge_into<I, C>(par_iter: I, folder: C::Folder) -> Folded<C::Folder, C::Result>
where
    I: IndexedParallelIterator,
    C: UnindexedConsumer<I::Item>,
{
    struct Callback<C: Consumer<T>, T> {
        len: usize,
        folder: C::Folder,
    }

    impl<T, C: UnindexedConsumer<T>> ProducerCallback<T> for Callback<C, T> {
        type Output = Folded<C::Folder, C::Result>;

        #[inline]
        fn callback<P: Producer<Item = T>>(self, producer: P) -> Self::Output {
            let len = self.len;
            let piece = Indexed { producer, len };
            if P::REPRODUCIBLE {
                return apart::<C, _>(self.folder, |consumer| run_leaves(piece, consumer));
            }
            run_into::<_, C>(piece, self.folder)
        }
    }

    let len = par_iter.len();
    par_iter.with_producer(Callback::<C, I::Item> { len, folder })
}

/// Feeds a producer of unknown length into a running fold. Not in rayon.
///
/// # Panics
///
/// As [`bridge_into`].
pub fn bridge_unindexed_into<P, C>(producer: P, folder: C::Folder) -> Folded<C::Folder, C::Result>
where
    P: UnindexedProducer,
    C: UnindexedConsumer<P::Item>,
{
    run_into::<_, C>(Unindexed(producer), folder)
}

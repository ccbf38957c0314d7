//! The entries to the driver: for whole iterators and for producers, to a new consumer or into a running fold.

use super::folded::Folded;
use super::indexed::Indexed;
use super::leaves::run_leaves;
use super::piece::Unindexed;
use super::run::{apart, run, run_into};
use super::traits::{Consumer, Producer, ProducerCallback, UnindexedConsumer, UnindexedProducer};
use crate::iter::IndexedParallelIterator;

/// Feeds an indexed parallel iterator to a consumer: the usual body of [`drive`](IndexedParallelIterator::drive).
///
/// ```
/// use filch::iter::plumbing::{Consumer, bridge};
/// use filch::prelude::*;
/// # fn drive<C: Consumer<u32>>(consumer: C) -> C::Result {
/// bridge((0..10u32).into_par_iter(), consumer)
/// # }
/// ```
#[inline(always)]
pub fn bridge<I, C>(par_iter: I, consumer: C) -> C::Result
where
    I: IndexedParallelIterator,
    C: Consumer<I::Item>,
{
    struct BridgeTo<C> {
        len: usize,
        consumer: C,
    }

    impl<C: Consumer<Item>, Item> ProducerCallback<Item> for BridgeTo<C> {
        type Output = C::Result;

        #[inline(always)]
        fn callback<P: Producer<Item = Item>>(self, producer: P) -> C::Result {
            bridge_producer_consumer(self.len, producer, self.consumer)
        }
    }

    let len = par_iter.len();
    par_iter.with_producer(BridgeTo { len, consumer })
}

/// Feeds `len` items of a producer to a consumer, in as many pieces as pay.
///
/// Work: one fold over all items, and one reduction for each piece that another thread took.
///
/// ```
#[doc = include_str!("sum.txt")]
/// use filch::iter::plumbing::{Producer, ProducerCallback, bridge_producer_consumer};
/// use filch::prelude::*;
///
/// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
/// struct FirstTen;
/// impl ProducerCallback<u64> for FirstTen {
///     type Output = u64;
///     fn callback<P: Producer<Item = u64>>(self, producer: P) -> u64 {
///         let (first, _) = producer.split_at(10);
///         bridge_producer_consumer(10, first, Sum)
///     }
/// }
/// assert_eq!((0..100u32).into_par_iter().map(u64::from).with_producer(FirstTen), 45);
/// ```
#[inline(always)]
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

/// Feeds a producer of unknown length to a consumer, in as many pieces as pay.
///
/// ```
#[doc = include_str!("sum.txt")]
/// # use filch::iter::plumbing::UnindexedProducer;
/// # struct Few(Vec<u64>);
/// # impl UnindexedProducer for Few {
/// #     type Item = u64;
/// #     fn split(mut self) -> (Few, Option<Few>) {
/// #         let right = self.0.split_off(self.0.len() / 2);
/// #         if self.0.is_empty() { (Few(right), None) } else { (self, Some(Few(right))) }
/// #     }
/// #     fn fold_with<F: Folder<u64>>(self, folder: F) -> F { folder.consume_iter(self.0) }
/// # }
/// use filch::iter::plumbing::bridge_unindexed;
///
/// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
/// // `Few` is a producer that splits a vector; see `UnindexedProducer`.
/// assert_eq!(bridge_unindexed(Few(vec![1, 2, 3]), Sum), 6);
/// ```
pub fn bridge_unindexed<P, C>(producer: P, consumer: C) -> C::Result
where
    P: UnindexedProducer,
    C: UnindexedConsumer<P::Item>,
{
    run(Unindexed(producer), consumer)
}

/// Feeds an indexed parallel iterator into a running fold: the usual body of [`drive_into`](crate::iter::ParallelIterator::drive_into). Not
/// in rayon.
///
/// ```
#[doc = include_str!("sum.txt")]
/// use filch::iter::plumbing::{Folded, bridge_into};
/// use filch::prelude::*;
///
/// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
/// let sum = match bridge_into::<_, Sum>((0..100u32).into_par_iter().map(u64::from), Sum.into_folder().consume(50)) {
///     Folded::Live(folder) => folder.complete(),
///     Folded::Closed(sum) => sum,
/// };
/// assert_eq!(sum, 5000);
/// ```
///
/// # Panics
///
/// If the fold has to be split and the consumer cannot split it; see [`Consumer::SPLITS_LIVE`].
pub fn bridge_into<I, C>(par_iter: I, folder: C::Folder) -> Folded<C::Folder, C::Result>
where
    I: IndexedParallelIterator,
    C: UnindexedConsumer<I::Item>,
{
    struct BridgeInto<C: Consumer<T>, T> {
        len: usize,
        folder: C::Folder,
    }

    impl<T, C: UnindexedConsumer<T>> ProducerCallback<T> for BridgeInto<C, T> {
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
    par_iter.with_producer(BridgeInto::<C, I::Item> { len, folder })
}

/// Feeds a producer of unknown length into a running fold. Not in rayon.
///
/// ```
#[doc = include_str!("sum.txt")]
/// # use filch::iter::plumbing::UnindexedProducer;
/// # struct Few(Vec<u64>);
/// # impl UnindexedProducer for Few {
/// #     type Item = u64;
/// #     fn split(mut self) -> (Few, Option<Few>) {
/// #         let right = self.0.split_off(self.0.len() / 2);
/// #         if self.0.is_empty() { (Few(right), None) } else { (self, Some(Few(right))) }
/// #     }
/// #     fn fold_with<F: Folder<u64>>(self, folder: F) -> F { folder.consume_iter(self.0) }
/// # }
/// use filch::iter::plumbing::{Folded, bridge_unindexed_into};
///
/// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
/// // `Few` is a producer that splits a vector; see `UnindexedProducer`.
/// let sum = match bridge_unindexed_into::<_, Sum>(Few(vec![1, 2, 3]), Sum.into_folder().consume(4)) {
///     Folded::Live(folder) => folder.complete(),
///     Folded::Closed(sum) => sum,
/// };
/// assert_eq!(sum, 10);
/// ```
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

//! `chain`.

use super::adaptor;
use super::exact::Exact;
use super::reindex::{Combine, add_lens, combine};
use crate::core::both;
use crate::core::deque::Worth;
use crate::core::fork::Forked;
use crate::core::guest::in_pool;
use crate::core::worker::Worker;
use crate::iter::plumbing::{
    Consumer, Folded, Folder, Indexed, Length, Producer, ProducerCallback, Reducer, RoundSource,
    RoundsCallback, UnindexedConsumer, begin_parts, bridge, is_forced, is_taken, offer, round_len,
};
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use std::iter;

adaptor! {
    /// Yields the items of one iterator, then those of another; made by [`chain`](ParallelIterator::chain).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let both: filch::iter::Chain<_, _> = [1, 2].par_iter().chain([3].par_iter());
    /// assert_eq!(both.sum::<i32>(), 6);
    /// ```
    pub struct Chain<A, B> { a: A, b: B }
}

impl<A: ParallelIterator, B: ParallelIterator<Item = A::Item>> ParallelIterator for Chain<A, B> {
    type Item = A::Item;

    fn drive_unindexed<C: UnindexedConsumer<A::Item>>(self, consumer: C) -> C::Result {
        if C::SPLITS_LIVE {
            return in_pool(move |worker, _| {
                let _parts = begin_parts(worker);
                let mut folder = consumer.into_folder();
                // Parts that have a minimum length announce it when they are driven.
                C::expect(&mut folder, self.opt_len().unwrap_or(usize::MAX), 1);
                self.drive_into::<C>(folder).finish()
            });
        }
        // A consumer that knows the total length may need the lengths of the parts.
        let known = self.opt_len().and(self.a.opt_len());
        let (left, right, reducer) = match known {
            Some(len) => consumer.split_at(len),
            None => {
                let reducer = consumer.to_reducer();
                (consumer.split_off_left(), consumer, reducer)
            }
        };
        let (a, b) = (
            || self.a.drive_unindexed(left),
            || self.b.drive_unindexed(right),
        );
        let (left, right) = if C::DRIVES_FROM_RIGHT {
            let (right, left) = both(b, a);
            (left, right)
        } else {
            both(a, b)
        };
        reducer.reduce(left, right)
    }

    fn opt_len(&self) -> Option<usize> {
        self.a.opt_len()?.checked_add(self.b.opt_len()?)
    }

    const OPT_LEN: Length = A::OPT_LEN.of_both(B::OPT_LEN);

    /// The consumer for the second part is split off the fold first, so that nothing of the first part can come behind it.
    fn drive_into<C>(self, mut folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<A::Item>,
    {
        let Chain { a, b } = self;
        let (right, reducer) = C::split_folder(&mut folder, a.opt_len().unwrap_or_default());
        let second = (b, right);
        let (left, forked) = match Worker::current() {
            Some(worker) => {
                let run = |(b, right): (B, C)| b.drive_unindexed(right);
                offer(
                    (worker, is_forced(worker)),
                    Worth::Most,
                    second,
                    run,
                    || match a.drive_into::<C>(folder) {
                        // The second part may wait for what the first came to.
                        Folded::Live(folder) if is_taken(worker) => {
                            Folded::Closed(folder.complete())
                        }
                        left => left,
                    },
                )
            }
            None => (a.drive_into::<C>(folder), Forked::Kept(second)),
        };
        let (left, right) = match (left, forked) {
            (Folded::Live(mut folder), Forked::Kept((b, right))) => {
                C::rejoin_folder(&mut folder, right);
                if folder.full() {
                    return Folded::Live(folder);
                }
                return b.drive_into::<C>(folder);
            }
            (left, Forked::Kept((b, right))) => (left, b.drive_unindexed(right)),
            (left, Forked::Taken(right)) => (left, right),
        };
        Folded::Closed(reducer.reduce(left.finish(), right))
    }

    fn with_rounds<CB: RoundsCallback<A::Item>>(self, callback: CB) -> CB::Output {
        let Chain { a, b } = self;
        a.with_rounds(ChainFirst { b, callback })
    }
}

/// Has no rounds yet of the second iterator.
struct ChainFirst<B, CB> {
    b: B,
    callback: CB,
}

impl<T, B, CB> RoundsCallback<T> for ChainFirst<B, CB>
where
    T: Send,
    B: ParallelIterator<Item = T>,
    CB: RoundsCallback<T>,
{
    type Output = CB::Output;

    fn callback<S: RoundSource<Item = T>>(self, a: S) -> CB::Output {
        let (a, callback) = (Some(a), self.callback);
        self.b.with_rounds(ChainSecond { a, callback })
    }
}

/// Has the rounds of the first iterator.
struct ChainSecond<A, CB> {
    a: Option<A>,
    callback: CB,
}

impl<T, A, CB> RoundsCallback<T> for ChainSecond<A, CB>
where
    T: Send,
    A: RoundSource<Item = T>,
    CB: RoundsCallback<T>,
{
    type Output = CB::Output;

    fn callback<S: RoundSource<Item = T>>(self, b: S) -> CB::Output {
        self.callback.callback(ChainSource { a: self.a, b })
    }
}

/// The rounds of the first iterator, while it has some, then those of the second.
struct ChainSource<A, B> {
    a: Option<A>,
    b: B,
}

impl<A, B> RoundSource for ChainSource<A, B>
where
    A: RoundSource<Item: Send>,
    B: RoundSource<Item = A::Item>,
{
    type Item = A::Item;

    fn round<C: UnindexedConsumer<A::Item>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        let Some(a) = &mut self.a else {
            return self.b.round(n, consumer);
        };
        if round_len(n).is_some() {
            let result = a.round(n, consumer.split_off_left());
            if result.is_some() {
                return result;
            }
            // The first is over, which took the left part of the consumer. So this round has no items: a fold of the second might hold
            // them until it knows what became of that part.
            self.a = None;
            return Some(consumer.into_folder().complete());
        }
        let reducer = consumer.to_reducer();
        let left = consumer.split_off_left();
        let (a, b) = (
            || a.round(n, left),
            || match consumer.full() {
                true => None,
                false => self.b.round(n, consumer),
            },
        );
        let (left, right) = if C::DRIVES_FROM_RIGHT {
            let (right, left) = both(b, a);
            (left, right)
        } else {
            both(a, b)
        };
        self.a = None;
        match (left, right) {
            (Some(left), Some(right)) => Some(reducer.reduce(left, right)),
            (left, right) => left.or(right),
        }
    }
}

impl<A, B> IndexedParallelIterator for Chain<A, B>
where
    A: IndexedParallelIterator,
    B: IndexedParallelIterator<Item = A::Item>,
{
    fn len(&self) -> usize {
        add_lens(self.a.len(), self.b.len())
    }

    fn drive<C: Consumer<A::Item>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<A::Item>>(self, callback: CB) -> CB::Output {
        combine(self.a, self.b, OneAfterAnother, callback)
    }
}

struct OneAfterAnother;

impl<T> Combine<T, T> for OneAfterAnother {
    type Item = T;
    type Producer<P: Producer<Item = T>, Q: Producer<Item = T>> = Chained<P, Q>;

    #[inline]
    fn wrap<P, Q>(self, a: Indexed<P>, b: Indexed<Q>) -> Chained<P, Q>
    where
        P: Producer<Item = T>,
        Q: Producer<Item = T>,
    {
        Chained { a, b }
    }
}

struct Chained<P, Q> {
    a: Indexed<P>,
    b: Indexed<Q>,
}

impl<P: Producer, Q: Producer<Item = P::Item>> Producer for Chained<P, Q> {
    type Item = P::Item;
    type IntoIter = Exact<iter::Chain<P::IntoIter, Q::IntoIter>>;
    const REPRODUCIBLE: bool = P::REPRODUCIBLE || Q::REPRODUCIBLE;
    const CAN_PAUSE: bool = P::CAN_PAUSE && Q::CAN_PAUSE;
    const BOUNDED: bool = P::BOUNDED || Q::BOUNDED;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        let (a, b) = (self.a.producer.into_iter(), self.b.producer.into_iter());
        Exact(a.chain(b))
    }

    /// The larger of the two, even after its part is done: a running fold may have seen too few items of that part.
    #[inline]
    fn min_len(&self) -> usize {
        let (a, b) = (&self.a.producer, &self.b.producer);
        a.min_len().max(b.min_len())
    }

    #[inline]
    fn max_len(&self) -> usize {
        let (a, b) = (self.a.producer.max_len(), self.b.producer.max_len());
        match (self.a.len, self.b.len) {
            (_, 0) => a,
            (0, _) => b,
            _ => a.min(b),
        }
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let of_a = index.min(self.a.len);
        let of_b = index - of_a;
        let (a_left, a_right) = self.a.split_at(of_a);
        let (b_left, b_right) = self.b.split_at(of_b);
        let part = |a, b| Chained { a, b };
        (part(a_left, b_left), part(a_right, b_right))
    }

    #[inline]
    fn fold_with<F: Folder<P::Item>>(self, folder: F) -> F {
        let folder = self.a.producer.fold_with(folder);
        if folder.full() || self.b.len == 0 {
            return folder;
        }
        self.b.producer.fold_with(folder)
    }
}

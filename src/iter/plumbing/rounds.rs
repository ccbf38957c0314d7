//! Driving an iterator round by round, from the front: for ends that must see the first results before they ask for more.
//!
//! An indexed iterator is cut at the length asked for, and adaptors that treat each item by itself pass the request on. An iterator that
//! cannot be cut at a given place (a tree, a hash table, an iterator written for rayon) is a single round.

use super::indexed::Indexed;
use super::traits::{Producer, ProducerCallback, UnindexedConsumer};
use crate::iter::{IndexedParallelIterator, ParallelIterator};

/// A parallel iterator that is driven one round after the other. Not in rayon.
///
/// ```
#[doc = include_str!("sum.txt")]
/// use filch::iter::plumbing::{RoundSource, RoundsCallback};
/// use filch::prelude::*;
///
/// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
/// /// The first numbers, twice as many each time, until their sum is large enough.
/// struct Until(u64);
/// impl RoundsCallback<u64> for Until {
///     type Output = u64;
///     fn callback<S: RoundSource<Item = u64>>(self, mut source: S) -> u64 {
///         let (mut n, mut sum) = (1, 0);
///         while sum < self.0
///             && let Some(more) = source.round(n, Sum)
///         {
///             (n, sum) = (2 * n, sum + more);
///         }
///         sum
///     }
/// }
/// assert_eq!((0..100u64).into_par_iter().with_rounds(Until(10)), 0 + (1 + 2) + (3 + 4 + 5 + 6));
/// ```
pub trait RoundSource: Send {
    /// What it yields.
    type Item;

    /// Drives the next `n` items of the innermost source to a consumer; all that are left if `n` is `usize::MAX`, or if the source cannot be
    /// cut. `None` if nothing is left.
    ///
    /// 0 counts as 1. So each round gets on, and a loop over rounds comes to an end. An implementation has to see to that. A round may have no
    /// items: behind a `filter`, before the border of a `skip_while`, and where a `chain` goes on with its second iterator.
    /// Behind `take_while` and `map_while`, a round in which a fold is full is the last one: the border may be among the items that the fold left. After a panic, nothing is
    /// promised of later rounds.
    fn round<C>(&mut self, n: usize, consumer: C) -> Option<C::Result>
    where
        C: UnindexedConsumer<Self::Item>;
}

/// A closure that gets a source of rounds, and is generic in the source's type. Not in rayon.
///
/// ```
#[doc = include_str!("sum.txt")]
/// use filch::iter::plumbing::{RoundSource, RoundsCallback};
/// use filch::prelude::*;
///
/// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
/// /// The first numbers, twice as many each time, until their sum is large enough.
/// struct Until(u64);
/// impl RoundsCallback<u64> for Until {
///     type Output = u64;
///     fn callback<S: RoundSource<Item = u64>>(self, mut source: S) -> u64 {
///         let (mut n, mut sum) = (1, 0);
///         while sum < self.0
///             && let Some(more) = source.round(n, Sum)
///         {
///             (n, sum) = (2 * n, sum + more);
///         }
///         sum
///     }
/// }
/// assert_eq!((0..100u64).into_par_iter().with_rounds(Until(10)), 0 + (1 + 2) + (3 + 4 + 5 + 6));
/// ```
pub trait RoundsCallback<T> {
    /// What it returns.
    type Output;

    /// Called once.
    fn callback<S>(self, source: S) -> Self::Output
    where
        S: RoundSource<Item = T>;
}

/// How many items a round of `n` has; `None` if it has all that are left. They may be more than a `usize` can count.
pub(crate) fn round_len(n: usize) -> Option<usize> {
    (n < usize::MAX).then_some(n.max(1))
}

/// All in one round.
pub(crate) struct Whole<I>(pub(crate) Option<I>);

impl<I: ParallelIterator> RoundSource for Whole<I> {
    type Item = I::Item;

    fn round<C: UnindexedConsumer<I::Item>>(&mut self, _: usize, consumer: C) -> Option<C::Result> {
        Some(self.0.take()?.drive_unindexed(consumer))
    }
}

/// [`with_rounds`](ParallelIterator::with_rounds) of an indexed iterator.
#[inline]
pub(crate) fn indexed_rounds<I, CB>(par_iter: I, callback: CB) -> CB::Output
where
    I: IndexedParallelIterator,
    CB: RoundsCallback<I::Item>,
{
    let len = par_iter.len();
    par_iter.with_producer(IntoRounds { len, callback })
}

struct IntoRounds<CB> {
    len: usize,
    callback: CB,
}

impl<T: Send, CB: RoundsCallback<T>> ProducerCallback<T> for IntoRounds<CB> {
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, producer: P) -> CB::Output {
        let len = self.len;
        let rest = (len > 0).then_some(Indexed { producer, len });
        self.callback.callback(rest)
    }
}

/// The source of rounds of an indexed iterator: what is left of it. `None` at the end; never without items.
impl<P: Producer<Item: Send>> RoundSource for Option<Indexed<P>> {
    type Item = P::Item;

    fn round<C: UnindexedConsumer<P::Item>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        let now = Indexed::first_of(self, n.max(1))?;
        Some(now.drive_unindexed(consumer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iter::IntoParallelRefIterator;
    use crate::iter::sinks::for_each::ForEach;
    use crate::iter::sinks::plain::consumer;

    /// How many rounds there are, up to ten, if each asks for no item.
    struct Rounds;

    impl<T: Send> RoundsCallback<T> for Rounds {
        type Output = usize;

        fn callback<S: RoundSource<Item = T>>(self, mut source: S) -> usize {
            let end = ForEach(|_| ());
            let mut is_round = |_: &usize| source.round(0, consumer(&end)).is_some();
            (0..10).take_while(|n| is_round(n)).count()
        }
    }

    #[test]
    fn a_round_has_an_item_at_least() {
        assert_eq!([1, 2, 3].par_iter().with_rounds(Rounds), 3);
        assert_eq!([0; 0].par_iter().with_rounds(Rounds), 0);
        let lens = [0, 7, usize::MAX].map(round_len);
        assert_eq!(lens, [Some(1), Some(7), None]);
    }
}

//! `take_while` and `map_while`: the items before the first one, in order of position, that a closure rejects.
//!
//! No item may be passed on before it is known that all items to its left were accepted: the next step might be a `for_each`, or a
//! `find_any` that stops all threads. So only the leftmost fold feeds the rest of the chain. Folds that other threads began to its right
//! hold the items that they accepted. When two results are combined, and the left part accepted all of its items, the items held on the
//! right are driven on, in parallel. Folds behind a rejected item stop.

use super::border::{BorderConsumer, BorderState, Outcome, Sides, StateOf, rounds};
use crate::iter::adapters::adaptor;
use crate::iter::plumbing::{
    Folder, Length, Reducer, RoundSource, RoundsCallback, UnindexedConsumer,
};
use crate::iter::sinks::standing::{Border, Standing};
use crate::iter::{IntoParallelIterator, ParallelIterator};

adaptor! {
    /// Yields the items before the first one that a predicate rejects; made by [`take_while`](crate::ext::ParallelWhile::take_while).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let first: filch::ext::TakeWhile<_, _> = [1, 2, 9, 1].par_iter().take_while(|&&n| n < 5);
    /// assert_eq!(first.collect::<Vec<_>>(), [&1, &2]);
    /// ```
    pub struct TakeWhile<I, P> { base: I } { predicate: P }
}

impl<I, P> ParallelIterator for TakeWhile<I, P>
where
    I: ParallelIterator,
    P: Fn(&I::Item) -> bool + Sync + Send,
{
    type Item = I::Item;

    const OPT_LEN: Length = Length::Never;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        let op = |item| (self.predicate)(&item).then_some(item);
        let op = Prefix(&op);
        self.base.with_rounds(PrefixRounds { op, consumer })
    }
}

adaptor! {
    /// Yields what a closure makes of the items, up to the first for which it returns `None`; made by
    /// [`map_while`](crate::ext::ParallelWhile::map_while).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let numbers: filch::ext::MapWhile<_, _> = ["1", "2", "x", "3"].par_iter().map_while(|text| text.parse::<u8>().ok());
    /// assert_eq!(numbers.collect::<Vec<_>>(), [1, 2]);
    /// ```
    pub struct MapWhile<I, F> { base: I } { map_op: F }
}

impl<I, R, F> ParallelIterator for MapWhile<I, F>
where
    I: ParallelIterator,
    F: Fn(I::Item) -> Option<R> + Sync + Send,
    R: Send,
{
    type Item = R;

    const OPT_LEN: Length = Length::Never;

    fn drive_unindexed<C: UnindexedConsumer<R>>(self, consumer: C) -> C::Result {
        let op = Prefix(&self.map_op);
        self.base.with_rounds(PrefixRounds { op, consumer })
    }
}

struct PrefixRounds<'f, F, C> {
    op: Prefix<'f, F>,
    consumer: C,
}

impl<T, R, F, C> RoundsCallback<T> for PrefixRounds<'_, F, C>
where
    F: Fn(T) -> Option<R> + Sync,
    R: Send,
    C: UnindexedConsumer<R>,
{
    type Output = C::Result;

    fn callback<S: RoundSource<Item = T>>(self, mut source: S) -> C::Result {
        let PrefixRounds { op, consumer } = self;
        let mut done = None;
        for size in rounds() {
            if consumer.full() {
                break;
            }
            let border = Border::unknown();
            let round = BorderConsumer::all(&op, consumer.split_off_left(), &border);
            let Some(outcome) = source.round(size, round) else {
                break;
            };
            let result = match (outcome.passed, outcome.held) {
                (Some(result), _) => Some(result),
                (None, held) => held.map(|(base, held)| held.into_par_iter().drive_unindexed(base)),
            };
            done = match (done, result) {
                (Some(before), Some(result)) => Some(consumer.to_reducer().reduce(before, result)),
                (before, result) => before.or(result),
            };
            if outcome.found {
                break;
            }
        }
        done.unwrap_or_else(|| consumer.into_folder().complete())
    }
}

/// Accepts items until the closure returns `None`.
struct Prefix<'f, F>(&'f F);

impl<T, R: Send, F: Fn(T) -> Option<R> + Sync> Sides<T> for Prefix<'_, F> {
    type Out = R;

    const ENDS: bool = true;

    #[inline]
    fn many<C: UnindexedConsumer<R>>(
        &self,
        state: StateOf<C, R>,
        found: &mut bool,
        standing: &Standing<'_>,
        items: impl Iterator<Item = T>,
    ) -> StateOf<C, R> {
        if *found {
            return state;
        }
        let accepted = items.map_while(|item| {
            let accepted = (self.0)(item);
            *found |= accepted.is_none();
            accepted
        });
        let state = match state {
            BorderState::Live { held, live } => BorderState::Live {
                held,
                live: live.consume_iter(accepted),
            },
            BorderState::Waiting { base, held } => {
                let mut held = held.unwrap_or_default();
                held.extend(accepted.take_while(|_| !standing.is_behind()));
                let held = Some(held);
                BorderState::Waiting { base, held }
            }
        };
        if *found {
            standing.found();
        }
        state
    }

    fn reduce<C: UnindexedConsumer<R>>(
        left: Outcome<C, C::Result, R>,
        right: Outcome<C, C::Result, R>,
        reducer: C::Reducer,
    ) -> Outcome<C, C::Result, R> {
        if left.found {
            return left;
        }
        let (held, passed) = match (left.held, left.passed, right.held) {
            (Some((base, mut held)), _, Some((_, mut more))) => {
                held.append(&mut more);
                (Some((base, held)), None)
            }
            (_, Some(result), Some((base, more))) if !more.is_empty() => {
                let more = more.into_par_iter().drive_unindexed(base);
                (None, Some(reducer.reduce(result, more)))
            }
            (held, passed, _) => (held, passed),
        };
        let found = right.found;
        Outcome {
            held,
            passed,
            found,
        }
    }
}

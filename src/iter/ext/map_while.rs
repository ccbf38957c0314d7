//! `take_while` and `map_while`: the items before the first one, in order of position, that a closure rejects.
//!
//! No item may be passed on before it is known that all items to its left were accepted: the next step might be a `for_each`, or a
//! `find_any` that stops all threads. So only the leftmost fold feeds the rest of the chain. Folds that other threads began to its right
//! hold the items that they accepted. When two results are combined, and the left part accepted all of its items, the items held on the
//! right are driven on, in parallel. Folds behind a rejected item stop.

use super::border::{AllRounds, BorderConsumer, BorderState, Outcome, Sides, StateOf, rounds};
use crate::iter::adapters::adaptor;
use crate::iter::plumbing::{
    Folder, Length, Reducer, RoundSource, RoundsCallback, UnindexedConsumer, round_len,
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
        self.with_rounds(AllRounds(consumer))
    }

    fn with_rounds<CB: RoundsCallback<I::Item>>(self, callback: CB) -> CB::Output {
        let op = |item| (self.predicate)(&item).then_some(item);
        let op = Prefix(&op);
        self.base.with_rounds(PrefixRounds { op, callback })
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
        self.with_rounds(AllRounds(consumer))
    }

    fn with_rounds<CB: RoundsCallback<R>>(self, callback: CB) -> CB::Output {
        let op = Prefix(&self.map_op);
        self.base.with_rounds(PrefixRounds { op, callback })
    }
}

/// Hands the rounds on.
struct PrefixRounds<'f, F, CB> {
    op: Prefix<'f, F>,
    callback: CB,
}

impl<T, R, F, CB> RoundsCallback<T> for PrefixRounds<'_, F, CB>
where
    F: Fn(T) -> Option<R> + Sync,
    R: Send,
    CB: RoundsCallback<R>,
{
    type Output = CB::Output;

    fn callback<S: RoundSource<Item = T>>(self, base: S) -> CB::Output {
        self.callback.callback(PrefixSource::new(base, self.op))
    }
}

/// The rounds of the items before the border. Each has a border of its own, so a round begins with the consumer that it is given: what
/// follows may hold items of a consumer that was split off.
struct PrefixSource<'f, S, F> {
    base: S,
    op: Prefix<'f, F>,
    over: bool,
}

impl<'f, S, R, F> PrefixSource<'f, S, F>
where
    S: RoundSource,
    F: Fn(S::Item) -> Option<R> + Sync,
    R: Send,
{
    fn new(base: S, op: Prefix<'f, F>) -> Self {
        PrefixSource {
            base,
            op,
            over: false,
        }
    }

    /// A round of `n` items.
    fn some<C: UnindexedConsumer<R>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        if self.over {
            return None;
        }
        // Even if it panics.
        self.over = true;
        let border = Border::unknown();
        let round = BorderConsumer::all(&self.op, consumer, &border);
        let outcome = self.base.round(n, round)?;
        self.over = outcome.found;
        // A piece of a prefix has one of the two.
        let held = outcome.held;
        let of_held = || held.map(|(base, held)| held.into_par_iter().drive_unindexed(base));
        outcome.passed.or_else(of_held)
    }

    /// All that are left, in rounds that grow.
    fn all<C: UnindexedConsumer<R>>(&mut self, consumer: C) -> C::Result {
        let mut done = None;
        for (nth, size) in (1..).zip(rounds()) {
            if self.over || consumer.full() {
                break;
            }
            let Some(result) = self.some(size, consumer.split_off_nth(nth)) else {
                break;
            };
            done = Some(match done {
                Some(before) => consumer.to_reducer().reduce(before, result),
                None => result,
            });
        }
        done.unwrap_or_else(|| consumer.into_folder().complete())
    }
}

impl<S, R, F> RoundSource for PrefixSource<'_, S, F>
where
    S: RoundSource,
    F: Fn(S::Item) -> Option<R> + Sync,
    R: Send,
{
    type Item = R;

    fn round<C: UnindexedConsumer<R>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        if self.over {
            return None;
        }
        if round_len(n).is_some() {
            return self.some(n, consumer);
        }
        let result = self.all(consumer);
        self.over = true;
        Some(result)
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
            BorderState::Live { held, live } => {
                let live = live.consume_iter(accepted);
                // A full fold leaves items untested, and the border may be among them. Nothing behind it may be yielded.
                *found |= live.full();
                BorderState::Live { held, live }
            }
            BorderState::Waiting { base, held, least } => {
                let mut held = held.unwrap_or_default();
                held.extend(accepted.take_while(|_| !standing.is_behind()));
                let held = Some(held);
                BorderState::Waiting { base, held, least }
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

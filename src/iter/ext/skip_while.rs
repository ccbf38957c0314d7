//! `skip_while`: the items from the first one on, in order of position, that a predicate rejects.
//!
//! A fold that another thread began in the middle does not know whether the border is to its left. It holds the items that the predicate
//! skips, because they may have to be yielded, until it finds one that is rejected. All items from there on are yielded in any case, and feed
//! the rest of the chain at once. When two results are combined, the held items are driven on if the border was to their left, and dropped otherwise.

use super::border::{AllRounds, BorderConsumer, BorderState, Outcome, Sides, StateOf, rounds};
use crate::iter::adapters::adaptor;
use crate::iter::plumbing::{
    Folder, Length, Reducer, RoundSource, RoundsCallback, UnindexedConsumer, round_len,
};
use crate::iter::sinks::standing::{Border, Standing};
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::iter;

adaptor! {
    /// Yields the items from the first one on that a predicate rejects; made by [`skip_while`](crate::ext::ParallelWhile::skip_while).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let rest: filch::ext::SkipWhile<_, _> = [1, 2, 9, 1].par_iter().skip_while(|&&n| n < 5);
    /// assert_eq!(rest.collect::<Vec<_>>(), [&9, &1]);
    /// ```
    pub struct SkipWhile<I, P> { base: I } { predicate: P }
}

impl<I, P> ParallelIterator for SkipWhile<I, P>
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
        let op = Suffix(&self.predicate);
        self.base.with_rounds(SuffixRounds { op, callback })
    }
}

/// Hands the rounds on.
struct SuffixRounds<'f, P, CB> {
    op: Suffix<'f, P>,
    callback: CB,
}

impl<T, P, CB> RoundsCallback<T> for SuffixRounds<'_, P, CB>
where
    T: Send,
    P: Fn(&T) -> bool + Sync,
    CB: RoundsCallback<T>,
{
    type Output = CB::Output;

    fn callback<S: RoundSource<Item = T>>(self, base: S) -> CB::Output {
        self.callback.callback(SuffixSource::new(base, self.op))
    }
}

/// How far the rounds of a suffix have come.
enum SuffixPhase {
    Skipping,
    /// The border has been passed, so the predicate is no longer needed.
    Passing,
    Over,
}

/// The rounds of the items from the border on. Those before it have no items.
struct SuffixSource<'f, S, P> {
    base: S,
    op: Suffix<'f, P>,
    phase: SuffixPhase,
}

impl<'f, S, P> SuffixSource<'f, S, P>
where
    S: RoundSource<Item: Send>,
    P: Fn(&S::Item) -> bool + Sync,
{
    fn new(base: S, op: Suffix<'f, P>) -> Self {
        SuffixSource {
            base,
            op,
            phase: SuffixPhase::Skipping,
        }
    }

    /// A round of `n` items. `None` if there are no more, `Some(None)` if all were skipped.
    fn skip<C>(&mut self, n: usize, consumer: C) -> Option<Option<C::Result>>
    where
        C: UnindexedConsumer<S::Item>,
    {
        let border = Border::unknown();
        let round = BorderConsumer::all(&self.op, consumer, &border);
        let Some(outcome) = self.base.round(n, round) else {
            self.phase = SuffixPhase::Over;
            return None;
        };
        if outcome.passed.is_some() {
            self.phase = SuffixPhase::Passing;
        }
        Some(outcome.passed)
    }

    /// All that are left: in rounds that grow, up to the border.
    fn all<C: UnindexedConsumer<S::Item>>(&mut self, consumer: C) -> C::Result {
        for (nth, size) in (1..).zip(rounds()) {
            if consumer.full() {
                break;
            }
            let Some(passed) = self.skip(size, consumer.split_off_nth(nth)) else {
                break;
            };
            if let Some(result) = passed {
                // The source may let an item wait for ever that nobody wants.
                if consumer.full() {
                    return result;
                }
                let reducer = consumer.to_reducer();
                return match self.base.round(usize::MAX, consumer) {
                    Some(rest) => reducer.reduce(result, rest),
                    None => result,
                };
            }
        }
        consumer.into_folder().complete()
    }
}

impl<S, P> RoundSource for SuffixSource<'_, S, P>
where
    S: RoundSource<Item: Send>,
    P: Fn(&S::Item) -> bool + Sync,
{
    type Item = S::Item;

    fn round<C: UnindexedConsumer<S::Item>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        match self.phase {
            SuffixPhase::Over => None,
            SuffixPhase::Passing => self.base.round(n, consumer),
            SuffixPhase::Skipping if round_len(n).is_none() => {
                let result = self.all(consumer);
                self.phase = SuffixPhase::Over;
                Some(result)
            }
            SuffixPhase::Skipping => {
                let passed = self.skip(n, consumer.split_off_left())?;
                Some(passed.unwrap_or_else(|| consumer.into_folder().complete()))
            }
        }
    }
}

/// Passes items on from the first one that the predicate rejects.
struct Suffix<'f, P>(&'f P);

impl<T: Send, P: Fn(&T) -> bool + Sync> Sides<T> for Suffix<'_, P> {
    type Out = T;

    const ENDS: bool = false;

    #[inline]
    fn many<C: UnindexedConsumer<T>>(
        &self,
        state: StateOf<C, T>,
        found: &mut bool,
        standing: &Standing<'_>,
        mut items: impl Iterator<Item = T>,
    ) -> StateOf<C, T> {
        let (base, mut held, least) = match state {
            BorderState::Waiting { base, held, least } => (base, held, least),
            BorderState::Live { held, live } => {
                let live = live.consume_iter(items);
                return BorderState::Live { held, live };
            }
        };
        let first = items.by_ref().find_map(|item| {
            if standing.is_behind() || !(self.0)(&item) {
                return Some(item);
            }
            if let Some(held) = &mut held {
                held.push(item);
            }
            None
        });
        let Some(first) = first else {
            return BorderState::Waiting { base, held, least };
        };
        *found = true;
        standing.found();
        let held = held.map(|held| (base.split_off_left(), held));
        let mut live = base.into_folder();
        if least > 0 {
            C::expect(&mut live, usize::MAX, least);
        }
        live = live.consume_iter(iter::once(first));
        if !live.full() {
            live = live.consume_iter(items);
        }
        BorderState::Live { held, live }
    }

    fn reduce<C: UnindexedConsumer<T>>(
        left: Outcome<C, C::Result, T>,
        right: Outcome<C, C::Result, T>,
        reducer: C::Reducer,
    ) -> Outcome<C, C::Result, T> {
        let found = left.found || right.found;
        let Some(passed) = left.passed else {
            // The border is not in the left part: the held items of both parts are yielded together, or dropped together.
            let held = left.held.map(|(base, mut held)| {
                if let Some((_, mut more)) = right.held {
                    held.append(&mut more);
                }
                (base, held)
            });
            let passed = right.passed;
            return Outcome {
                held,
                passed,
                found,
            };
        };
        let passed = match all_of(right) {
            Some(more) => reducer.reduce(passed, more),
            None => passed,
        };
        Outcome {
            held: left.held,
            passed: Some(passed),
            found,
        }
    }
}

/// The result of a piece that is behind the border.
fn all_of<T: Send, C: UnindexedConsumer<T>>(piece: Outcome<C, C::Result, T>) -> Option<C::Result> {
    let Some((base, held)) = piece.held.filter(|(_, held)| !held.is_empty()) else {
        return piece.passed;
    };
    let Some(passed) = piece.passed else {
        return Some(held.into_par_iter().drive_unindexed(base));
    };
    let (left, reducer) = (base.split_off_left(), base.to_reducer());
    let held = held.into_par_iter().drive_unindexed(left);
    Some(reducer.reduce(held, passed))
}

//! `take_while` and `map_while`: the items before the first one, in order of position, that a closure rejects.
//!
//! No item may be passed on before it is known that all items to its left were accepted: the next step might be a `for_each`, or a `find_any`
//! that stops all threads. So only the leftmost fold feeds the rest of the chain. Folds that other threads began to its right hold the items
//! that they accepted. When results meet, the items held to the right of a complete left part are driven on, in parallel. Folds behind a
//! rejected item stop.
//!
//! The iterator is asked for its items in rounds that grow, so that all threads work near the front first.

use crate::core::current_num_threads;
use crate::iter::plumbing::{
    Consumer, Folder, Reducer, RoundSource, RoundsCallback, UnindexedConsumer,
};
use crate::iter::sinks::stretch::{Border, Stretch};
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::cell::Cell;
use std::{fmt, iter, mem};

/// How many items the first round has for each thread.
const FIRST_ROUND: usize = 512;

/// The sizes of rounds. They grow, so that the waste behind the border stays in proportion to the items before it.
pub(super) fn rounds() -> impl Iterator<Item = usize> {
    let first = FIRST_ROUND * current_num_threads();
    iter::successors(Some(first), |size| Some(size.saturating_mul(2)))
}

/// Yields the items before the first one that a predicate rejects; made by [`take_while`](crate::ext::ParallelWhile::take_while).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let first: filch::ext::TakeWhile<_, _> = [1, 2, 9, 1].par_iter().take_while(|&&n| n < 5);
/// assert_eq!(first.collect::<Vec<_>>(), [&1, &2]);
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct TakeWhile<I, P> {
    base: I,
    predicate: P,
}

impl<I, P> TakeWhile<I, P> {
    pub(super) fn new(base: I, predicate: P) -> Self {
        TakeWhile { base, predicate }
    }
}

impl<I: fmt::Debug, P> fmt::Debug for TakeWhile<I, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TakeWhile")
            .field("base", &self.base)
            .finish()
    }
}

impl<I, P> ParallelIterator for TakeWhile<I, P>
where
    I: ParallelIterator,
    P: Fn(&I::Item) -> bool + Sync + Send,
{
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        let op = |item| (self.predicate)(&item).then_some(item);
        self.base.with_rounds(Prefix { op: &op, consumer })
    }
}

/// Yields what a closure makes of the items, up to the first for which it returns `None`; made by
/// [`map_while`](crate::ext::ParallelWhile::map_while).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let numbers: filch::ext::MapWhile<_, _> = ["1", "2", "x", "3"].par_iter().map_while(|text| text.parse::<u8>().ok());
/// assert_eq!(numbers.collect::<Vec<_>>(), [1, 2]);
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct MapWhile<I, F> {
    base: I,
    map_op: F,
}

impl<I, F> MapWhile<I, F> {
    pub(super) fn new(base: I, map_op: F) -> Self {
        MapWhile { base, map_op }
    }
}

impl<I: fmt::Debug, F> fmt::Debug for MapWhile<I, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapWhile")
            .field("base", &self.base)
            .finish()
    }
}

impl<I, R, F> ParallelIterator for MapWhile<I, F>
where
    I: ParallelIterator,
    F: Fn(I::Item) -> Option<R> + Sync + Send,
    R: Send,
{
    type Item = R;

    fn drive_unindexed<C: UnindexedConsumer<R>>(self, consumer: C) -> C::Result {
        let op = &self.map_op;
        self.base.with_rounds(Prefix { op, consumer })
    }
}

struct Prefix<'f, F, C> {
    op: &'f F,
    consumer: C,
}

impl<T, R, F, C> RoundsCallback<T> for Prefix<'_, F, C>
where
    F: Fn(T) -> Option<R> + Sync,
    R: Send,
    C: UnindexedConsumer<R>,
{
    type Output = C::Result;

    fn callback<S: RoundSource<Item = T>>(self, mut source: S) -> C::Result {
        let Prefix { op, consumer } = self;
        let mut done = None;
        for size in rounds() {
            if consumer.full() {
                break;
            }
            let border = Border::unknown();
            let round = WhileConsumer {
                op,
                base: consumer.split_off_left(),
                leftmost: Cell::new(true),
                stretch: border.all(),
            };
            let Some(outcome) = source.round(size, round) else {
                break;
            };
            let result = match outcome.accepted {
                Accepted::Passed(result) => result,
                Accepted::Held(base, held) => held.into_par_iter().drive_unindexed(base),
            };
            done = Some(match done {
                Some(before) => consumer.to_reducer().reduce(before, result),
                None => result,
            });
            if outcome.ended {
                break;
            }
        }
        done.unwrap_or_else(|| consumer.into_folder().complete())
    }
}

struct WhileConsumer<'r, C, F> {
    op: &'r F,
    base: C,
    /// No item to the left of this piece can still be rejected.
    leftmost: Cell<bool>,
    stretch: Stretch<'r>,
}

struct WhileFolder<'r, C, G, F, R> {
    op: &'r F,
    accepted: Accepted<C, G, R>,
    /// An item was rejected in this piece.
    ended: bool,
    stretch: Stretch<'r>,
}

/// The accepted items.
enum Accepted<C, G, R> {
    /// They were passed on.
    Passed(G),
    /// They are held, with the consumer that they would go to.
    Held(C, Vec<R>),
}

/// The result of a piece.
struct Outcome<C, G, R> {
    accepted: Accepted<C, G, R>,
    ended: bool,
}

impl<'r, T, R, C, F> Consumer<T> for WhileConsumer<'r, C, F>
where
    F: Fn(T) -> Option<R> + Sync,
    R: Send,
    C: UnindexedConsumer<R>,
{
    type Folder = WhileFolder<'r, C, C::Folder, F, R>;
    type Reducer = WhileReducer<C::Reducer>;
    type Result = Outcome<C, C::Result, R>;

    fn split_at(self, _: usize) -> (Self, Self, Self::Reducer) {
        let left = self.split_off_left();
        let reducer = self.to_reducer();
        (left, self, reducer)
    }

    fn into_folder(self) -> Self::Folder {
        let accepted = if self.leftmost.get() {
            Accepted::Passed(self.base.into_folder())
        } else {
            Accepted::Held(self.base, Vec::new())
        };
        WhileFolder {
            op: self.op,
            accepted,
            ended: false,
            stretch: self.stretch,
        }
    }

    fn full(&self) -> bool {
        self.stretch.is_behind() || self.base.full()
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;

    const SPLIT_IS_EXPENSIVE: bool = C::SPLIT_IS_EXPENSIVE;

    fn split_folder(folder: &mut Self::Folder, _: usize) -> (Self, Self::Reducer) {
        let (base, reducer) = match &mut folder.accepted {
            Accepted::Passed(live) => C::split_folder(live, 0),
            Accepted::Held(base, _) => {
                let (left, reducer) = (base.split_off_left(), base.to_reducer());
                (mem::replace(base, left), reducer)
            }
        };
        let right = WhileConsumer {
            op: folder.op,
            base,
            leftmost: Cell::new(false),
            stretch: folder.stretch.split_off_right(),
        };
        (right, WhileReducer(reducer))
    }

    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.stretch.rejoin(right.stretch);
        match &mut folder.accepted {
            Accepted::Passed(live) => C::rejoin_folder(live, right.base),
            Accepted::Held(base, _) => base.rejoin(right.base),
        }
    }

    fn expect(folder: &mut Self::Folder, _: usize, least: usize) {
        if let Accepted::Passed(live) = &mut folder.accepted {
            C::expect(live, usize::MAX, least);
        }
    }
}

impl<T, R, C, F> UnindexedConsumer<T> for WhileConsumer<'_, C, F>
where
    F: Fn(T) -> Option<R> + Sync,
    R: Send,
    C: UnindexedConsumer<R>,
{
    fn split_off_left(&self) -> Self {
        self.split_off_nth(1)
    }

    fn split_off_nth(&self, nth: usize) -> Self {
        WhileConsumer {
            op: self.op,
            base: self.base.split_off_nth(nth),
            leftmost: Cell::new(self.leftmost.replace(false)),
            stretch: self.stretch.split_off_nth(nth),
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.base.rejoin(right.base);
        self.stretch.rejoin(right.stretch);
    }

    fn to_reducer(&self) -> Self::Reducer {
        WhileReducer(self.base.to_reducer())
    }
}

impl<T, R, C, F> Folder<T> for WhileFolder<'_, C, C::Folder, F, R>
where
    F: Fn(T) -> Option<R> + Sync,
    R: Send,
    C: UnindexedConsumer<R>,
{
    type Result = Outcome<C, C::Result, R>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(iter::once(item))
    }

    #[inline]
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        if self.ended {
            return self;
        }
        let (op, ended) = (self.op, &mut self.ended);
        let accepted = iter.into_iter().map_while(|item| {
            let accepted = op(item);
            if accepted.is_none() {
                *ended = true;
            }
            accepted
        });
        self.accepted = match self.accepted {
            Accepted::Passed(live) => Accepted::Passed(live.consume_iter(accepted)),
            Accepted::Held(base, mut held) => {
                held.extend(accepted.take_while(|_| !self.stretch.is_behind()));
                Accepted::Held(base, held)
            }
        };
        if self.ended {
            self.stretch.found();
        }
        self
    }

    fn complete(self) -> Self::Result {
        Outcome {
            accepted: match self.accepted {
                Accepted::Passed(live) => Accepted::Passed(live.complete()),
                Accepted::Held(base, held) => Accepted::Held(base, held),
            },
            ended: self.ended,
        }
    }

    fn full(&self) -> bool {
        self.ended
            || match &self.accepted {
                Accepted::Passed(live) => live.full(),
                Accepted::Held(base, _) => self.stretch.is_behind() || base.full(),
            }
    }
}

struct WhileReducer<Q>(Q);

impl<R, C, Q> Reducer<Outcome<C, C::Result, R>> for WhileReducer<Q>
where
    R: Send,
    C: UnindexedConsumer<R>,
    Q: Reducer<C::Result>,
{
    fn reduce(
        self,
        left: Outcome<C, C::Result, R>,
        right: Outcome<C, C::Result, R>,
    ) -> Outcome<C, C::Result, R> {
        if left.ended {
            return left;
        }
        let accepted = match (left.accepted, right.accepted) {
            (Accepted::Held(base, mut held), Accepted::Held(_, mut more)) => {
                held.append(&mut more);
                Accepted::Held(base, held)
            }
            (Accepted::Passed(result), Accepted::Held(_, held)) if held.is_empty() => {
                Accepted::Passed(result)
            }
            (Accepted::Passed(result), Accepted::Held(base, held)) => {
                let more = held.into_par_iter().drive_unindexed(base);
                Accepted::Passed(self.0.reduce(result, more))
            }
            (_, Accepted::Passed(_)) => unreachable!("only the leftmost part is passed on"),
        };
        let ended = right.ended;
        Outcome { accepted, ended }
    }
}

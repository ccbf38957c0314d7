//! `skip_while`: the items from the first one on, in order of position, that a predicate rejects.
//!
//! A fold that another thread began in the middle does not know whether the border is to its left. It holds the items that the predicate
//! skips, because they may have to be yielded, until it finds one that is rejected. All items from there on are yielded in any case, and feed
//! the rest of the chain at once. When results meet, the held items are driven on if the border was to their left, and dropped otherwise.

use super::map_while::rounds;
use crate::iter::plumbing::{
    Consumer, Folder, Reducer, RoundSource, RoundsCallback, UnindexedConsumer, as_base,
};
use crate::iter::sinks::stretch::{Border, Stretch};
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::cell::Cell;
use std::{fmt, iter, mem};

/// Yields the items from the first one on that a predicate rejects; made by [`skip_while`](crate::ext::ParallelWhile::skip_while).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let rest: filch::ext::SkipWhile<_, _> = [1, 2, 9, 1].par_iter().skip_while(|&&n| n < 5);
/// assert_eq!(rest.collect::<Vec<_>>(), [&9, &1]);
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct SkipWhile<I, P> {
    base: I,
    predicate: P,
}

impl<I, P> SkipWhile<I, P> {
    pub(super) fn new(base: I, predicate: P) -> Self {
        SkipWhile { base, predicate }
    }
}

impl<I: fmt::Debug, P> fmt::Debug for SkipWhile<I, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkipWhile")
            .field("base", &self.base)
            .finish()
    }
}

impl<I, P> ParallelIterator for SkipWhile<I, P>
where
    I: ParallelIterator,
    P: Fn(&I::Item) -> bool + Sync + Send,
{
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        let predicate = &self.predicate;
        self.base.with_rounds(Suffix {
            predicate,
            consumer,
        })
    }
}

struct Suffix<'f, P, C> {
    predicate: &'f P,
    consumer: C,
}

impl<T, P, C> RoundsCallback<T> for Suffix<'_, P, C>
where
    T: Send,
    P: Fn(&T) -> bool + Sync,
    C: UnindexedConsumer<T>,
{
    type Output = C::Result;

    fn callback<S: RoundSource<Item = T>>(self, mut source: S) -> C::Result {
        let Suffix {
            predicate,
            consumer,
        } = self;
        for size in rounds() {
            if consumer.full() {
                break;
            }
            let border = Border::unknown();
            let round = SkipConsumer {
                predicate,
                base: consumer.split_off_left(),
                place: Cell::new(Place::Leftmost),
                stretch: border.all(),
            };
            let Some(outcome) = source.round(size, round) else {
                break;
            };
            if let Some(result) = outcome.yielded {
                // The border has been passed, so the predicate is no longer needed.
                let reducer = consumer.to_reducer();
                return match source.round(usize::MAX, consumer) {
                    Some(rest) => reducer.reduce(result, rest),
                    None => result,
                };
            }
        }
        consumer.into_folder().complete()
    }
}

/// What is known about a piece when it begins.
#[derive(Clone, Copy)]
enum Place {
    /// The border is not to its left.
    Leftmost,
    Unknown,
    /// The border is to its left.
    Behind,
}

struct SkipConsumer<'r, C, P> {
    predicate: &'r P,
    base: C,
    place: Cell<Place>,
    stretch: Stretch<'r>,
}

/// Skipped items that may have to be yielded, with the consumer that they would go to.
type Held<C, T> = Option<(C, Vec<T>)>;

enum State<C, G, T> {
    /// No item was rejected yet.
    Before { base: C, held: Option<Vec<T>> },
    /// Everything is yielded from now on.
    After { held: Held<C, T>, live: G },
}

struct SkipFolder<'r, C, G, P, T> {
    predicate: &'r P,
    state: State<C, G, T>,
    stretch: Stretch<'r>,
}

/// The result of a piece.
struct Outcome<C, G, T> {
    /// `None` if nothing is held, because the border cannot be to the left.
    held: Held<C, T>,
    /// The result of the items behind the border, if it is in this piece or known to be to the left.
    yielded: Option<G>,
}

impl<'r, T, C, P> Consumer<T> for SkipConsumer<'r, C, P>
where
    T: Send,
    P: Fn(&T) -> bool + Sync,
    C: UnindexedConsumer<T>,
{
    type Folder = SkipFolder<'r, C, C::Folder, P, T>;
    type Reducer = SkipReducer<C::Reducer>;
    type Result = Outcome<C, C::Result, T>;

    fn split_at(self, _: usize) -> (Self, Self, Self::Reducer) {
        let left = self.split_off_left();
        let reducer = self.to_reducer();
        (left, self, reducer)
    }

    fn into_folder(self) -> Self::Folder {
        let base = self.base;
        let state = match self.place.get() {
            Place::Leftmost => State::Before { base, held: None },
            Place::Unknown => State::Before {
                base,
                held: Some(Vec::new()),
            },
            Place::Behind => State::After {
                held: None,
                live: base.into_folder(),
            },
        };
        SkipFolder {
            predicate: self.predicate,
            state,
            stretch: self.stretch,
        }
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;

    const SPLIT_IS_EXPENSIVE: bool = C::SPLIT_IS_EXPENSIVE;

    as_base! { full }

    fn split_folder(folder: &mut Self::Folder, _: usize) -> (Self, Self::Reducer) {
        let (place, (base, reducer)) = match &mut folder.state {
            State::Before { base, .. } => {
                let (left, reducer) = (base.split_off_left(), base.to_reducer());
                (Place::Unknown, (mem::replace(base, left), reducer))
            }
            State::After { live, .. } => (Place::Behind, C::split_folder(live, 0)),
        };
        let right = SkipConsumer {
            predicate: folder.predicate,
            base,
            place: Cell::new(place),
            stretch: folder.stretch.split_off_right(),
        };
        (right, SkipReducer(reducer))
    }

    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.stretch.rejoin(right.stretch);
        match &mut folder.state {
            State::Before { base, .. } => base.rejoin(right.base),
            State::After { live, .. } => C::rejoin_folder(live, right.base),
        }
    }

    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        if let State::After { live, .. } = &mut folder.state {
            C::expect(live, upper, least);
        }
    }
}

impl<T, C, P> UnindexedConsumer<T> for SkipConsumer<'_, C, P>
where
    T: Send,
    P: Fn(&T) -> bool + Sync,
    C: UnindexedConsumer<T>,
{
    fn split_off_left(&self) -> Self {
        self.split_off_nth(1)
    }

    fn split_off_nth(&self, nth: usize) -> Self {
        let place = self.place.get();
        if let Place::Leftmost = place {
            self.place.set(Place::Unknown);
        }
        SkipConsumer {
            predicate: self.predicate,
            base: self.base.split_off_nth(nth),
            place: Cell::new(place),
            stretch: self.stretch.split_off_nth(nth),
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.base.rejoin(right.base);
        self.stretch.rejoin(right.stretch);
    }

    fn to_reducer(&self) -> Self::Reducer {
        SkipReducer(self.base.to_reducer())
    }
}

impl<T, C, P> Folder<T> for SkipFolder<'_, C, C::Folder, P, T>
where
    T: Send,
    P: Fn(&T) -> bool + Sync,
    C: UnindexedConsumer<T>,
{
    type Result = Outcome<C, C::Result, T>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(iter::once(item))
    }

    #[inline]
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let mut items = iter.into_iter();
        self.state = match self.state {
            State::After { held, live } => State::After {
                held,
                live: live.consume_iter(items),
            },
            State::Before { base, mut held } => {
                let first = items.by_ref().find_map(|item| {
                    if self.stretch.is_behind() || !(self.predicate)(&item) {
                        return Some(item);
                    }
                    if let Some(held) = &mut held {
                        held.push(item);
                    }
                    None
                });
                match first {
                    None => State::Before { base, held },
                    Some(first) => {
                        self.stretch.found();
                        let held = held.map(|held| (base.split_off_left(), held));
                        let live = base.into_folder().consume_iter(iter::once(first));
                        let live = if live.full() {
                            live
                        } else {
                            live.consume_iter(items)
                        };
                        State::After { held, live }
                    }
                }
            }
        };
        self
    }

    fn complete(self) -> Self::Result {
        match self.state {
            State::Before { base, held } => Outcome {
                held: held.map(|held| (base, held)),
                yielded: None,
            },
            State::After { held, live } => Outcome {
                held,
                yielded: Some(live.complete()),
            },
        }
    }

    fn full(&self) -> bool {
        match &self.state {
            State::Before { base, .. } => base.full(),
            State::After { live, .. } => live.full(),
        }
    }
}

struct SkipReducer<Q>(Q);

impl<T, C, Q> Reducer<Outcome<C, C::Result, T>> for SkipReducer<Q>
where
    T: Send,
    C: UnindexedConsumer<T>,
    Q: Reducer<C::Result>,
{
    fn reduce(
        self,
        left: Outcome<C, C::Result, T>,
        right: Outcome<C, C::Result, T>,
    ) -> Outcome<C, C::Result, T> {
        let Some(yielded) = left.yielded else {
            // The border is not in the left part: the held items of both parts are yielded together, or dropped together.
            let held = left.held.map(|(base, mut held)| {
                if let Some((_, mut more)) = right.held {
                    held.append(&mut more);
                }
                (base, held)
            });
            let yielded = right.yielded;
            return Outcome { held, yielded };
        };
        let more = all_of(right);
        Outcome {
            held: left.held,
            yielded: Some(match more {
                Some(more) => self.0.reduce(yielded, more),
                None => yielded,
            }),
        }
    }
}

/// The result of a piece that is behind the border.
fn all_of<T, C>(piece: Outcome<C, C::Result, T>) -> Option<C::Result>
where
    T: Send,
    C: UnindexedConsumer<T>,
{
    let Some((base, held)) = piece.held.filter(|(_, held)| !held.is_empty()) else {
        return piece.yielded;
    };
    let Some(yielded) = piece.yielded else {
        return Some(held.into_par_iter().drive_unindexed(base));
    };
    let (left, reducer) = (base.split_off_left(), base.to_reducer());
    let held = held.into_par_iter().drive_unindexed(left);
    Some(reducer.reduce(held, yielded))
}

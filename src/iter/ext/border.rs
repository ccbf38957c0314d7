//! The common part of `take_while`, `map_while` and `skip_while`. The *border* is the first item that the closure rejects, and it matters
//! on which side of it an item is.
//!
//! A fold that another thread began in the middle does not know whether the border is to its left. It holds the items that depend on that.
//! When two results are combined, the held items are driven on, in parallel, or dropped.
//!
//! The iterator is asked for its items in rounds that grow, so that all threads work near the front first.

use crate::core::current_num_threads;
use crate::iter::plumbing::{
    Consumer, Folder, Reducer, RoundSource, RoundsCallback, UnindexedConsumer, first_part,
    split_anywhere,
};
use crate::iter::sinks::standing::{Border, Standing};
use std::cell::Cell;
use std::marker::PhantomData;
use std::{iter, mem};

/// How many items the first round has for each thread.
const FIRST_ROUND: usize = 512;

/// The sizes of rounds. They grow, so that the waste behind the border stays in proportion to the items before it. None asks for all that are left.
pub(super) fn rounds() -> impl Iterator<Item = usize> {
    let first = FIRST_ROUND * current_num_threads();
    iter::successors(Some(first), |size| {
        Some(size.saturating_mul(2).min(usize::MAX - 1))
    })
}

/// Drives all that there is to a consumer, for sources that go in rounds by themselves then.
pub(super) struct AllRounds<C>(pub(super) C);

impl<T, C: UnindexedConsumer<T>> RoundsCallback<T> for AllRounds<C> {
    type Output = C::Result;

    fn callback<S: RoundSource<Item = T>>(self, mut source: S) -> C::Result {
        let all = source.round(usize::MAX, self.0);
        // If a destructor of the items that are left panics, the result is dropped. As a value that is already returned it would leak.
        drop(source);
        all.expect("a source that has not begun is not over")
    }
}

/// What an adaptor does with the items on either side of the border.
pub(super) trait Sides<T>: Sync {
    type Out: Send;

    /// Whether the items before the border are passed on, and none after it; otherwise it is the other way round.
    const ENDS: bool;

    /// Takes items; publishes if the border is among them.
    fn many<C: UnindexedConsumer<Self::Out>>(
        &self,
        fold: StateOf<C, Self::Out>,
        found: &mut bool,
        standing: &Standing<'_>,
        items: impl Iterator<Item = T>,
    ) -> StateOf<C, Self::Out>;

    /// Combines the results of neighbours.
    fn reduce<C: UnindexedConsumer<Self::Out>>(
        left: Outcome<C, C::Result, Self::Out>,
        right: Outcome<C, C::Result, Self::Out>,
        reducer: C::Reducer,
    ) -> Outcome<C, C::Result, Self::Out>;
}

/// What is known about a piece when it begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceStart {
    /// The border is not to its left.
    Leftmost,
    Unknown,
    /// The border is to its left.
    Behind,
}

/// Items that may have to be passed on, with the consumer that they would go to.
pub(super) type Held<C, T> = Option<(C, Vec<T>)>;

pub(super) enum BorderState<C, G, T> {
    /// Nothing is passed on yet. `None`: nothing needs to be held either.
    Waiting {
        base: C,
        held: Option<Vec<T>>,
        /// The least length that the fold is told when it begins; 0 if the piece was told none.
        least: usize,
    },
    /// Items are passed on; `held` are those before them.
    Live { held: Held<C, T>, live: G },
}

/// [`BorderState`] for a consumer.
pub(super) type StateOf<C, T> = BorderState<C, <C as Consumer<T>>::Folder, T>;

/// The result of a piece.
pub(super) struct Outcome<C, R, T> {
    /// `None` if nothing is held, because it is known what becomes of the items.
    pub(super) held: Held<C, T>,
    /// The result of the items that were passed on.
    pub(super) passed: Option<R>,
    /// Whether the border is in this piece.
    pub(super) found: bool,
}

pub(super) struct BorderConsumer<'r, C, O> {
    op: &'r O,
    base: C,
    place: Cell<PieceStart>,
    standing: Standing<'r>,
}

impl<'r, C, O> BorderConsumer<'r, C, O> {
    /// For a whole round.
    pub(super) fn all(op: &'r O, base: C, border: &'r Border) -> Self {
        BorderConsumer {
            op,
            base,
            place: Cell::new(PieceStart::Leftmost),
            standing: border.all(),
        }
    }
}

pub(super) struct BorderFolder<'r, C, G, O, T> {
    op: &'r O,
    state: BorderState<C, G, T>,
    found: bool,
    standing: Standing<'r>,
}

impl<'r, T, C: UnindexedConsumer<O::Out>, O: Sides<T>> Consumer<T> for BorderConsumer<'r, C, O> {
    type Folder = BorderFolder<'r, C, C::Folder, O, O::Out>;
    type Reducer = BorderReducer<C::Reducer, O, T>;
    type Result = Outcome<C, C::Result, O::Out>;

    split_anywhere! { T }

    fn into_folder(self) -> Self::Folder {
        let (base, place) = (self.base, self.place.get());
        let live = match O::ENDS {
            true => PieceStart::Leftmost,
            false => PieceStart::Behind,
        };
        let state = match place == live {
            true => BorderState::Live {
                held: None,
                live: base.into_folder(),
            },
            false => BorderState::Waiting {
                base,
                held: (place == PieceStart::Unknown).then(Vec::new),
                least: 0,
            },
        };
        BorderFolder {
            op: self.op,
            state,
            found: false,
            standing: self.standing,
        }
    }

    fn full(&self) -> bool {
        O::ENDS && self.standing.is_behind() || self.base.full()
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;

    const STOPS_EARLY: bool = O::ENDS || C::STOPS_EARLY;

    const SPLIT_IS_EXPENSIVE: bool = C::SPLIT_IS_EXPENSIVE;

    fn split_folder(folder: &mut Self::Folder, _: usize) -> (Self, Self::Reducer) {
        let (place, (base, reducer)) = match &mut folder.state {
            BorderState::Waiting { base, .. } => {
                let (left, reducer) = (base.split_off_left(), base.to_reducer());
                (PieceStart::Unknown, (mem::replace(base, left), reducer))
            }
            BorderState::Live { live, .. } if O::ENDS => {
                (PieceStart::Unknown, C::split_folder(live, 0))
            }
            BorderState::Live { live, .. } => (PieceStart::Behind, C::split_folder(live, 0)),
        };
        let right = BorderConsumer {
            op: folder.op,
            base,
            place: Cell::new(place),
            standing: folder.standing.split_off_right(0),
        };
        (right, BorderReducer::of(reducer))
    }

    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.standing.rejoin(right.standing);
        match &mut folder.state {
            BorderState::Waiting { base, .. } => base.rejoin(right.base),
            BorderState::Live { live, .. } => C::rejoin_folder(live, right.base),
        }
    }

    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        match &mut folder.state {
            BorderState::Live { live, .. } => {
                C::expect(live, if O::ENDS { usize::MAX } else { upper }, least);
            }
            BorderState::Waiting { least: told, .. } => *told = least.max(*told),
        }
    }

    fn make_way(folder: &mut Self::Folder) {
        // Before a border the other fold may have no items that count, and then this one is all there is.
        if !O::ENDS
            && let BorderState::Live { live, .. } = &mut folder.state
        {
            C::make_way(live);
        }
    }

    fn reproduce(folder: &mut Self::Folder) {
        if let BorderState::Live { live, .. } = &mut folder.state {
            C::reproduce(live);
        }
    }
}

impl<T, C, O> UnindexedConsumer<T> for BorderConsumer<'_, C, O>
where
    O: Sides<T>,
    C: UnindexedConsumer<O::Out>,
{
    first_part! { T }

    fn split_off_nth(&self, nth: usize) -> Self {
        let place = self.place.get();
        if place == PieceStart::Leftmost {
            self.place.set(PieceStart::Unknown);
        }
        BorderConsumer {
            op: self.op,
            base: self.base.split_off_nth(nth),
            place: Cell::new(place),
            standing: self.standing.split_off_nth(nth),
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.base.rejoin(right.base);
        self.standing.rejoin(right.standing);
    }

    fn to_reducer(&self) -> Self::Reducer {
        BorderReducer::of(self.base.to_reducer())
    }
}

impl<T, C, O> Folder<T> for BorderFolder<'_, C, C::Folder, O, O::Out>
where
    O: Sides<T>,
    C: UnindexedConsumer<O::Out>,
{
    type Result = Outcome<C, C::Result, O::Out>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(iter::once(item))
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let (found, items) = (&mut self.found, iter.into_iter());
        self.state = self.op.many::<C>(self.state, found, &self.standing, items);
        self
    }

    fn complete(self) -> Self::Result {
        let (held, passed) = match self.state {
            BorderState::Waiting { base, held, .. } => (held.map(|held| (base, held)), None),
            BorderState::Live { held, live } => (held, Some(live.complete())),
        };
        let found = self.found;
        Outcome {
            held,
            passed,
            found,
        }
    }

    fn full(&self) -> bool {
        match &self.state {
            _ if O::ENDS && self.found => true,
            BorderState::Waiting { base, .. } => {
                O::ENDS && self.standing.is_behind() || base.full()
            }
            BorderState::Live { live, .. } => live.full(),
        }
    }
}

pub(super) struct BorderReducer<Q, O, T> {
    base: Q,
    kind: PhantomData<fn(O, T)>,
}

impl<Q, O, T> BorderReducer<Q, O, T> {
    fn of(base: Q) -> Self {
        BorderReducer {
            base,
            kind: PhantomData,
        }
    }
}

impl<T, C, O> Reducer<Outcome<C, C::Result, O::Out>> for BorderReducer<C::Reducer, O, T>
where
    O: Sides<T>,
    C: UnindexedConsumer<O::Out>,
{
    fn reduce(
        self,
        left: Outcome<C, C::Result, O::Out>,
        right: Outcome<C, C::Result, O::Out>,
    ) -> Outcome<C, C::Result, O::Out> {
        O::reduce::<C>(left, right, self.base)
    }
}

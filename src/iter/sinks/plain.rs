//! Ends whose consumer has no state before it folds: `for_each`, `sum`, `reduce` and the like.
//!
//! Such an end says how a fold begins, how it takes items, and how two results are combined ([`Plain`]). A split needs nothing more: any
//! number of folds may begin anywhere, and one fold over two pieces gives the same result as two folds that are reduced.

use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
use std::iter;
use std::marker::PhantomData;

/// The operations of an end.
pub(crate) trait Plain<T>: Sync {
    /// The state of a running fold.
    type State;
    type Result: Send;

    fn begin(&self) -> Self::State;

    #[inline]
    fn one(&self, state: Self::State, item: T) -> Self::State {
        self.many(state, iter::once(item))
    }

    /// Takes many items, with std's own loops, so that they stay fast.
    fn many(&self, state: Self::State, items: impl Iterator<Item = T>) -> Self::State;

    fn end(&self, state: Self::State) -> Self::Result;

    fn reduce(&self, left: Self::Result, right: Self::Result) -> Self::Result;

    /// The fold is that of a leaf; see [`Consumer::reproduce`].
    #[inline]
    fn reproduce(state: &mut Self::State) {
        let _ = state;
    }

    /// Whether [`over`](Self::over) can become true.
    const STOPS_EARLY: bool = false;

    /// Whether this fold needs no more items.
    #[inline]
    fn full(&self, state: &Self::State) -> bool {
        let _ = state;
        self.over()
    }

    /// Whether no fold at all needs more items.
    #[inline]
    fn over(&self) -> bool {
        false
    }
}

/// In an `impl Plain`: the state of a fold is also its result.
macro_rules! state_is_result {
    ($State:ty) => {
        type State = $State;
        type Result = $State;

        #[inline]
        fn end(&self, state: $State) -> $State {
            state
        }
    };
}
pub(crate) use state_is_result;

/// Drives `par_iter` to such an end.
#[inline]
pub(crate) fn run<I: ParallelIterator, E: Plain<I::Item>>(par_iter: I, end: &E) -> E::Result {
    par_iter.drive_unindexed(consumer(end))
}

/// The consumer of such an end, for callers that drive more than one iterator.
#[inline]
pub(crate) fn consumer<E, T>(end: &E) -> PlainConsumer<'_, E, T> {
    let item = PhantomData;
    PlainConsumer { end, item }
}

/// Bound to the item type, which selects the end's operations.
pub(crate) struct PlainConsumer<'e, E, T> {
    end: &'e E,
    item: PhantomData<fn(T)>,
}

impl<E, T> Clone for PlainConsumer<'_, E, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, T> Copy for PlainConsumer<'_, E, T> {}

/// Combines results by the operation of the end that the consumer has.
pub(crate) struct PlainReducer<'e, E, T>(PlainConsumer<'e, E, T>);

pub(crate) struct PlainFolder<'e, E, S> {
    end: &'e E,
    state: S,
}

impl<'e, T, E: Plain<T>> Consumer<T> for PlainConsumer<'e, E, T> {
    type Folder = PlainFolder<'e, E, E::State>;
    type Reducer = PlainReducer<'e, E, T>;
    type Result = E::Result;

    #[inline]
    fn split_at(self, _: usize) -> (Self, Self, Self::Reducer) {
        (self, self, PlainReducer(self))
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        PlainFolder {
            end: self.end,
            state: self.end.begin(),
        }
    }

    #[inline]
    fn full(&self) -> bool {
        self.end.over()
    }

    const SPLITS_LIVE: bool = true;

    const STOPS_EARLY: bool = E::STOPS_EARLY;

    #[inline]
    fn split_folder(folder: &mut Self::Folder, _: usize) -> (Self, Self::Reducer) {
        let right = consumer(folder.end);
        (right, PlainReducer(right))
    }

    #[inline]
    fn reproduce(folder: &mut Self::Folder) {
        E::reproduce(&mut folder.state);
    }
}

impl<'e, T, E: Plain<T>> UnindexedConsumer<T> for PlainConsumer<'e, E, T> {
    #[inline]
    fn split_off_left(&self) -> Self {
        *self
    }

    #[inline]
    fn to_reducer(&self) -> PlainReducer<'e, E, T> {
        PlainReducer(*self)
    }
}

impl<T, E: Plain<T>> Reducer<E::Result> for PlainReducer<'_, E, T> {
    #[inline]
    fn reduce(self, left: E::Result, right: E::Result) -> E::Result {
        self.0.end.reduce(left, right)
    }
}

impl<'e, T, E: Plain<T>> Folder<T> for PlainFolder<'e, E, E::State> {
    type Result = E::Result;

    #[inline]
    fn consume(self, item: T) -> Self {
        PlainFolder {
            end: self.end,
            state: self.end.one(self.state, item),
        }
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(self, iter: I) -> Self {
        PlainFolder {
            end: self.end,
            state: self.end.many(self.state, iter.into_iter()),
        }
    }

    #[inline]
    fn complete(self) -> E::Result {
        self.end.end(self.state)
    }

    #[inline]
    fn full(&self) -> bool {
        let full = self.end.full(&self.state);
        debug_assert!(E::STOPS_EARLY || !full, "an end that is full stops early");
        full
    }
}

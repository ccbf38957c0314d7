//! Adaptors that treat each item by itself: `map`, `filter`, `inspect` and the like.
//!
//! Such an adaptor says what it does to one item and to a sequential iterator ([`PerPiece`]). It may have a state for each piece. If it needs none, all pieces share the operation by
//! reference (`shared!`). An adaptor that yields exactly one item for each also says what a sequential iterator becomes ([`PerPieceIndexed`]). Consumers, folders and producers are
//! written once, in `apply.rs`.

use crate::iter::plumbing::{Folder, Reducer};
use std::iter;

/// A sequential iterator that knows its length, and gives items from either end.
pub(crate) trait TwoEnded<T>: DoubleEndedIterator<Item = T> + ExactSizeIterator {}

impl<T, I: DoubleEndedIterator<Item = T> + ExactSizeIterator> TwoEnded<T> for I {}

/// An operation on each item of a piece, with a state that begins and ends with the piece. It is cloned for each piece.
pub(crate) trait PerPiece<T>: Clone + Send {
    type Out;
    type State;
    /// Wraps the reducer of the next consumer; most leave it as it is.
    type Reducer<R: Reducer<V>, V>: Reducer<V>;

    /// Whether no item becomes more than one.
    const AT_MOST_ONE: bool = true;

    /// Whether [`over`](Self::over) can become true.
    const STOPS_EARLY: bool = false;

    /// Whether items near the front are likely to make it true.
    const FRONT_FIRST: bool = false;

    /// Whether a split, that is a clone, costs something in user code.
    const SPLIT_IS_EXPENSIVE: bool = false;

    /// Whether a piece may be folded block by block, each with a state of its own.
    const CAN_PAUSE: bool;

    /// A state for a piece.
    fn begin(&self) -> Self::State;

    /// Makes what the piece is fed to, or fed from, and the state, in the order that suits the operation.
    #[inline]
    fn begin_beside<B>(&self, base: impl FnOnce() -> B) -> (B, Self::State) {
        let base = base();
        (base, self.begin())
    }

    /// The operation for the first `index` items, and that for the others.
    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let _ = index;
        (self.clone(), self)
    }

    fn reducer<R: Reducer<V>, V>(&self, base: R) -> Self::Reducer<R, V>;

    /// Whether no fold at all needs more items, whatever comes after this adaptor.
    #[inline]
    fn over(&self) -> bool {
        false
    }

    /// Whether this piece needs no more items.
    #[inline]
    fn full(&self, state: &Self::State) -> bool {
        let _ = state;
        self.over()
    }

    /// The consumer of what comes out may stop early.
    #[inline]
    fn may_stop(state: &mut Self::State) {
        let _ = state;
    }

    /// What the consumer of what comes out may expect, if `upper` items come in, in pieces of `least` items; see
    /// [`Consumer::expect`](crate::iter::plumbing::Consumer::expect).
    #[inline]
    fn expect(state: &mut Self::State, upper: usize, least: usize) -> (usize, usize) {
        let _ = state;
        let at_most = Self::AT_MOST_ONE && !Self::STOPS_EARLY;
        (if at_most { upper } else { usize::MAX }, least)
    }

    /// The piece ends, and another one takes what follows; see [`Consumer::make_way`](crate::iter::plumbing::Consumer::make_way).
    #[inline]
    fn make_way(state: &mut Self::State) {
        let _ = state;
    }

    /// How items are combined must not depend on time; see [`Consumer::reproduce`](crate::iter::plumbing::Consumer::reproduce).
    #[inline]
    fn reproduce(state: &mut Self::State) {
        let _ = state;
    }

    /// Feeds the output of one item to `folder`.
    #[inline]
    fn one<F: Folder<Self::Out>>(&self, state: &mut Self::State, folder: F, item: T) -> F {
        self.many(state, folder, iter::once(item))
    }

    /// Feeds the output of many items to `folder`. It uses std's adaptors, so that the loop stays std's.
    fn many<F>(&self, state: &mut Self::State, folder: F, items: impl Iterator<Item = T>) -> F
    where
        F: Folder<Self::Out>;

    /// As `many`, for the items that come with `true`. An adaptor without a visible effect on items ignores the flags.
    #[inline]
    fn kept<F>(
        &self,
        state: &mut Self::State,
        folder: F,
        items: impl Iterator<Item = (T, bool)>,
    ) -> F
    where
        F: Folder<Self::Out>,
    {
        self.many(state, folder, only_kept(items))
    }

    /// Feeds what is left in the state to `folder`: no more items come.
    #[inline]
    fn end<F: Folder<Self::Out>>(&self, state: &mut Self::State, folder: F) -> F {
        let _ = state;
        folder
    }
}

/// In an `impl PerPiece`: the reducer stays as it is.
macro_rules! same_reducer {
    () => {
        type Reducer<R_: $crate::iter::plumbing::Reducer<V_>, V_> = R_;

        #[inline]
        fn reducer<R_: $crate::iter::plumbing::Reducer<V_>, V_>(&self, base: R_) -> R_ {
            base
        }
    };
}
pub(crate) use same_reducer;

/// In an `impl PerPiece` for a reference: there is no state, and all pieces share the operation.
macro_rules! shared {
    () => {
        type State = ();
        $crate::iter::adapters::per_piece::same_reducer! {}

        const CAN_PAUSE: bool = true;

        #[inline]
        fn begin(&self) {}
    };
}
pub(crate) use shared;

/// [`PerPiece`] with exactly one item out for each item in.
pub(crate) trait PerPieceIndexed<T>: PerPiece<T> {
    type Iter<I: TwoEnded<T>>: TwoEnded<Self::Out>;

    /// The sequential adaptor, with a state of its own.
    fn wrap<I: TwoEnded<T>>(self, items: I, state: Self::State) -> Self::Iter<I>;
}

fn only_kept<T>(items: impl Iterator<Item = (T, bool)>) -> impl Iterator<Item = T> {
    items.filter_map(|(item, keep)| keep.then_some(item))
}

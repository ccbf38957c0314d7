//! Adaptors that treat each item by itself: `map`, `filter`, `inspect` and the like.
//!
//! Such an adaptor says what it does to one item and to a sequential iterator. If it needs no state, it is a [`PerItem`] operation, which all
//! pieces share by reference. If it has a state for each piece, it is a [`PerPiece`] operation, which each piece owns. An adaptor that yields
//! exactly one item for each also says what a sequential iterator becomes ([`PerItemIndexed`], [`PerPieceIndexed`]). Consumers, folders and
//! producers are written once, in `apply.rs`.

use crate::iter::plumbing::{Folder, Reducer};
use std::iter;

/// An operation on each item, the same in all pieces.
pub(crate) trait PerItem<T>: Sync {
    type Out;

    /// Whether no item becomes more than one.
    const AT_MOST_ONE: bool = true;

    /// Whether [`over`](Self::over) can become true.
    const STOPS_EARLY: bool = false;

    /// Whether items near the front are likely to make it true.
    const FRONT_FIRST: bool = false;

    /// Whether no fold at all needs more items, whatever comes after this adaptor.
    #[inline]
    fn over(&self) -> bool {
        false
    }

    /// Feeds the output of one item to `folder`.
    #[inline]
    fn one<F: Folder<Self::Out>>(&self, folder: F, item: T) -> F {
        self.many(folder, iter::once(item))
    }

    /// Feeds the output of many items to `folder`. It uses std's adaptors, so that the loop stays std's.
    fn many<F: Folder<Self::Out>>(&self, folder: F, items: impl Iterator<Item = T>) -> F;

    /// As `many`, for the items that come with `true`. An adaptor without a visible effect on items ignores the flags.
    #[inline]
    fn kept<F: Folder<Self::Out>>(&self, folder: F, items: impl Iterator<Item = (T, bool)>) -> F {
        self.many(folder, only_kept(items))
    }
}

/// A sequential iterator that knows its length, and gives items from either end.
pub(crate) trait TwoEnded<T>: DoubleEndedIterator<Item = T> + ExactSizeIterator {}

impl<T, I: DoubleEndedIterator<Item = T> + ExactSizeIterator> TwoEnded<T> for I {}

/// [`PerItem`] with exactly one item out for each item in.
pub(crate) trait PerItemIndexed<T>: PerItem<T> {
    type Iter<'o, I: TwoEnded<T>>: TwoEnded<Self::Out>
    where
        Self: 'o;

    /// The sequential adaptor.
    fn wrap<I: TwoEnded<T>>(&self, items: I) -> Self::Iter<'_, I>;
}

/// An operation that is one of std's adaptors: on one item, and on an iterator `items`, which becomes an `Iter` with the same items.
macro_rules! std_op {
    (impl[$($generics:tt)*] $Op:ty, $T:ty => $Out:ty;
        one($self:ident, $item:ident) $one:block
        all($all_self:ident, $items:ident) $all:block
        iter($I:ident, $o:lifetime) $Iter:ty;
        $($more:tt)*
    ) => {
        impl<$($generics)*> PerItem<$T> for $Op {
            type Out = $Out;

            #[inline]
            fn one<G_: Folder<$Out>>(&$self, folder: G_, $item: $T) -> G_ {
                folder.consume($one)
            }

            #[inline]
            fn many<G_: Folder<$Out>>(&$all_self, folder: G_, $items: impl Iterator<Item = $T>) -> G_ {
                folder.consume_iter($all)
            }

            $($more)*
        }

        impl<$($generics)*> PerItemIndexed<$T> for $Op {
            type Iter<$o, $I: TwoEnded<$T>> = $Iter where Self: $o;

            #[inline]
            fn wrap<$I: TwoEnded<$T>>(&$all_self, $items: $I) -> Self::Iter<'_, $I> {
                $all
            }
        }
    };
}
pub(crate) use std_op;

/// An operation on each item of a piece, with a state that begins and ends with the piece.
///
/// Items that [`PerItem`] has too have the same meaning here.
pub(crate) trait PerPiece<T>: Send + Sized {
    type Out;
    type State;
    /// Wraps the reducer of the next consumer; most leave it as it is.
    type Reducer<R: Reducer<V>, V>: Reducer<V>;

    const AT_MOST_ONE: bool = true;
    const STOPS_EARLY: bool = false;
    const FRONT_FIRST: bool = false;

    /// Whether [`split`](Self::split) costs something in user code.
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

    /// The operation for another piece.
    fn split(&self) -> Self;

    /// The operation for the first `index` items, and that for the others.
    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let _ = index;
        (self.split(), self)
    }

    fn reducer<R: Reducer<V>, V>(&self, base: R) -> Self::Reducer<R, V>;

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

    #[inline]
    fn one<F: Folder<Self::Out>>(&self, state: &mut Self::State, folder: F, item: T) -> F {
        self.many(state, folder, iter::once(item))
    }

    fn many<F>(&self, state: &mut Self::State, folder: F, items: impl Iterator<Item = T>) -> F
    where
        F: Folder<Self::Out>;

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

/// [`PerPiece`] with exactly one item out for each item in.
pub(crate) trait PerPieceIndexed<T>: PerPiece<T> {
    type Iter<I: TwoEnded<T>>: TwoEnded<Self::Out>;

    /// The sequential adaptor, with a state of its own.
    fn wrap<I: TwoEnded<T>>(self, items: I, state: Self::State) -> Self::Iter<I>;
}

fn only_kept<T>(items: impl Iterator<Item = (T, bool)>) -> impl Iterator<Item = T> {
    items.filter_map(|(item, keep)| keep.then_some(item))
}

impl<T, O: PerItem<T>> PerPiece<T> for &O {
    type Out = O::Out;
    type State = ();
    same_reducer! {}

    const AT_MOST_ONE: bool = O::AT_MOST_ONE;
    const STOPS_EARLY: bool = O::STOPS_EARLY;
    const FRONT_FIRST: bool = O::FRONT_FIRST;
    const CAN_PAUSE: bool = true;

    #[inline]
    fn begin(&self) {}

    #[inline]
    fn split(&self) -> Self {
        self
    }

    #[inline]
    fn over(&self) -> bool {
        O::over(self)
    }

    #[inline]
    fn one<F: Folder<O::Out>>(&self, (): &mut (), folder: F, item: T) -> F {
        O::one(self, folder, item)
    }

    #[inline]
    fn many<F: Folder<O::Out>>(&self, (): &mut (), folder: F, items: impl Iterator<Item = T>) -> F {
        O::many(self, folder, items)
    }

    #[inline]
    fn kept<F>(&self, (): &mut (), folder: F, items: impl Iterator<Item = (T, bool)>) -> F
    where
        F: Folder<O::Out>,
    {
        O::kept(self, folder, items)
    }
}

impl<'o, T, O: PerItemIndexed<T>> PerPieceIndexed<T> for &'o O {
    type Iter<I: TwoEnded<T>> = O::Iter<'o, I>;

    #[inline]
    fn wrap<I: TwoEnded<T>>(self, items: I, (): ()) -> Self::Iter<I> {
        O::wrap(self, items)
    }
}

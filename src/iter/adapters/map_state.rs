//! `map_init` and `map_with`: a map whose closure has a state, one for each piece.

use super::passing::{Pass, Passing};
use super::per_piece::{PerPiece, PerPieceIndexed, TwoEnded, same_reducer};
use super::seed::{CloneOf, MadeBy, Seed};
use super::{adaptor, applied};
use crate::iter::plumbing::Folder;

adaptor! {
    /// Maps each item with a closure that has a state in each piece; made by [`map_init`](crate::iter::ParallelIterator::map_init).
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::fmt::Write;
    ///
    /// let lengths: filch::iter::MapInit<_, _, _> = (8..12).into_par_iter().map_init(String::new, |text, n| {
    ///     text.clear();
    ///     write!(text, "{n}").unwrap();
    ///     text.len()
    /// });
    /// assert_eq!(lengths.collect::<Vec<_>>(), [1, 1, 2, 2]);
    /// ```
    pub struct MapInit<I, INIT, F> { base: I } { init: INIT, map_op: F }
}

adaptor! {
    /// Maps each item with a closure that has a clone of a value in each piece; made by [`map_with`](crate::iter::ParallelIterator::map_with).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let doubled: filch::iter::MapWith<_, _, _> = (0..3).into_par_iter().map_with(Vec::new(), |scratch, n| {
    ///     scratch.clear();
    ///     scratch.extend([n, n]);
    ///     scratch.iter().sum::<i32>()
    /// });
    /// assert_eq!(doubled.collect::<Vec<_>>(), [0, 2, 4]);
    /// ```
    pub struct MapWith<I, T, F> { base: I, item: T } { map_op: F }
}

applied! {
    impl[I, INIT, T, F, R] MapInit<I, INIT, F> => R, where [
        INIT: Fn() -> T + Sync + Send,
        F: Fn(&mut T, I::Item) -> R + Sync + Send,
        R: Send
    ];
    op(self) MapStateOp { seed: MadeBy(&self.init), op: &self.map_op };
    one for one
}

applied! {
    impl[I, T, F, R] MapWith<I, T, F> => R, where [
        T: Send + Clone,
        F: Fn(&mut T, I::Item) -> R + Sync + Send,
        R: Send
    ];
    op(self) MapStateOp { seed: CloneOf(self.item), op: &self.map_op };
    one for one
}

/// A state need not be `Send`, so it cannot move with the rest of a producer: a piece is folded whole.
#[derive(Clone)]
struct MapStateOp<S, F> {
    seed: S,
    op: F,
}

impl<T, R, S, F> PerPiece<T> for MapStateOp<S, F>
where
    R: Send,
    S: Seed,
    F: Fn(&mut S::State, T) -> R + Copy + Send,
{
    type Out = R;
    type State = S::State;
    same_reducer! {}

    const SPLIT_IS_EXPENSIVE: bool = S::EXPENSIVE;
    const CAN_PAUSE: bool = false;

    #[inline]
    fn begin(&self) -> S::State {
        self.seed.begin()
    }

    #[inline]
    fn one<G: Folder<R>>(&self, state: &mut S::State, folder: G, item: T) -> G {
        folder.consume((self.op)(state, item))
    }

    #[inline]
    fn many<G>(&self, state: &mut S::State, folder: G, items: impl Iterator<Item = T>) -> G
    where
        G: Folder<R>,
    {
        let op = self.op;
        folder.consume_iter(items.map(|item| op(state, item)))
    }
}

impl<T, R, S, F> PerPieceIndexed<T> for MapStateOp<S, F>
where
    R: Send,
    S: Seed,
    F: Fn(&mut S::State, T) -> R + Copy + Send,
{
    type Iter<I: TwoEnded<T>> = Passing<I, Mapping<F, S::State>>;

    #[inline]
    fn wrap<I: TwoEnded<T>>(self, items: I, state: S::State) -> Self::Iter<I> {
        let op = self.op;
        let pass = Mapping { state, op };
        Passing { items, pass }
    }
}

/// Calls the closure with the state of the piece.
struct Mapping<F, St> {
    state: St,
    op: F,
}

impl<T, R, F: Fn(&mut St, T) -> R, St> Pass<T> for Mapping<F, St> {
    type Out = R;

    #[inline]
    fn pass(&mut self, next: impl FnOnce() -> Option<T>) -> Option<R> {
        let item = next()?;
        Some((self.op)(&mut self.state, item))
    }
}

//! `map_init` and `map_with`: a map whose closure has a state, one for each piece.

use super::per_item::{PerPiece, PerPieceIndexed};
use super::per_run_adaptor;
use super::seed::{CloneOf, Made, Seed};
use crate::iter::plumbing::{Folder, Reducer};
use std::fmt;

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
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct MapInit<I, INIT, F> {
    base: I,
    init: INIT,
    map_op: F,
}

impl<I, INIT, F> MapInit<I, INIT, F> {
    #[inline]
    pub(crate) fn new(base: I, init: INIT, map_op: F) -> Self {
        MapInit { base, init, map_op }
    }
}

impl<I: fmt::Debug, INIT, F> fmt::Debug for MapInit<I, INIT, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapInit").field("base", &self.base).finish()
    }
}

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
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct MapWith<I, T, F> {
    base: I,
    item: T,
    map_op: F,
}

impl<I, T, F> MapWith<I, T, F> {
    #[inline]
    pub(crate) fn new(base: I, item: T, map_op: F) -> Self {
        MapWith { base, item, map_op }
    }
}

impl<I: fmt::Debug, T: fmt::Debug, F> fmt::Debug for MapWith<I, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapWith")
            .field("base", &self.base)
            .field("item", &self.item)
            .finish()
    }
}

per_run_adaptor! {
    impl[I, INIT, T, F, R] MapInit<I, INIT, F> => R, where [
        INIT: Fn() -> T + Sync + Send,
        F: Fn(&mut T, I::Item) -> R + Sync + Send,
        R: Send
    ];
    piece(self) { MapOp { seed: Made(&self.init), op: &self.map_op } }
    one for one
}

per_run_adaptor! {
    impl[I, T, F, R] MapWith<I, T, F> => R, where [
        T: Send + Clone,
        F: Fn(&mut T, I::Item) -> R + Sync + Send,
        R: Send
    ];
    piece(self) { MapOp { seed: CloneOf(self.item), op: &self.map_op } }
    one for one
}

/// A state need not be `Send`, so it cannot move with the rest of a producer: a piece is folded whole.
struct MapOp<'f, S, F> {
    seed: S,
    op: &'f F,
}

impl<T, R, S, F> PerPiece<T> for MapOp<'_, S, F>
where
    R: Send,
    S: Seed,
    F: Fn(&mut S::State, T) -> R + Sync,
{
    type Out = R;
    type State = S::State;
    type Reducer<B: Reducer<V>, V> = B;

    const SPLIT_IS_EXPENSIVE: bool = S::EXPENSIVE;
    const CAN_PAUSE: bool = false;

    #[inline]
    fn begin(&self) -> S::State {
        self.seed.begin()
    }

    #[inline]
    fn split(&self) -> Self {
        MapOp {
            seed: self.seed.split(),
            op: self.op,
        }
    }

    #[inline]
    fn reducer<B: Reducer<V>, V>(&self, base: B) -> B {
        base
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
        folder.consume_iter(items.map(|item| (self.op)(state, item)))
    }
}

impl<'f, T, R, S, F> PerPieceIndexed<T> for MapOp<'f, S, F>
where
    R: Send,
    S: Seed,
    F: Fn(&mut S::State, T) -> R + Sync,
{
    type Iter<I>
        = MapIter<'f, I, F, S::State>
    where
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>;

    #[inline]
    fn wrap<I>(self, items: I, state: S::State) -> Self::Iter<I>
    where
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>,
    {
        MapIter {
            items,
            state,
            op: self.op,
        }
    }
}

struct MapIter<'f, I, F, St> {
    items: I,
    state: St,
    op: &'f F,
}

impl<I, F, St, R> Iterator for MapIter<'_, I, F, St>
where
    I: Iterator,
    F: Fn(&mut St, I::Item) -> R,
{
    type Item = R;

    #[inline]
    fn next(&mut self) -> Option<R> {
        let item = self.items.next()?;
        Some((self.op)(&mut self.state, item))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I, F, St, R> DoubleEndedIterator for MapIter<'_, I, F, St>
where
    I: DoubleEndedIterator,
    F: Fn(&mut St, I::Item) -> R,
{
    #[inline]
    fn next_back(&mut self) -> Option<R> {
        let item = self.items.next_back()?;
        Some((self.op)(&mut self.state, item))
    }
}

impl<I, F, St, R> ExactSizeIterator for MapIter<'_, I, F, St>
where
    I: ExactSizeIterator,
    F: Fn(&mut St, I::Item) -> R,
{
}

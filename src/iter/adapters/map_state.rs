//! `map_init` and `map_with`: a map whose closure has a state, one for each piece.

use super::map_state_producer::MapCallback;
use super::seed::{CloneOf, Made, Seed};
use crate::iter::plumbing::{
    Consumer, Folded, Folder, ProducerCallback, UnindexedConsumer, as_base,
};
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use std::fmt;

/// Maps each item with a closure that has a state of its own in each piece; made by [`map_init`](ParallelIterator::map_init).
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

/// Maps each item with a closure that has a clone of a value in each piece; made by [`map_with`](ParallelIterator::map_with).
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

/// The iterator traits for either, given the seed.
macro_rules! map_state {
    (impl[$($generics:tt)*] $Map:ty, where [$($bounds:tt)*]; seed($self:ident) $seed:block) => {
        impl<$($generics)*> ParallelIterator for $Map
        where
            I: ParallelIterator,
            F: Fn(&mut T, I::Item) -> R + Sync + Send,
            R: Send,
            $($bounds)*
        {
            type Item = R;

            #[inline]
            fn drive_unindexed<C: UnindexedConsumer<R>>($self, consumer: C) -> C::Result {
                let (seed, op) = ($seed, &$self.map_op);
                $self.base.drive_unindexed(MapConsumer { base: consumer, seed, op })
            }

            #[inline]
            fn opt_len(&self) -> Option<usize> {
                self.base.opt_len()
            }

            #[inline]
            fn drive_into<C>($self, folder: C::Folder) -> Folded<C::Folder, C::Result>
            where
                C: UnindexedConsumer<R>,
            {
                let (seed, op) = ($seed, &$self.map_op);
                drive_into::<_, _, _, _, C>($self.base, seed, op, folder)
            }
        }

        impl<$($generics)*> IndexedParallelIterator for $Map
        where
            I: IndexedParallelIterator,
            F: Fn(&mut T, I::Item) -> R + Sync + Send,
            R: Send,
            $($bounds)*
        {
            #[inline]
            fn len(&self) -> usize {
                self.base.len()
            }

            #[inline]
            fn drive<C: Consumer<R>>($self, consumer: C) -> C::Result {
                let (seed, op) = ($seed, &$self.map_op);
                $self.base.drive(MapConsumer { base: consumer, seed, op })
            }

            #[inline]
            fn with_producer<CB: ProducerCallback<R>>($self, callback: CB) -> CB::Output {
                let (seed, op) = ($seed, &$self.map_op);
                $self.base.with_producer(MapCallback { callback, seed, op })
            }
        }
    };
}

map_state! {
    impl[I, INIT, T, F, R] MapInit<I, INIT, F>, where [INIT: Fn() -> T + Sync + Send];
    seed(self) { Made(&self.init) }
}

map_state! {
    impl[I, T, F, R] MapWith<I, T, F>, where [T: Send + Clone];
    seed(self) { CloneOf(self.item) }
}

#[inline]
fn drive_into<I, R, S, F, C>(
    base: I,
    seed: S,
    op: &F,
    folder: C::Folder,
) -> Folded<C::Folder, C::Result>
where
    I: ParallelIterator,
    R: Send,
    S: Seed,
    F: Fn(&mut S::State, I::Item) -> R + Sync,
    C: UnindexedConsumer<R>,
{
    let folder = MapFolder {
        base: folder,
        state: seed.begin(),
        seed,
        op,
    };
    match base.drive_into::<MapConsumer<'_, C, S, F>>(folder) {
        Folded::Live(folder) => Folded::Live(folder.base),
        Folded::Closed(result) => Folded::Closed(result),
    }
}

struct MapConsumer<'f, C, S, F> {
    base: C,
    seed: S,
    op: &'f F,
}

impl<'f, T, R, C, S, F> Consumer<T> for MapConsumer<'f, C, S, F>
where
    R: Send,
    S: Seed,
    F: Fn(&mut S::State, T) -> R + Sync,
    C: Consumer<R>,
{
    type Folder = MapFolder<'f, C::Folder, S, F, S::State>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self, Self::Reducer) {
        let (left, right, reducer) = self.base.split_at(index);
        let op = self.op;
        let left = MapConsumer {
            base: left,
            seed: self.seed.split(),
            op,
        };
        let right = MapConsumer {
            base: right,
            seed: self.seed,
            op,
        };
        (left, right, reducer)
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        MapFolder {
            base: self.base.into_folder(),
            state: self.seed.begin(),
            seed: self.seed,
            op: self.op,
        }
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;
    const DRIVES_FROM_RIGHT: bool = C::DRIVES_FROM_RIGHT;
    const FRONT_FIRST: bool = C::FRONT_FIRST;

    const STOPS_EARLY: bool = C::STOPS_EARLY;

    as_base! { full; settles C }

    const SPLITS_DEARLY: bool = S::DEAR || C::SPLITS_DEARLY;

    #[inline]
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let (base, reducer) = C::split_folder(&mut folder.base, at);
        let right = MapConsumer {
            base,
            seed: folder.seed.split(),
            op: folder.op,
        };
        (right, reducer)
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        C::rejoin_folder(&mut folder.base, right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        C::expect(&mut folder.base, upper, least);
    }
}

impl<T, R, C, S, F> UnindexedConsumer<T> for MapConsumer<'_, C, S, F>
where
    R: Send,
    S: Seed,
    F: Fn(&mut S::State, T) -> R + Sync,
    C: UnindexedConsumer<R>,
{
    #[inline]
    fn split_off_left(&self) -> Self {
        MapConsumer {
            base: self.base.split_off_left(),
            seed: self.seed.split(),
            op: self.op,
        }
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        self.base.to_reducer()
    }
}

pub(super) struct MapFolder<'f, G, S, F, St> {
    pub(super) base: G,
    pub(super) seed: S,
    pub(super) op: &'f F,
    pub(super) state: St,
}

impl<T, R, G, S, F, St> Folder<T> for MapFolder<'_, G, S, F, St>
where
    F: Fn(&mut St, T) -> R,
    G: Folder<R>,
{
    type Result = G::Result;

    #[inline]
    fn consume(mut self, item: T) -> Self {
        self.base = self.base.consume((self.op)(&mut self.state, item));
        self
    }

    #[inline]
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let (op, state) = (self.op, &mut self.state);
        let items = iter.into_iter().map(|item| op(state, item));
        self.base = self.base.consume_iter(items);
        self
    }

    #[inline]
    fn complete(self) -> G::Result {
        self.base.complete()
    }

    #[inline]
    fn full(&self) -> bool {
        self.base.full()
    }
}

//! `flat_map` and `flatten`: each item becomes a parallel iterator, which is driven into the running fold.
//!
//! As long as no other thread takes a part of an inner iterator, the whole piece is one fold. When one does, that inner iterator comes back as a
//! result instead of a fold; the result is kept, and a new fold goes on to its right. So the parts are, in the order of their items:
//! `previous`, the running `folder`, and `base`, from which all later folders of this piece are split off.

use crate::iter::plumbing::{
    Consumer, Folded, Folder, Reducer, RoundSource, RoundsCallback, UnindexedConsumer, as_base,
};
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::fmt;

/// Yields everything from the parallel iterators that a closure makes of the items; made by [`flat_map`](ParallelIterator::flat_map).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct FlatMap<I, F> {
    base: I,
    map_op: F,
}

impl<I, F> FlatMap<I, F> {
    #[inline]
    pub(crate) fn new(base: I, map_op: F) -> Self {
        FlatMap { base, map_op }
    }
}

impl<I: fmt::Debug, F> fmt::Debug for FlatMap<I, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlatMap").field("base", &self.base).finish()
    }
}

impl<I, F, PI> ParallelIterator for FlatMap<I, F>
where
    I: ParallelIterator,
    F: Fn(I::Item) -> PI + Sync + Send,
    PI: IntoParallelIterator,
{
    type Item = PI::Item;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<PI::Item>,
    {
        let op = &self.map_op;
        self.base
            .drive_unindexed(FlatMapConsumer { base: consumer, op })
    }

    #[inline]
    fn drive_into<C, M>(self, folder: C::Folder, more: &M) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<PI::Item>,
        M: Fn() -> C,
    {
        let op = &self.map_op;
        let folder = FlatMapFolder {
            op,
            base: more(),
            folder: Some(folder),
            previous: None,
        };
        let more = || FlatMapConsumer { base: more(), op };
        match self
            .base
            .drive_into::<FlatMapConsumer<'_, C, F>, _>(folder, &more)
        {
            Folded::Live(FlatMapFolder {
                folder: Some(folder),
                previous: None,
                ..
            }) => Folded::Live(folder),
            Folded::Live(closed) => Folded::Closed(closed.complete()),
            Folded::Closed(result) => Folded::Closed(result),
        }
    }

    fn with_rounds<CB: RoundsCallback<PI::Item>>(self, callback: CB) -> CB::Output {
        let op = &self.map_op;
        self.base.with_rounds(FlatMapCallback { callback, op })
    }
}

struct FlatMapCallback<'f, CB, F> {
    callback: CB,
    op: &'f F,
}

impl<T, PI, CB, F> RoundsCallback<T> for FlatMapCallback<'_, CB, F>
where
    PI: IntoParallelIterator,
    F: Fn(T) -> PI + Sync,
    CB: RoundsCallback<PI::Item>,
{
    type Output = CB::Output;

    fn callback<S: RoundSource<Item = T>>(self, base: S) -> CB::Output {
        self.callback.callback(FlatMapSource { base, op: self.op })
    }
}

struct FlatMapSource<'f, S, F> {
    base: S,
    op: &'f F,
}

impl<S, PI, F> RoundSource for FlatMapSource<'_, S, F>
where
    S: RoundSource,
    PI: IntoParallelIterator,
    F: Fn(S::Item) -> PI + Sync,
{
    type Item = PI::Item;

    fn round<C: UnindexedConsumer<PI::Item>>(
        &mut self,
        n: usize,
        consumer: C,
    ) -> Option<C::Result> {
        let op = self.op;
        self.base.round(n, FlatMapConsumer { base: consumer, op })
    }
}

struct FlatMapConsumer<'f, C, F> {
    base: C,
    op: &'f F,
}

impl<'f, T, PI, C, F> Consumer<T> for FlatMapConsumer<'f, C, F>
where
    PI: IntoParallelIterator,
    C: UnindexedConsumer<PI::Item>,
    F: Fn(T) -> PI + Sync,
{
    type Folder = FlatMapFolder<'f, C, F, C::Folder, C::Result>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    /// `index` counts items of the base, which says nothing about how many come out.
    #[inline]
    fn split_at(self, _: usize) -> (Self, Self, Self::Reducer) {
        let left = self.split_off_left();
        let reducer = self.to_reducer();
        (left, self, reducer)
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        FlatMapFolder {
            op: self.op,
            folder: Some(self.base.split_off_left().into_folder()),
            base: self.base,
            previous: None,
        }
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;
    const DRIVES_FROM_RIGHT: bool = C::DRIVES_FROM_RIGHT;
    const FRONT_FIRST: bool = C::FRONT_FIRST;

    as_base! { full splits_dearly stops_early; settles C }

    #[inline]
    fn split_folder(folder: &mut Self::Folder, _: usize) -> (Self, Self::Reducer) {
        let left = folder.base.split_off_left();
        let reducer = folder.base.to_reducer();
        let base = std::mem::replace(&mut folder.base, left);
        let op = folder.op;
        (FlatMapConsumer { base, op }, reducer)
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.base = right.base;
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, _: usize, least: usize) {
        if let Some(folder) = &mut folder.folder {
            C::expect(folder, usize::MAX, least);
        }
    }
}

impl<T, PI, C, F> UnindexedConsumer<T> for FlatMapConsumer<'_, C, F>
where
    PI: IntoParallelIterator,
    C: UnindexedConsumer<PI::Item>,
    F: Fn(T) -> PI + Sync,
{
    #[inline]
    fn split_off_left(&self) -> Self {
        FlatMapConsumer {
            base: self.base.split_off_left(),
            op: self.op,
        }
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        self.base.to_reducer()
    }
}

struct FlatMapFolder<'f, C, F, G, R> {
    op: &'f F,
    /// To the right of everything so far.
    base: C,
    /// Nothing after it was closed, until there is something to fold: a fold that sees nothing has a result, too.
    folder: Option<G>,
    /// The result of what was closed because another thread took a part of it.
    previous: Option<R>,
}

impl<T, PI, C, F> Folder<T> for FlatMapFolder<'_, C, F, C::Folder, C::Result>
where
    PI: IntoParallelIterator,
    C: UnindexedConsumer<PI::Item>,
    F: Fn(T) -> PI + Sync,
{
    type Result = C::Result;

    #[inline]
    fn consume(self, item: T) -> Self {
        let FlatMapFolder {
            op,
            base,
            folder,
            previous,
        } = self;
        let inner = op(item).into_par_iter();
        let folder = folder.unwrap_or_else(|| base.split_off_left().into_folder());
        let (folder, previous) = match inner.drive_into::<C, _>(folder, &|| base.split_off_left()) {
            Folded::Live(folder) => (Some(folder), previous),
            Folded::Closed(result) => (None, Some(append(&base, previous, result))),
        };
        FlatMapFolder {
            op,
            base,
            folder,
            previous,
        }
    }

    #[inline]
    fn complete(self) -> C::Result {
        match (self.folder, self.previous) {
            (None, Some(previous)) => previous,
            (folder, previous) => {
                let folder = folder.unwrap_or_else(|| self.base.split_off_left().into_folder());
                append(&self.base, previous, folder.complete())
            }
        }
    }

    #[inline]
    fn full(&self) -> bool {
        self.folder.as_ref().is_some_and(Folder::full) || self.base.full()
    }
}

/// Puts `result` to the right of what came before, if anything did.
#[inline]
fn append<T, C>(base: &C, previous: Option<C::Result>, result: C::Result) -> C::Result
where
    C: UnindexedConsumer<T>,
{
    match previous {
        Some(previous) => base.to_reducer().reduce(previous, result),
        None => result,
    }
}

/// Yields everything from the parallel iterators that its base yields; made by [`flatten`](ParallelIterator::flatten).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct Flatten<I> {
    base: I,
}

impl<I> Flatten<I> {
    #[inline]
    pub(crate) fn new(base: I) -> Self {
        Flatten { base }
    }
}

impl<I> ParallelIterator for Flatten<I>
where
    I: ParallelIterator<Item: IntoParallelIterator>,
{
    type Item = <I::Item as IntoParallelIterator>::Item;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<Self::Item>,
    {
        FlatMap::new(self.base, std::convert::identity).drive_unindexed(consumer)
    }

    #[inline]
    fn drive_into<C, M>(self, folder: C::Folder, more: &M) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<Self::Item>,
        M: Fn() -> C,
    {
        FlatMap::new(self.base, std::convert::identity).drive_into(folder, more)
    }

    fn with_rounds<CB: RoundsCallback<Self::Item>>(self, callback: CB) -> CB::Output {
        FlatMap::new(self.base, std::convert::identity).with_rounds(callback)
    }
}

//! `flat_map` and `flatten`: each item becomes a parallel iterator, which is driven into the running fold.

use super::adaptor;
use super::ongoing::{Ongoing, OngoingOf};
use crate::iter::plumbing::{
    Consumer, Folded, Folder, Length, RoundSource, RoundsCallback, UnindexedConsumer, as_base,
};
use crate::iter::sources::same_as;
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::convert::identity;

adaptor! {
    /// Yields everything from the parallel iterators that a closure makes of the items; made by [`flat_map`](ParallelIterator::flat_map).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let pairs: filch::iter::FlatMap<_, _> = (1..4u32).into_par_iter().flat_map(|n| [n, 10 * n]);
    /// assert_eq!(pairs.collect::<Vec<_>>(), [1, 10, 2, 20, 3, 30]);
    /// ```
    pub struct FlatMap<I, F> { base: I } { map_op: F }
}

impl<I, F, PI> ParallelIterator for FlatMap<I, F>
where
    I: ParallelIterator,
    F: Fn(I::Item) -> PI + Sync + Send,
    PI: IntoParallelIterator,
{
    type Item = PI::Item;

    const OPT_LEN: Length = Length::Never;

    #[inline]
    fn drive_unindexed<C: UnindexedConsumer<PI::Item>>(self, consumer: C) -> C::Result {
        let op = &self.map_op;
        self.base
            .drive_unindexed(FlatMapConsumer { base: consumer, op })
    }

    #[inline]
    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<PI::Item>,
    {
        let op = &self.map_op;
        let ongoing = Ongoing::after(folder);
        let folder = FlatMapFolder { op, ongoing };
        match self.base.drive_into::<FlatMapConsumer<'_, C, F>>(folder) {
            Folded::Live(folder) => folder.ongoing.end(),
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
    type Folder = FlatMapFolder<'f, F, OngoingOf<C, PI::Item>>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    /// `index` counts items of the base, which says nothing about the number of items that come out.
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
            ongoing: Ongoing::before(self.base),
        }
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;
    const DRIVES_FROM_RIGHT: bool = C::DRIVES_FROM_RIGHT;
    const FRONT_FIRST: bool = C::FRONT_FIRST;

    const STOPS_EARLY: bool = C::STOPS_EARLY;
    const SPLIT_IS_EXPENSIVE: bool = C::SPLIT_IS_EXPENSIVE;

    as_base! { C: full settles }

    #[inline]
    fn split_folder(folder: &mut Self::Folder, _: usize) -> (Self, Self::Reducer) {
        let base = folder.ongoing.base_mut();
        let left = base.split_off_left();
        let reducer = base.to_reducer();
        let base = std::mem::replace(base, left);
        let op = folder.op;
        (FlatMapConsumer { base, op }, reducer)
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.ongoing.base_mut().rejoin(right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, _: usize, least: usize) {
        if let Some(folder) = folder.ongoing.folder_mut() {
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
        self.split_off_nth(1)
    }

    #[inline]
    fn split_off_nth(&self, nth: usize) -> Self {
        FlatMapConsumer {
            base: self.base.split_off_nth(nth),
            op: self.op,
        }
    }

    #[inline]
    fn rejoin(&mut self, right: Self) {
        self.base.rejoin(right.base);
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        self.base.to_reducer()
    }
}

struct FlatMapFolder<'f, F, O> {
    op: &'f F,
    ongoing: O,
}

impl<T, PI, C, F> Folder<T> for FlatMapFolder<'_, F, OngoingOf<C, PI::Item>>
where
    PI: IntoParallelIterator,
    C: UnindexedConsumer<PI::Item>,
    F: Fn(T) -> PI + Sync,
{
    type Result = C::Result;

    #[inline]
    fn consume(self, item: T) -> Self {
        let FlatMapFolder { op, ongoing } = self;
        let ongoing = ongoing.drive(op(item).into_par_iter());
        FlatMapFolder { op, ongoing }
    }

    #[inline]
    fn complete(self) -> C::Result {
        self.ongoing.complete()
    }

    #[inline]
    fn full(&self) -> bool {
        self.ongoing.full()
    }
}

adaptor! {
    /// Yields everything from the parallel iterators that its base yields; made by [`flatten`](ParallelIterator::flatten).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let flat: filch::iter::Flatten<_> = vec![vec![1, 2], vec![], vec![3]].into_par_iter().flatten();
    /// assert_eq!(flat.collect::<Vec<_>>(), [1, 2, 3]);
    /// ```
    pub struct Flatten<I> { base: I }
}

same_as! {
    impl[I] Flatten<I> => <I::Item as IntoParallelIterator>::Item, where [
        I: ParallelIterator<Item: IntoParallelIterator>
    ];
    iter(self) { FlatMap::new(self.base, identity) }
}

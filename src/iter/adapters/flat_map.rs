//! `flat_map` and `flatten`: each item becomes a parallel iterator ([`MapOp`]), which is driven into the running fold ([`FlattenConsumer`]).

use super::adaptor;
use super::apply::{self, OpCallback, OpConsumer};
use super::map::MapOp;
use super::ongoing::{FlattenConsumer, Ongoing};
use crate::iter::plumbing::{Folded, Length, RoundSource, RoundsCallback, UnindexedConsumer};
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
    pub struct FlatMap<I, F> { base: I } { op: MapOp<F> }
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
        let base = FlattenConsumer { base: consumer };
        let op = &self.op;
        self.base.drive_unindexed(OpConsumer { base, op })
    }

    #[inline]
    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<PI::Item>,
    {
        let ongoing = Ongoing::after(folder);
        match apply::drive_into::<_, _, FlattenConsumer<C>>(self.base, &self.op, ongoing) {
            Folded::Live(ongoing) => ongoing.end::<PI>(),
            Folded::Closed(result) => Folded::Closed(result),
        }
    }

    fn with_rounds<CB: RoundsCallback<PI::Item>>(self, callback: CB) -> CB::Output {
        let (callback, op) = (FlattenCallback(callback), &self.op);
        self.base.with_rounds(OpCallback { callback, op })
    }
}

struct FlattenCallback<CB>(CB);

impl<PI, CB> RoundsCallback<PI> for FlattenCallback<CB>
where
    PI: IntoParallelIterator,
    CB: RoundsCallback<PI::Item>,
{
    type Output = CB::Output;

    fn callback<S: RoundSource<Item = PI>>(self, base: S) -> CB::Output {
        self.0.callback(FlattenSource(base))
    }
}

struct FlattenSource<S>(S);

impl<S: RoundSource<Item: IntoParallelIterator>> RoundSource for FlattenSource<S> {
    type Item = <S::Item as IntoParallelIterator>::Item;

    fn round<C: UnindexedConsumer<Self::Item>>(&mut self, n: usize, base: C) -> Option<C::Result> {
        self.0.round(n, FlattenConsumer { base })
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
    iter(self) { FlatMap::new(self.base, MapOp(identity)) }
}

//! `Either` of two parallel iterators is a parallel iterator.

use crate::iter::plumbing::{
    Consumer, Folded, Length, ProducerCallback, RoundsCallback, UnindexedConsumer,
};
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, ParallelExtend, ParallelIterator,
};
use either::Either::{self, Left, Right};

/// Does the same with either variant.
macro_rules! of_either {
    ($either:expr, $it:ident => $what:expr) => {
        match $either {
            Left($it) => $what,
            Right($it) => $what,
        }
    };
}

/// One of two parallel iterators over the same items.
impl<L: ParallelIterator, R: ParallelIterator<Item = L::Item>> ParallelIterator for Either<L, R> {
    type Item = L::Item;

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        of_either!(self, iter => iter.drive_unindexed(consumer))
    }

    fn opt_len(&self) -> Option<usize> {
        of_either!(self, iter => iter.opt_len())
    }

    const OPT_LEN: Length = L::OPT_LEN.of_either(R::OPT_LEN);

    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<Self::Item>,
    {
        of_either!(self, iter => iter.drive_into::<C>(folder))
    }

    fn with_rounds<CB: RoundsCallback<Self::Item>>(self, callback: CB) -> CB::Output {
        of_either!(self, iter => iter.with_rounds(callback))
    }
}

/// One of two indexed parallel iterators over the same items.
impl<L, R> IndexedParallelIterator for Either<L, R>
where
    L: IndexedParallelIterator,
    R: IndexedParallelIterator<Item = L::Item>,
{
    fn len(&self) -> usize {
        of_either!(self, iter => iter.len())
    }

    fn drive<C: Consumer<Self::Item>>(self, consumer: C) -> C::Result {
        of_either!(self, iter => iter.drive(consumer))
    }

    fn with_producer<CB: ProducerCallback<Self::Item>>(self, callback: CB) -> CB::Output {
        of_either!(self, iter => iter.with_producer(callback))
    }
}

/// Extends whichever collection it is.
impl<L: ParallelExtend<T>, R: ParallelExtend<T>, T: Send> ParallelExtend<T> for Either<L, R> {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, par_iter: I) {
        of_either!(self, collection => collection.par_extend(par_iter));
    }
}

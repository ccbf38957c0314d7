//! A fold that goes on from one parallel iterator to the next; `flat_map` and the blocks use it.
//!
//! While no other thread takes a part of an iterator, the fold goes on through all iterators. If a thread takes a part, that iterator
//! returns a result instead of a fold. The result is kept, and a new fold begins to its right. So there are three parts, in the order of
//! their items: `previous` (results), the running `folder`, and `base`, from which all later folds are split off.

use crate::iter::plumbing::{
    Consumer, Folded, Folder, Reducer, UnindexedConsumer, as_base, first_part, split_anywhere,
};
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::mem;

/// Takes parallel iterators, and passes their items on.
pub(super) struct FlattenConsumer<C> {
    pub(super) base: C,
}

impl<PI: IntoParallelIterator, C: UnindexedConsumer<PI::Item>> Consumer<PI> for FlattenConsumer<C> {
    type Folder = Ongoing<C, C::Folder, C::Result>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    // How many iterators there are says nothing about the number of items that come out.
    split_anywhere! { PI }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        let base = self.base;
        // A fold that cannot be split cannot go on from one iterator to the next either.
        let folder = C::SPLITS_LIVE.then(|| base.split_off_left().into_folder());
        Ongoing {
            base,
            folds: usize::from(folder.is_some()),
            folder,
            previous: None,
            least: 0,
        }
    }

    as_base! { C: constants full settles }

    #[inline]
    fn split_folder(folder: &mut Self::Folder, _: usize) -> (Self, Self::Reducer) {
        let base = &mut folder.base;
        let left = base.split_off_left();
        let reducer = base.to_reducer();
        let base = mem::replace(base, left);
        (FlattenConsumer { base }, reducer)
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.base.rejoin(right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, _: usize, least: usize) {
        folder.least = folder.least.max(least);
        if let Some(folder) = &mut folder.folder {
            C::expect(folder, usize::MAX, least);
        }
    }

    #[inline]
    fn make_way(folder: &mut Self::Folder) {
        if let Some(folder) = &mut folder.folder {
            C::make_way(folder);
        }
    }

    #[inline]
    fn reproduce(folder: &mut Self::Folder) {
        if let Some(folder) = &mut folder.folder {
            C::reproduce(folder);
        }
    }
}

impl<PI, C> UnindexedConsumer<PI> for FlattenConsumer<C>
where
    PI: IntoParallelIterator,
    C: UnindexedConsumer<PI::Item>,
{
    first_part! { PI }

    #[inline]
    fn split_off_nth(&self, nth: usize) -> Self {
        let base = self.base.split_off_nth(nth);
        FlattenConsumer { base }
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

/// The fold of several iterators, one after the other.
pub(super) struct Ongoing<C, G, R> {
    /// For everything to the right.
    base: C,
    /// `None` after a result was kept, until there is an item to fold: a fold without items would have a result too.
    folder: Option<G>,
    /// The result of what was folded before another thread took a part.
    previous: Option<R>,
    /// How many folds were split off from `base`.
    folds: usize,
    /// The least length that new folds are told; 0 if the first was told none.
    least: usize,
}

impl<C, G, R> Ongoing<C, G, R> {
    /// Begins with a running fold that can be split.
    #[inline]
    pub(super) fn after<T>(mut folder: G) -> Self
    where
        C: UnindexedConsumer<T, Folder = G, Result = R>,
    {
        let (base, _) = C::split_folder(&mut folder, 0);
        Ongoing {
            base,
            folder: Some(folder),
            previous: None,
            folds: 1,
            // What the fold was told is not known. It holds for the items around these, and folds that begin inside of one see only a part of it.
            least: 1,
        }
    }

    /// The fold, if it ran all the time; else the result.
    #[inline]
    pub(super) fn end<PI>(self) -> Folded<G, R>
    where
        PI: IntoParallelIterator,
        C: UnindexedConsumer<PI::Item, Folder = G, Result = R>,
        G: Folder<PI::Item, Result = R>,
    {
        match self {
            Ongoing {
                base,
                folder: Some(mut folder),
                previous: None,
                ..
            } => {
                C::rejoin_folder(&mut folder, base);
                Folded::Live(folder)
            }
            closed => Folded::Closed(Folder::<PI>::complete(closed)),
        }
    }
}

impl<PI, C> Folder<PI> for Ongoing<C, C::Folder, C::Result>
where
    PI: IntoParallelIterator,
    C: UnindexedConsumer<PI::Item>,
{
    type Result = C::Result;

    /// Folds one more iterator.
    #[inline]
    fn consume(mut self, iter: PI) -> Self {
        let iter = iter.into_par_iter();
        let mut next = || {
            self.folds = self.folds.saturating_add(1);
            self.base.split_off_nth(self.folds)
        };
        let folded = if C::SPLITS_LIVE {
            let folder = self.folder.unwrap_or_else(|| {
                let mut folder = next().into_folder();
                // Only in front of an end that may stop early is output cut.
                if C::STOPS_EARLY && self.least > 0 {
                    C::expect(&mut folder, usize::MAX, self.least);
                }
                folder
            });
            iter.drive_into::<C>(folder)
        } else {
            Folded::Closed(iter.drive_unindexed(next()))
        };
        (self.folder, self.previous) = match folded {
            Folded::Live(folder) => (Some(folder), self.previous),
            Folded::Closed(result) => (None, Some(append(&self.base, self.previous, result))),
        };
        self
    }

    #[inline]
    fn complete(self) -> C::Result {
        match (self.folder, self.previous) {
            (None, Some(previous)) => previous,
            (Some(folder), previous) => append(&self.base, previous, folder.complete()),
            (None, None) => self.base.into_folder().complete(),
        }
    }

    #[inline]
    fn full(&self) -> bool {
        self.folder.as_ref().is_some_and(Folder::full) || self.base.full()
    }
}

/// Combines `result` with the results to its left, if there are any.
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

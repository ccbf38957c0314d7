//! A fold that goes on from one parallel iterator to the next; `flat_map` and the blocks use it.
//!
//! While no other thread takes a part of an iterator, the fold goes on through all iterators. If a thread takes a part, that iterator
//! returns a result instead of a fold. The result is kept, and a new fold begins to its right. So there are three parts, in the order of
//! their items: `previous` (results), the running `folder`, and `base`, from which all later folds are split off.

use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folded, Folder, Reducer, UnindexedConsumer};

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
}

/// [`Ongoing`] for a consumer.
pub(super) type OngoingOf<C, T> =
    Ongoing<C, <C as Consumer<T>>::Folder, <C as Consumer<T>>::Result>;

impl<C, G, R> Ongoing<C, G, R> {
    /// The consumer for everything to the right.
    #[inline]
    pub(super) fn base_mut(&mut self) -> &mut C {
        &mut self.base
    }

    /// The fold, if it is running.
    #[inline]
    pub(super) fn folder_mut(&mut self) -> Option<&mut G> {
        self.folder.as_mut()
    }

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
        }
    }

    /// Begins before the first iterator.
    #[inline]
    pub(super) fn before<T>(base: C) -> Self
    where
        C: UnindexedConsumer<T, Folder = G, Result = R>,
    {
        // A fold that cannot be split cannot go on from one iterator to the next either.
        let folder = C::SPLITS_LIVE.then(|| base.split_off_left().into_folder());
        Ongoing {
            base,
            folds: usize::from(folder.is_some()),
            folder,
            previous: None,
        }
    }

    /// Folds one more iterator.
    #[inline]
    pub(super) fn drive<I>(self, iter: I) -> Self
    where
        I: ParallelIterator,
        C: UnindexedConsumer<I::Item, Folder = G, Result = R>,
        G: Folder<I::Item, Result = R>,
    {
        let Ongoing {
            base,
            folder,
            previous,
            mut folds,
        } = self;
        let mut next = || {
            folds = folds.saturating_add(1);
            base.split_off_nth(folds)
        };
        let folded = if C::SPLITS_LIVE {
            let folder = folder.unwrap_or_else(|| next().into_folder());
            iter.drive_into::<C>(folder)
        } else {
            Folded::Closed(iter.drive_unindexed(next()))
        };
        let (folder, previous) = match folded {
            Folded::Live(folder) => (Some(folder), previous),
            Folded::Closed(result) => (None, Some(append(&base, previous, result))),
        };
        Ongoing {
            base,
            folder,
            previous,
            folds,
        }
    }

    /// The fold, if it ran all the time; else the result.
    #[inline]
    pub(super) fn end<T>(self) -> Folded<G, R>
    where
        C: UnindexedConsumer<T, Folder = G, Result = R>,
        G: Folder<T, Result = R>,
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
            closed => Folded::Closed(closed.complete()),
        }
    }

    /// The result.
    #[inline]
    pub(super) fn complete<T>(self) -> R
    where
        C: UnindexedConsumer<T, Folder = G, Result = R>,
        G: Folder<T, Result = R>,
    {
        match (self.folder, self.previous) {
            (None, Some(previous)) => previous,
            (Some(folder), previous) => append(&self.base, previous, folder.complete()),
            (None, None) => self.base.into_folder().complete(),
        }
    }

    /// Whether more items would change nothing.
    #[inline]
    pub(super) fn full<T>(&self) -> bool
    where
        C: UnindexedConsumer<T, Folder = G, Result = R>,
        G: Folder<T, Result = R>,
    {
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

//! `find_first` and `find_last`: the first or last item that fits. A fold stops if it cannot find a better item than the best one so far.
//! How it knows that is in [`standing`](super::standing).

use super::find::find_map;
use super::standing::{Border, Extreme, Standing};
pub(crate) use super::standing::{First, Last};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
use std::marker::PhantomData;

/// Which of several hits counts.
pub(crate) trait End: Extreme {
    /// Whether pieces are best driven from the right.
    const FROM_RIGHT: bool;
    /// Whether a fold that found something is done.
    const DONE_WHEN_FOUND: bool = !Self::FROM_RIGHT;

    /// Goes on with the search; `found` is what this fold has found before.
    fn search<T, R>(
        found: Option<R>,
        items: impl Iterator<Item = T>,
        map: &impl Fn(T) -> Option<R>,
    ) -> Option<R>;

    fn pick<R>(left: Option<R>, right: Option<R>) -> Option<R>;
}

impl End for First {
    const FROM_RIGHT: bool = false;

    #[inline]
    fn search<T, R>(
        found: Option<R>,
        items: impl Iterator<Item = T>,
        map: &impl Fn(T) -> Option<R>,
    ) -> Option<R> {
        found.or_else(|| find_map(items, map))
    }

    #[inline]
    fn pick<R>(left: Option<R>, right: Option<R>) -> Option<R> {
        left.or(right)
    }
}

impl End for Last {
    const FROM_RIGHT: bool = true;

    #[inline]
    fn search<T, R>(
        found: Option<R>,
        items: impl Iterator<Item = T>,
        map: &impl Fn(T) -> Option<R>,
    ) -> Option<R> {
        items.fold(found, |found, item| map(item).or(found))
    }

    #[inline]
    fn pick<R>(left: Option<R>, right: Option<R>) -> Option<R> {
        right.or(left)
    }
}

/// Finds the first or last item for which `map` returns `Some`.
pub(crate) fn run<I, R, F, E>(par_iter: I, map: F, _: E) -> Option<R>
where
    I: ParallelIterator,
    R: Send,
    F: Fn(I::Item) -> Option<R> + Sync,
    E: End,
{
    let border = Border::<E>::unknown();
    par_iter.drive_unindexed(FirstOrLast::new(&map, border.all()))
}

struct FirstOrLast<'s, R, F, E> {
    map: &'s F,
    standing: Standing<'s, E>,
    found: PhantomData<fn() -> R>,
}

impl<'s, R, F, E> FirstOrLast<'s, R, F, E> {
    fn new(map: &'s F, standing: Standing<'s, E>) -> Self {
        FirstOrLast {
            map,
            standing,
            found: PhantomData,
        }
    }
}

impl<'s, T, R, F, E> Consumer<T> for FirstOrLast<'s, R, F, E>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
    E: End,
{
    type Folder = SearchFolder<'s, R, F, E>;
    type Reducer = Pick<E>;
    type Result = Option<R>;

    fn split_at(self, _: usize) -> (Self, Self, Pick<E>) {
        let left = self.split_off_left();
        (left, self, Pick(PhantomData))
    }

    fn into_folder(self) -> Self::Folder {
        SearchFolder {
            found: None,
            range: self,
        }
    }

    fn full(&self) -> bool {
        self.standing.is_behind()
    }

    // A fold cannot go on to the left, so pieces that are driven from the right are cut before they are folded.
    const SPLITS_LIVE: bool = !E::FROM_RIGHT;

    const STOPS_EARLY: bool = E::DONE_WHEN_FOUND;

    const FRONT_FIRST: bool = !E::FROM_RIGHT;

    const DRIVES_FROM_RIGHT: bool = E::FROM_RIGHT;

    fn settles(right: &Option<R>) -> bool {
        E::FROM_RIGHT && right.is_some()
    }

    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Pick<E>) {
        let range = &mut folder.range;
        let right = FirstOrLast::new(range.map, range.standing.split_off_right(at));
        (right, Pick(PhantomData))
    }

    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.range.standing.rejoin(right.standing);
    }
}

impl<T, R, F, E> UnindexedConsumer<T> for FirstOrLast<'_, R, F, E>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
    E: End,
{
    fn split_off_left(&self) -> Self {
        self.split_off_nth(1)
    }

    fn split_off_nth(&self, nth: usize) -> Self {
        FirstOrLast::new(self.map, self.standing.split_off_nth(nth))
    }

    fn rejoin(&mut self, right: Self) {
        self.standing.rejoin(right.standing);
    }

    fn to_reducer(&self) -> Pick<E> {
        Pick(PhantomData)
    }
}

struct SearchFolder<'s, R, F, E> {
    found: Option<R>,
    range: FirstOrLast<'s, R, F, E>,
}

impl<T, R: Send, F: Fn(T) -> Option<R> + Sync, E: End> Folder<T> for SearchFolder<'_, R, F, E> {
    type Result = Option<R>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(std::iter::once(item))
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let had = self.found.is_some();
        self.found = E::search(self.found, iter.into_iter(), self.range.map);
        if !had && self.found.is_some() {
            self.range.standing.found();
        }
        self
    }

    fn complete(self) -> Option<R> {
        self.found
    }

    fn full(&self) -> bool {
        self.found.is_some() && E::DONE_WHEN_FOUND || self.range.standing.is_behind()
    }
}

struct Pick<E>(PhantomData<E>);

impl<R, E: End> Reducer<Option<R>> for Pick<E> {
    fn reduce(self, left: Option<R>, right: Option<R>) -> Option<R> {
        E::pick(left, right)
    }
}

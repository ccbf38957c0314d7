//! `find_first` and `find_last`: the first or last item that fits. A fold stops if it cannot find a better item than the best one so far.
//! How it knows that is in [`standing`](super::standing).

use super::find::find_map;
use super::standing::{Border, Extreme, Standing};
pub(crate) use super::standing::{First, Last};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{
    Consumer, Folder, Reducer, UnindexedConsumer, first_part, split_anywhere,
};
use std::marker::PhantomData;

/// Finds the first or last item for which `map` returns `Some`.
pub(crate) fn run<I, R, F, E>(par_iter: I, map: F, _: E) -> Option<R>
where
    I: ParallelIterator,
    R: Send,
    F: Fn(I::Item) -> Option<R> + Sync,
    E: Extreme,
{
    let border = Border::<E>::unknown();
    par_iter.drive_unindexed(FirstOrLast {
        map: &map,
        standing: border.all(),
    })
}

struct FirstOrLast<'s, F, E> {
    map: &'s F,
    standing: Standing<'s, E>,
}

impl<'s, T, R, F, E> Consumer<T> for FirstOrLast<'s, F, E>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
    E: Extreme,
{
    type Folder = SearchFolder<'s, R, F, E>;
    type Reducer = Pick<E>;
    type Result = Option<R>;

    split_anywhere! { T }

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

    const STOPS_EARLY: bool = !E::FROM_RIGHT;

    const FRONT_FIRST: bool = !E::FROM_RIGHT;

    const DRIVES_FROM_RIGHT: bool = E::FROM_RIGHT;

    fn settles(right: &Option<R>) -> bool {
        E::FROM_RIGHT && right.is_some()
    }

    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Pick<E>) {
        let range = &mut folder.range;
        let standing = range.standing.split_off_right(at);
        (FirstOrLast { standing, ..*range }, Pick(PhantomData))
    }

    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.range.standing.rejoin(right.standing);
    }
}

impl<T, R, F, E> UnindexedConsumer<T> for FirstOrLast<'_, F, E>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
    E: Extreme,
{
    first_part! { T }

    fn split_off_nth(&self, nth: usize) -> Self {
        let standing = self.standing.split_off_nth(nth);
        FirstOrLast { standing, ..*self }
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
    range: FirstOrLast<'s, F, E>,
}

impl<T, R: Send, F: Fn(T) -> Option<R> + Sync, E: Extreme> Folder<T> for SearchFolder<'_, R, F, E> {
    type Result = Option<R>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(std::iter::once(item))
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let had = self.found.is_some();
        let (items, map) = (iter.into_iter(), self.range.map);
        self.found = match const { E::FROM_RIGHT } {
            true => items.fold(self.found, |found, item| map(item).or(found)),
            false => self.found.or_else(|| find_map(items, map)),
        };
        if !had && self.found.is_some() {
            self.range.standing.found();
        }
        self
    }

    fn complete(self) -> Option<R> {
        self.found
    }

    fn full(&self) -> bool {
        self.found.is_some() && !E::FROM_RIGHT || self.range.standing.is_behind()
    }
}

struct Pick<E>(PhantomData<E>);

impl<R, E: Extreme> Reducer<Option<R>> for Pick<E> {
    fn reduce(self, left: Option<R>, right: Option<R>) -> Option<R> {
        match E::FROM_RIGHT {
            true => right.or(left),
            false => left.or(right),
        }
    }
}

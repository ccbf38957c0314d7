//! `find_first` and `find_last`: the first or last item that fits. A fold stops if it cannot find a better item than the best one so far.
//! How it knows that is in [`standing`](super::standing).

use super::find::find_map;
use super::standing::{Border, Standing};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{
    Consumer, Folder, Reducer, UnindexedConsumer, first_part, split_anywhere,
};

/// What `map` makes of the first item for which it returns `Some`.
pub(crate) fn first<I, R, F>(par_iter: I, map: F) -> Option<R>
where
    I: ParallelIterator,
    R: Send,
    F: Fn(I::Item) -> Option<R> + Sync,
{
    find::<false, _, _, _>(par_iter, map)
}

/// The same of the last one.
pub(crate) fn last<I, R, F>(par_iter: I, map: F) -> Option<R>
where
    I: ParallelIterator,
    R: Send,
    F: Fn(I::Item) -> Option<R> + Sync,
{
    find::<true, _, _, _>(par_iter, map)
}

/// Looks from the left, or from the right.
fn find<const FROM_RIGHT: bool, I, R, F>(par_iter: I, map: F) -> Option<R>
where
    I: ParallelIterator,
    R: Send,
    F: Fn(I::Item) -> Option<R> + Sync,
{
    let border = Border::<FROM_RIGHT>::unknown();
    par_iter.drive_unindexed(FirstOrLast {
        map: &map,
        standing: border.all(),
    })
}

struct FirstOrLast<'s, F, const FROM_RIGHT: bool> {
    map: &'s F,
    standing: Standing<'s, FROM_RIGHT>,
}

impl<'s, T, R, F, const FROM_RIGHT: bool> Consumer<T> for FirstOrLast<'s, F, FROM_RIGHT>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
{
    type Folder = SearchFolder<'s, R, F, FROM_RIGHT>;
    type Reducer = Pick<FROM_RIGHT>;
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
    const SPLITS_LIVE: bool = !FROM_RIGHT;

    const STOPS_EARLY: bool = !FROM_RIGHT;

    const FRONT_FIRST: bool = !FROM_RIGHT;

    const DRIVES_FROM_RIGHT: bool = FROM_RIGHT;

    fn settles(right: &Option<R>) -> bool {
        FROM_RIGHT && right.is_some()
    }

    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Pick<FROM_RIGHT>) {
        let range = &mut folder.range;
        let standing = range.standing.split_off_right(at);
        (FirstOrLast { standing, ..*range }, Pick)
    }

    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.range.standing.rejoin(right.standing);
    }
}

impl<T, R, F, const FROM_RIGHT: bool> UnindexedConsumer<T> for FirstOrLast<'_, F, FROM_RIGHT>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
{
    first_part! { T }

    fn split_off_nth(&self, nth: usize) -> Self {
        let standing = self.standing.split_off_nth(nth);
        FirstOrLast { standing, ..*self }
    }

    fn rejoin(&mut self, right: Self) {
        self.standing.rejoin(right.standing);
    }

    fn to_reducer(&self) -> Pick<FROM_RIGHT> {
        Pick
    }
}

struct SearchFolder<'s, R, F, const FROM_RIGHT: bool> {
    found: Option<R>,
    range: FirstOrLast<'s, F, FROM_RIGHT>,
}

impl<T, R: Send, F: Fn(T) -> Option<R> + Sync, const FROM_RIGHT: bool> Folder<T>
    for SearchFolder<'_, R, F, FROM_RIGHT>
{
    type Result = Option<R>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(std::iter::once(item))
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let had = self.found.is_some();
        let (items, map) = (iter.into_iter(), self.range.map);
        self.found = match const { FROM_RIGHT } {
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
        self.found.is_some() && !FROM_RIGHT || self.range.standing.is_behind()
    }
}

struct Pick<const FROM_RIGHT: bool>;

impl<R, const FROM_RIGHT: bool> Reducer<Option<R>> for Pick<FROM_RIGHT> {
    fn reduce(self, left: Option<R>, right: Option<R>) -> Option<R> {
        match FROM_RIGHT {
            true => right.or(left),
            false => left.or(right),
        }
    }
}

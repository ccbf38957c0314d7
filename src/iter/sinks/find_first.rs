//! `find_first` and `find_last`: the first or last item that fits.
//!
//! In an iterator of unknown length, the positions of items are unknown, but the order of two pieces is known. So the whole input owns the
//! positions 0 ..= MAX, and each split divides the positions of a piece. A fold that found something publishes where its piece begins or
//! ends. A piece that lies wholly behind the best place so far can stop. When a range is too small to divide, both parts own it. Then neither
//! stops the other, which costs time but is still correct, since results are combined left to right.

use super::find::find_map;
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
use crate::sync::{AtomicUsize, Ordering};
use std::cell::Cell;
use std::marker::PhantomData;

/// Which of several hits counts.
pub(crate) trait End: Send + Sync + Copy {
    /// The best place before anything is found.
    const NONE: usize;
    /// Whether pieces are best driven from the right.
    const FROM_RIGHT: bool;
    /// When a piece is cut in two, the left part gets one in so many of its positions.
    const SHARE: usize;

    /// Whether a piece at `lower ..= upper` can no longer improve on a hit in the piece at `best`.
    fn hopeless(best: usize, lower: usize, upper: usize) -> bool;

    /// Publishes a hit in the piece at `lower ..= upper`.
    fn publish(best: &AtomicUsize, lower: usize, upper: usize);

    /// Goes on with the search; `found` is what this fold has found before.
    fn search<T, R>(
        found: Option<R>,
        items: impl Iterator<Item = T>,
        map: &impl Fn(T) -> Option<R>,
    ) -> Option<R>;

    /// Whether a fold that found something is done.
    const DONE_WHEN_FOUND: bool;

    fn pick<R>(left: Option<R>, right: Option<R>) -> Option<R>;
}

#[derive(Clone, Copy)]
pub(crate) struct First;

impl End for First {
    const NONE: usize = usize::MAX;
    const FROM_RIGHT: bool = false;
    const SHARE: usize = 2;

    #[inline]
    fn hopeless(best: usize, lower: usize, _: usize) -> bool {
        best < lower
    }

    #[inline]
    fn publish(best: &AtomicUsize, _: usize, upper: usize) {
        // Every piece that begins after the end of this one is behind the hit.
        best.fetch_min(upper, Ordering::Relaxed);
    }

    #[inline]
    fn search<T, R>(
        found: Option<R>,
        items: impl Iterator<Item = T>,
        map: &impl Fn(T) -> Option<R>,
    ) -> Option<R> {
        found.or_else(|| find_map(items, map))
    }

    const DONE_WHEN_FOUND: bool = true;

    #[inline]
    fn pick<R>(left: Option<R>, right: Option<R>) -> Option<R> {
        left.or(right)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Last;

impl End for Last {
    const NONE: usize = 0;
    const FROM_RIGHT: bool = true;
    /// From the right, there are many cuts at first: 90 for 10^27 items, and as many again inside a `flat_map`.
    const SHARE: usize = 8;

    #[inline]
    fn hopeless(best: usize, _: usize, upper: usize) -> bool {
        best > upper
    }

    #[inline]
    fn publish(best: &AtomicUsize, lower: usize, _: usize) {
        best.fetch_max(lower, Ordering::Relaxed);
    }

    #[inline]
    fn search<T, R>(
        found: Option<R>,
        items: impl Iterator<Item = T>,
        map: &impl Fn(T) -> Option<R>,
    ) -> Option<R> {
        items.fold(found, |found, item| map(item).or(found))
    }

    const DONE_WHEN_FOUND: bool = false;

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
    let best = AtomicUsize::new(E::NONE);
    par_iter.drive_unindexed(Search::<R, F, E> {
        map: &map,
        best: &best,
        lower: Cell::new(0),
        upper: usize::MAX,
        end: PhantomData,
    })
}

struct Search<'s, R, F, E> {
    map: &'s F,
    best: &'s AtomicUsize,
    /// `split_off_left` takes the lower half away through a shared reference.
    lower: Cell<usize>,
    upper: usize,
    end: PhantomData<(fn() -> R, E)>,
}

impl<'s, R, F, E: End> Search<'s, R, F, E> {
    /// Takes everything up to `end` away, for another search; `start` is the next position.
    fn split_off(&self, (end, start): (usize, usize)) -> Self {
        let lower = self.lower.replace(start);
        Search::new(self.map, self.best, lower, end)
    }

    fn new(map: &'s F, best: &'s AtomicUsize, lower: usize, upper: usize) -> Self {
        Search {
            map,
            best,
            lower: Cell::new(lower),
            upper,
            end: PhantomData,
        }
    }
}

/// The last position of the lower part of `lower ..= upper`, and the first of the upper part. The lower part gets one in `share`.
pub(crate) fn part(lower: usize, upper: usize, share: usize) -> (usize, usize) {
    if lower == upper {
        return (lower, upper);
    }
    let middle = lower + (upper - lower) / share;
    (middle, middle + 1)
}

/// As [`part`], for the `nth` of any number of lower parts (from 1). It gets one in `nth + 1` of what is left. So of all positions, the rest
/// keeps one in `nth + 1`, and the part gets one in `nth * (nth + 1)`: a million of parts leave 2^24 positions to each.
pub(crate) fn nth_part(nth: usize, lower: usize, upper: usize, share: usize) -> (usize, usize) {
    part(lower, upper, nth.saturating_add(1).max(share))
}

/// How many positions an item gets, if there are enough. They tell its parts from each other, such as the items that a `flat_map` makes of
/// it.
const ROOM: usize = 1 << (usize::BITS / 4);

/// As [`part`], for a lower part of `items` items: `None` if they would take more than half of the positions. Many short parts can be cut off
/// in front of a long rest. If each took a share of all that is left, nothing would soon be left.
fn part_after(items: usize, lower: usize, upper: usize) -> Option<(usize, usize)> {
    let width = items.checked_mul(ROOM)?;
    let fits = width > 0 && width <= (upper - lower) / 2;
    fits.then(|| (lower + width - 1, lower + width))
}

impl<'s, T, R, F, E> Consumer<T> for Search<'s, R, F, E>
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
        E::hopeless(
            self.best.load(Ordering::Relaxed),
            self.lower.get(),
            self.upper,
        )
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
        let (lower, upper) = (range.lower.get(), range.upper);
        let (left_end, right_start) =
            part_after(at, lower, upper).unwrap_or_else(|| part(lower, upper, E::SHARE));
        let right = Search::new(range.map, range.best, right_start, range.upper);
        range.upper = left_end;
        (right, Pick(PhantomData))
    }

    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.range.upper = right.upper;
    }
}

impl<T, R, F, E> UnindexedConsumer<T> for Search<'_, R, F, E>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
    E: End,
{
    fn split_off_left(&self) -> Self {
        self.split_off_nth(1)
    }

    fn split_off_nth(&self, nth: usize) -> Self {
        self.split_off(nth_part(nth, self.lower.get(), self.upper, E::SHARE))
    }

    fn rejoin(&mut self, right: Self) {
        self.upper = right.upper;
    }

    fn to_reducer(&self) -> Pick<E> {
        Pick(PhantomData)
    }
}

struct SearchFolder<'s, R, F, E> {
    found: Option<R>,
    range: Search<'s, R, F, E>,
}

impl<T, R, F, E> Folder<T> for SearchFolder<'_, R, F, E>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
    E: End,
{
    type Result = Option<R>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(std::iter::once(item))
    }

    #[inline]
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let had = self.found.is_some();
        self.found = E::search(self.found, iter.into_iter(), self.range.map);
        if !had && self.found.is_some() {
            E::publish(self.range.best, self.range.lower.get(), self.range.upper);
        }
        self
    }

    fn complete(self) -> Option<R> {
        self.found
    }

    fn full(&self) -> bool {
        if self.found.is_some() && E::DONE_WHEN_FOUND {
            return true;
        }
        let best = self.range.best.load(Ordering::Relaxed);
        E::hopeless(best, self.range.lower.get(), self.range.upper)
    }
}

struct Pick<E>(PhantomData<E>);

impl<R, E: End> Reducer<Option<R>> for Pick<E> {
    fn reduce(self, left: Option<R>, right: Option<R>) -> Option<R> {
        E::pick(left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::{End, First, part, part_after};

    /// Parts that are cut off in front of a long rest, many times, and then halved, have different positions.
    #[test]
    fn many_short_parts_in_front_leave_positions() {
        let (mut lower, upper) = (0, usize::MAX);
        for stretch in 1..1000 {
            let (end, next) = part_after(stretch, lower, upper).unwrap();
            assert!(lower < end && end < next && next < upper);
            let (middle, right) = part_after(stretch.div_ceil(2), lower, end)
                .unwrap_or_else(|| part(lower, end, First::SHARE));
            assert!(lower <= middle && middle < right && right <= end);
            lower = next;
        }
        assert_eq!(part_after(usize::MAX, 0, upper), None);
        assert_eq!(part_after(0, 0, upper), None);
        assert_eq!(part_after(1, 7, 7), None);
    }
}

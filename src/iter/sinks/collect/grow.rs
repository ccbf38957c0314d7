//! Collecting an iterator of unknown length: each fold fills its own vector. There is one fold, and one more for each piece that another thread took.
//!
//! A vector grows to the size that the share of items kept so far suggests. That is a guess, so it is limited: by [`REACH`], by the number of
//! items that are still to come, and by the available memory. If the number of items to come is unknown, or the loop may stop early, a vector
//! doubles, as std's do.

use super::trim;
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
use std::collections::LinkedList;
use std::mem::{self, MaybeUninit};

/// How many items are filtered at a time without checking the room that is left.
const STRIDE: usize = 256;
/// How many items must have been offered before the share that is kept is taken as typical.
const SAMPLE: usize = 1024;
/// A guess asks for room for at most this many times the present items. With 4, a million kept items take one request more.
const REACH: usize = 8;

/// The items in parts, in order. No part is empty (except that a single one may be).
pub(crate) struct Parts<T> {
    first: Vec<T>,
    rest: Vec<Vec<T>>,
}

impl<T> Parts<T> {
    pub(crate) fn len(&self) -> usize {
        // Items without size may be too many to count; no vector takes so many.
        let lens = self.rest.iter().map(Vec::len);
        lens.fold(self.first.len(), usize::saturating_add)
    }

    /// All parts as one vector: the first one, with the others copied behind it.
    pub(crate) fn into_vec(mut self) -> Vec<T> {
        let rest = self.len() - self.first.len();
        self.first.reserve_exact(rest);
        for mut part in self.rest {
            self.first.append(&mut part);
        }
        trim(&mut self.first);
        self.first
    }

    /// The parts, to be kept as they are.
    pub(crate) fn into_list(mut self) -> LinkedList<Vec<T>> {
        trim(&mut self.first);
        self.rest.iter_mut().for_each(trim);
        self.into_iter().collect()
    }

    /// The parts.
    pub(crate) fn into_iter(self) -> impl Iterator<Item = Vec<T>> {
        let first = (!self.first.is_empty()).then_some(self.first);
        first.into_iter().chain(self.rest)
    }
}

/// Collects all items of `par_iter`.
pub(crate) fn collect_parts<I: ParallelIterator>(par_iter: I) -> Parts<I::Item> {
    par_iter.drive_unindexed(Grow(Share::default()))
}

/// How many items were offered so far, and how many of them kept.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    seen: usize,
    kept: usize,
}

impl Share {
    /// How many of `more` items will be kept, if the share stays the same; `None` if too few were seen to tell.
    fn of(self, more: usize) -> Option<usize> {
        if self.seen < SAMPLE {
            return None;
        }
        // Plus three standard deviations of a sample of this size.
        let margin = 1.0 + 3.0 / (self.seen as f64).sqrt();
        let share = self.kept as f64 / self.seen as f64;
        Some((more as f64 * share * margin) as usize)
    }
}

/// Makes vectors. Knows the share of items that was kept to the left of its start, so that a piece that another thread takes needs one
/// allocation.
pub(crate) struct Grow(Share);

/// A vector that is being filled.
pub(crate) struct Growing<T> {
    vec: Vec<T>,
    /// How many items may come in all; 0 if unknown.
    upper: usize,
    /// How many items were offered, kept or not.
    seen: usize,
    /// What was counted before this vector was begun.
    before: Share,
}

impl<T> Growing<T> {
    fn share(&self) -> Share {
        Share {
            seen: self.before.seen.saturating_add(self.seen),
            kept: self.before.kept.saturating_add(self.vec.len()),
        }
    }

    /// Makes room for at least `more` items, and for as many as are expected if the share kept so far is typical. The last `uncounted` items
    /// of the vector are from a block that has not been counted yet.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize, uncounted: usize) {
        if let Some(guess) = self.guess(more, uncounted)
            && self.vec.try_reserve_exact(guess).is_ok()
        {
            return;
        }
        self.vec.reserve(more);
    }

    /// For how many more items to ask room; `None` if there is nothing to go by.
    fn guess(&self, more: usize, uncounted: usize) -> Option<usize> {
        let (len, rest) = (self.vec.len(), self.upper.saturating_sub(self.seen));
        if rest == 0 {
            return None;
        }
        let most = rest.max(more);
        let mut share = self.share();
        share.kept -= uncounted;
        let Some(expected) = share.of(rest) else {
            // At first a page's worth: growing from nothing costs more than the page.
            let page = 4096 / size_of::<T>().max(1);
            let some = if len == 0 { page } else { len };
            return Some(some.min(most).max(more));
        };
        // By a quarter at least, because the share may change.
        let likely = expected.saturating_sub(uncounted).max(len / 4);
        let there = len.saturating_add(more);
        let reach = there.saturating_mul(REACH).max(self.before.kept);
        Some(likely.saturating_add(more).min(reach).min(most))
    }
}

impl<T: Send> Consumer<T> for Grow {
    type Folder = Growing<T>;
    type Reducer = Append;
    type Result = Parts<T>;

    fn split_at(self, _: usize) -> (Self, Self, Append) {
        (Grow(self.0), self, Append)
    }

    fn into_folder(self) -> Growing<T> {
        Growing {
            vec: Vec::new(),
            upper: 0,
            seen: 0,
            before: self.0,
        }
    }

    fn full(&self) -> bool {
        false
    }

    const SPLITS_LIVE: bool = true;

    fn split_folder(folder: &mut Growing<T>, _: usize) -> (Self, Append) {
        (Grow(folder.share()), Append)
    }

    fn expect(folder: &mut Growing<T>, upper: usize, _: usize) {
        if upper < usize::MAX {
            folder.upper = upper;
        }
    }
}

impl<T: Send> UnindexedConsumer<T> for Grow {
    fn split_off_left(&self) -> Self {
        Grow(self.0)
    }

    fn to_reducer(&self) -> Append {
        Append
    }
}

impl<T: Send> Folder<T> for Growing<T> {
    type Result = Parts<T>;

    #[inline]
    fn consume(mut self, item: T) -> Self {
        if self.vec.len() == self.vec.capacity() {
            self.grow(1, 0);
        }
        self.vec.push(item);
        self.seen += 1;
        self
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let iter = iter.into_iter();
        let (least, most) = iter.size_hint();
        if Some(least) == most {
            if least > self.vec.capacity() - self.vec.len() {
                self.grow(least, 0);
            }
            self.vec.extend(iter);
            self.seen = self.seen.saturating_add(least);
            return self;
        }
        // Not by `extend`, which would double the vector although the share says what to expect.
        let before = self.vec.len();
        iter.for_each(|item| {
            if self.vec.len() == self.vec.capacity() {
                self.grow(1, self.vec.len() - before);
            }
            self.vec.push(item);
        });
        let seen = most.unwrap_or(self.vec.len() - before);
        self.seen = self.seen.saturating_add(seen);
        self
    }

    #[inline]
    fn consume_kept<I: Iterator<Item = (T, bool)>>(mut self, mut iter: I) -> Self {
        if mem::needs_drop::<T>() || size_of::<T>() > 64 {
            return self.consume_iter(iter.filter_map(|(item, keep)| keep.then_some(item)));
        }
        // Every item is written behind the last one that was kept, and the length grows if it is kept: no branch to mispredict.
        loop {
            let ask = iter.size_hint().0.min(STRIDE);
            if ask == 0 {
                // Usually at the end: if all items were kept, room for one more would double the vector.
                match iter.next() {
                    Some((item, true)) => self = self.consume(item),
                    Some(_) => self.seen = self.seen.saturating_add(1),
                    None => return self,
                }
                continue;
            }
            if self.vec.capacity() - self.vec.len() < ask {
                self.grow(ask, 0);
            }
            let (mut kept, mut offered) = (0, 0);
            let room: &mut [MaybeUninit<T>] = &mut self.vec.spare_capacity_mut()[..ask];
            iter.by_ref().take(ask).for_each(|(item, keep)| {
                offered += 1;
                room[kept].write(item);
                kept += usize::from(keep);
            });
            let len = self.vec.len() + kept;
            // SAFETY: `kept` slots behind the old length were written; `kept` is at most `ask`, for which there was room.
            unsafe { self.vec.set_len(len) };
            self.seen = self.seen.saturating_add(offered);
            if offered < ask {
                return self;
            }
        }
    }

    fn complete(self) -> Parts<T> {
        Parts {
            first: self.vec,
            rest: Vec::new(),
        }
    }

    fn full(&self) -> bool {
        false
    }
}

/// Puts the parts of one fold behind those of another.
pub(crate) struct Append;

impl<T> Reducer<Parts<T>> for Append {
    fn reduce(self, mut left: Parts<T>, mut right: Parts<T>) -> Parts<T> {
        if left.first.is_empty() && left.rest.is_empty() {
            return right;
        }
        if !right.first.is_empty() {
            left.rest.push(right.first);
        }
        left.rest.append(&mut right.rest);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter::{from_fn, repeat_n};
    use std::sync::Arc;

    /// With `kept` items of `seen`, of which `upper` may come in all.
    fn growing(kept: usize, seen: usize, upper: usize, before: Share) -> Growing<u64> {
        Growing {
            vec: vec![0; kept],
            upper,
            seen,
            before,
        }
    }

    fn begun<T: Send>(upper: usize) -> Growing<T> {
        let mut folder = Grow(Share::default()).into_folder();
        Grow::expect(&mut folder, upper, 0);
        folder
    }

    const NONE: Share = Share { seen: 0, kept: 0 };

    #[test]
    fn a_guess_stays_within_its_limits() {
        let befores = [(0, 0), (10_000, 10), (10_000, 9_999), (1 << 50, 1 << 45)];
        for (upper, seen) in [
            (1, 0),
            (90, 30),
            (5_000, 1_023),
            (9_000, 2_000),
            (1 << 40, 4_000),
        ] {
            for (kept, more) in [(0, 1), (1, 256), (30, 1), (800, 256), (800, 1)] {
                for (seen_before, kept_before) in befores {
                    let before = Share {
                        seen: seen_before,
                        kept: kept_before,
                    };
                    let growing = growing(kept.min(seen), seen, upper, before);
                    let len = growing.vec.len();
                    for uncounted in [0, len / 2, len] {
                        let guess = growing.guess(more, uncounted).unwrap();
                        // What is written next has room.
                        assert!(guess >= more);
                        assert!(guess <= more.max(upper - seen));
                        let page = 512;
                        let reach = REACH * (len + more);
                        assert!(guess <= reach.max(kept_before).max(page), "{guess}");
                    }
                }
            }
        }
    }

    #[test]
    fn there_is_no_guess_without_items_to_come() {
        assert_eq!(growing(9, 2_000, 0, NONE).guess(1, 0), None);
        assert_eq!(growing(9, 2_000, 2_000, NONE).guess(1, 0), None);
        assert_eq!(growing(9, 2_000, 1_999, NONE).guess(1, 0), None);
        assert_eq!(growing(9, 2_000, 2_001, NONE).guess(1, 0), Some(1));
    }

    #[test]
    fn a_guess_without_a_sample_is_a_page_and_then_doubles() {
        assert_eq!(growing(0, 0, 100_000, NONE).guess(1, 0), Some(512));
        assert_eq!(growing(0, 1_023, 100_000, NONE).guess(1, 0), Some(512));
        assert_eq!(growing(1, 9, 100_000, NONE).guess(1, 0), Some(1));
        assert_eq!(growing(700, 1_023, 100_000, NONE).guess(1, 0), Some(700));
        let without_size = begun::<()>(100_000);
        assert_eq!(without_size.guess(1, 0), Some(4_096));
    }

    #[test]
    fn a_guess_with_a_sample_is_its_share() {
        // A half of 20,000, and 3 % for chance; and the one that needs room now.
        assert_eq!(
            growing(5_000, 10_000, 30_000, NONE).guess(1, 0),
            Some(10_301)
        );
        // Some of them are there already, but not counted.
        assert_eq!(
            growing(5_256, 10_000, 30_000, NONE).guess(1, 256),
            Some(10_045)
        );
        // A quarter of what is there.
        assert_eq!(
            growing(5_000, 10_000, 12_000, NONE).guess(1, 0),
            Some(1_251)
        );
        // As far as a guess may reach.
        assert_eq!(growing(10, 2_000, 1 << 40, NONE).guess(1, 0), Some(8 * 11));
        let before = Share {
            seen: 10_000,
            kept: 5_000,
        };
        assert_eq!(growing(0, 0, 1_000, before).guess(1, 0), Some(516));
        assert_eq!(growing(0, 0, 1 << 40, before).guess(1, 0), Some(5_000));
        // Of 1,024 no fewer.
        let half = |seen| growing(400, seen, 100_000, NONE).guess(1, 0).unwrap();
        assert!(half(1_023) == 400 && half(1_024) > 400);
    }

    #[test]
    fn a_vector_grows_by_its_guess_and_only_where_it_is_full() {
        let mut folder = begun(100_000);
        for item in 0..512u64 {
            folder = folder.consume(item);
            assert_eq!(folder.vec.capacity(), 512);
        }
        let folder = folder.consume(512);
        assert_eq!((folder.vec.capacity(), folder.seen), (1_024, 513));
        // The next ones are in blocks.
        let folder = folder.consume_iter(0..511);
        assert_eq!((folder.vec.capacity(), folder.seen), (1_024, 1_024));
        let folder = folder.consume_iter(0..2);
        assert!(
            folder.vec.capacity() > 8 * 1_024,
            "{}",
            folder.vec.capacity()
        );
        let room = folder.vec.capacity();
        let folder = folder.consume_iter((0..room as u64).filter(|_| true));
        assert_eq!(folder.seen, 1_026 + room);
        // Not doubled.
        assert!(folder.vec.capacity() > room && folder.vec.capacity() <= 100_000);
        // How many come is not known.
        let mut some = 0..3;
        let folder = folder.consume_iter(from_fn(|| some.next()));
        assert_eq!(folder.seen, 1_029 + room);
        let expected: Vec<u64> = (0..=512)
            .chain(0..511)
            .chain(0..2)
            .chain(0..room as u64)
            .chain(0..3)
            .collect();
        assert!(folder.vec == expected);
        // A limit that no vector has is none.
        assert_eq!(begun::<u64>(usize::MAX).upper, 0);
    }

    /// Says that at least so many come.
    struct AtLeast<I>(I, usize);

    impl<I: Iterator> Iterator for AtLeast<I> {
        type Item = I::Item;

        fn next(&mut self) -> Option<I::Item> {
            self.0.next()
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            (self.1, None)
        }
    }

    #[test]
    fn items_that_are_kept_lie_behind_each_other() {
        let marked = |len: u64, share: u64| (0..len).map(move |i| (i, i % share == 0));
        for len in [0, 1, 255, 256, 257, 3_000] {
            for share in [1, 2, 3, len.max(1)] {
                let expected: Vec<u64> = (0..len).filter(|i| i % share == 0).collect();
                let len = len as usize;
                for upper in [0, len, 10 * len, usize::MAX] {
                    let items = || marked(len as u64, share);
                    let folder = begun(upper).consume_kept(items());
                    assert!(folder.vec == expected);
                    assert_eq!(folder.seen, len);
                    // Those that do not know how many there are, and those that promise too many.
                    let folder = begun(upper).consume_kept(items().filter(|_| true));
                    assert!(folder.vec == expected);
                    assert_eq!(folder.seen, len);
                    let folder = begun(upper).consume_kept(AtLeast(items(), 100));
                    assert!(folder.vec == expected);
                    assert_eq!(folder.seen, len);
                }
            }
        }
    }

    #[test]
    fn room_ends_where_all_were_kept() {
        let folder = begun(5_000).consume_kept((0..5_000u64).map(|i| (i, true)));
        assert_eq!((folder.vec.len(), folder.vec.capacity()), (5_000, 5_000));
    }

    fn part(items: &[u64], room: usize) -> Parts<u64> {
        let mut first = Vec::with_capacity(room);
        first.extend(items);
        Parts {
            first,
            rest: Vec::new(),
        }
    }

    #[test]
    fn no_part_is_empty() {
        let all: [&[u64]; 6] = [&[], &[1, 2], &[], &[3], &[], &[4]];
        let parts = all.map(|items| part(items, 9)).into_iter();
        let parts = parts.reduce(|left, right| Append.reduce(left, right));
        let parts: Vec<_> = parts.unwrap().into_iter().collect();
        assert_eq!(parts, [vec![1, 2], vec![3], vec![4]]);
    }

    #[test]
    fn parts_have_no_room_for_many_more() {
        let parts = || Append.reduce(part(&[1, 2], 1_000), part(&[3], 1_000));
        let list = parts().into_list();
        assert!(list.iter().all(|part| part.capacity() < 99) && list.len() == 2);
        let vec = parts().into_vec();
        assert!(vec == [1, 2, 3] && vec.capacity() < 99);
    }

    #[test]
    fn items_that_are_not_kept_are_dropped() {
        let item = Arc::new(());
        let items = repeat_n(item.clone(), 1_000).zip(0..);
        let folder = begun(1_000).consume_kept(items.map(|(item, i)| (item, i % 4 == 0)));
        assert_eq!((folder.vec.len(), Arc::strong_count(&item)), (250, 251));
    }
}

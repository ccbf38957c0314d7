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
/// A guess asks for room for at most so many times the present items. With 4, a million kept items take one request more.
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

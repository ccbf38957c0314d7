//! Collecting an iterator of unknown length: each fold fills a vector of its own, and there is one fold a theft.

use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
use std::mem::{self, MaybeUninit};

/// How many items are filtered at a time without looking at the room that is left.
const STRIDE: usize = 256;
/// How many items must have been offered before the share that is kept is taken for typical.
const SAMPLE: usize = 4096;

/// The items in pieces, in order, none of them empty (except that a lone one may be).
pub(crate) struct Parts<T> {
    first: Vec<T>,
    rest: Vec<Vec<T>>,
}

impl<T> Parts<T> {
    pub(crate) fn len(&self) -> usize {
        self.first.len() + self.rest.iter().map(Vec::len).sum::<usize>()
    }

    /// All pieces as one vector: the first one, with the others copied behind it.
    pub(crate) fn into_vec(mut self) -> Vec<T> {
        let rest: usize = self.rest.iter().map(Vec::len).sum();
        self.first.reserve_exact(rest);
        for mut part in self.rest {
            self.first.append(&mut part);
        }
        self.first
    }

    /// The pieces.
    pub(crate) fn into_iter(self) -> impl Iterator<Item = Vec<T>> {
        let first = (!self.first.is_empty()).then_some(self.first);
        first.into_iter().chain(self.rest)
    }
}

/// Collects all items of `par_iter`.
pub(crate) fn collect_parts<I>(par_iter: I) -> Parts<I::Item>
where
    I: ParallelIterator,
{
    par_iter.drive_unindexed(Grow)
}

/// Makes vectors.
pub(crate) struct Grow;

/// A vector that is being filled.
pub(crate) struct Growing<T> {
    vec: Vec<T>,
    /// How many items may come in all; 0 if nobody said.
    upper: usize,
    /// How many items were offered, kept or not.
    seen: usize,
}

impl<T> Growing<T> {
    /// Makes room for at least `more` items, and for as many as are to be expected if the share kept so far is typical.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let len = self.vec.len();
        // At first a page's worth, if as many may come: growing from nothing costs more than the page.
        let page = (4096 / size_of::<T>().max(1)).min(self.upper);
        let doubled = len + more.max(len).max(page);
        let wanted = if self.seen >= SAMPLE && self.upper > self.seen {
            // The share kept, with three standard deviations of a sample of this size on top.
            let share = len as f64 / self.seen as f64;
            let margin = 1.0 + 1.5 / (self.seen as f64).sqrt();
            let expected = (self.upper as f64 * share * margin) as usize + more;
            expected.clamp(len + more, self.upper.max(len + more))
        } else {
            doubled
        };
        self.vec.reserve_exact(wanted - len);
    }
}

impl<T: Send> Consumer<T> for Grow {
    type Folder = Growing<T>;
    type Reducer = Append;
    type Result = Parts<T>;

    fn split_at(self, _: usize) -> (Self, Self, Append) {
        (Grow, Grow, Append)
    }

    fn into_folder(self) -> Growing<T> {
        Growing {
            vec: Vec::new(),
            upper: 0,
            seen: 0,
        }
    }

    fn full(&self) -> bool {
        false
    }

    fn splits_live(&self) -> bool {
        true
    }

    fn split_folder(_: &mut Growing<T>, _: usize) -> (Self, Append) {
        (Grow, Append)
    }

    fn expect(folder: &mut Growing<T>, upper: usize) {
        folder.upper = upper;
    }
}

impl<T: Send> UnindexedConsumer<T> for Grow {
    fn split_off_left(&self) -> Self {
        Grow
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
            self.grow(1);
        }
        self.vec.push(item);
        self.seen += 1;
        self
    }

    #[inline]
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let iter = iter.into_iter();
        let (least, most) = iter.size_hint();
        if least > self.vec.capacity() - self.vec.len() {
            self.grow(least);
        }
        let before = self.vec.len();
        self.vec.extend(iter);
        self.seen += most.unwrap_or(self.vec.len() - before);
        self
    }

    #[inline]
    fn consume_kept<I, P>(mut self, mut iter: I, keep: P) -> Self
    where
        I: Iterator<Item = T>,
        P: Fn(&T) -> bool,
    {
        if mem::needs_drop::<T>() {
            return self.consume_iter(iter.filter(keep));
        }
        // Every item is written behind the last one that was kept, and the length grows by whether it is kept: no branch to mispredict.
        loop {
            let ask = iter.size_hint().0.clamp(1, STRIDE);
            if self.vec.capacity() - self.vec.len() < ask {
                self.grow(ask);
            }
            let (mut kept, mut offered) = (0, 0);
            let room: &mut [MaybeUninit<T>] = &mut self.vec.spare_capacity_mut()[..ask];
            iter.by_ref().take(ask).for_each(|item| {
                offered += 1;
                kept += usize::from(keep(room[kept].write(item)));
            });
            let len = self.vec.len() + kept;
            // SAFETY: `kept` slots behind the old length were written; `kept` is at most `ask`, for which there was room.
            unsafe { self.vec.set_len(len) };
            self.seen += offered;
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

/// Puts the pieces of two folds behind each other.
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

//! Things dealt into parts by the hashes of their keys.
//!
//! They are written down in the order in which they come, each beside its part. When a page of them is full, its things are brought into the order
//! of their parts, by counting. So there are a few allocations for a page, and none for each part. In the end each part takes its stretch of each
//! page, by value: all threads cut the pages for that, first into stretches of [`WAYS`] parts, and those into stretches of one.

use crate::iter::plumbing::Producer;
use crate::iter::sources::owned::{Owned, OwnedIter};
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::{iter, mem};

/// Into how many parts things are dealt. So many stretches of a page are still some cache lines each.
pub(super) const PARTS: usize = 256;

/// Into how many stretches one is cut at a time: one thread cuts all pages into so many, and each of these is for any thread.
const WAYS: usize = 16;
const _: () = assert!(WAYS * WAYS == PARTS);

/// About how many bytes a page has, written twice while it is in a cache of the second level.
const BYTES: usize = 1 << 17;
/// The fewest things of a full page, and the most: so many that most parts have some, and that 16 bits count them.
const FEWEST: usize = 1 << 12;
const MOST: usize = 1 << 15;
/// Room for so many things is made at first. It grows by that factor, too, because a page is soon full.
const GROWTH: usize = 16;

/// Which part a key goes to.
///
/// By bits that a large table keeps together: keys of one part lie side by side in it, and a map that is filled part by part is filled within the
/// cache. A part's own table has to use [other bits](within_part).
#[inline]
pub(super) fn part_of(hash: u64) -> usize {
    (hash >> 12) as usize % PARTS
}

/// The hash for a table of keys whose hashes all have the same bits 12 to 19.
#[inline]
pub(super) fn within_part(hash: u64) -> u64 {
    // By 2^64 over the golden ratio, whose product is best mixed in its upper bits.
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(20)
}

/// Things in parts.
pub(super) struct Dealt<T> {
    /// The last ones, fewer than a page or just as many, and beside them their parts.
    open: Vec<T>,
    parts: Vec<u8>,
    /// Those before.
    pages: Vec<Page<T>>,
}

/// Things in the order of their parts, those of a part in the order in which they came.
pub(super) struct Page<T> {
    things: Vec<T>,
    /// The parts that have some, and where the things of each end: the last one's at the end of the page.
    ends: Vec<(u8, u16)>,
}

impl<T> Dealt<T> {
    const PAGE: usize = {
        let bytes = if size_of::<T>() == 0 {
            1
        } else {
            size_of::<T>()
        };
        let things = BYTES / bytes;
        if things < FEWEST {
            FEWEST
        } else if things > MOST {
            MOST
        } else {
            things
        }
    };

    pub(super) const fn new() -> Self {
        Dealt {
            open: Vec::new(),
            parts: Vec::new(),
            pages: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty() && self.pages.is_empty()
    }

    /// Puts another thing into a part, which is less than [`PARTS`].
    #[inline]
    pub(super) fn push(&mut self, part: usize, thing: T) {
        if self.parts.len() == self.parts.capacity() || self.parts.len() == Self::PAGE {
            self.make_room();
        }
        self.open.push(thing);
        self.parts.push(part as u8); // there are no more of them
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let len = self.parts.len();
        if len == Self::PAGE {
            return self.turn();
        }
        let more = (GROWTH * len.max(1)).min(Self::PAGE) - len;
        self.open.reserve_exact(more);
        self.parts.reserve_exact(more);
    }

    /// Brings what is open into the order of its parts, as a page.
    fn turn(&mut self) {
        let len = self.open.len();
        // First how many there are of each part, then where the next one goes.
        let mut next = [0u16; PARTS];
        self.parts.iter().for_each(|&part| next[part as usize] += 1);
        let kinds = next.iter().filter(|&&count| count > 0).count();
        let mut ends = Vec::with_capacity(kinds);
        let mut end = 0;
        for (part, next) in (0..=u8::MAX).zip(&mut next) {
            let count = mem::replace(next, end);
            end += count;
            if count > 0 {
                ends.push((part, end));
            }
        }
        let mut things = Vec::with_capacity(len);
        let slots = things.spare_capacity_mut();
        for (thing, part) in self.open.drain(..).zip(self.parts.drain(..)) {
            let next = &mut next[part as usize];
            slots[usize::from(*next)].write(thing);
            *next += 1;
        }
        // SAFETY: there are `len` things, each beside its part, which was read twice from the same memory. So each went to another slot, and these
        // are the first `len` ones.
        unsafe { things.set_len(len) };
        self.pages.push(Page { things, ends });
    }

    /// All things.
    pub(super) fn into_pages(mut self) -> Vec<Page<T>> {
        if !self.open.is_empty() {
            self.turn();
        }
        self.pages
    }
}

impl<T: Send> Page<T> {
    /// All of its things, by value. What is not taken is dropped with them. Nothing is left here.
    pub(super) fn share(&mut self) -> Share<'_, T> {
        let len = self.things.len();
        // SAFETY: no slot needs to be initialised for that.
        unsafe { self.things.set_len(0) };
        let slots = &mut self.things.spare_capacity_mut()[..len];
        Share {
            // SAFETY: these slots hold things that the vector has just given up.
            things: unsafe { Owned::new(slots) },
            ends: &self.ends,
            start: 0,
        }
    }
}

#[cfg(test)]
impl<T> Page<T> {
    /// The parts that have something here.
    pub(super) fn parts(&self) -> impl Iterator<Item = usize> {
        self.ends.iter().map(|(part, _)| usize::from(*part))
    }

    pub(super) fn into_things(self) -> Vec<T> {
        self.things
    }
}

/// What a page has for some neighbouring parts.
pub(super) struct Share<'p, T: Send> {
    things: Owned<'p, T>,
    /// These parts, but for those without a thing, and where the things of each end on the page.
    ends: &'p [(u8, u16)],
    /// Where those of the first one begin.
    start: u16,
}

impl<'p, T: Send> IntoIterator for Share<'p, T> {
    type Item = T;
    type IntoIter = OwnedIter<'p, T>;

    fn into_iter(self) -> OwnedIter<'p, T> {
        self.things.into_iter()
    }
}

impl<T: Send> Share<'_, T> {
    /// How many parts it has something for.
    pub(super) fn kinds(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn len(&self) -> usize {
        let end = self.ends.last().map_or(self.start, |(_, end)| *end);
        usize::from(end - self.start)
    }
}

impl<'p, T: Send> Share<'p, T> {
    /// Cut where parts differ: by `WIDTH` parts each, the first of which is a multiple of that. Beside each stands which multiple.
    fn cut<const WIDTH: usize>(self) -> impl Iterator<Item = (usize, Share<'p, T>)> {
        let Share {
            things,
            mut ends,
            mut start,
        } = self;
        let mut rest = Some(things);
        iter::from_fn(move || {
            let number = |&(part, _): &(u8, u16)| usize::from(part) / WIDTH;
            let first = number(ends.first()?);
            let kinds = ends.partition_point(|end| number(end) == first);
            let (low, high) = ends.split_at(kinds);
            let end = low[kinds - 1].1;
            let (things, others) = rest.take()?.split_at(usize::from(end - start));
            let share = Share {
                things,
                ends: low,
                start,
            };
            (rest, ends, start) = (Some(others), high, end);
            Some((first, share))
        })
    }
}

/// A [`Share`] of one of some kinds of things.
pub(super) trait Parted: Send + Sized {
    /// How many parts it has something for.
    fn kinds(&self) -> usize;

    /// Has the columns take it.
    fn spread<const WIDTH: usize>(self, columns: Columns<'_, Self>);
}

/// A list for each of some neighbouring stretches of parts.
pub(super) struct Columns<'c, P> {
    lists: &'c mut [Vec<P>],
    /// The number of the first stretch.
    first: usize,
}

impl<P> Columns<'_, P> {
    /// Takes a share, cut into stretches of `WIDTH` parts, each of which `wrap` makes one of its kind.
    pub(super) fn take<'p, const WIDTH: usize, T: Send>(
        self,
        share: Share<'p, T>,
        wrap: impl Fn(Share<'p, T>) -> P,
    ) {
        for (number, share) in share.cut::<WIDTH>() {
            self.lists[number - self.first].push(wrap(share));
        }
    }
}

#[cfg(test)]
impl<T: Send> Parted for Share<'_, T> {
    fn kinds(&self) -> usize {
        Share::kinds(self)
    }

    fn spread<const WIDTH: usize>(self, columns: Columns<'_, Self>) {
        columns.take::<WIDTH, _>(self, |share| share);
    }
}

/// For each part, what there is for it, in order. The shares are of whole pages.
pub(super) fn columns<S: Parted>(shares: Vec<S>) -> Vec<Vec<S>> {
    let groups = spread::<WAYS, S>(shares, 0).into_par_iter().enumerate();
    let columns = groups.map(|(group, shares)| spread::<1, S>(shares, group * WAYS));
    let columns: Vec<Vec<Vec<S>>> = columns.collect();
    columns.into_iter().flatten().collect()
}

/// Cuts shares into [`WAYS`] columns of `WIDTH` parts.
fn spread<const WIDTH: usize, S: Parted>(shares: Vec<S>, first: usize) -> Vec<Vec<S>> {
    // As much room as if there were as much for each column, at most.
    let kinds: usize = shares.iter().map(S::kinds).sum();
    let room = shares.len().min(kinds.div_ceil(WAYS));
    let mut columns: Vec<Vec<S>> = (0..WAYS).map(|_| Vec::with_capacity(room)).collect();
    for share in shares {
        let lists = &mut columns;
        share.spread::<WIDTH>(Columns { lists, first });
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::{Dealt, PARTS, Page, columns};
    use std::cell::Cell;

    fn dealt<T>(things: impl IntoIterator<Item = (usize, T)>) -> Dealt<T> {
        let mut dealt = Dealt::new();
        things
            .into_iter()
            .for_each(|(part, thing)| dealt.push(part, thing));
        dealt
    }

    /// Whatever the number of pages, and of parts that have something on them.
    #[test]
    fn each_part_gets_its_things_in_order() {
        for (n, kinds) in [(0, 1), (1, 1), (300, 3), (40_000, 256), (100_000, 7)] {
            let part = |i: usize| i * i % kinds;
            let dealt = dealt((0..n).map(|i| (part(i), i)));
            assert_eq!(dealt.is_empty(), n == 0);
            let mut pages = dealt.into_pages();
            assert_eq!(pages.len(), n.div_ceil(Dealt::<usize>::PAGE));
            let columns = columns(pages.iter_mut().map(Page::share).collect());
            assert_eq!(columns.len(), PARTS);
            for (number, column) in columns.into_iter().enumerate() {
                let len = column.iter().map(|things| things.len()).sum::<usize>();
                assert_eq!(len, (0..n).filter(|i| part(*i) == number).count());
                let want = (0..n).filter(|i| part(*i) == number);
                assert!(column.into_iter().flatten().eq(want));
            }
        }
    }

    /// Those of no size, too, of which a page may have any number; and those that are longer than a page is wide.
    #[test]
    fn things_of_any_size() {
        let n = 70_000;
        assert_eq!(dealt((0..n).map(|i| (i % 2, ()))).into_pages().len(), 3);
        let pages = dealt((0..5_000).map(|i| (i % PARTS, [i; 100]))).into_pages();
        let things = pages.iter().flat_map(|page| &page.things);
        assert_eq!(things.map(|x| x[99]).sum::<usize>(), 5_000 * 4_999 / 2);
    }

    struct Counted<'c>(&'c Cell<usize>);

    // SAFETY: the test has one thread.
    unsafe impl Send for Counted<'_> {}

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    /// However far they came: open, on a page, given away, taken.
    #[test]
    fn each_thing_is_dropped_once() {
        let n = 40_000;
        for taken in [None, Some(0), Some(5)] {
            let drops = Cell::new(0);
            let dealt = dealt((0..n).map(|i| (i % 3, Counted(&drops))));
            let Some(taken) = taken else {
                drop(dealt);
                assert_eq!(drops.get(), n);
                continue;
            };
            let mut pages: Vec<Page<_>> = dealt.into_pages();
            let columns = columns(pages.iter_mut().map(Page::share).collect());
            assert_eq!(drops.get(), 0);
            for column in columns {
                for things in column {
                    things.into_iter().take(taken).for_each(drop);
                }
            }
            assert_eq!(drops.get(), n);
            drop(pages);
            assert_eq!(drops.get(), n);
        }
    }
}

//! Things dealt into parts by the hashes of their keys.
//!
//! They are written down in the order in which they come, each beside its part. When a page of them is full, its things are brought into the order
//! of their parts, by counting. So there are a few allocations for a page, and none for each part. In the end each part takes its stretch of each
//! page, by value.

use crate::iter::plumbing::Producer;
use crate::iter::sources::owned::{Owned, OwnedIter};
use std::mem;

/// Into how many parts things are dealt. So many stretches of a page are still some cache lines each.
pub(super) const PARTS: usize = 256;

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

impl<T> Page<T> {
    /// The parts that have something here.
    pub(super) fn parts(&self) -> impl Iterator<Item = usize> {
        self.ends.iter().map(|(part, _)| usize::from(*part))
    }

    /// What each of these has, by value. What is not taken of it is dropped with it. Nothing is left here.
    fn give(&mut self) -> impl Iterator<Item = (usize, OwnedIter<'_, T>)>
    where
        T: Send,
    {
        let len = self.things.len();
        // SAFETY: no slot needs to be initialised for that.
        unsafe { self.things.set_len(0) };
        let mut rest = &mut self.things.spare_capacity_mut()[..len];
        let mut start = 0;
        self.ends.drain(..).map(move |(part, end)| {
            let (slots, others) = mem::take(&mut rest).split_at_mut(usize::from(end - start));
            (rest, start) = (others, end);
            // SAFETY: these slots hold things that the vector has just given up, and none of them is in another stretch.
            (usize::from(part), unsafe { Owned::new(slots) }.into_iter())
        })
    }
}

#[cfg(test)]
impl<T> Page<T> {
    pub(super) fn into_things(self) -> Vec<T> {
        self.things
    }
}

/// For each part, what there is for it, in order.
pub(super) struct Columns<P>(Vec<Vec<P>>);

impl<P> Columns<P> {
    /// With room for what has these parts.
    pub(super) fn with_room(parts: impl Iterator<Item = usize>) -> Self {
        let mut room = [0; PARTS];
        parts.for_each(|part| room[part] += 1);
        Columns(room.map(Vec::with_capacity).into())
    }

    /// Takes what is on pages: `wrap` makes of a part's stretch what its column gets.
    pub(super) fn add<'p, T: Send>(
        &mut self,
        pages: &'p mut [Page<T>],
        wrap: impl Fn(OwnedIter<'p, T>) -> P,
    ) {
        for (part, things) in pages.iter_mut().flat_map(Page::give) {
            self.0[part].push(wrap(things));
        }
    }

    pub(super) fn into_parts(self) -> Vec<Vec<P>> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Columns, Dealt, PARTS, Page};
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
            let mut columns = Columns::with_room(pages.iter().flat_map(Page::parts));
            columns.add(&mut pages, |things| things);
            for (number, column) in columns.into_parts().into_iter().enumerate() {
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
            let mut columns = Columns::with_room(pages.iter().flat_map(Page::parts));
            columns.add(&mut pages, |things| things);
            assert_eq!(drops.get(), 0);
            for column in columns.into_parts() {
                for mut things in column {
                    things.by_ref().take(taken).for_each(drop);
                }
            }
            assert_eq!(drops.get(), n);
            drop(pages);
            assert_eq!(drops.get(), n);
        }
    }
}

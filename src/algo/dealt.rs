//! Items that are dealt: distributed to parts by the hashes of their keys.
//!
//! Items are written to a page in the order in which they come, each with the number of its part. When a page is full, its items are sorted by
//! part, by counting. So there are a few allocations for each page, and none for each part. In the end each part takes its items from
//! all pages, by value. All parts do that at the same time.

use crate::iter::sources::owned::Owned;
use std::cell::UnsafeCell;
use std::mem::{self, MaybeUninit};
use std::slice;

/// Into how many parts things are dealt. This many stretches of a page are still some cache lines each.
pub(super) const PARTS: usize = 256;

/// About how many bytes a page has, written twice while it is in a cache of the second level.
const BYTES: usize = 1 << 17;
/// The fewest things of a full page, and the most: so many that most parts have some, and that 16 bits count them.
const FEWEST: usize = 1 << 12;
const MOST: usize = 1 << 15;
/// Room for this many things is made at first. It grows by that factor, too, because a page is soon full.
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
    things: Vec<UnsafeCell<T>>,
    /// Where the things of each part begin, and those of the last one end.
    starts: [u16; PARTS + 1],
    /// The number of the fold that dealt them.
    fold: usize,
}

// SAFETY: a shared page only gives things away, through its columns, each of which has a part of its own. Things may be sent.
unsafe impl<T: Send> Sync for Page<T> {}

impl<T> Dealt<T> {
    pub(super) const PAGE: usize = {
        let things = match size_of::<T>() {
            0 => MOST,
            bytes => BYTES / bytes,
        };
        match things {
            ..FEWEST => FEWEST,
            FEWEST..=MOST => things,
            _ => MOST,
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
        let (mut starts, mut end) = ([0; PARTS + 1], 0);
        for (start, next) in starts.iter_mut().zip(&mut next) {
            *start = end;
            end += mem::replace(next, end);
        }
        starts[PARTS] = end;
        let mut things = Vec::with_capacity(len);
        let slots = things.spare_capacity_mut();
        for (thing, part) in self.open.drain(..).zip(self.parts.drain(..)) {
            let next = &mut next[part as usize];
            slots[usize::from(*next)].write(UnsafeCell::new(thing));
            *next += 1;
        }
        // SAFETY: there are `len` things, each beside its part, which was read twice from the same memory. So each went to another slot, and these
        // are the first `len` ones.
        unsafe { things.set_len(len) };
        self.pages.push(Page {
            things,
            starts,
            fold: 0,
        });
    }

    /// All things, with the number of the fold that dealt them.
    pub(super) fn into_pages(mut self, fold: usize) -> Vec<Page<T>> {
        if !self.open.is_empty() {
            self.turn();
        }
        self.pages.iter_mut().for_each(|page| page.fold = fold);
        self.pages
    }
}

/// What one part has on some pages, by value. What is not taken is dropped with it.
pub(super) struct Column<'p, T: Send> {
    /// No other column of these pages has this part; and their vectors are empty, so that the things belong to the columns.
    pages: slice::Iter<'p, Page<T>>,
    part: usize,
}

/// A column for each part. Nothing is left on the pages.
pub(super) fn columns<T: Send>(pages: &mut [Page<T>]) -> Vec<Column<'_, T>> {
    for page in &mut *pages {
        // What there was has gone to other columns.
        if page.things.is_empty() {
            page.starts = [0; PARTS + 1];
        }
        // SAFETY: no slot needs to be initialised for that.
        unsafe { page.things.set_len(0) };
    }
    let pages = &*pages;
    let column = |part| Column {
        pages: pages.iter(),
        part,
    };
    (0..PARTS).map(column).collect()
}

impl<'p, T: Send> Column<'p, T> {
    /// What the next page has, if it is of this fold. A fold's pages come together, in their order.
    #[inline]
    pub(super) fn next_of(&mut self, fold: usize) -> Option<Owned<'p, T>> {
        let next = self.pages.as_slice().first()?;
        (next.fold == fold).then(|| self.next())?
    }
}

impl<'p, T: Send> Iterator for Column<'p, T> {
    type Item = Owned<'p, T>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let page = self.pages.next()?;
        let [start, end] = [self.part, self.part + 1].map(|at| usize::from(page.starts[at]));
        let first: *mut MaybeUninit<T> = UnsafeCell::raw_get(page.things.as_ptr()).cast();
        // SAFETY: the page has things up to its last end, those of a part from its start on, by `turn`. No other column has this part, and this one
        // has passed the page. So nothing else uses these slots while the pages are borrowed, and afterwards they count as empty.
        let things = unsafe {
            let slots = slice::from_raw_parts_mut(first.add(start), end - start);
            Owned::new(slots)
        };
        Some(things)
    }
}

impl<T: Send> Drop for Column<'_, T> {
    fn drop(&mut self) {
        // Of a vector, all are dropped, also if a destructor panics.
        drop(self.collect::<Vec<_>>());
    }
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
            let mut pages = dealt.into_pages(0);
            assert_eq!(pages.len(), n.div_ceil(Dealt::<usize>::PAGE));
            let columns = columns(&mut pages);
            assert_eq!(columns.len(), PARTS);
            for (number, column) in columns.into_iter().enumerate() {
                assert!(column.flatten().eq((0..n).filter(|i| part(*i) == number)));
            }
        }
    }

    #[test]
    fn pages_fold_by_fold() {
        let fold = |fold: usize| dealt((0..fold).map(|i| (7, fold + i))).into_pages(fold);
        let mut pages: Vec<Page<usize>> = [3, 0, 70_000, 2].into_iter().flat_map(fold).collect();
        let column = &mut columns(&mut pages)[7];
        let mut of = |fold| -> Vec<usize> {
            let mut things = Vec::new();
            while let Some(more) = column.next_of(fold) {
                things.extend(more);
            }
            things
        };
        assert_eq!((of(0), of(3)), (vec![], vec![3, 4, 5]));
        assert!(of(70_000).into_iter().eq(70_000..140_000));
        assert_eq!((of(1), of(2), of(2)), (vec![], vec![2, 3], vec![]));
    }

    /// What was given away once is not given away again.
    #[test]
    fn emptied_pages_have_nothing() {
        let mut pages = dealt((0..300).map(|i| (i % 3, i.to_string()))).into_pages(0);
        let count =
            |pages: &mut [Page<String>]| columns(pages).into_iter().flatten().flatten().count();
        assert_eq!((count(&mut pages), count(&mut pages)), (300, 0));
    }

    /// Those of no size, too, of which a page may have any number; and those that are longer than a page is wide.
    #[test]
    fn things_of_any_size() {
        let n = 70_000;
        let mut pages = dealt((0..n).map(|i| (i % 2, ()))).into_pages(0);
        assert_eq!(pages.len(), 3);
        let lens = columns(&mut pages).into_iter().map(|c| c.flatten().count());
        assert_eq!(lens.sum::<usize>(), n);
        let mut pages = dealt((0..5_000).map(|i| (i % PARTS, [i; 100]))).into_pages(0);
        let things = columns(&mut pages).into_iter().flatten().flatten();
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
            let mut pages = dealt.into_pages(0);
            let columns = columns(&mut pages);
            assert_eq!(drops.get(), 0);
            for mut column in columns {
                column
                    .next()
                    .into_iter()
                    .flatten()
                    .take(taken)
                    .for_each(drop);
            }
            assert_eq!(drops.get(), n);
            drop(pages);
            assert_eq!(drops.get(), n);
        }
    }
}

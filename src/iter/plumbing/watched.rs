//! A folder for pieces that are folded whole. Now and then it checks whether more items are wanted (another thread may have found what is
//! searched for), and whether another thread asks for the piece on offer.

use super::head::consume_head;
use super::traits::Folder;
use crate::core::clock;
use crate::core::worker::Worker;

/// The longest time between two checks, in nanoseconds.
const BLOCK: u64 = 10_000;

/// Passes the items on in blocks.
pub(crate) struct Watched<F> {
    pub(crate) folder: F,
    /// About how many items it was given.
    pub(super) seen: usize,
    /// How many items to pass on between two checks.
    pub(crate) block: usize,
    /// Blocks grow up to so many items, however long they take; 0 if the clock says how many.
    fixed: usize,
}

impl<F> Watched<F> {
    #[inline]
    pub(super) fn new(folder: F) -> Self {
        Watched::after(1, folder, 0)
    }

    /// Goes on after so many items that were not watched. If blocks are `fixed`, they grow up to so many items, and what the clock says does not matter.
    #[inline]
    pub(crate) fn after(items: usize, folder: F, fixed: usize) -> Self {
        Watched {
            folder,
            seen: 0,
            block: items,
            fixed,
        }
    }
}

impl<T, F: Folder<T>> Folder<T> for Watched<F> {
    type Result = F::Result;

    #[inline]
    fn consume(self, item: T) -> Self {
        Watched {
            folder: self.folder.consume(item),
            seen: self.seen.saturating_add(1),
            ..self
        }
    }

    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let (mut folder, mut items) = (self.folder, iter.into_iter());
        let most = BLOCK * clock::per_us() / 1000;
        let (mut block, mut mark) = (self.block, clock::ticks());
        while !folder.full()
            && let Some(first) = items.next()
        {
            folder = folder.consume(first);
            self.seen = self.seen.saturating_add(1);
            if folder.full() {
                break;
            }
            let rest;
            (folder, rest) = match items.size_hint() {
                // The compiler knows where this ends, so it may work on several items at a time.
                (_, Some(most)) if most <= block => (folder.consume_iter(items), None),
                _ => consume_head(folder, items, block),
            };
            self.seen = self.seen.saturating_add(block);
            if let Some(worker) = Worker::current() {
                worker.answer_if_asked();
            }
            let now = clock::ticks();
            block = match now.saturating_sub(mark) {
                _ if self.fixed > 0 => block.saturating_mul(4).min(self.fixed),
                spent if spent > most => (block / 2).max(1),
                spent if spent > most / 4 => block,
                _ => block.saturating_mul(4),
            };
            mark = now;
            items = match rest {
                Some(rest) => rest,
                None => break,
            };
        }
        Watched {
            folder,
            block,
            ..self
        }
    }

    #[inline]
    fn complete(self) -> F::Result {
        self.folder.complete()
    }

    #[inline]
    fn full(&self) -> bool {
        self.folder.full()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Count(usize);

    impl Folder<u8> for Count {
        type Result = usize;

        fn consume(self, _: u8) -> Self {
            Count(self.0 + 1)
        }

        fn complete(self) -> usize {
            self.0
        }

        fn full(&self) -> bool {
            false
        }
    }

    /// What has no end may have more items than a `usize` can count.
    #[test]
    fn more_items_than_can_be_counted_are_passed_on() {
        let mut watched = Watched::new(Count(0));
        watched.seen = usize::MAX - 1;
        let watched = watched.consume_iter([1; 100]).consume(1);
        assert_eq!((watched.seen, watched.complete()), (usize::MAX, 101));
    }
}

//! An ordinary iterator as a source of rounds: a stretch of it is an ordinary iterator again.

use crate::core::blocking;
use crate::iter::plumbing::round_len;
use std::iter;

/// The iterator, until it ends.
pub(crate) struct Fetched<Iter> {
    iter: Iter,
    over: bool,
}

impl<Iter: Iterator> Fetched<Iter> {
    pub(crate) fn new(iter: Iter) -> Self {
        Fetched { iter, over: false }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Option<Iter::Item> {
        if self.over {
            return None;
        }
        // Even if it panics.
        self.over = true;
        let item = self.iter.next();
        self.over = item.is_none();
        item
    }

    /// The items of a round of `n`; `None` if there are none. The first one is fetched here, which may take long.
    pub(crate) fn stretch(&mut self, n: usize) -> Option<impl Iterator<Item = Iter::Item>> {
        let first = blocking(|| self.next())?;
        let mut more = round_len(n).map_or(u64::MAX, |n| n as u64 - 1);
        let others = iter::from_fn(move || {
            more = more.checked_sub(1)?;
            self.next()
        });
        Some(iter::once(first).chain(others))
    }
}

//! Scans of iterators.
//!
//! Items are collected and scanned in place: the work and span of both, and memory for n items.

use super::{scan_exclusive_in_place, scan_inclusive_in_place};
use crate::iter::adapters::adaptor;
use crate::iter::sources::indexed_source;
use crate::iter::{IndexedParallelIterator, ParallelDrainRange};

/// Running values of indexed parallel iterators: `use filch::ext::*`.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let sums: Vec<i32> = [1, 2, 3].par_iter().copied().scan_inclusive(|a, b| a + b).collect();
/// assert_eq!(sums, [1, 3, 6]);
/// ```
pub trait IndexedScan: IndexedParallelIterator<Item: Clone + Sync> {
    /// Yields the running values of `op`, each including its own item: `a`, `op(a, b)`, `op(op(a, b), c)` and so on.
    ///
    /// `op` must be associative. Unlike std's `scan` it has no state, and cannot end the iterator.
    ///
    /// All items are collected into a vector, in parallel, and scanned there, before the first value is yielded. So each item is computed once.
    /// Work: one or two calls of `op` per item. Memory: n items. For the span see [scans of slices](crate::algo::scan).
    /// Lazy: nothing of this happens, and `op` is not called, before the end of the chain runs. A panic of `op` comes out of the end.
    ///
    /// ```
    /// use filch::ext::IndexedScan;
    /// use filch::prelude::*;
    /// let heights = [3u32, 1, 4, 1, 5];
    /// let peaks: Vec<u32> = heights.par_iter().copied().scan_inclusive(|a, b| *a.max(b)).collect();
    /// assert_eq!(peaks, [3, 3, 4, 4, 5]);
    /// ```
    #[doc(alias("scan", "inclusive_scan", "prefix_sum"))]
    fn scan_inclusive<F>(self, op: F) -> ScanInclusive<Self, F>
    where
        F: Fn(&Self::Item, &Self::Item) -> Self::Item + Sync + Send,
    {
        ScanInclusive::new(self, op)
    }

    /// Yields the running values of `op` that begin with `init`, each without its own item: `init`, `op(init, a)` and so on.
    ///
    /// There are as many values as items, so the total is not among them. For the rest, see
    /// [`scan_inclusive`](IndexedScan::scan_inclusive).
    ///
    /// ```
    /// use filch::ext::IndexedScan;
    /// use filch::prelude::*;
    /// let words = ["two", "words"];
    /// let starts: Vec<usize> = words.par_iter().map(|w| w.len()).scan_exclusive(0, |a, b| a + b).collect();
    /// assert_eq!(starts, [0, 3]);
    /// ```
    #[doc(alias("exclusive_scan", "prefix_sum"))]
    fn scan_exclusive<F>(self, init: Self::Item, op: F) -> ScanExclusive<Self, F>
    where
        F: Fn(&Self::Item, &Self::Item) -> Self::Item + Sync + Send,
    {
        ScanExclusive::new(self, init, op)
    }
}

impl<I: IndexedParallelIterator<Item: Clone + Sync>> IndexedScan for I {}

adaptor! {
    /// Yields running values; made by [`scan_inclusive`](IndexedScan::scan_inclusive).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let sums: filch::algo::scan::ScanInclusive<_, _> = [1, 2, 3].par_iter().copied().scan_inclusive(|a, b| a + b);
    /// assert_eq!(sums.collect::<Vec<i32>>(), [1, 3, 6]);
    /// ```
    pub struct ScanInclusive<I, F> { base: I } { op: F }
}

indexed_source! {
    impl[I: IndexedParallelIterator<Item: Clone + Sync>, F: Fn(&I::Item, &I::Item) -> I::Item + Sync + Send] ScanInclusive<I, F> => I::Item;
    len(self) { self.base.len() }
    give(self, callback) {
        let mut items: Vec<_> = self.base.collect();
        scan_inclusive_in_place(&mut items, self.op);
        items.par_drain(..).with_producer(callback)
    }
}

adaptor! {
    /// Yields running values; made by [`scan_exclusive`](IndexedScan::scan_exclusive).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let sums: filch::algo::scan::ScanExclusive<_, _> = [1, 2, 3].par_iter().copied().scan_exclusive(0, |a, b| a + b);
    /// assert_eq!(sums.collect::<Vec<i32>>(), [0, 1, 3]);
    /// ```
    pub struct ScanExclusive<I: IndexedParallelIterator, F> { base: I, init: I::Item } { op: F }
}

indexed_source! {
    impl[I: IndexedParallelIterator<Item: Clone + Sync>, F: Fn(&I::Item, &I::Item) -> I::Item + Sync + Send] ScanExclusive<I, F> => I::Item;
    len(self) { self.base.len() }
    give(self, callback) {
        let mut items: Vec<_> = self.base.collect();
        scan_exclusive_in_place(&mut items, self.init, self.op);
        items.par_drain(..).with_producer(callback)
    }
}

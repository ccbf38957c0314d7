//! `split`.

use super::unindexed_source;
use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::fmt;

/// Yields the parts of a value that a closure can split in two.
///
/// `splitter` gets a part and returns its left and right half, or the whole part with `None`. It is called until there are enough parts for
/// the threads. That number is unspecified, so a part may be larger than the smallest that `splitter` could make. Parts keep their order.
///
/// ```
/// use filch::iter;
/// use filch::prelude::*;
/// use std::ops::Range;
///
/// fn halves(range: Range<u64>) -> (Range<u64>, Option<Range<u64>>) {
///     let middle = range.start + (range.end - range.start) / 2;
///     if middle == range.start {
///         return (range, None);
///     }
///     (range.start..middle, Some(middle..range.end))
/// }
///
/// let total: u64 = iter::split(0..1000, halves).map(|part| part.sum::<u64>()).sum();
/// assert_eq!(total, 499_500);
/// ```
pub fn split<D: Send, S: Fn(D) -> (D, Option<D>) + Sync>(data: D, splitter: S) -> Split<D, S> {
    Split { data, splitter }
}

/// The parts of a value that a closure splits; made by [`split`].
///
/// ```
/// use filch::prelude::*;
///
/// let halves = |r: std::ops::Range<u32>| {
///     let middle = r.start + (r.end - r.start) / 2;
///     if r.len() > 10 { (r.start..middle, Some(middle..r.end)) } else { (r, None) }
/// };
/// let parts: filch::iter::Split<_, _> = filch::iter::split(0..100, halves);
/// assert_eq!(parts.flatten_iter().sum::<u32>(), 4950);
/// ```
#[derive(Clone)]
pub struct Split<D, S> {
    data: D,
    splitter: S,
}

impl<D: fmt::Debug, S> fmt::Debug for Split<D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Split").field("data", &self.data).finish()
    }
}

unindexed_source! {
    impl[D, S] Split<D, S> => D, where [D: Send, S: Fn(D) -> (D, Option<D>) + Sync + Send];
    producer(self) { SplitProducer { data: self.data, splitter: &self.splitter } }
}

/// One part is one item, so a fold cannot stop in the middle of it: parts are cut before they are folded.
struct SplitProducer<'s, D, S> {
    data: D,
    splitter: &'s S,
}

impl<D: Send, S: Fn(D) -> (D, Option<D>) + Sync> UnindexedProducer for SplitProducer<'_, D, S> {
    type Item = D;

    fn split(self) -> (Self, Option<Self>) {
        let splitter = self.splitter;
        let (left, right) = splitter(self.data);
        let part = |data| SplitProducer { data, splitter };
        (part(left), right.map(part))
    }

    fn fold_with<F: Folder<D>>(self, folder: F) -> F {
        folder.consume(self.data)
    }
}

//! Files by size: which are the largest, and how many there are of each order of magnitude.

use std::cmp::Reverse;

use filch::prelude::*;

use super::read::Content;

/// What is known about the sizes of files.
pub struct Sizes {
    /// Indices of the files, the largest first.
    pub order: Vec<usize>,
    pub histogram: Histogram,
}

/// Sorts and counts with std.
pub fn sequential(files: &[Content<'_>]) -> Sizes {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_unstable_by_key(|&at| (Reverse(files[at].bytes.len()), at));
    let histogram = files.iter().fold(Histogram::default(), Histogram::count);
    Sizes { order, histogram }
}

/// Sorts and counts with all threads.
pub fn parallel(files: &[Content<'_>]) -> Sizes {
    let mut order: Vec<usize> = (0..files.len()).into_par_iter().collect();
    // A key is in another place than its index: fetched once, and not at each comparison. The sort is stable.
    order.par_sort_by_cached_key(|&at| Reverse(files[at].bytes.len()));
    let histogram = files
        .par_iter()
        .fold(Histogram::default, Histogram::count)
        .reduce(Histogram::default, Histogram::merge);
    Sizes { order, histogram }
}

/// One bucket for empty files, then one for each power of four.
const BUCKETS: usize = 33;

/// How many files there are of each order of magnitude.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    buckets: [Bucket; BUCKETS],
}

/// The files of one order of magnitude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bucket {
    pub files: u64,
    pub bytes: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram {
            buckets: [Bucket::default(); BUCKETS],
        }
    }
}

impl Histogram {
    fn count(mut self, file: &Content<'_>) -> Self {
        let size = file.bytes.len() as u64;
        let bucket = &mut self.buckets[size.checked_ilog2().map_or(0, |log| log as usize / 2 + 1)];
        bucket.files += 1;
        bucket.bytes += size;
        self
    }

    fn merge(mut self, other: Self) -> Self {
        for (to, from) in self.buckets.iter_mut().zip(other.buckets) {
            to.files += from.files;
            to.bytes += from.bytes;
        }
        self
    }

    /// The buckets from the first to the last that is not empty, each with the size below which its files are.
    pub fn rows(&self) -> impl Iterator<Item = (u64, Bucket)> {
        let used = |bucket: &Bucket| bucket.files > 0;
        let start = self.buckets.iter().position(used).unwrap_or(0);
        let end = self
            .buckets
            .iter()
            .rposition(used)
            .map_or(0, |last| last + 1);
        (start..end).map(|at| (4u64.saturating_pow(at as u32), self.buckets[at]))
    }
}

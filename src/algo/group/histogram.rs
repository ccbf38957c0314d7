//! Counts in a fixed number of bins.

use super::spare::Spare;
use crate::iter::ParallelIterator;
use crate::iter::sinks::plain::{self, Plain};

/// How many items of `items` have each of `bins` indices.
pub(super) fn histogram<I, F>(items: I, bins: usize, index: F) -> Vec<usize>
where
    I: ParallelIterator,
    F: Fn(I::Item) -> usize + Sync,
{
    let end = Bins {
        bins,
        index,
        spare: Spare::new(),
    };
    plain::run(items, &end);
    let mut all = end.spare.take_all();
    let mut counts = all.next().unwrap_or_else(|| vec![0; bins]);
    for others in all {
        for (count, other) in counts.iter_mut().zip(others) {
            *count += other;
        }
    }
    counts
}

struct Bins<F> {
    bins: usize,
    index: F,
    spare: Spare<Vec<usize>>,
}

impl<T, F: Fn(T) -> usize + Sync> Plain<T> for Bins<F> {
    type State = Vec<usize>;
    type Result = ();

    fn begin(&self) -> Vec<usize> {
        self.spare.take().unwrap_or_else(|| vec![0; self.bins])
    }

    #[inline]
    fn many(&self, mut counts: Vec<usize>, items: impl Iterator<Item = T>) -> Vec<usize> {
        let bins = &mut counts[..];
        items.for_each(|item| bins[(self.index)(item)] += 1);
        counts
    }

    fn end(&self, counts: Vec<usize>) {
        self.spare.put(counts);
    }

    fn reduce(&self, (): (), (): ()) {}
}

//! Runs of neighbours that a predicate accepts.

use super::cut_source::cut_source;
use crate::iter::sources::pieces::{Data, Marks, walk};
use std::ops::Range;
use std::slice;

/// Places between two elements that do not belong to the same run.
struct Breaks<'p, P>(&'p P);

impl<P> Clone for Breaks<'_, P> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Breaks<'_, P> {}

/// The pairs of neighbours around the places in `range`, and the first of these places. There is none before the first element.
#[inline]
fn pairs<T>(view: &[T], range: Range<usize>) -> (usize, slice::Windows<'_, T>) {
    let start = range.start.max(1);
    (start, view[start - 1..range.end].windows(2))
}

impl<T, D, P> Marks<D> for Breaks<'_, P>
where
    D: Data<View = [T]>,
    P: Fn(&T, &T) -> bool + Sync,
{
    /// There is nothing to keep, but this also says that no piece is empty.
    const KEEPS: bool = true;

    #[inline]
    fn first(self, view: &[T], range: Range<usize>) -> Option<usize> {
        let (start, mut pairs) = pairs(view, range);
        let at = pairs.position(|pair| !(self.0)(&pair[0], &pair[1]))?;
        Some(start + at)
    }

    #[inline]
    fn last(self, view: &[T], range: Range<usize>) -> Option<usize> {
        let (start, mut pairs) = pairs(view, range);
        let at = pairs.rposition(|pair| !(self.0)(&pair[0], &pair[1]))?;
        Some(start + at)
    }

    #[inline]
    fn width(self, _: &[T], _: usize) -> usize {
        0
    }

    #[inline]
    fn pieces(self, data: D, bare: usize) -> impl Iterator<Item = D> {
        walk(data, self, bare)
    }
}

cut_source! {
    /// Runs of elements that belong together; made by [`par_chunk_by`](super::ParallelSlice::par_chunk_by).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let runs: filch::slice::ChunkBy<'_, _, _> = [1, 1, 2].par_chunk_by(|a, b| a == b);
    /// assert_eq!(runs.collect::<Vec<_>>(), [&[1, 1][..], &[2]]);
    /// ```
    ChunkBy over &'data [T], Clone;
    [T: Sync] P: Fn(&T, &T) => Breaks
}

cut_source! {
    /// Mutable runs of elements that belong together; made by [`par_chunk_by_mut`](super::ParallelSliceMut::par_chunk_by_mut).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let mut values = [1, 1, 2];
    /// let runs: filch::slice::ChunkByMut<'_, _, _> = values.par_chunk_by_mut(|a, b| a == b);
    /// runs.for_each(|run| run[0] = 0);
    /// assert_eq!(values, [0, 1, 0]);
    /// ```
    ChunkByMut over &'data mut [T];
    [T: Send] P: Fn(&T, &T) => Breaks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iter::sources::pieces::{Pieces, tests::items};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn as_std_with_one_call_for_each_pair() {
        for bits in 0..1 << 9 {
            let data: Vec<bool> = (0..9).map(|i| bits >> i & 1 == 1).collect();
            for len in 0..=data.len() {
                let data = &data[..len];
                for budget in [None, Some(1), Some(3), Some(100)] {
                    let calls = AtomicUsize::new(0);
                    let same = |a: &bool, b: &bool| {
                        calls.fetch_add(1, Ordering::Relaxed);
                        a == b
                    };
                    let runs = items(Pieces::new(data, Breaks(&same)), budget);
                    assert!(data.chunk_by(|a, b| a == b).eq(runs), "{data:?}");
                    assert_eq!(calls.into_inner(), len.saturating_sub(1));
                }
            }
        }
    }
}

//! Pieces between elements that a predicate accepts.

use super::cut_source::cut_source;
use crate::iter::sources::pieces::{Data, Marks, walk};
use std::ops::Range;

/// Elements that separate, and whether they stay at the end of their pieces.
struct Separators<'p, P, const INCLUSIVE: bool>(&'p P);

impl<P, const INCLUSIVE: bool> Clone for Separators<'_, P, INCLUSIVE> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<P, const INCLUSIVE: bool> Copy for Separators<'_, P, INCLUSIVE> {}

impl<T, D, P, const INCLUSIVE: bool> Marks<D> for Separators<'_, P, INCLUSIVE>
where
    D: Data<View = [T]>,
    P: Fn(&T) -> bool + Sync,
{
    const KEEPS: bool = INCLUSIVE;

    #[inline]
    fn first(self, view: &[T], range: Range<usize>) -> Option<usize> {
        let start = range.start;
        let at = view[range].iter().position(self.0)?;
        Some(start + at)
    }

    #[inline]
    fn last(self, view: &[T], range: Range<usize>) -> Option<usize> {
        let start = range.start;
        let at = view[range].iter().rposition(self.0)?;
        Some(start + at)
    }

    #[inline]
    fn width(self, _: &[T], _: usize) -> usize {
        1
    }

    #[inline]
    fn pieces(self, data: D, bare: usize) -> impl Iterator<Item = D> {
        walk(data, self, bare)
    }
}

cut_source! {
    /// The pieces between separators; made by [`par_split`](super::ParallelSlice::par_split).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let parts: filch::slice::Split<'_, _, _> = [1, 0, 2, 3].par_split(|&n| n == 0);
    /// assert_eq!(parts.collect::<Vec<_>>(), [&[1][..], &[2, 3]]);
    /// ```
    Split over &'data [T], Clone;
    [T: Sync] P: Fn(&T) => Separators::<_, false>
}

cut_source! {
    /// Pieces that end with a separator; made by [`par_split_inclusive`](super::ParallelSlice::par_split_inclusive).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let parts: filch::slice::SplitInclusive<'_, _, _> = [1, 0, 2, 3].par_split_inclusive(|&n| n == 0);
    /// assert_eq!(parts.collect::<Vec<_>>(), [&[1, 0][..], &[2, 3]]);
    /// ```
    SplitInclusive over &'data [T], Clone;
    [T: Sync] P: Fn(&T) => Separators::<_, true>
}

cut_source! {
    /// The mutable pieces between separators; made by [`par_split_mut`](super::ParallelSliceMut::par_split_mut).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let mut values = [1, 0, 2, 3];
    /// let parts: filch::slice::SplitMut<'_, _, _> = values.par_split_mut(|&n| n == 0);
    /// parts.for_each(|part| part.reverse());
    /// assert_eq!(values, [1, 0, 3, 2]);
    /// ```
    SplitMut over &'data mut [T];
    [T: Send] P: Fn(&T) => Separators::<_, false>
}

cut_source! {
    /// Mutable pieces that end with a separator; made by [`par_split_inclusive_mut`](super::ParallelSliceMut::par_split_inclusive_mut).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let mut values = [1, 0, 2, 3];
    /// let parts: filch::slice::SplitInclusiveMut<'_, _, _> = values.par_split_inclusive_mut(|&n| n == 0);
    /// parts.for_each(|part| part.reverse());
    /// assert_eq!(values, [0, 1, 3, 2]);
    /// ```
    SplitInclusiveMut over &'data mut [T];
    [T: Send] P: Fn(&T) => Separators::<_, true>
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iter::sources::pieces::{Pieces, tests::items};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn as_std_with_one_call_for_each_element() {
        for bits in 0..1 << 9 {
            let data: Vec<bool> = (0..9).map(|i| bits >> i & 1 == 1).collect();
            for len in 0..=data.len() {
                let data = &data[..len];
                for budget in [None, Some(1), Some(3), Some(100)] {
                    let calls = AtomicUsize::new(0);
                    let separator = |&x: &bool| {
                        calls.fetch_add(1, Ordering::Relaxed);
                        x
                    };
                    let between = Separators::<_, false>(&separator);
                    let between = items(Pieces::new(data, between), budget);
                    assert!(data.split(|&x| x).eq(between), "{data:?}");
                    assert_eq!(calls.swap(0, Ordering::Relaxed), len);
                    let inclusive = Separators::<_, true>(&separator);
                    let inclusive = items(Pieces::new(data, inclusive), budget);
                    assert!(data.split_inclusive(|&x| x).eq(inclusive), "{data:?}");
                    assert_eq!(calls.into_inner(), len);
                }
            }
        }
    }
}

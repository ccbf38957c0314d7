//! Pieces between elements that a predicate picks out.

use crate::iter::sources::pieces::{Data, Marks, Pieces, Walk};
use crate::iter::sources::unindexed_source;
use std::fmt::{self, Debug};
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
        Walk::new(data, self, bare)
    }
}

/// Over the pieces between separators; made by
/// [`par_split`](super::ParallelSlice::par_split).
pub struct Split<'data, T, P> {
    slice: &'data [T],
    predicate: P,
}

impl<'data, T, P> Split<'data, T, P> {
    #[inline]
    pub(super) fn new(slice: &'data [T], predicate: P) -> Self {
        Split { slice, predicate }
    }
}

impl<T, P: Clone> Clone for Split<'_, T, P> {
    fn clone(&self) -> Self {
        Split {
            slice: self.slice,
            predicate: self.predicate.clone(),
        }
    }
}

impl<T: Debug, P> Debug for Split<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Split").field("slice", &self.slice).finish()
    }
}

unindexed_source! {
    impl['data, T: Sync, P: Fn(&T) -> bool + Sync + Send] Split<'data, T, P> => &'data [T];
    producer(self) { Pieces::new(self.slice, Separators::<_, false>(&self.predicate)) }
}

/// Over pieces that end with a separator; made by
/// [`par_split_inclusive`](super::ParallelSlice::par_split_inclusive).
pub struct SplitInclusive<'data, T, P> {
    slice: &'data [T],
    predicate: P,
}

impl<'data, T, P> SplitInclusive<'data, T, P> {
    #[inline]
    pub(super) fn new(slice: &'data [T], predicate: P) -> Self {
        SplitInclusive { slice, predicate }
    }
}

impl<T, P: Clone> Clone for SplitInclusive<'_, T, P> {
    fn clone(&self) -> Self {
        SplitInclusive {
            slice: self.slice,
            predicate: self.predicate.clone(),
        }
    }
}

impl<T: Debug, P> Debug for SplitInclusive<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitInclusive")
            .field("slice", &self.slice)
            .finish()
    }
}

unindexed_source! {
    impl['data, T: Sync, P: Fn(&T) -> bool + Sync + Send] SplitInclusive<'data, T, P> => &'data [T];
    producer(self) { Pieces::new(self.slice, Separators::<_, true>(&self.predicate)) }
}

/// Over the mutable pieces between separators; made by
/// [`par_split_mut`](super::ParallelSliceMut::par_split_mut).
pub struct SplitMut<'data, T, P> {
    slice: &'data mut [T],
    predicate: P,
}

impl<'data, T, P> SplitMut<'data, T, P> {
    #[inline]
    pub(super) fn new(slice: &'data mut [T], predicate: P) -> Self {
        SplitMut { slice, predicate }
    }
}

impl<T: Debug, P> Debug for SplitMut<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitMut")
            .field("slice", &self.slice)
            .finish()
    }
}

unindexed_source! {
    impl['data, T: Send, P: Fn(&T) -> bool + Sync + Send] SplitMut<'data, T, P> => &'data mut [T];
    producer(self) { Pieces::new(self.slice, Separators::<_, false>(&self.predicate)) }
}

/// Over mutable pieces that end with a separator; made by
/// [`par_split_inclusive_mut`](super::ParallelSliceMut::par_split_inclusive_mut).
pub struct SplitInclusiveMut<'data, T, P> {
    slice: &'data mut [T],
    predicate: P,
}

impl<'data, T, P> SplitInclusiveMut<'data, T, P> {
    #[inline]
    pub(super) fn new(slice: &'data mut [T], predicate: P) -> Self {
        SplitInclusiveMut { slice, predicate }
    }
}

impl<T: Debug, P> Debug for SplitInclusiveMut<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SplitInclusiveMut")
            .field("slice", &self.slice)
            .finish()
    }
}

unindexed_source! {
    impl['data, T: Send, P: Fn(&T) -> bool + Sync + Send] SplitInclusiveMut<'data, T, P> => &'data mut [T];
    producer(self) { Pieces::new(self.slice, Separators::<_, true>(&self.predicate)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iter::sources::pieces::tests::items;
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

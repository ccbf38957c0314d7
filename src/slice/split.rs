//! Pieces between elements that a predicate picks out.

use crate::iter::sources::pieces::{Keep, Marks, Pieces};
use crate::iter::sources::unindexed_source;
use std::fmt::{self, Debug};
use std::ops::Range;

/// Elements that separate.
struct Separators<'p, P>(&'p P);

impl<P> Clone for Separators<'_, P> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Separators<'_, P> {}

impl<T, P: Fn(&T) -> bool + Sync> Marks<[T]> for Separators<'_, P> {
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
}

/// Over the pieces between separators; made by
/// [`par_split`](super::ParallelSlice::par_split).
#[must_use = "iterators are lazy and do nothing unless consumed"]
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
    producer(self) { Pieces::new(self.slice, Separators(&self.predicate), Keep::Between) }
}

/// Over pieces that end with a separator; made by
/// [`par_split_inclusive`](super::ParallelSlice::par_split_inclusive).
#[must_use = "iterators are lazy and do nothing unless consumed"]
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
    producer(self) { Pieces::new(self.slice, Separators(&self.predicate), Keep::Inclusive) }
}

/// Over the mutable pieces between separators; made by
/// [`par_split_mut`](super::ParallelSliceMut::par_split_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
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
    producer(self) { Pieces::new(self.slice, Separators(&self.predicate), Keep::Between) }
}

/// Over mutable pieces that end with a separator; made by
/// [`par_split_inclusive_mut`](super::ParallelSliceMut::par_split_inclusive_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
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
    producer(self) { Pieces::new(self.slice, Separators(&self.predicate), Keep::Inclusive) }
}

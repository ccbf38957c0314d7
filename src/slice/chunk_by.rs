//! Runs of neighbours that belong together.

use crate::iter::sources::pieces::{Keep, Marks, Pieces};
use crate::iter::sources::unindexed_source;
use std::fmt::{self, Debug};
use std::ops::Range;
use std::slice;

/// Places between two elements that do not belong together.
struct Breaks<'p, P>(&'p P);

impl<P> Clone for Breaks<'_, P> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Breaks<'_, P> {}

/// The pairs around the places in `range`, and the first of these places: there is none before the first element.
#[inline]
fn pairs<T>(view: &[T], range: Range<usize>) -> (usize, slice::Windows<'_, T>) {
    let start = range.start.max(1);
    (start, view[start - 1..range.end].windows(2))
}

impl<T, P: Fn(&T, &T) -> bool + Sync> Marks<[T]> for Breaks<'_, P> {
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
}

/// Over runs of elements that belong together; made by
/// [`par_chunk_by`](super::ParallelSlice::par_chunk_by).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ChunkBy<'data, T, P> {
    slice: &'data [T],
    predicate: P,
}

impl<'data, T, P> ChunkBy<'data, T, P> {
    #[inline]
    pub(super) fn new(slice: &'data [T], predicate: P) -> Self {
        ChunkBy { slice, predicate }
    }
}

impl<T, P: Clone> Clone for ChunkBy<'_, T, P> {
    fn clone(&self) -> Self {
        ChunkBy {
            slice: self.slice,
            predicate: self.predicate.clone(),
        }
    }
}

impl<T: Debug, P> Debug for ChunkBy<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkBy")
            .field("slice", &self.slice)
            .finish()
    }
}

unindexed_source! {
    impl['data, T: Sync, P: Fn(&T, &T) -> bool + Sync + Send] ChunkBy<'data, T, P> => &'data [T];
    producer(self) { Pieces::new(self.slice, Breaks(&self.predicate), Keep::Inclusive) }
}

/// Over mutable runs of elements that belong together; made by
/// [`par_chunk_by_mut`](super::ParallelSliceMut::par_chunk_by_mut).
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct ChunkByMut<'data, T, P> {
    slice: &'data mut [T],
    predicate: P,
}

impl<'data, T, P> ChunkByMut<'data, T, P> {
    #[inline]
    pub(super) fn new(slice: &'data mut [T], predicate: P) -> Self {
        ChunkByMut { slice, predicate }
    }
}

impl<T: Debug, P> Debug for ChunkByMut<'_, T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkByMut")
            .field("slice", &self.slice)
            .finish()
    }
}

unindexed_source! {
    impl['data, T: Send, P: Fn(&T, &T) -> bool + Sync + Send] ChunkByMut<'data, T, P> => &'data mut [T];
    producer(self) { Pieces::new(self.slice, Breaks(&self.predicate), Keep::Inclusive) }
}

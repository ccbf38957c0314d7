//! Overlapping windows.

use crate::iter::plumbing::Producer;
use crate::iter::sources::{indexed_source, same_as};
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use std::slice;

/// All windows of a fixed length; made by [`par_windows`](super::ParallelSlice::par_windows).
///
/// ```
/// use filch::prelude::*;
///
/// let windows: filch::slice::Windows<'_, _> = [1, 2, 4].par_windows(2);
/// assert_eq!(windows.map(|w| w[1] - w[0]).collect::<Vec<_>>(), [1, 2]);
/// ```
#[derive(Debug)]
pub struct Windows<'data, T> {
    slice: &'data [T],
    /// At least 1.
    size: usize,
}

impl<'data, T> Windows<'data, T> {
    #[inline]
    pub(super) fn new(slice: &'data [T], size: usize) -> Self {
        Windows { slice, size }
    }
}

impl<T> Clone for Windows<'_, T> {
    fn clone(&self) -> Self {
        Windows::new(self.slice, self.size)
    }
}

indexed_source! {
    impl['data, T: Sync] Windows<'data, T> => &'data [T];
    len(self) { self.slice.len().saturating_sub(self.size - 1) }
    producer(self) { WindowsProducer { slice: self.slice, size: self.size } }
}

struct WindowsProducer<'data, T> {
    slice: &'data [T],
    size: usize,
}

impl<'data, T: Sync> Producer for WindowsProducer<'data, T> {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = &'data [T];
    type IntoIter = slice::Windows<'data, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.slice.windows(self.size)
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let WindowsProducer { slice, size } = self;
        // The last window on the left reaches into the right half.
        let end = index.saturating_add(size - 1).min(slice.len());
        let left = &slice[..end];
        let right = &slice[index..];
        (
            WindowsProducer { slice: left, size },
            WindowsProducer { slice: right, size },
        )
    }
}

/// All windows of a length that is known at compile time; made by [`par_array_windows`](super::ParallelSlice::par_array_windows).
///
/// ```
/// use filch::prelude::*;
///
/// let windows: filch::slice::ArrayWindows<'_, _, 2> = [1, 2, 4].par_array_windows();
/// assert_eq!(windows.map(|[a, b]| b - a).collect::<Vec<_>>(), [1, 2]);
/// ```
#[derive(Debug)]
pub struct ArrayWindows<'data, T: Sync, const N: usize> {
    windows: Windows<'data, T>,
}

impl<'data, T: Sync, const N: usize> ArrayWindows<'data, T, N> {
    #[inline]
    pub(super) fn new(slice: &'data [T]) -> Self {
        ArrayWindows {
            windows: Windows::new(slice, N),
        }
    }
}

impl<T: Sync, const N: usize> Clone for ArrayWindows<'_, T, N> {
    fn clone(&self) -> Self {
        ArrayWindows {
            windows: self.windows.clone(),
        }
    }
}

#[inline]
fn as_array<T, const N: usize>(window: &[T]) -> &[T; N] {
    window
        .try_into()
        .expect("windows have the length asked for")
}

same_as! {
    impl['data, T: Sync, const N: usize] ArrayWindows<'data, T, N> => &'data [T; N];
    len(self) { self.windows.len() }
    iter(self) { self.windows.map(as_array) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_every_index() {
        let data = [0, 1, 2, 3, 4, 5];
        for len in 0..=data.len() {
            for size in [1, 2, 3, 6, 7, usize::MAX] {
                let slice = &data[..len];
                let whole: Vec<_> = slice.windows(size).collect();
                assert_eq!(Windows::new(slice, size).len(), whole.len());
                for index in 0..=whole.len() {
                    let (left, right) = WindowsProducer { slice, size }.split_at(index);
                    assert_eq!(left.slice.windows(size).len(), index);
                    let parts = left.into_iter().chain(right.into_iter());
                    assert!(parts.eq(whole.iter().copied()));
                }
            }
        }
    }
}

//! Partitions a slice in place: elements for which a predicate holds go to the front, the others behind them.
//!
//! | | order kept | memory |
//! |---|---|---|
//! | [`partition_in_place`] | on both sides | as much as the slice, used only for the elements that go behind |
//! | [`partition_in_place_unstable`] | on neither | none |
//!
//! Both call the predicate once for each element and return how many elements it holds for. Elements need only be `Send`. Work O(n), span
//! O(log² n) calls, and O(n / p) moves. To get two vectors out of a chain, use
//! [`partition`](crate::iter::ParallelIterator::partition).
//!
//! # A panic in the predicate
//!
//! The slice holds every element once, in some order.
//!
//! # Measured
//!
//! <!-- measured: par_partition_in_place -->
//! Measured, `par_partition_in_place` of 1,000,000 numbers, half on each side: work 560 µs, span 8.9 µs, so up to 63 threads can be of use.
//!
//! <!-- measured: par_partition_in_place_unstable -->
//! Measured, `par_partition_in_place_unstable` of 1,000,000 numbers, half on each side: work 460 µs, span 5.4 µs, so up to 85 threads can be of use.

mod stable;
mod unstable;

use crate::slice::ParallelSliceMut;
pub use stable::partition_in_place;
pub use unstable::partition_in_place_unstable;

/// Partitions of slices in place: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
///
/// ```
/// use filch::ext::*;
///
/// let mut v = [1, 2, 3, 4];
/// let even = v.par_partition_in_place(|n| n % 2 == 0);
/// assert_eq!((even, v), (2, [2, 4, 1, 3]));
/// ```
pub trait ParallelPartition<T: Send>: ParallelSliceMut<T> {
    /// Moves the elements that `goes_first` accepts before all others, in their order on both sides. Returns how many come
    /// first. See [`partition_in_place`].
    ///
    /// ```
    /// use filch::ext::ParallelPartition;
    /// let mut v = [3, 1, 4, 1, 5, 9, 2, 6];
    /// assert_eq!(v.par_partition_in_place(|x| x % 2 == 0), 3);
    /// assert_eq!(v, [4, 2, 6, 3, 1, 1, 5, 9]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`partition_in_place`].
    #[doc(alias("stable_partition"))]
    fn par_partition_in_place<F>(&mut self, goes_first: F) -> usize
    where
        F: Fn(&T) -> bool + Sync + Send,
    {
        partition_in_place(self.as_parallel_slice_mut(), goes_first)
    }

    /// Moves the elements that `goes_first` accepts before all others, without memory, in any order. Returns how many come
    /// first. See [`partition_in_place_unstable`].
    ///
    /// ```
    /// use filch::ext::ParallelPartition;
    /// let mut v = [3, 1, 4, 1, 5, 9, 2, 6];
    /// let mid = v.par_partition_in_place_unstable(|x| x % 2 == 0);
    /// assert!(v[..mid].iter().all(|x| x % 2 == 0));
    /// assert!(v[mid..].iter().all(|x| x % 2 == 1));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`partition_in_place_unstable`].
    #[doc(alias("partition"))]
    fn par_partition_in_place_unstable<F>(&mut self, goes_first: F) -> usize
    where
        F: Fn(&T) -> bool + Sync + Send,
    {
        partition_in_place_unstable(self.as_parallel_slice_mut(), goes_first)
    }
}

impl<T: Send, V: ParallelSliceMut<T> + ?Sized> ParallelPartition<T> for V {}

//! Copies elements by index: a gather reads from given places, a scatter writes to given places.
//!
//! | function | as the loop |
//! |---|---|
//! | [`gather`] | `out.push(v[indices[i]])` |
//! | [`scatter`] | `out[indices[i]] = v[i]` |
//!
//! The results are those of the loops, on any number of threads. To move the elements of a slice in place, see
//! [`permute`](crate::algo::permute()).
//!
//! Work O(n), span O(n / p). A gather needs no memory beside the result. A scatter on several threads needs a bit for each element of `out`:
//! in a first pass, each index marks its place. If no index repeats, a second pass clones the elements to their places. If one does, a word
//! for each element of `out` is needed, too: each place learns the last index that is for it (by an atomic maximum), and then clones that
//! element. Where `out` is at least 16 times as long as `v`, the indices are sorted instead: two words for each of them, and O(n log n) work.
//! Where it is at least 1,024 times as long, they are sorted at once, without the bits.
//! Elements without a destructor are scattered on several threads only if there are at least eight. Fewer than 8,192 elements are scattered by the caller
//! alone, whatever a clone costs.
//!
//! # Measured
//!
//! <!-- measured: par_gather -->
//! Measured, `par_gather` of 1,000,000 numbers: work 630 µs, span 5.8 µs, so up to 110 threads can be of use.
//!
//! <!-- measured: par_scatter -->
//! Measured, `par_scatter` of 1,000,000 numbers: work 7.1 ms, span 28 µs, so up to 260 threads can be of use.

use super::{atomics::numbers, buffer::Buffer, moves};
use crate::core::{leaf, threads};
use crate::iter::{
    IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use crate::join;
use crate::slice::{ParallelSlice, ParallelSliceMut};
use crate::sync::Ordering::Relaxed;
use std::mem;

/// Fewer elements are scattered by the caller alone.
const SHORT: usize = 1 << 13;

/// Elements that are cheap to clone are scattered by the caller alone if there are fewer threads.
const MANY_THREADS: usize = 8;

/// If an index repeats, and `out` is at least so many times as long as what is scattered, the indices are sorted.
const MANY_PLACES: usize = 16;

/// If `out` is at least so many times as long, the indices are sorted at once: to make a bit for each place takes longer.
const FAR_PLACES: usize = 1 << 10;

/// Of sorted indices, no more than this are scattered by one thread, unless they are nearly all the same.
const SORTED_GRAIN: usize = 1 << 10;

/// Clones the elements at `indices` into a new vector, in the order of `indices`. An index may repeat.
///
/// See the [module](self) for what it costs.
///
/// ```
/// assert_eq!(filch::algo::gather(&['a', 'b', 'c'], &[2, 0, 2]), ['c', 'a', 'c']);
/// ```
///
/// # Panics
///
/// If an index is not below `v.len()`, or with the panic of a clone. The new vector and its elements are dropped.
#[doc(alias("take", "permute"))]
#[track_caller]
pub fn gather<T: Clone + Send + Sync>(v: &[T], indices: &[usize]) -> Vec<T> {
    indices.par_iter().map(|&i| v[i].clone()).collect()
}

/// Sets the element of `out` at `indices[i]` to a clone of `v[i]`, for each `i`; if an index repeats, the last one counts.
///
/// Elements of `out` without an index are not changed. The others are set by [`clone_from`](Clone::clone_from); on several threads, each of
/// them once. See the [module](self) for what it costs.
///
/// ```
/// let mut out = ['-'; 4];
/// filch::algo::scatter(&['a', 'b', 'c'], &[3, 0, 3], &mut out);
/// assert_eq!(out, ['b', '-', '-', 'c']);
/// ```
///
/// # Panics
///
/// If the numbers of indices and of elements of `v` differ, or if an index is not below `out.len()`: then nothing has changed. If a clone
/// panics, some elements are new and the others old.
#[doc(alias("put"))]
#[track_caller]
pub fn scatter<T: Clone + Send + Sync>(v: &[T], indices: &[usize], out: &mut [T]) {
    assert!(
        v.len() == indices.len(),
        "filch: {} indices for {} elements",
        indices.len(),
        v.len()
    );
    let len = out.len();
    if let Some(beyond) = indices.par_iter().find_any(|&&i| i >= len) {
        panic!("filch: the index {beyond} in a slice of {len} elements");
    }
    let threads = threads();
    let is_cheap = !mem::needs_drop::<T>() && threads < leaf(MANY_THREADS, 0);
    if threads == 1 || v.len() < leaf(SHORT, 1) || is_cheap {
        for (x, &i) in v.iter().zip(indices) {
            out[i].clone_from(x);
        }
        return;
    }
    let places = len / v.len();
    if places < FAR_PLACES && moves::scatter(v, indices, out) {
        return;
    }
    if places >= MANY_PLACES {
        let mut places: Vec<_> = indices.par_iter().copied().zip(0..v.len()).collect();
        places.par_sort_unstable();
        return scatter_sorted(v, &places, out, 0);
    }
    // For each place how many elements there are up to the last one for it; none: 0.
    let last = Buffer(numbers(len, 0));
    let last = &last.0;
    indices.par_iter().enumerate().for_each(|(at, &i)| {
        // A look first, so that a place that many elements are for is not fought over.
        if last[i].load(Relaxed) <= at {
            last[i].fetch_max(at + 1, Relaxed);
        }
    });
    out.par_iter_mut().zip(last).for_each(|(slot, last)| {
        if let Some(at) = last.load(Relaxed).checked_sub(1) {
            slot.clone_from(&v[at]);
        }
    });
}

/// Clones elements of `v` to `out`, whose first element has the index `first`. `places` has the index of each with its position in `v`, in order: of those with
/// the same index the last one counts.
fn scatter_sorted<T: Clone + Send + Sync>(
    v: &[T],
    places: &[(usize, usize)],
    out: &mut [T],
    first: usize,
) {
    if places.len() > leaf(SORTED_GRAIN, 1) {
        let middle = places[places.len() / 2].0;
        // Behind the middle's run, if that begins the places.
        let cut = middle + usize::from(places[0].0 == middle);
        let border = places.partition_point(|&(i, _)| i < cut);
        if border < places.len() {
            let ((left, right), (low, high)) =
                (places.split_at(border), out.split_at_mut(cut - first));
            join(
                || scatter_sorted(v, left, low, first),
                || scatter_sorted(v, right, high, cut),
            );
            return;
        }
    }
    let runs = places.chunk_by(|a, b| a.0 == b.0);
    for &(i, at) in runs.filter_map(<[_]>::last) {
        out[i - first].clone_from(&v[at]);
    }
}

/// Elements by index: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
///
/// ```
/// use filch::ext::*;
/// assert_eq!(["a", "b", "c"].par_gather(&[2, 2, 0]), ["c", "c", "a"]);
/// ```
pub trait ParallelGather<T: Sync>: ParallelSlice<T> {
    /// Clones of the elements at `indices`. See [`gather`].
    ///
    /// ```
    /// use filch::ext::ParallelGather;
    /// assert_eq!([10, 20, 30].par_gather(&[1, 1, 0]), [20, 20, 10]);
    /// ```
    ///
    /// # Panics
    ///
    /// If an index is not below the length, or with the panic of a clone.
    #[doc(alias("take", "gather"))]
    #[track_caller]
    fn par_gather(&self, indices: &[usize]) -> Vec<T>
    where
        T: Clone + Send,
    {
        gather(self.as_parallel_slice(), indices)
    }

    /// Sets the element of `out` at `indices[i]` to a clone of that at `i`. See [`scatter`].
    ///
    /// ```
    /// use filch::ext::ParallelGather;
    /// let mut out = [0; 3];
    /// [10, 20].par_scatter(&[2, 0], &mut out);
    /// assert_eq!(out, [20, 0, 10]);
    /// ```
    ///
    /// # Panics
    ///
    /// If there are not as many indices as elements, if an index is not below `out.len()`, or with the panic of a clone.
    #[doc(alias("put", "scatter"))]
    #[track_caller]
    fn par_scatter(&self, indices: &[usize], out: &mut [T])
    where
        T: Clone + Send,
    {
        scatter(self.as_parallel_slice(), indices, out);
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelGather<T> for V {}

//! Selection in slices: the element at one position of the sorted order, and the least elements in order.
//!
//! | you want | call | work |
//! |---|---|---|
//! | the element at an index of the sorted slice | [`select_nth_unstable`] | O(n) |
//! | the first k elements of the sorted slice, in order | [`partial_sort_unstable`] | O(n + k log k) |
//! | the same in a new vector, for small k | [`bottom_k`](super::bottom_k) | little more than O(n) |
//!
//! The slice is partitioned in parallel, by pivots from a sample. They are chosen close to the wanted element, on both sides of it. The few
//! elements that remain between them are left to one thread. Span O(n / p). Memory: a few indices.
//!
//! Elements are only swapped. So the slice holds every element once, whatever the comparator returns, and also if it panics.
//!
//! # Measured
//!
//! <!-- measured: par_select_nth_unstable -->
//! Measured, `par_select_nth_unstable` of 1,000,000 numbers in no order: work 860 µs, span 40 µs, so up to 22 threads can be of use.
//!
//! <!-- measured: par_partial_sort_unstable -->
//! Measured, `par_partial_sort_unstable` of 1,000,000 numbers in no order, the first tenth in order: work 1.8 ms, span 88 µs, so up to 20 threads can be of use.

use super::sort::{self, Order, by_order};
use crate::slice::ParallelSliceMut;

#[track_caller]
fn select<'a, T: Send, O: Order<T>>(
    v: &'a mut [T],
    index: usize,
    order: &O,
) -> (&'a mut [T], &'a mut T, &'a mut [T]) {
    let len = v.len();
    assert!(
        index < len,
        "filch: no element {index} in a slice of {len} elements"
    );
    sort::select(v, index, order);
    let (low, rest) = v.split_at_mut(index);
    let (found, high) = rest.split_first_mut().expect("the index is in the slice");
    (low, found, high)
}

#[track_caller]
fn partial_sort<T: Send, O: Order<T>>(v: &mut [T], k: usize, order: &O) {
    let len = v.len();
    assert!(k <= len, "filch: {k} elements of a slice of {len}");
    if k == 0 {
        return;
    }
    if k < len {
        sort::select(v, k, order);
    }
    sort::sort_unstable(&mut v[..k], order);
}

by_order! {
    <T>(v: &mut [T], index: usize) -> (&mut [T], &mut T, &mut [T])
    where [T: Send]
    |order| select(v, index, order);

    /// Moves the element that the sorted slice has at `index` to that place; see [`ParallelSelect::par_select_nth_unstable`].
    ///
    /// ```
    /// let mut v = [5, 1, 4, 2, 3];
    /// let (less, median, greater) = filch::algo::select_nth_unstable(&mut v, 2);
    /// assert_eq!((less.len(), *median, greater.len()), (2, 3, 2));
    /// ```
    ///
    /// # Panics
    ///
    /// If `index` is not less than the length of the slice, and with the panic of a comparison.
    #[doc(alias("nth_element", "median", "quickselect"))]
    #[track_caller]
    pub fn select_nth_unstable;

    /// Moves the element that the slice sorted by a comparator has at `index` to that place; see [`ParallelSelect::par_select_nth_unstable_by`].
    ///
    /// ```
    /// let mut v = [5, 1, 4, 2, 3];
    /// let (_, second, _) = filch::algo::select_nth_unstable_by(&mut v, 1, |a, b| b.cmp(a));
    /// assert_eq!(*second, 4);
    /// ```
    ///
    /// # Panics
    ///
    /// If `index` is not less than the length of the slice, and with the panic of a comparison.
    #[track_caller]
    pub fn select_nth_unstable_by;

    /// Moves the element that the slice sorted by a key has at `index` to that place; see [`ParallelSelect::par_select_nth_unstable_by_key`].
    ///
    /// ```
    /// let mut v = [-5, 1, 4, -2, 3];
    /// let (_, least, _) = filch::algo::select_nth_unstable_by_key(&mut v, 0, |n: &i32| n.abs());
    /// assert_eq!(*least, 1);
    /// ```
    ///
    /// # Panics
    ///
    /// If `index` is not less than the length of the slice, and with the panic of a comparison.
    #[track_caller]
    pub fn select_nth_unstable_by_key;
}

by_order! {
    <T>(v: &mut [T], k: usize)
    where [T: Send]
    |order| partial_sort(v, k, order);

    /// Sorts the least `k` elements to the front; see [`ParallelSelect::par_partial_sort_unstable`].
    ///
    /// ```
    /// let mut v = [5, 1, 4, 2, 3];
    /// filch::algo::partial_sort_unstable(&mut v, 2);
    /// assert_eq!(v[..2], [1, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `k` is greater than the length of the slice, and with the panic of a comparison.
    #[doc(alias("partial_sort"))]
    #[track_caller]
    pub fn partial_sort_unstable;

    /// Sorts the least `k` elements to the front, by a comparator; see [`ParallelSelect::par_partial_sort_unstable_by`].
    ///
    /// ```
    /// let mut v = [5, 1, 4, 2, 3];
    /// filch::algo::partial_sort_unstable_by(&mut v, 2, |a, b| b.cmp(a));
    /// assert_eq!(v[..2], [5, 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `k` is greater than the length of the slice, and with the panic of a comparison.
    #[track_caller]
    pub fn partial_sort_unstable_by;

    /// Sorts the least `k` elements to the front, by a key; see [`ParallelSelect::par_partial_sort_unstable_by_key`].
    ///
    /// ```
    /// let mut v = [-5, 1, 4, -2, 3];
    /// filch::algo::partial_sort_unstable_by_key(&mut v, 2, |n: &i32| n.abs());
    /// assert_eq!(v[..2], [1, -2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `k` is greater than the length of the slice, and with the panic of a comparison.
    #[track_caller]
    pub fn partial_sort_unstable_by_key;
}

/// Selection in slices. See [`filch::algo`](crate::algo) for the same as functions.
///
/// Not stable: elements that compare equal come in any order.
///
/// ```
/// use filch::ext::*;
///
/// let mut v = [5, 1, 4, 2, 3];
/// assert_eq!(*v.par_select_nth_unstable(2).1, 3); // the median
/// ```
pub trait ParallelSelect<T: Send>: ParallelSliceMut<T> {
    by_order! {
        <>(&mut self, index: usize) -> (&mut [T], &mut T, &mut [T])
        where []
        |order| select(self.as_parallel_slice_mut(), index, order);

        /// Moves the element that the sorted slice has at `index` to that place. Returns the elements before it, the element itself, and the
        /// elements behind it.
        ///
        /// No element before it is greater, and none behind it is less. Otherwise they are in no order. The parallel form of std's
        /// [`select_nth_unstable`](slice::select_nth_unstable). Work O(n), span O(n/p).
        ///
        /// ```
        /// use filch::ext::ParallelSelect;
        /// let mut v = [5, -3, 2, 9, 2];
        /// let (low, median, high) = v.par_select_nth_unstable(2);
        /// assert_eq!((low.len(), *median, high.len()), (2, 2, 2));
        /// ```
        ///
        /// # Panics
        ///
        /// If `index` is not less than the length; with the comparison's panic. The slice then holds
        /// every element once.
        #[doc(alias("nth_element", "select_nth_unstable", "median", "quickselect"))]
        #[track_caller]
        fn par_select_nth_unstable;

        /// Moves the element of the sorted order that belongs at `index` to that place, by a comparator; see
        /// [`par_select_nth_unstable`](Self::par_select_nth_unstable).
        ///
        /// ```
        /// use filch::ext::ParallelSelect;
        /// let mut v = [0.5, -3.0, 8.0];
        /// assert_eq!(*v.par_select_nth_unstable_by(0, f64::total_cmp).1, -3.0);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`par_select_nth_unstable`](Self::par_select_nth_unstable).
        #[track_caller]
        fn par_select_nth_unstable_by;

        /// Moves the element of the sorted order that belongs at `index` to that place, by a key, which is computed at each comparison; see
        /// [`par_select_nth_unstable`](Self::par_select_nth_unstable).
        ///
        /// ```
        /// use filch::ext::ParallelSelect;
        /// let mut v = [5i32, -3, 1];
        /// assert_eq!(*v.par_select_nth_unstable_by_key(1, |x| x.abs()).1, -3);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`par_select_nth_unstable`](Self::par_select_nth_unstable).
        #[track_caller]
        fn par_select_nth_unstable_by_key;
    }

    by_order! {
        <>(&mut self, k: usize)
        where []
        |order| partial_sort(self.as_parallel_slice_mut(), k, order);

        /// Sorts the least `k` elements to the front of the slice; the others follow in no order.
        ///
        /// Elements that compare equal may change their order. Work O(n + k log k), span O(n/p + k/p log k).
        ///
        /// ```
        /// use filch::ext::ParallelSelect;
        /// let mut v = [5, -3, 2, 9, 2];
        /// v.par_partial_sort_unstable(3);
        /// assert_eq!(v[..3], [-3, 2, 2]);
        /// ```
        ///
        /// # Panics
        ///
        /// If `k` is greater than the length; with the comparison's panic. The slice then holds every
        /// element once.
        #[doc(alias("partial_sort"))]
        #[track_caller]
        fn par_partial_sort_unstable;

        /// Sorts the least `k` elements to the front, by a comparator; see
        /// [`par_partial_sort_unstable`](Self::par_partial_sort_unstable).
        ///
        /// ```
        /// use filch::ext::ParallelSelect;
        /// let mut v = [5, -3, 2, 9, 2];
        /// v.par_partial_sort_unstable_by(2, |a, b| b.cmp(a));
        /// assert_eq!(v[..2], [9, 5]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`par_partial_sort_unstable`](Self::par_partial_sort_unstable).
        #[track_caller]
        fn par_partial_sort_unstable_by;

        /// Sorts the least `k` elements to the front, by a key, which is computed at each comparison; see
        /// [`par_partial_sort_unstable`](Self::par_partial_sort_unstable).
        ///
        /// ```
        /// use filch::ext::ParallelSelect;
        /// let mut v = [5i32, -3, 1, 9];
        /// v.par_partial_sort_unstable_by_key(2, |x| x.abs());
        /// assert_eq!(v[..2], [1, -3]);
        /// ```
        ///
        /// # Panics
        ///
        /// As [`par_partial_sort_unstable`](Self::par_partial_sort_unstable).
        #[track_caller]
        fn par_partial_sort_unstable_by_key;
    }
}

impl<T: Send, V: ParallelSliceMut<T> + ?Sized> ParallelSelect<T> for V {}

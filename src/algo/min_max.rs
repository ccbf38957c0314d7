//! The least and the greatest element of a slice, in one pass.
//!
//! Of several that are least, the first is taken, and of several that are greatest, the last: as std's `min` and `max` do. Work O(n), at
//! most two comparisons for an element; span O(log n) comparisons; nothing is allocated. For one of the two alone, and for chains, use
//! [`min`](crate::iter::ParallelIterator::min) and [`max`](crate::iter::ParallelIterator::max).
//!
//! # Measured
//!
//! <!-- measured: par_min_max -->
//! Measured, `par_min_max` of 1,000,000 numbers: work 350 µs, span 3.6 µs, so up to 96 threads can be of use.

use crate::algo::sort::by_comparison;
use crate::iter::{IntoParallelRefIterator, ParallelIterator};
use crate::slice::ParallelSlice;
use std::cmp::Ordering;

/// The least and the greatest element; `None` of an empty slice.
///
/// See the [module](self) for equal elements and for costs.
///
/// ```
/// assert_eq!(filch::algo::min_max(&[3, 1, 4, 1, 5]), Some((&1, &5)));
/// ```
///
/// # Panics
///
/// With the panic of a comparison.
#[doc(alias("minmax_element", "minmax"))]
pub fn min_max<T: Ord + Sync>(v: &[T]) -> Option<(&T, &T)> {
    min_max_by(v, T::cmp)
}

/// The least and the greatest element by a comparison; `None` of an empty slice.
///
/// See the [module](self) for costs.
///
/// If the comparison is not a total order, any two elements may be returned.
///
/// ```
/// let v = [0.5, -2.5, 1.5];
/// assert_eq!(filch::algo::min_max_by(&v, f64::total_cmp), Some((&-2.5, &1.5)));
/// ```
///
/// # Panics
///
/// With the panic of `compare`.
pub fn min_max_by<T, F>(v: &[T], compare: F) -> Option<(&T, &T)>
where
    T: Sync,
    F: Fn(&T, &T) -> Ordering + Sync + Send,
{
    let (min, max) = extremes(v.par_iter(), |a, b| compare(a, b))?;
    Some((min, max.unwrap_or(min)))
}

/// The elements with the least and the greatest key; `None` of an empty slice.
///
/// See the [module](self) for costs.
///
/// `key` is called once for each element.
///
/// ```
/// let words = ["three", "of", "them"];
/// assert_eq!(filch::algo::min_max_by_key(&words, |w| w.len()), Some((&"of", &"three")));
/// ```
///
/// # Panics
///
/// With the panic of `key` or of a comparison of keys.
pub fn min_max_by_key<T, K, F>(v: &[T], key: F) -> Option<(&T, &T)>
where
    T: Sync,
    K: Ord + Send,
    F: Fn(&T) -> K + Sync + Send,
{
    let pairs = v.par_iter().map(|x| (key(x), x));
    let (min, max) = extremes(pairs, |a, b| a.0.cmp(&b.0))?;
    Some((min.1, max.map_or(min.1, |max| max.1)))
}

/// The least and the greatest of some items: this is `None` while the least is all there is.
type Extremes<I> = (I, Option<I>);

/// Takes a later item in.
#[inline]
fn take<I>((min, max): Extremes<I>, item: I, compare: impl Fn(&I, &I) -> Ordering) -> Extremes<I> {
    if compare(&item, &min).is_lt() {
        return (item, max.or(Some(min)));
    }
    match max {
        Some(max) if compare(&item, &max).is_lt() => (min, Some(max)),
        _ => (min, Some(item)),
    }
}

fn extremes<I: ParallelIterator>(
    items: I,
    compare: impl Fn(&I::Item, &I::Item) -> Ordering + Sync + Send,
) -> Option<Extremes<I::Item>> {
    let each = items.map(|item| (item, None));
    each.reduce_with(|left, (min, max)| {
        let both = take(left, min, &compare);
        match max {
            None => both,
            Some(max) => take(both, max, &compare),
        }
    })
}

/// The least and the greatest elements of slices: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
///
/// ```
/// use filch::ext::*;
///
/// assert_eq!([3, 1, 2].par_min_max(), Some((&1, &3)));
/// ```
pub trait ParallelSliceMinMax<T: Sync>: ParallelSlice<T> {
    by_comparison! {
        <>(&self) -> Option<(&T, &T)>
        where []
        |compare: Sync + Send| min_max_by(self.as_parallel_slice(), compare);

        /// The first least and the last greatest element. See [`min_max`].
        ///
        /// ```
        /// use filch::ext::ParallelSliceMinMax;
        /// assert_eq!([3, 1, 2].par_min_max(), Some((&1, &3)));
        /// ```
        ///
        /// # Panics
        ///
        /// With the panic of a comparison.
        #[doc(alias("minmax_element"))]
        fn par_min_max;

        /// The first least and the last greatest element, by a comparison. See [`min_max_by`].
        ///
        /// ```
        /// use filch::ext::ParallelSliceMinMax;
        /// assert_eq!([3, 1, 2].par_min_max_by(|a, b| b.cmp(a)), Some((&3, &1)));
        /// ```
        ///
        /// # Panics
        ///
        /// With the panic of `compare`.
        fn par_min_max_by;
    }

    /// The first least and the last greatest element, by a key. See [`min_max_by_key`].
    ///
    /// ```
    /// use filch::ext::ParallelSliceMinMax;
    /// assert_eq!([3, -1, 2].par_min_max_by_key(|x: &i32| x.abs()), Some((&-1, &3)));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `key` or of a comparison of keys.
    fn par_min_max_by_key<K, F>(&self, key: F) -> Option<(&T, &T)>
    where
        K: Ord + Send,
        F: Fn(&T) -> K + Sync + Send,
    {
        min_max_by_key(self.as_parallel_slice(), key)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelSliceMinMax<T> for V {}

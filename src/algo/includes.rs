//! Whether a sorted slice has all elements of another one, and where a slice occurs last in another.
//!
//! To look for k elements among n: work O(k log n) comparisons, and O(k) if most of the n are looked for; span O((k / p) log n), in pieces
//! of 256 elements; nothing is allocated. To search from the end for a pattern of m elements: work O(n + m), span O(n / p + m). Memory: an
//! index for each element of the pattern, and a word for each element of the pieces that are being searched.
//!
//! # Measured
//!
//! <!-- measured: par_includes -->
//! Measured, `par_includes` of two sorted slices of 1,000,000 numbers: work 1.2 ms, span 6.1 µs, so up to 200 threads can be of use.

use crate::algo::search::SoughtSlice;
use crate::algo::sort::{by_comparison, gallop};
use crate::core::leaf;
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use crate::slice::ParallelSlice;
use std::cmp::Ordering;

/// Elements looked for by one task, at least.
const PIECE: usize = 256;

/// Whether a sorted slice has all elements of another sorted slice, each at least as often; C++'s `includes`.
///
/// To look for *m* elements among *n*: work O(m + n) comparisons, and at most O(m log n); span O((m / p) log n).
/// The search stops soon after an element is found to be missing. Nothing is allocated. If the slices are not sorted, the answer may be wrong.
///
/// ```
/// assert!(filch::algo::includes(&[1, 2, 2, 3, 5], &[2, 2, 5]));
/// assert!(!filch::algo::includes(&[1, 2, 3, 5], &[2, 2, 5]));
/// ```
///
/// # Panics
///
/// With the panic of a comparison.
#[doc(alias("is_subset"))]
pub fn includes<T: Ord + Sync>(v: &[T], others: &[T]) -> bool {
    includes_by(v, others, T::cmp)
}

/// Whether a slice has all elements of another, each as often, both sorted by a comparison; see [`includes`].
///
/// See the [module](self) for costs.
///
/// ```
/// assert!(filch::algo::includes_by(&[9, 4, 1], &[9, 1], |a, b| b.cmp(a)));
/// ```
///
/// # Panics
///
/// With the panic of the comparison.
pub fn includes_by<T, F>(v: &[T], others: &[T], compare: F) -> bool
where
    T: Sync,
    F: Fn(&T, &T) -> Ordering + Sync + Send,
{
    if others.len() > v.len() {
        return false;
    }
    let long = leaf(PIECE, 1);
    let pieces = others.par_chunks(long).enumerate();
    pieces.all(|(i, piece)| {
        let before = |x: &T| compare(x, &piece[0]).is_lt();
        // As many of the equal ones are taken by earlier pieces as these have.
        let at = i * long;
        let taken = at.saturating_sub(others[..at].partition_point(before));
        let start = v.partition_point(before) + taken;
        let mut rest = v.get(start..).unwrap_or(&[]);
        piece.iter().all(|wanted| {
            let less = gallop(rest, |x| compare(x, wanted).is_lt());
            match &rest[less..] {
                [found, others @ ..] if compare(found, wanted).is_eq() => {
                    rest = others;
                    true
                }
                _ => false,
            }
        })
    })
}

/// The last position from which `v` continues with all of `wanted`; `None` if there is none. An empty slice is found at the end.
///
/// This is [`search`](crate::algo::search()) from the right, with the same algorithm and costs, and a reference to each element of a piece that
/// is being searched: 4,096, or twice as many as are wanted.
///
/// ```
/// assert_eq!(filch::algo::find_end(&[1, 2, 1, 2, 3], &[1, 2]), Some(2));
/// assert_eq!(filch::algo::find_end(&[1, 2], &[2, 1]), None);
/// ```
///
/// # Panics
///
/// With the panic of a comparison.
#[doc(alias("rfind"))]
pub fn find_end<T: Eq + Sync>(v: &[T], wanted: &[T]) -> Option<usize> {
    let reversed: Vec<&T> = wanted.iter().rev().collect();
    let Some(reversed) = SoughtSlice::new(&reversed) else {
        return Some(v.len());
    };
    reversed.pieces(v.len())?.find_map_last(|piece| {
        let end = piece.end;
        let backwards: Vec<&T> = v[piece].iter().rev().collect();
        Some(end - wanted.len() - reversed.find(&backwards)?)
    })
}

/// What a slice holds of another one: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
///
/// ```
/// use filch::ext::*;
/// assert!([1, 2, 4, 8].par_includes(&[2, 8]));
/// ```
pub trait ParallelIncludes<T: Sync>: ParallelSlice<T> {
    by_comparison! {
        <>(&self, others: &[T]) -> bool
        where []
        |compare: Sync + Send| includes_by(self.as_parallel_slice(), others, compare);

        /// Whether this sorted slice has all elements of another sorted one, each as often. See [`includes`].
        ///
        /// ```
        /// use filch::ext::ParallelIncludes;
        /// assert!([1, 2, 3].par_includes(&[1, 3]));
        /// ```
        ///
        /// # Panics
        ///
        /// With the panic of a comparison.
        #[doc(alias("is_subset", "includes"))]
        fn par_includes;

        /// Whether this slice has all elements of another, each as often, both sorted by a comparison. See [`includes_by`].
        ///
        /// ```
        /// use filch::ext::ParallelIncludes;
        /// assert!([0.5, -1.0].par_includes_by(&[-1.0], |a: &f64, b| b.total_cmp(a)));
        /// ```
        ///
        /// # Panics
        ///
        /// With the panic of the comparison.
        fn par_includes_by;
    }

    /// The last position from which this slice continues with all of `wanted`. See [`find_end`].
    ///
    /// ```
    /// use filch::ext::ParallelIncludes;
    /// assert_eq!([7, 8, 7].par_find_end(&[7]), Some(2));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    #[doc(alias("rfind", "find_end"))]
    fn par_find_end(&self, wanted: &[T]) -> Option<usize>
    where
        T: Eq,
    {
        find_end(self.as_parallel_slice(), wanted)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelIncludes<T> for V {}

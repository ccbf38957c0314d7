//! Where two slices begin to differ, and where one occurs in another.
//!
//! Both return the first such place. A hit ends the search to its right. So work is proportional to the position of the answer, and
//! at most O(n). Span O(n / p), and for [`search`] at least the length of the pattern.
//!
//! [`search`] is the algorithm of Knuth, Morris and Pratt (*Fast pattern matching in strings*, 1977), in overlapping pieces. It makes one
//! or two comparisons for each element, whatever the input. (To compare every window would take the product of the two lengths at worst.)
//! Memory: an index for each element of the pattern.
//!
//! # Measured
//!
//! <!-- measured: par_mismatch -->
//! Measured, `par_mismatch` of two equal slices of 1,000,000 numbers: work 74 µs, span 3.7 µs, so up to 20 threads can be of use.
//!
//! <!-- measured: par_search -->
//! Measured, `par_search` of a pattern of 20 at the end of 1,000,000 numbers: work 230 µs, span 4.7 µs, so up to 50 threads can be of use.

use crate::core::leaf;
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use crate::slice::ParallelSlice;
use std::ops::Range;

/// Elements compared at once.
const BLOCK: usize = 512;

/// Elements that one task searches, at least.
const PIECE: usize = 4096;

/// The first position at which two slices differ, or the end of the shorter one; `None` if the slices are equal.
///
/// See the [module](self) for costs.
///
/// ```
/// assert_eq!(filch::algo::mismatch(&[1, 2, 3], &[1, 2, 4]), Some(2));
/// assert_eq!(filch::algo::mismatch(&[1, 2, 3], &[1, 2]), Some(2));
/// assert_eq!(filch::algo::mismatch(&[1, 2], &[1, 2]), None);
/// ```
///
/// # Panics
///
/// With the panic of a comparison.
pub fn mismatch<T: PartialEq + Sync>(a: &[T], b: &[T]) -> Option<usize> {
    let len = a.len().min(b.len());
    let differ = |(a, b): (&[T], &[T])| {
        // Whole slices are compared by the word, where that can be.
        if a == b {
            return None;
        }
        a.iter().zip(b).position(|(a, b)| a != b)
    };
    let block = leaf(BLOCK, 1);
    let (head, rest) = a[..len].split_at(len.min(block));
    differ((head, &b[..head.len()]))
        .or_else(|| {
            rest.par_chunks(block)
                .zip(b[head.len()..len].par_chunks(block))
                .enumerate()
                .find_map_first(|(i, parts)| differ(parts).map(|at| (i + 1) * block + at))
        })
        .or((a.len() != b.len()).then_some(len))
}

/// The first position from which `v` continues with all of `wanted`; `None` if there is none. An empty slice is found at 0.
///
/// See the [module](self) for costs.
///
/// ```
/// assert_eq!(filch::algo::search(&[1, 2, 1, 2, 3], &[1, 2, 3]), Some(2));
/// assert_eq!(filch::algo::search(&[1, 2], &[2, 1]), None);
/// ```
///
/// # Panics
///
/// With the panic of a comparison.
pub fn search<T: Eq + Sync>(v: &[T], wanted: &[T]) -> Option<usize> {
    let Some(wanted) = SoughtSlice::new(wanted) else {
        return Some(0);
    };
    let pieces = wanted.pieces(v.len())?;
    if pieces.len() == 1 {
        return wanted.find(v);
    }
    pieces.find_map_first(|piece| Some(piece.start + wanted.find(&v[piece])?))
}

/// What is searched for, at least one element.
pub(super) struct SoughtSlice<'a, T> {
    elements: &'a [T],
    /// For each element, how many at the beginning are the same as the last ones up to it, not all.
    borders: Vec<usize>,
}

impl<'a, T: Eq> SoughtSlice<'a, T> {
    pub(super) fn new(elements: &'a [T]) -> Option<Self> {
        if elements.is_empty() {
            return None;
        }
        let mut borders = vec![0; elements.len()];
        let mut same = 0;
        for i in 1..elements.len() {
            while same > 0 && elements[same] != elements[i] {
                same = borders[same - 1];
            }
            same += usize::from(elements[same] == elements[i]);
            borders[i] = same;
        }
        Some(SoughtSlice { elements, borders })
    }

    /// The pieces of a slice of so many elements which overlap as far as one of them may begin with what is wanted; none if it is too long.
    pub(super) fn pieces(
        &self,
        len: usize,
    ) -> Option<impl IndexedParallelIterator<Item = Range<usize>> + use<T>> {
        let overlap = self.elements.len() - 1;
        let starts = len.checked_sub(overlap)?;
        let piece = leaf(PIECE, 1).max(2 * overlap);
        let pieces = (0..starts.div_ceil(piece)).into_par_iter();
        Some(pieces.map(move |i| {
            let start = i * piece;
            // Of elements without a size there may be so many that the sum overflows.
            start..start + (len - start).min(piece.saturating_add(overlap))
        }))
    }

    pub(super) fn find(&self, v: &[T]) -> Option<usize> {
        let (first, len) = (&self.elements[0], self.elements.len());
        // `same` elements before `at` are the first ones of what is wanted.
        let (mut at, mut same) = (0, 0);
        loop {
            if same == len {
                return Some(at - len);
            }
            if same == 0 {
                at += v[at..].iter().position(|x| x == first)? + 1;
                same = 1;
            } else if *v.get(at)? == self.elements[same] {
                at += 1;
                same += 1;
            } else {
                same = self.borders[same - 1];
            }
        }
    }
}

/// Comparison with and search for other slices: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
///
/// ```
/// use filch::ext::*;
///
/// assert_eq!(b"a needle in hay".par_search(b"needle"), Some(2));
/// ```
pub trait ParallelSearch<T: Sync>: ParallelSlice<T> {
    /// The first position at which the slices differ, the end of the shorter one included. See [`mismatch`].
    ///
    /// ```
    /// use filch::ext::ParallelSearch;
    /// assert_eq!([1, 2, 3].par_mismatch(&[1, 0, 3]), Some(1));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    #[doc(alias("mismatch"))]
    fn par_mismatch(&self, other: &[T]) -> Option<usize>
    where
        T: PartialEq,
    {
        mismatch(self.as_parallel_slice(), other)
    }

    /// The first position from which this slice continues with all of `wanted`. See [`search`].
    ///
    /// ```
    /// use filch::ext::ParallelSearch;
    /// assert_eq!(b"abracadabra".par_search(b"cad"), Some(4));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    #[doc(alias("search", "find"))]
    fn par_search(&self, wanted: &[T]) -> Option<usize>
    where
        T: Eq,
    {
        search(self.as_parallel_slice(), wanted)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelSearch<T> for V {}

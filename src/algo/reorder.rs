//! Reversal and rotation of slices in place.
//!
//! [`reverse`] puts the last element first. [`rotate_left`] and [`rotate_right`] move all elements by a number of places, and put those
//! that fall off at one end in at the other. Elements are only swapped, and no code of yours runs, so nothing can panic halfway. Elements
//! need only be `Send`.
//!
//! Work O(n), span O(n / p). Nothing is allocated, except a few words for a rotation. All are bound by memory: a second thread helps only if
//! one thread cannot use all of the memory bandwidth. Slices of up to 256 KiB are handled by std's methods on the calling thread.
//!
//! # Measured
//!
//! <!-- measured: par_reverse -->
//! Measured, `par_reverse` of 1,000,000 numbers: work 100 µs, span 4.7 µs, so up to 22 threads can be of use.
//!
//! <!-- measured: par_rotate_left -->
//! Measured, `par_rotate_left` of 1,000,000 numbers, by a third: work 230 µs, span 4.0 µs, so up to 57 threads can be of use.

use super::moves::{MOVED, exchange, leaf_of};
use crate::core::both;
use crate::core::threads;
use crate::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use crate::slice::ParallelSliceMut;
use std::mem;

/// Bytes that are moved without other threads: that takes about 5 µs.
const ALONE: usize = 1 << 18;

/// Bytes of each side that one task reverses in a rotation by many threads. Each element is reversed twice, one time after the other.
const REVERSED: usize = 1 << 15;

/// Bytes of each side that a loop reverses at a time, which is cut by measured time.
const CHUNK: usize = 1 << 13;

/// This many threads rotate by three reversals, which move each element twice and need no thread alone.
const REVERSERS: usize = 8;

/// Whether other threads are of no use.
fn is_little<T>(v: &[T]) -> bool {
    v.len() <= leaf_of::<T>(ALONE)
}

/// Reverses the order of the elements; [`slice::reverse`] with all threads.
///
/// See the [module](self) for costs.
///
/// ```
/// let mut v = [1, 2, 3];
/// filch::algo::reverse(&mut v);
/// assert_eq!(v, [3, 2, 1]);
/// ```
pub fn reverse<T: Send>(v: &mut [T]) {
    if is_little(v) || threads() == 1 {
        return v.reverse();
    }
    let half = v.len() / 2;
    let (left, rest) = v.split_at_mut(half);
    let right = rest.len() - half;
    let chunk = leaf_of::<T>(CHUNK);
    left.par_chunks_mut(chunk)
        .zip(rest[right..].par_rchunks_mut(chunk))
        .for_each(|(left, right)| swap_mirrored(left, right));
}

/// Exchanges two slices of one length, each element with its mirror image, on this thread.
fn swap_mirrored<T>(left: &mut [T], right: &mut [T]) {
    for (a, b) in left.iter_mut().zip(right.iter_mut().rev()) {
        mem::swap(a, b);
    }
}

/// [`reverse`] by joins, for many threads, as a part of a rotation: its span is shorter. Two threads take 1.1 of the time that the loop above takes.
fn reverse_by_joins<T: Send>(v: &mut [T]) {
    let half = v.len() / 2;
    let (left, rest) = v.split_at_mut(half);
    let right = rest.len() - half;
    exchange_mirrored(left, &mut rest[right..], leaf_of::<T>(REVERSED));
}

/// Exchanges two slices of one length, each element with its mirror image: so the front of the left slice with the back of the right one.
fn exchange_mirrored<T: Send>(left: &mut [T], right: &mut [T], leaf: usize) {
    let len = left.len();
    if len <= leaf {
        return swap_mirrored(left, right);
    }
    let (left_front, left_back) = left.split_at_mut(len / 2);
    let (right_front, right_back) = right.split_at_mut(len - len / 2);
    both(
        || exchange_mirrored(left_front, right_back, leaf),
        || exchange_mirrored(left_back, right_front, leaf),
    );
}

/// Brings the first `mid` elements behind the others, in a pool, by three reversals if they are many.
pub(crate) fn rotate_by_reversals<T: Send>(v: &mut [T], mid: usize) {
    if v.len().div_ceil(2) <= leaf_of::<T>(MOVED) || mid == 0 || mid == v.len() {
        return v.rotate_left(mid);
    }
    let (left, right) = v.split_at_mut(mid);
    both(|| reverse_by_joins(left), || reverse_by_joins(right));
    reverse_by_joins(v);
}

/// Moves the first `mid` elements behind the others; [`slice::rotate_left`] with all threads.
///
/// See the [module](self) for costs.
///
/// ```
/// let mut v = [1, 2, 3, 4, 5];
/// filch::algo::rotate_left(&mut v, 2);
/// assert_eq!(v, [3, 4, 5, 1, 2]);
/// ```
///
/// # Panics
///
/// If `mid` is greater than the length.
#[doc(alias("rotate", "shift_left"))]
#[track_caller]
pub fn rotate_left<T: Send>(v: &mut [T], mid: usize) {
    let len = v.len();
    assert!(mid <= len, "filch: a slice of {len} rotated by {mid}");
    if size_of::<T>() > 0 {
        rotate(v, mid);
    }
}

/// Moves the last `k` elements before the others; [`slice::rotate_right`] with all threads.
///
/// See the [module](self) for costs.
///
/// ```
/// let mut v = [1, 2, 3, 4, 5];
/// filch::algo::rotate_right(&mut v, 2);
/// assert_eq!(v, [4, 5, 1, 2, 3]);
/// ```
///
/// # Panics
///
/// If `k` is greater than the length.
#[doc(alias("rotate", "shift_right"))]
#[track_caller]
pub fn rotate_right<T: Send>(v: &mut [T], k: usize) {
    let len = v.len();
    assert!(k <= len, "filch: a slice of {len} rotated by {k}");
    if size_of::<T>() > 0 {
        rotate(v, len - k);
    }
}

/// Exchanges the shorter side with as much at the far end of the longer one, after which it is in its place, and goes on with the rest
/// (Gries and Mills, *Swapping sections*, 1981); until the shorter side is so short that it is better to rotate parts. Many threads reverse both
/// sides, and then the whole.
fn rotate<T: Send>(mut v: &mut [T], mut mid: usize) {
    let threads = threads();
    loop {
        let (left, right) = (mid, v.len() - mid);
        let short = left.min(right);
        if is_little(v) || threads == 1 || short == 0 {
            return v.rotate_left(mid);
        }
        // One thread moves the shorter side from part to part: with many threads that must not take longer than a part.
        if short <= v.len() / (2 * threads * threads.max(REVERSERS)) {
            return rotate_parts(v, mid, 2 * threads);
        }
        if threads >= REVERSERS {
            return rotate_by_reversals(v, mid);
        }
        let far = v.len() - short;
        let (rest, last) = v.split_at_mut(far);
        exchange(&mut rest[..short], last);
        if left > right {
            mid -= short;
        }
        let rest = if left <= right {
            0..far
        } else {
            short..v.len()
        };
        v = &mut v[rest];
    }
}

/// Rotates every one of `parts` parts by itself, and then what each of them put at one of its ends from part to part. The shorter side
/// must be much shorter than a part.
fn rotate_parts<T: Send>(v: &mut [T], mid: usize, parts: usize) {
    let (left, right) = (mid, v.len() - mid);
    let mut rest = v;
    // Evenly: what is left over of equal parts could be shorter than the shorter side.
    let next_of = |parts: usize| {
        let len = rest.len() / parts;
        rest.split_off_mut(..len).expect("a share of the rest")
    };
    let mut parts: Vec<&mut [T]> = (1..=parts).rev().map(next_of).collect();
    let (short, is_left_short) = (left.min(right), left <= right);
    parts.par_iter_mut().for_each(|part| match is_left_short {
        true => part.rotate_left(short),
        false => part.rotate_right(short),
    });
    // The shorter side is now at the end of each part, or at the beginning.
    let short_of = |len: usize| match is_left_short {
        true => len - short..len,
        false => 0..short,
    };
    for step in 1..parts.len() {
        let at = if is_left_short {
            step
        } else {
            parts.len() - step
        };
        let (before, after) = parts.split_at_mut(at);
        let (a, b) = (&mut before[at - 1], &mut after[0]);
        let (of_a, of_b) = (short_of(a.len()), short_of(b.len()));
        a[of_a].swap_with_slice(&mut b[of_b]);
    }
}

/// Other orders of a slice, in place: `use filch::ext::*`.
///
/// The methods are those of slices by the names without `par_`.
///
/// ```
/// use filch::ext::*;
///
/// let mut v = [1, 2, 3, 4];
/// v.par_rotate_left(1);
/// assert_eq!(v, [2, 3, 4, 1]);
/// ```
pub trait ParallelReorder<T: Send>: ParallelSliceMut<T> {
    /// Reverses the order of the elements. See [`reverse`].
    ///
    /// ```
    /// use filch::ext::ParallelReorder;
    /// let mut v = vec![1, 2, 3];
    /// v.par_reverse();
    /// assert_eq!(v, [3, 2, 1]);
    /// ```
    #[doc(alias("reverse"))]
    fn par_reverse(&mut self) {
        reverse(self.as_parallel_slice_mut());
    }

    /// Brings the first `mid` elements behind the others. See [`rotate_left`].
    ///
    /// ```
    /// use filch::ext::ParallelReorder;
    /// let mut v = vec![1, 2, 3];
    /// v.par_rotate_left(1);
    /// assert_eq!(v, [2, 3, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `mid` is greater than the length.
    #[doc(alias("rotate", "rotate_left"))]
    #[track_caller]
    fn par_rotate_left(&mut self, mid: usize) {
        rotate_left(self.as_parallel_slice_mut(), mid);
    }

    /// Brings the last `k` elements before the others. See [`rotate_right`].
    ///
    /// ```
    /// use filch::ext::ParallelReorder;
    /// let mut v = vec![1, 2, 3];
    /// v.par_rotate_right(1);
    /// assert_eq!(v, [3, 1, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `k` is greater than the length.
    #[doc(alias("rotate", "rotate_right"))]
    #[track_caller]
    fn par_rotate_right(&mut self, k: usize) {
        rotate_right(self.as_parallel_slice_mut(), k);
    }
}

impl<T: Send, V: ParallelSliceMut<T> + ?Sized> ParallelReorder<T> for V {}

#[cfg(test)]
mod tests {
    use super::{ALONE, MOVED, exchange, reverse, reverse_by_joins, rotate_by_reversals};

    /// Of a `u16`.
    const LONG: usize = MOVED / size_of::<u16>();

    #[test]
    fn reverses_every_length() {
        for len in [0, 1, 2, 3, 100, LONG, 2 * LONG + 1, 7 * LONG + 5, ALONE + 1] {
            for run in [reverse, reverse_by_joins] {
                let mut v: Vec<u16> = (0..len).map(|i| i as u16).collect();
                run(&mut v);
                assert!(v.into_iter().rev().eq((0..len).map(|i| i as u16)));
            }
        }
    }

    #[test]
    fn rotates_every_length() {
        for len in [0, 1, 5, 2 * LONG, 2 * LONG + 1, 5 * LONG + 3] {
            for mid in [0, 1, len / 3, len - len / 5, len] {
                let mid = mid.min(len);
                let mut v: Vec<u16> = (0..len).map(|i| i as u16).collect();
                rotate_by_reversals(&mut v, mid);
                let rotated = (mid..len).chain(0..mid).map(|i| i as u16);
                assert!(v.into_iter().eq(rotated));
            }
        }
    }

    #[test]
    fn exchanges_every_length() {
        for len in [0, 1, 2, LONG, 5 * LONG + 3] {
            let numbers = |start: usize| (start..start + len).map(|i| i as u16);
            let (mut a, mut b): (Vec<u16>, Vec<u16>) = (numbers(0).collect(), numbers(7).collect());
            exchange(&mut a, &mut b);
            assert!(a.into_iter().eq(numbers(7)) && b.into_iter().eq(numbers(0)));
        }
    }
}

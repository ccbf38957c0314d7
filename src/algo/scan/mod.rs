//! Scans, also called prefix sums: all running values of a fold.
//!
//! The inclusive scan of `[a, b, c]` is `[a, a + b, a + b + c]`; the exclusive one, from `z` on, is `[z, z + a, z + a + b]`, and what is
//! left over is the total, `z + a + b + c`. `+` may be any associative operation, commutative or not; if it is not associative (sums of
//! floating-point numbers are not, quite), results depend on where the work is cut.
//!
//! | to | inclusive | exclusive |
//! |---|---|---|
//! | a new vector | [`scan_inclusive`] | [`scan_exclusive`] |
//! | the slice itself | [`scan_inclusive_in_place`] | [`scan_exclusive_in_place`] |
//! | an iterator | [`IndexedScan::scan_inclusive`] | [`IndexedScan::scan_exclusive`] |
//!
//! # Cost
//!
//! Work O(n), at most two calls of `op` for an element, and one where no other thread helps; span O(log n) calls in each batch of
//! about 1 MiB, so O(n / batch) in all. With `p` threads a costly `op` takes `2 / (p + 1)` of the sequential time: two thirds with
//! two. Memory beside the result: a few values for each 10 µs of a batch. With one thread, or few elements, it is the sequential loop.
//!
//! In place needs no memory, and saves first touching it, which costs more than adding numbers. A fold of which only the last value is
//! wanted is a [`reduce`](crate::iter::ParallelIterator::reduce), at half the calls.
//!
//! # A panic in `op`
//!
//! Into a new vector, the results are lost and the input is as it was. In place, each element is what it was, or the running value, or
//! what was being written when a drop panicked; each is dropped once.

mod iter;
mod running;

pub use iter::{IndexedScan, ScanExclusive, ScanInclusive};

use crate::current_num_threads;
use crate::iter::{IntoParallelRefIterator, ParallelIterator};
use running::Scan;
use std::mem;

/// Fewer elements are scanned here, however costly `op` is.
const SHORT: usize = 16;

/// All running values of `op`, each with its own element: `[a, op(a, b), op(op(a, b), c), ..]`.
///
/// `op` must be associative, and need not be commutative. See the [module](self) for what it costs.
///
/// ```
/// let sums = filch::algo::scan_inclusive(&[1, 2, 3, 4], |a, b| a + b);
/// assert_eq!(sums, [1, 3, 6, 10]);
/// ```
pub fn scan_inclusive<T, F>(v: &[T], op: F) -> Vec<T>
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    let Some((first, rest)) = v.split_first() else {
        return Vec::new();
    };
    if mem::needs_drop::<T>() {
        let mut out = to_vec(v);
        scan_inclusive_in_place(&mut out, op);
        return out;
    }
    let mut out = Vec::with_capacity(v.len());
    out.push(first.clone());
    let slots = out.spare_capacity_mut();
    assert!(rest.len() <= slots.len());
    // SAFETY: as many elements as slots, which are apart; `T` needs no drop.
    unsafe {
        let scan = Scan::<_, _, false>::new(rest.as_ptr(), slots.as_mut_ptr().cast(), &op);
        drive(scan, rest.len(), first.clone());
        out.set_len(v.len());
    }
    out
}

/// All running values of `op` from `init` on, each without its own element, and the total: `[init, op(init, a), ..]`.
///
/// `op` must be associative; `init` may be any value. See the [module](self) for what it costs.
///
/// ```
/// // Where do the words begin, if they are written one behind the other?
/// let lengths = [3, 5, 2];
/// let (starts, end) = filch::algo::scan_exclusive(&lengths, 0, |a, b| a + b);
/// assert_eq!((starts, end), (vec![0, 3, 8], 10));
/// ```
pub fn scan_exclusive<T, F>(v: &[T], init: T, op: F) -> (Vec<T>, T)
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    if mem::needs_drop::<T>() {
        let mut out = to_vec(v);
        let total = scan_exclusive_in_place(&mut out, init, op);
        return (out, total);
    }
    let mut out = Vec::with_capacity(v.len());
    let slots = out.spare_capacity_mut();
    assert!(v.len() <= slots.len());
    // SAFETY: as many elements as slots, which are apart; `T` needs no drop.
    let total = unsafe {
        let scan = Scan::<_, _, true>::new(v.as_ptr(), slots.as_mut_ptr().cast(), &op);
        let total = drive(scan, v.len(), init);
        out.set_len(v.len());
        total
    };
    (out, total)
}

/// Replaces every element by the running value of `op` up to it, its own included.
///
/// `op` must be associative, and need not be commutative. See the [module](self) for what it costs.
///
/// ```
/// let mut v = [1, 5, 3, 7, 2];
/// filch::algo::scan_inclusive_in_place(&mut v, |a, b| *a.max(b));
/// assert_eq!(v, [1, 5, 5, 7, 7]);
/// ```
pub fn scan_inclusive_in_place<T, F>(v: &mut [T], op: F)
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    if let Some((first, rest)) = v.split_first_mut() {
        let (to, len) = (rest.as_mut_ptr(), rest.len());
        // SAFETY: a slice that is borrowed until the scan is over, to itself.
        unsafe {
            let scan = Scan::<_, _, false>::new(to, to, &op);
            drive(scan, len, first.clone());
        }
    }
}

/// Replaces every element by the running value of `op` from `init` on, its own left out, and returns the total.
///
/// `op` must be associative; `init` may be any value. See the [module](self) for what it costs.
///
/// ```
/// let mut v = [3, 5, 2];
/// let end = filch::algo::scan_exclusive_in_place(&mut v, 100, |a, b| a + b);
/// assert_eq!((v, end), ([100, 103, 108], 110));
/// ```
pub fn scan_exclusive_in_place<T, F>(v: &mut [T], init: T, op: F) -> T
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    let (to, len) = (v.as_mut_ptr(), v.len());
    // SAFETY: a slice that is borrowed until the scan is over, to itself.
    unsafe {
        let scan = Scan::<_, _, true>::new(to, to, &op);
        drive(scan, len, init)
    }
}

/// Scans the first `len` positions, here or with all threads.
///
/// # Safety
///
/// The scan was made for these positions.
unsafe fn drive<T, F, const EXCLUSIVE: bool>(
    scan: Scan<'_, T, F, EXCLUSIVE>,
    len: usize,
    before: T,
) -> T
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync,
{
    if len <= SHORT || current_num_threads() == 1 {
        // SAFETY: by contract; there are no other threads.
        return unsafe { scan.write(0..len, before) };
    }
    // SAFETY: by contract; nobody else has this scan.
    unsafe { scan.run(0..len, before) }
}

fn to_vec<T: Clone + Send + Sync>(v: &[T]) -> Vec<T> {
    v.par_iter().cloned().collect()
}

/// Running values of slices: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
pub trait ParallelScan<T> {
    /// [`scan_inclusive`]: all running values of `op`, in a new vector.
    ///
    /// ```
    /// use filch::ext::ParallelScan;
    /// let words = ["a", "b", "c"].map(String::from);
    /// assert_eq!(words.par_scan_inclusive(|a, b| format!("{a}{b}")), ["a", "ab", "abc"]);
    /// ```
    fn par_scan_inclusive<F>(&self, op: F) -> Vec<T>
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send;

    /// [`scan_exclusive`]: all running values from `init` on, without the elements' own, and the total.
    ///
    /// ```
    /// use filch::ext::ParallelScan;
    /// assert_eq!([1, 2, 3].par_scan_exclusive(10, |a, b| a + b), (vec![10, 11, 13], 16));
    /// ```
    fn par_scan_exclusive<F>(&self, init: T, op: F) -> (Vec<T>, T)
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send;

    /// [`scan_inclusive_in_place`]: every element becomes the running value up to it.
    ///
    /// ```
    /// use filch::ext::ParallelScan;
    /// let mut v = vec![1, 2, 3];
    /// v.par_scan_inclusive_in_place(|a, b| a + b);
    /// assert_eq!(v, [1, 3, 6]);
    /// ```
    fn par_scan_inclusive_in_place<F>(&mut self, op: F)
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send;

    /// [`scan_exclusive_in_place`]: every element becomes the running value before it. Returns the total.
    ///
    /// ```
    /// use filch::ext::ParallelScan;
    /// let mut v = vec![1, 2, 3];
    /// assert_eq!(v.par_scan_exclusive_in_place(0, |a, b| a + b), 6);
    /// assert_eq!(v, [0, 1, 3]);
    /// ```
    fn par_scan_exclusive_in_place<F>(&mut self, init: T, op: F) -> T
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send;
}

impl<T: Send> ParallelScan<T> for [T] {
    fn par_scan_inclusive<F>(&self, op: F) -> Vec<T>
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_inclusive(self, op)
    }

    fn par_scan_exclusive<F>(&self, init: T, op: F) -> (Vec<T>, T)
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_exclusive(self, init, op)
    }

    fn par_scan_inclusive_in_place<F>(&mut self, op: F)
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_inclusive_in_place(self, op)
    }

    fn par_scan_exclusive_in_place<F>(&mut self, init: T, op: F) -> T
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_exclusive_in_place(self, init, op)
    }
}

//! Scans, also called prefix sums: all running values of a fold.
//!
//! The inclusive scan of `[a, b, c]` is `[a, a + b, a + b + c]`. The exclusive scan that begins with `z` is `[z, z + a, z + a + b]`, and the total
//! `z + a + b + c` is returned beside it. `+` may be any associative operation, commutative or not. If it is not associative (the addition of
//! floating-point numbers is not quite), results depend on where the work is cut.
//!
//! | to | inclusive | exclusive |
//! |---|---|---|
//! | a new vector | [`scan_inclusive`] | [`scan_exclusive`] |
//! | the slice itself | [`scan_inclusive_in_place`] | [`scan_exclusive_in_place`] |
//! | an iterator | [`IndexedScan::scan_inclusive`] | [`IndexedScan::scan_exclusive`] |
//!
//! # Cost
//!
//! Work O(n): at most two calls of `op` for each element, and one if no other thread helps. A scan works in batches, one after the other.
//! Span: O(log n) calls for each batch. There are eight batches with two threads, four with four, and one from sixteen on. There are more
//! if a batch would have more than about 512 KiB for each thread. With `p` threads a scan with an expensive `op` takes about `2 / (p + 1)`
//! of the sequential time: two thirds with two threads. Memory beside the result: a few values for each 10 µs of a batch. With one thread,
//! or few elements, it is the sequential loop.
//!
//! In place, no memory is allocated, so none has to be touched for the first time, which costs more than to add numbers. If you want only
//! the last value, use [`reduce`](crate::iter::ParallelIterator::reduce): it takes half the calls.
//!
//! # A panic in `op`
//!
//! Into a new vector, the results are lost and the input is as it was. In place, each element has its old value or the running value (or,
//! if a drop panicked, the value that was being written). Each is dropped once.
//!
//! # Measured
//!
//! <!-- measured: par_scan_inclusive -->
//! Measured, `par_scan_inclusive` of 1,000,000 numbers: work 240 µs, span 6.2 µs, so up to 38 threads can be of use.
//!
//! <!-- measured: par_scan_exclusive_in_place -->
//! Measured, `par_scan_exclusive_in_place` of 1,000,000 numbers: work 240 µs, span 5.9 µs, so up to 40 threads can be of use.

mod iter;
mod running;

pub use iter::{IndexedScan, ScanExclusive, ScanInclusive};

use super::sweep::alone;
use crate::core::leaf;
use crate::iter::{IntoParallelRefIterator, ParallelExtend, ParallelIterator};
use running::Scan;
use std::mem;

/// As few elements are not shared, however costly `op` is: what others add up is added a second time, so there is nothing to gain.
const SHORT: usize = 8;

/// All running values of `op`, each with its own element: `[a, op(a, b), op(op(a, b), c), ..]`.
///
/// `op` must be associative, and need not be commutative. See the [module](self) for what it costs.
///
/// ```
/// let sums = filch::algo::scan_inclusive(&[1, 2, 3, 4], |a, b| a + b);
/// assert_eq!(sums, [1, 3, 6, 10]);
/// ```
///
/// # Panics
///
/// With the panic of `op` or of a clone. What was made is dropped.
#[doc(alias(
    "inclusive_scan",
    "partial_sum",
    "prefix_sum",
    "parallel_scan",
    "cumsum"
))]
pub fn scan_inclusive<T, F>(v: &[T], op: F) -> Vec<T>
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    let Some((first, rest)) = v.split_first() else {
        return Vec::new();
    };
    let mut out = Vec::with_capacity(v.len());
    out.push(first.clone());
    extend::<_, _, false>(&mut out, rest, first.clone(), &op);
    out
}

/// All running values of `op` that begin with `init`, each without its own element: `[init, op(init, a), ..]`. The total is returned beside them.
///
/// `op` must be associative; `init` may be any value. See the [module](self) for what it costs.
///
/// ```
/// // Where do the words begin, if they are written one behind the other?
/// let lengths = [3, 5, 2];
/// let (starts, end) = filch::algo::scan_exclusive(&lengths, 0, |a, b| a + b);
/// assert_eq!((starts, end), (vec![0, 3, 8], 10));
/// ```
///
/// # Panics
///
/// With the panic of `op` or of a clone. What was made is dropped.
#[doc(alias("exclusive_scan", "prefix_sum", "parallel_scan"))]
pub fn scan_exclusive<T, F>(v: &[T], init: T, op: F) -> (Vec<T>, T)
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    let mut out = Vec::with_capacity(v.len());
    let total = extend::<_, _, true>(&mut out, v, init, &op);
    (out, total)
}

/// Replaces every element by the running value of `op` up to it, itself included.
///
/// `op` must be associative, and need not be commutative. See the [module](self) for what it costs.
///
/// ```
/// let mut v = [1, 5, 3, 7, 2];
/// filch::algo::scan_inclusive_in_place(&mut v, |a, b| *a.max(b));
/// assert_eq!(v, [1, 5, 5, 7, 7]);
/// ```
///
/// # Panics
///
/// With the panic of `op`, of a clone or of a drop. The slice then holds old and new elements.
pub fn scan_inclusive_in_place<T, F>(v: &mut [T], op: F)
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    scan_in_place(v, &op);
}

/// Replaces every element by the running value of `op` before it, which begins with `init`, and returns the total.
///
/// `op` must be associative; `init` may be any value. See the [module](self) for what it costs.
///
/// ```
/// let mut v = [3, 5, 2];
/// let end = filch::algo::scan_exclusive_in_place(&mut v, 100, |a, b| a + b);
/// assert_eq!((v, end), ([100, 103, 108], 110));
/// ```
///
/// # Panics
///
/// With the panic of `op`, of a clone or of a drop. The slice then holds old and new elements.
pub fn scan_exclusive_in_place<T, F>(v: &mut [T], init: T, op: F) -> T
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    replace::<_, _, true>(v, 0, init, &op)
}

/// How two neighbours become one, and where they do not.
pub(in crate::algo) trait Rule<T>: Sync {
    fn add(&self, left: &T, right: &T) -> T;

    /// Whether running values begin anew with the element at `i`, whatever comes before it. Never for exclusive scans. Each position is asked for once.
    fn begins(&self, _i: usize) -> bool {
        false
    }
}

impl<T, F: Fn(&T, &T) -> T + Sync> Rule<T> for F {
    #[inline(always)]
    fn add(&self, left: &T, right: &T) -> T {
        self(left, right)
    }
}

/// [`scan_inclusive_in_place`] by a rule.
pub(in crate::algo) fn scan_in_place<T: Clone + Send + Sync>(v: &mut [T], rule: &impl Rule<T>) {
    if let Some(first) = v.first().cloned() {
        replace::<_, _, false>(v, 1, first, rule);
    }
}

/// Adds an element to the running value, or begins anew with it. Returns the value that belongs to the element: of an exclusive scan the one before.
#[inline(always)]
fn step<T: Clone, const EXCLUSIVE: bool>(
    running: &mut T,
    element: &T,
    begins: bool,
    op: &impl Rule<T>,
) -> T {
    let next = match begins {
        true => element.clone(),
        false => op.add(running, element),
    };
    if EXCLUSIVE {
        mem::replace(running, next)
    } else {
        *running = next.clone();
        next
    }
}

/// Goes on, by calls of `advance`, over `len` positions, or over those that are not to be shared. How many are left.
#[inline]
fn begin(len: usize, mut advance: impl FnMut(usize)) -> usize {
    let short = leaf(SHORT, 1);
    if len <= short {
        advance(len);
        return 0;
    }
    match alone(len, &mut advance) {
        rest @ 1.. if rest <= short => {
            advance(rest);
            0
        }
        rest => rest,
    }
}

/// Puts the running values of `v` behind `out`, which has room for them, and returns what comes after the last one.
fn extend<T, F, const EXCLUSIVE: bool>(out: &mut Vec<T>, v: &[T], before: T, op: &F) -> T
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync,
{
    let mut running = before;
    let mut rest = v;
    begin(v.len(), |count| {
        let (next, others) = rest.split_at(count);
        out.extend(
            next.iter()
                .map(|x| step::<_, EXCLUSIVE>(&mut running, x, false, op)),
        );
        rest = others;
    });
    if rest.is_empty() {
        return running;
    }
    let start = out.len();
    if mem::needs_drop::<T>() {
        // Slots are written in no order, so a panic must find an element in each.
        out.par_extend(rest.par_iter().cloned());
        return share::<_, _, EXCLUSIVE>(out, start, running, op);
    }
    let slots = &mut out.spare_capacity_mut()[..rest.len()];
    // SAFETY: as many slots as elements, which are apart; `T` needs no drop.
    let total = unsafe {
        let scan = Scan::<_, _, EXCLUSIVE>::new(rest.as_ptr(), slots.as_mut_ptr().cast(), op);
        scan.run(0..rest.len(), running)
    };
    // SAFETY: all slots were written.
    unsafe { out.set_len(start + rest.len()) };
    total
}

/// Replaces the elements of `v` from `start` on by their running values, and returns what comes after the last one.
fn replace<T, F, const EXCLUSIVE: bool>(v: &mut [T], start: usize, before: T, op: &F) -> T
where
    T: Clone + Send + Sync,
    F: Rule<T>,
{
    let mut running = before;
    let mut next = start;
    let rest = begin(v.len() - start, |count| {
        for (x, i) in v[next..next + count].iter_mut().zip(next..) {
            *x = step::<_, EXCLUSIVE>(&mut running, x, op.begins(i), op);
        }
        next += count;
    });
    match rest {
        0 => running,
        _ => share::<_, _, EXCLUSIVE>(v, next, running, op),
    }
}

/// [`replace`] with all threads.
fn share<T, F, const EXCLUSIVE: bool>(v: &mut [T], start: usize, before: T, op: &F) -> T
where
    T: Clone + Send + Sync,
    F: Rule<T>,
{
    let (to, len) = (v.as_mut_ptr(), v.len());
    // SAFETY: a slice that is borrowed until the scan is over, to itself.
    unsafe { Scan::<_, _, EXCLUSIVE>::new(to, to, op).run(start..len, before) }
}

/// Running values of slices: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
///
/// ```
/// use filch::ext::*;
///
/// assert_eq!([1, 2, 3].par_scan_inclusive(|a, b| a + b), [1, 3, 6]);
/// ```
pub trait ParallelScan<T: Send>: AsRef<[T]> + AsMut<[T]> {
    /// All running values of `op`, in a new vector. See [`scan_inclusive`].
    ///
    /// ```
    /// use filch::ext::ParallelScan;
    /// let words = ["a", "b", "c"].map(String::from);
    /// assert_eq!(words.par_scan_inclusive(|a, b| format!("{a}{b}")), ["a", "ab", "abc"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scan_inclusive`].
    #[doc(alias(
        "inclusive_scan",
        "partial_sum",
        "prefix_sum",
        "parallel_scan",
        "cumsum"
    ))]
    fn par_scan_inclusive<F>(&self, op: F) -> Vec<T>
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_inclusive(self.as_ref(), op)
    }

    /// All running values from `init` on, without the elements' own, and the total. See [`scan_exclusive`].
    ///
    /// ```
    /// use filch::ext::ParallelScan;
    /// assert_eq!([1, 2, 3].par_scan_exclusive(10, |a, b| a + b), (vec![10, 11, 13], 16));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scan_exclusive`].
    #[doc(alias("exclusive_scan", "prefix_sum", "parallel_scan"))]
    fn par_scan_exclusive<F>(&self, init: T, op: F) -> (Vec<T>, T)
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_exclusive(self.as_ref(), init, op)
    }

    /// Every element becomes the running value up to it. See [`scan_inclusive_in_place`].
    ///
    /// ```
    /// use filch::ext::ParallelScan;
    /// let mut v = vec![1, 2, 3];
    /// v.par_scan_inclusive_in_place(|a, b| a + b);
    /// assert_eq!(v, [1, 3, 6]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scan_inclusive_in_place`].
    fn par_scan_inclusive_in_place<F>(&mut self, op: F)
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_inclusive_in_place(self.as_mut(), op)
    }

    /// Every element becomes the running value before it. Returns the total. See [`scan_exclusive_in_place`].
    ///
    /// ```
    /// use filch::ext::ParallelScan;
    /// let mut v = vec![1, 2, 3];
    /// assert_eq!(v.par_scan_exclusive_in_place(0, |a, b| a + b), 6);
    /// assert_eq!(v, [0, 1, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scan_exclusive_in_place`].
    fn par_scan_exclusive_in_place<F>(&mut self, init: T, op: F) -> T
    where
        T: Clone + Sync,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_exclusive_in_place(self.as_mut(), init, op)
    }
}

impl<T: Send> ParallelScan<T> for [T] {}

//! Scans that start again at each segment, and other operations on neighbours.
//!
//! | function | gives |
//! |---|---|
//! | [`scan_segments`] | running values that start again at each segment; a closure says where segments begin |
//! | [`scan_inclusive_by_key`], [`scan_exclusive_by_key`] | running values that start again where the key changes |
//! | [`reduce_runs`] | one value for each run of equal keys |
//! | [`run_lengths`] | the length of each run of equal elements |
//! | [`adjacent_difference`] | the result of an operation on each element and the one before it |
//!
//! A *run* is a number of equal neighbours. For equal keys anywhere see [`group`](crate::algo::group). The names are like those of C++ and Thrust.
//!
//! # Cost
//!
//! Work O(n). The scans are a [scan](crate::algo::scan) of clones in place, which begins anew where a segment does. So their calls, span,
//! order and memory are at most those of a scan: none for each element beside the result. Behind the first segment that begins in its
//! stretch, each thread calls the operation once for an element. (Blelloch, *Prefix sums and their applications*, 1990, has segmented scans
//! as scans of pairs.) The other functions have a span of O(n / p + log n) calls, however long a run is. But some is done by one
//! thread, whatever the calls cost: `run_lengths` may leave a run of up to a 16th of the elements to one, or of 2,047 elements, and
//! `reduce_runs` one of up to 2,048; and one thread compares up to 1,024 neighbours. Memory: a word for each run.
//!
//! If an operation or a clone panics, all results are dropped, and the input is as it was.
//!
//! # Measured
//!
//! <!-- measured: par_scan_segments -->
//! Measured, `par_scan_segments` of 1,000,000 numbers, about nine to a segment: work 930 µs, span 12 µs, so up to 75 threads can be of use.
//!
//! <!-- measured: reduce_runs -->
//! Measured, `reduce_runs` of 1,000,000 numbers, nine to a run: work 1.4 ms, span 11 µs, so up to 120 threads can be of use.
//!
//! <!-- measured: par_adjacent_difference -->
//! Measured, `par_adjacent_difference` of 1,000,000 numbers: work 390 µs, span 5.5 µs, so up to 71 threads can be of use.

use crate::algo::scan::{Rule, scan_in_place};
use crate::core::leaf;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator, once,
};
use crate::slice::ParallelSlice;

/// Elements among which one thread looks for the beginnings of runs: in a loop of std's.
const STRETCH: usize = 1 << 10;

/// A run over two such parts of the elements is noticed for sure, and then threads share it.
const PARTS: usize = 32;

/// How many elements of a part are compared for that.
const SAMPLES: usize = 16;

/// In parts with fewer elements nothing is compared for that. So if runs are short, there is about one more comparison for so many elements, at the most.
const FEW: usize = 64;

/// Elements of a run that one task reduces.
const LEAF: usize = 1 << 11;

/// All running values of `op`, each including its own element. They start again at each index for which `begins` returns true.
///
/// `op` must be associative, and need not be commutative. `begins` is called once for each index but 0. See the [module](self) for costs and panics.
///
/// ```
/// let v = [1, 2, 3, 4, 5];
/// let sums = filch::algo::scan_segments(&v, |i| i == 2, |a, b| a + b);
/// assert_eq!(sums, [1, 3, 3, 7, 12]);
/// ```
///
/// # Panics
///
/// With the panic of `begins`, `op` or a clone. What was made is dropped.
#[doc(alias("segmented_scan"))]
pub fn scan_segments<T, B, F>(v: &[T], begins: B, op: F) -> Vec<T>
where
    T: Clone + Send + Sync,
    B: Fn(usize) -> bool + Sync + Send,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    let value = |i: usize| v[i].clone();
    scan(v.len(), begins, value, op)
}

/// All running values of `op` over `values`, each including its own value. They start again where the key changes.
///
/// `op` must be associative, and need not be commutative. See the [module](self) for costs and panics.
///
/// ```
/// let accounts = ["ann", "ann", "bob", "bob", "ann"];
/// let balances = filch::algo::scan_inclusive_by_key(&accounts, &[5, -2, 7, 1, 4], |a, b| a + b);
/// assert_eq!(balances, [5, 3, 7, 8, 4]);
/// ```
///
/// # Panics
///
/// If there are not as many keys as values, and with the panic of `op`, a clone or a comparison of keys.
#[doc(alias("inclusive_scan_by_key"))]
#[track_caller]
pub fn scan_inclusive_by_key<K, V, F>(keys: &[K], values: &[V], op: F) -> Vec<V>
where
    K: PartialEq + Sync,
    V: Clone + Send + Sync,
    F: Fn(&V, &V) -> V + Sync + Send,
{
    assert_same_len(keys, values);
    scan_segments(values, |i| begins_run(keys, i), op)
}

/// All running values of `op` over `values` that begin with `init`, each without its own value. They start again where the key changes.
///
/// `op` must be associative; `init` may be any value. See the [module](self) for costs and panics.
///
/// ```
/// // Each word's place in its line.
/// let (lines, lengths) = ([1, 1, 1, 2, 2], [3, 5, 2, 4, 1]);
/// let places = filch::algo::scan_exclusive_by_key(&lines, &lengths, 0, |a, b| a + b);
/// assert_eq!(places, [0, 3, 8, 0, 4]);
/// ```
///
/// # Panics
///
/// If there are not as many keys as values, and with the panic of `op`, a clone or a comparison of keys.
#[doc(alias("exclusive_scan_by_key"))]
#[track_caller]
pub fn scan_exclusive_by_key<K, V, F>(keys: &[K], values: &[V], init: V, op: F) -> Vec<V>
where
    K: PartialEq + Sync,
    V: Clone + Send + Sync,
    F: Fn(&V, &V) -> V + Sync + Send,
{
    assert_same_len(keys, values);
    let begins = |i: usize| i == 0 || begins_run(keys, i);
    // An inclusive scan of the values before, with `init` before the first of each segment.
    let value = |i: usize| match begins(i) {
        true => init.clone(),
        false => values[i - 1].clone(),
    };
    scan(values.len(), begins, value, op)
}

/// All running values of `op` over the values at `0..len`.
fn scan<T, B, V, F>(len: usize, begins: B, value: V, op: F) -> Vec<T>
where
    T: Clone + Send + Sync,
    B: Fn(usize) -> bool + Sync + Send,
    V: Fn(usize) -> T + Sync + Send,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    let mut all: Vec<T> = (0..len).into_par_iter().map(value).collect();
    scan_in_place(&mut all, &Segmented { begins, op });
    all
}

/// An operation that is not done where a segment begins.
struct Segmented<B, F> {
    begins: B,
    op: F,
}

impl<T, B, F> Rule<T> for Segmented<B, F>
where
    B: Fn(usize) -> bool + Sync,
    F: Fn(&T, &T) -> T + Sync,
{
    #[inline(always)]
    fn add(&self, left: &T, right: &T) -> T {
        (self.op)(left, right)
    }

    #[inline(always)]
    fn begins(&self, i: usize) -> bool {
        (self.begins)(i)
    }
}

/// For each run of equal keys the key, and the values beside it, combined by `op` in their order.
///
/// `op` must be associative, and need not be commutative. See the [module](self) for costs and panics.
///
/// ```
/// let (days, rain) = ([1, 1, 2, 4, 4, 4], [3, 0, 5, 1, 1, 2]);
/// assert_eq!(filch::algo::reduce_runs(&days, &rain, |a, b| a + b), [(1, 3), (2, 5), (4, 4)]);
/// ```
///
/// # Panics
///
/// If there are not as many keys as values, and with the panic of `op`, a clone or a comparison of keys.
#[doc(alias("reduce_by_key", "reduce_by_segment"))]
#[track_caller]
pub fn reduce_runs<K, V, F>(keys: &[K], values: &[V], op: F) -> Vec<(K, V)>
where
    K: PartialEq + Clone + Send + Sync,
    V: Clone + Send + Sync,
    F: Fn(&V, &V) -> V + Sync + Send,
{
    assert_same_len(keys, values);
    let starts = starts_of_runs(keys, STRETCH);
    let fold = |part: &[V]| {
        let (first, rest) = part.split_first().expect("no part is empty");
        rest.iter().fold(first.clone(), |sum, x| op(&sum, x))
    };
    let runs = starts.par_iter().enumerate().map(|(run, &start)| {
        let end = starts.get(run + 1).copied().unwrap_or(keys.len());
        let run = &values[start..end];
        let long = leaf(LEAF, 1);
        let value = match run.len() <= long {
            true => fold(run),
            // Long runs may be all there are.
            false => {
                let parts = run.par_chunks(long).map(fold);
                let all = parts.reduce_with(|left, right| op(&left, &right));
                all.expect("no run is empty")
            }
        };
        (keys[start].clone(), value)
    });
    runs.collect()
}

/// For each run of equal elements the first one, and the length of the run.
///
/// See the [module](self) for costs and panics.
///
/// ```
/// assert_eq!(filch::algo::run_lengths(b"aaabccd"), [(b'a', 3), (b'b', 1), (b'c', 2), (b'd', 1)]);
/// ```
///
/// # Panics
///
/// With the panic of a comparison or a clone. What was made is dropped.
#[doc(alias("run_length_encode", "rle", "dedup_with_count"))]
pub fn run_lengths<T: PartialEq + Clone + Send + Sync>(v: &[T]) -> Vec<(T, usize)> {
    if !has_long_run(v) {
        let runs = v.par_chunk_by(T::eq);
        return runs.map(|run| (run[0].clone(), run.len())).collect();
    }
    // That would leave each run to one thread. This takes a third longer if runs are short.
    let starts = starts_of_runs(v, STRETCH.min(v.len() / PARTS));
    let runs = starts.par_iter().enumerate().map(|(run, &start)| {
        let end = starts.get(run + 1).copied().unwrap_or(v.len());
        (v[start].clone(), end - start)
    });
    runs.collect()
}

/// Whether one of [`PARTS`] equal parts seems to be of one run: some of its elements are equal.
fn has_long_run<T: PartialEq>(v: &[T]) -> bool {
    let len = v.len() / PARTS;
    len >= leaf(FEW, 1)
        && v.chunks_exact(len).any(|part| {
            let some = part.iter().step_by(len.div_ceil(SAMPLES));
            some.skip(1).all(|key| *key == part[0])
        })
}

/// The first element, and then the result of `op` for each element and the one before it: `[a, op(b, a), op(c, b), ..]`.
///
/// `op` is called once for each element but the first. With a subtraction this undoes a
/// [`scan_inclusive`](crate::algo::scan_inclusive) with an addition. See the [module](self) for costs and panics.
///
/// ```
/// assert_eq!(filch::algo::adjacent_difference(&[1, 3, 6, 10], |b, a| b - a), [1, 2, 3, 4]);
/// ```
///
/// # Panics
///
/// With the panic of `op` or of a clone. What was made is dropped.
pub fn adjacent_difference<T, F>(v: &[T], op: F) -> Vec<T>
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> T + Sync + Send,
{
    let all = (0..v.len()).into_par_iter().map(|i| match i {
        0 => v[0].clone(),
        _ => op(&v[i], &v[i - 1]),
    });
    all.collect()
}

/// Where runs of equal keys begin. Among so many neighbours one thread looks for them.
fn starts_of_runs<K: PartialEq + Sync>(keys: &[K], stretch: usize) -> Vec<usize> {
    if keys.is_empty() {
        return Vec::new();
    }
    let stretch = leaf(stretch, 1);
    let (before, behind) = (keys.par_chunks(stretch), keys[1..].par_chunks(stretch));
    let stretches = before.zip(behind).enumerate();
    let others = stretches.flat_map_iter(|(nth, (before, behind))| {
        let pairs = before.iter().zip(behind).zip(nth * stretch + 1..);
        pairs.filter_map(|((before, key), i)| (before != key).then_some(i))
    });
    once(0).chain(others).collect()
}

/// Whether the key at `i`, which is not 0, is another one than that before.
fn begins_run<K: PartialEq>(keys: &[K], i: usize) -> bool {
    keys[i - 1] != keys[i]
}

#[track_caller]
fn assert_same_len<K, V>(keys: &[K], values: &[V]) {
    let (keys, values) = (keys.len(), values.len());
    assert!(keys == values, "filch: {keys} keys for {values} values");
}

/// Segments of slices: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front; those that take keys are functions only.
///
/// ```
/// use filch::ext::*;
/// assert_eq!([5, 5, 7].par_run_lengths(), [(5, 2), (7, 1)]);
/// ```
pub trait ParallelSegments<T: Sync>: ParallelSlice<T> {
    /// Running values, which start again where `begins` says so. See [`scan_segments`].
    ///
    /// ```
    /// use filch::ext::ParallelSegments;
    /// let starts = [true, false, true];
    /// assert_eq!([1, 2, 3].par_scan_segments(|i| starts[i], |a, b| a + b), [1, 3, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scan_segments`].
    #[doc(alias("segmented_scan"))]
    fn par_scan_segments<B, F>(&self, begins: B, op: F) -> Vec<T>
    where
        T: Clone + Send,
        B: Fn(usize) -> bool + Sync + Send,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        scan_segments(self.as_parallel_slice(), begins, op)
    }

    /// Each run of equal elements as its first one, and how many there are. See [`run_lengths`].
    ///
    /// ```
    /// use filch::ext::ParallelSegments;
    /// assert_eq!([7, 7, 3, 7].par_run_lengths(), [(7, 2), (3, 1), (7, 1)]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`run_lengths`].
    #[doc(alias("run_length_encode", "rle", "dedup_with_count"))]
    fn par_run_lengths(&self) -> Vec<(T, usize)>
    where
        T: PartialEq + Clone + Send,
    {
        run_lengths(self.as_parallel_slice())
    }

    /// What an operation gives for each element and the one before it. See [`adjacent_difference`].
    ///
    /// ```
    /// use filch::ext::ParallelSegments;
    /// assert_eq!([5, 8, 6].par_adjacent_difference(|b, a| b - a), [5, 3, -2]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`adjacent_difference`].
    #[doc(alias("adjacent_difference"))]
    fn par_adjacent_difference<F>(&self, op: F) -> Vec<T>
    where
        T: Clone + Send,
        F: Fn(&T, &T) -> T + Sync + Send,
    {
        adjacent_difference(self.as_parallel_slice(), op)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelSegments<T> for V {}

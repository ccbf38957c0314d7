//! A meter for tests: how many comparisons an algorithm makes, and how long the longest chain of them is.
//!
//! While it is on, both sides of a join run on this thread, one after the other, and the number of threads is what the test says. So both
//! figures are exact, and the same on every machine. Moves are not counted: either they go with comparisons, or they are exchanges of
//! long stretches, which are shared.

use super::order::By;
use std::cell::Cell;
use std::cmp::Ordering;

#[derive(Clone, Copy)]
struct ComparisonCount {
    threads: usize,
    work: u64,
    span: u64,
}

thread_local!(static METER: Cell<Option<ComparisonCount>> = const { Cell::new(None) });

pub(super) fn is_on() -> bool {
    METER.get().is_some()
}

pub(super) fn threads() -> usize {
    METER
        .get()
        .map_or_else(crate::core::threads, |count| count.threads)
}

pub(super) fn both<RA: Send, RB: Send>(
    a: impl FnOnce() -> RA + Send,
    b: impl FnOnce() -> RB + Send,
) -> (RA, RB) {
    let Some(start) = METER.get() else {
        return crate::core::both(a, b);
    };
    let a = a();
    let after_a = METER.get().expect("still on");
    METER.set(Some(ComparisonCount {
        span: start.span,
        ..after_a
    }));
    let b = b();
    let after_b = METER.get().expect("still on");
    METER.set(Some(ComparisonCount {
        span: after_a.span.max(after_b.span),
        ..after_b
    }));
    (a, b)
}

/// Comparisons, and the longest chain of them, of what `f` does on so many threads with the order of numbers.
pub(super) fn measure(
    threads: usize,
    f: impl FnOnce(&By<fn(&u64, &u64) -> Ordering>),
) -> (u64, u64) {
    METER.set(Some(ComparisonCount {
        threads,
        work: 0,
        span: 0,
    }));
    f(&By(|a, b| {
        let count = METER.get().expect("on this thread");
        METER.set(Some(ComparisonCount {
            work: count.work + 1,
            span: count.span + 1,
            ..count
        }));
        a.cmp(b)
    }));
    let ComparisonCount { work, span, .. } = METER.take().expect("still on");
    (work, span)
}

pub(super) fn random(n: u64) -> Vec<u64> {
    (0..n)
        .map(|i| {
            (i ^ i >> 7)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29)
        })
        .map(|x| (x ^ x >> 31).wrapping_mul(0xD6E8_FEB8_6659_FD93))
        .collect()
}

/// Sorted, but for one element in twenty.
fn nearly_sorted(n: u64) -> Vec<u64> {
    let mut v: Vec<u64> = (0..n).collect();
    for x in random(n / 40) {
        v.swap((x % n) as usize, (x >> 20) as usize % n as usize);
    }
    v
}

/// The logarithm of the number of orders: no sort makes fewer comparisons on the average.
fn least(n: u64) -> f64 {
    (1..=n).map(|i| (i as f64).log2()).sum()
}

#[test]
fn sixty_four_threads_have_enough_to_do() {
    let n = 1 << 18;
    for (name, v, [stable, unstable]) in [
        ("random", random(n), [30.0, 60.0]),
        ("nearly sorted", nearly_sorted(n), [30.0, 12.0]),
    ] {
        let mut sorted = v.clone();
        let (work, span) = measure(64, |order| super::sort(&mut sorted, order));
        assert!(sorted.is_sorted());
        assert!(work as f64 / span as f64 > stable, "{name}: {work} {span}");
        let mut sorted = v.clone();
        let (work, span) = measure(64, |order| super::sort_unstable(&mut sorted, order));
        assert!(sorted.is_sorted());
        assert!(
            work as f64 / span as f64 > unstable,
            "{name}: {work} {span}"
        );
    }
}

#[test]
fn comparisons_are_few() {
    for n in [100, 1000, 10_000] {
        for (threads, most) in [(1, 1.26), (2, 1.26), (64, 1.4)] {
            let mut v = random(n);
            let (work, _) = measure(threads, |order| super::sort_unstable(&mut v, order));
            assert!(work as f64 <= most * least(n), "{n} {threads}: {work}");
            let mut v = nearly_sorted(n);
            let (work, _) = measure(threads, |order| super::sort_unstable(&mut v, order));
            assert!(work <= 5 * n, "{n} {threads}: {work}");
        }
    }
}

/// Looks at a few neighbours do not tell that the first block is in no order. Once it has been read, the others do not sort what they put aside.
#[test]
fn blocks_are_given_up_after_one_that_is_not_nearly_sorted() {
    let (n, blocks) = (1 << 18, 64);
    let mut v: Vec<u64> = (0..n).collect();
    for x in random(n / 16) {
        v.swap((x % n) as usize, (x >> 20) as usize % n as usize);
    }
    let block = n / blocks;
    v[..block as usize].copy_from_slice(&random(block));
    let (work, _) = measure(64, |order| {
        assert!(!super::nearly::sort(&mut v, blocks as usize, 1, order));
    });
    assert!((n..n + n / 2).contains(&work), "{work}");
}

/// Runs that overlap are merged in halves, not one after the other.
#[test]
fn merges_of_long_runs_are_few() {
    let (n, runs) = (1 << 12, 1 << 5);
    let len = n / runs;
    for descend in [false, true] {
        let key = |i: u64| {
            let (run, at) = (i / len, i % len);
            runs * if descend { len - 1 - at } else { at } + run * 7 % runs
        };
        let mut v: Vec<u64> = (0..n).map(key).collect();
        let (work, _) = measure(1, |order| super::sort(&mut v, order));
        assert!(v.into_iter().eq(0..n));
        assert!(work <= n * u64::from(runs.ilog2() + 2), "{work}");
    }
}

/// What equals a pivot is put aside at once.
#[test]
fn few_keys_take_few_comparisons() {
    type Sort = fn(&mut [u64], &By<fn(&u64, &u64) -> Ordering>);
    let sorts: [(&str, Sort); 2] = [("stable", super::sort), ("unstable", super::sort_unstable)];
    let n = 10_000;
    for (keys, (name, sort)) in [2, 4, 16]
        .into_iter()
        .flat_map(|keys| sorts.map(|sort| (keys, sort)))
    {
        let mut v: Vec<u64> = random(n).into_iter().map(|x| x % keys).collect();
        let (work, _) = measure(1, |order| sort(&mut v, order));
        assert!(v.is_sorted());
        assert!(
            work <= n * u64::from(keys.ilog2() + 3),
            "{name} {keys}: {work}"
        );
    }
}

/// Also if there are more threads than that.
#[test]
fn a_partition_has_no_more_blocks_than_there_is_room_for() {
    for threads in [64, 1_000] {
        let mut v: Vec<u64> = random(5 << 18).into_iter().map(|x| x % 2).collect();
        measure(threads, |order| super::sort_unstable(&mut v, order));
        assert!(v.is_sorted());
    }
}

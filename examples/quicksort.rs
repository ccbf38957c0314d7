//! Quicksort in place: `join` sorts both sides of the pivot, and the borrow checker sees that they do not overlap.
//!
//! `cargo run --release --example quicksort -- [length]`
//!
//! To sort in a program of your own, call `par_sort_unstable`, which is faster.

use std::env;
use std::time::{Duration, Instant};

use filch::prelude::*;

fn main() {
    let length: u64 = env::args()
        .nth(1)
        .map_or(3_000_000, |n| n.parse().expect("usage: quicksort [length]"));
    let input: Vec<u64> = (0..length).into_par_iter().map(scrambled).collect();

    let mut expected = input.clone();
    expected.sort_unstable();
    let mut by_one = input.clone();
    let ((), one) = timed(|| sequential(&mut by_one));
    let mut by_all = input;
    let ((), all) = timed(|| parallel(&mut by_all));

    assert!(by_one == expected, "the sequential sort is wrong");
    assert!(by_all == expected, "the parallel sort is wrong");
    println!("sorted {length} numbers");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// Shorter stretches are left to std.
const SHORT: usize = 64;

fn sequential(v: &mut [u64]) {
    if v.len() <= SHORT {
        return v.sort_unstable();
    }
    let (low, high) = partition(v);
    sequential(low);
    sequential(high);
}

/// The same but for `join`. `low` and `high` are disjoint parts of one slice, so two threads may write to them at once.
fn parallel(v: &mut [u64]) {
    if v.len() <= SHORT {
        return v.sort_unstable();
    }
    let (low, high) = partition(v);
    filch::join(|| parallel(low), || parallel(high));
}

/// Moves what is less than a pivot in front of it and the rest behind it; returns both sides.
fn partition(v: &mut [u64]) -> (&mut [u64], &mut [u64]) {
    // The median of three keeps sorted input from being the worst case.
    let (middle, last) = (v.len() / 2, v.len() - 1);
    let [a, b, c] = [0, middle, last].map(|at| v[at]);
    let pivot = a.max(b).min(a.min(b).max(c));
    let at = [0, middle, last]
        .into_iter()
        .find(|&at| v[at] == pivot)
        .expect("the median is one of the three");
    v.swap(at, last);

    let mut end = 0;
    for i in 0..last {
        // Always swapped, and counted only if it belongs in front: nothing for the processor to guess.
        v.swap(i, end);
        end += usize::from(v[end] < pivot);
    }
    v.swap(end, last);
    let (low, rest) = v.split_at_mut(end);
    (low, &mut rest[1..])
}

/// The `i`th of a sequence of numbers that look random (SplitMix64).
fn scrambled(i: u64) -> u64 {
    let z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

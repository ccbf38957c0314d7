//! What is sorted.

use std::{cmp::Ordering, hint::black_box};
use suite::inputs::numbers;
pub use suite::inputs::random;

pub fn few_distinct(n: usize) -> Vec<u64> {
    numbers(n).into_iter().map(|x| x % 16).collect()
}

pub fn mostly_sorted(n: usize) -> Vec<u64> {
    let mut v: Vec<u64> = (0..n as u64).collect();
    for x in numbers(n / 20) {
        v[(x >> 20) as usize % n] = x % n as u64;
    }
    v
}

/// Sorted, then one element in twenty exchanged with another one.
pub fn swapped(n: usize) -> Vec<u64> {
    let mut v = ascending(n);
    for x in random(n / 40) {
        v.swap((x >> 40) as usize % n, (x & 0xFF_FFFF) as usize % n);
    }
    v
}

/// Sorted, but for the last twentieth, which is random.
pub fn appended(n: usize) -> Vec<u64> {
    let mut v = ascending(n);
    let start = n - n / 20;
    for (x, new) in v[start..].iter_mut().zip(random(n / 20)) {
        *x = new % n as u64;
    }
    v
}

/// Each element a little away from its place.
pub fn jittered(n: usize) -> Vec<u64> {
    random(n)
        .into_iter()
        .zip(0..)
        .map(|(x, i)| i + x % 8)
        .collect()
}

pub fn ascending(n: usize) -> Vec<u64> {
    (0..n as u64).collect()
}

pub fn descending(n: usize) -> Vec<u64> {
    (0..n as u64).rev().collect()
}

pub fn saw_tooth(n: usize) -> Vec<u64> {
    let tooth = (n as u64).isqrt().max(1);
    (0..n as u64).map(|i| i % tooth).collect()
}

pub fn organ_pipe(n: usize) -> Vec<u64> {
    (0..n as u64).map(|i| i.min(n as u64 - i)).collect()
}

pub fn floats(n: usize) -> Vec<f64> {
    random(n)
        .into_iter()
        .map(|x| x as i64 as f64 / 1e3)
        .collect()
}

pub fn pairs(n: usize) -> Vec<(u64, u64)> {
    random(n).into_iter().zip(0..).collect()
}

pub fn strings(n: usize) -> Vec<String> {
    random(n).into_iter().map(|x| format!("{x:x}")).collect()
}

pub fn records(n: usize) -> Vec<[u64; 16]> {
    random(n).into_iter().map(|x| [x; 16]).collect()
}

/// The order of numbers, at about 100 ns a comparison.
pub fn expensive(a: &u64, b: &u64) -> Ordering {
    let mut x = *a;
    for _ in 0..48 {
        x = black_box(x.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ x >> 7);
    }
    black_box(x);
    a.cmp(b)
}

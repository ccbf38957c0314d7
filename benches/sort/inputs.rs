//! What is sorted.

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

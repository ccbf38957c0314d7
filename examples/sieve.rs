//! The sieve of Eratosthenes in segments that fit a cache: each is sieved on its own.
//!
//! `cargo run --release --example sieve -- [limit]`

use std::env;
use std::time::{Duration, Instant};

use filch::prelude::*;

/// How many primes there are up to 1, 10, 100, ... (<https://oeis.org/A006880>).
const KNOWN: [usize; 10] = [
    0, 4, 25, 168, 1_229, 9_592, 78_498, 664_579, 5_761_455, 50_847_534,
];

/// Odd numbers in a segment; a byte each, so that a segment fits the first-level cache.
const SEGMENT: u64 = 1 << 14;

fn main() {
    let limit: u64 = env::args()
        .nth(1)
        .map_or(100_000_000, |n| n.parse().expect("usage: sieve [limit]"));

    let (expected, one) = timed(|| sequential(limit));
    let (found, all) = timed(|| parallel(limit));

    assert_eq!(found, expected, "the two ways disagree");
    for (power, known) in KNOWN.into_iter().enumerate() {
        if limit == 10u64.pow(power as u32) {
            assert_eq!(found, known, "both ways are wrong");
        }
    }
    println!("{found} primes up to {limit}");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn sequential(limit: u64) -> usize {
    let small = odd_primes(limit.isqrt());
    let mut sieve = Vec::new();
    let two = usize::from(limit >= 2);
    two + segments(limit)
        .map(|segment| count(segment, limit, &small, &mut sieve))
        .sum::<usize>()
}

/// The same, with a buffer a thread: `map_init` makes one where a stretch of work starts and hands it to every item there.
fn parallel(limit: u64) -> usize {
    let small = odd_primes(limit.isqrt());
    let two = usize::from(limit >= 2);
    two + segments(limit)
        .into_par_iter()
        .map_init(Vec::new, |sieve, segment| {
            count(segment, limit, &small, sieve)
        })
        .sum::<usize>()
}

fn segments(limit: u64) -> std::ops::Range<u64> {
    // Segment `s` holds 2i + 1 for i from s * SEGMENT on.
    0..limit.div_ceil(2).div_ceil(SEGMENT)
}

/// Counts the odd primes of one segment, given those up to the root of the limit.
fn count(segment: u64, limit: u64, small: &[u64], sieve: &mut Vec<bool>) -> usize {
    let first = segment * SEGMENT;
    let length = SEGMENT.min(limit.div_ceil(2) - first);
    sieve.clear();
    sieve.resize(length as usize, true);
    if first == 0 {
        sieve[0] = false; // 1 is no prime
    }
    for &p in small {
        // Multiples below the square have a smaller factor. Index i stands for 2i + 1, and so p * p for p * p / 2.
        let square = p * p / 2;
        if square >= first + length {
            break;
        }
        let start = if square >= first {
            square - first
        } else {
            (p - (first - square) % p) % p
        };
        for i in (start..length).step_by(p as usize) {
            sieve[i as usize] = false;
        }
    }
    sieve.iter().filter(|&&prime| prime).count()
}

/// The odd primes up to a small limit, by trial division.
fn odd_primes(limit: u64) -> Vec<u64> {
    let mut primes: Vec<u64> = Vec::new();
    for n in (3..=limit).step_by(2) {
        let divides = |p: &u64| n % p == 0;
        if !primes.iter().take_while(|&p| p * p <= n).any(divides) {
            primes.push(n);
        }
    }
    primes
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

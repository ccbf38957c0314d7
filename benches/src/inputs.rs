//! Data to work on, and work of a known length.

use std::{collections::HashMap, hint::black_box, time::Instant};

/// The next number of a xorshift generator.
fn xorshift(mut x: u64) -> u64 {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    x
}

/// `n` pseudo-random numbers below 2^40, the same at every call, so that sums
/// of them do not overflow.
pub fn numbers(n: usize) -> Vec<u64> {
    let mut x = 0x9E37_79B9_7F4A_7C15;
    std::iter::repeat_with(|| {
        x = xorshift(x);
        x >> 24
    })
    .take(n)
    .collect()
}

/// `n` pseudo-random numbers of which all 64 bits vary.
pub fn random(n: usize) -> Vec<u64> {
    numbers(n)
        .into_iter()
        .map(|x| x.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .collect()
}

/// `n` pairs with keys spread over the whole range.
pub fn pairs(n: usize) -> HashMap<u64, u64> {
    numbers(n).into_iter().zip(0..).collect()
}

/// About `bytes` bytes of lines, a few words each, some letters not ASCII.
pub fn text(bytes: usize) -> String {
    const WORDS: [&str; 8] = [
        "a",
        "steal",
        "naïve",
        "deque",
        "of",
        "latch",
        "überlang",
        "fork",
    ];
    let mut text = String::with_capacity(bytes + 16);
    for number in numbers(bytes / 3) {
        text.push_str(WORDS[number as usize % WORDS.len()]);
        text.push(if number % 11 == 0 { '\n' } else { ' ' });
        if text.len() >= bytes {
            break;
        }
    }
    text
}

/// Hides from the optimiser that it has seen this slice before.
pub fn unseen<T>(slice: &[T]) -> &[T] {
    black_box(slice)
}

/// Computes for a time proportional to `units`, without memory or clock.
pub fn spin(units: u32) -> u64 {
    (0..units).fold(0x9E37_79B9_7F4A_7C15, |x, _| xorshift(x))
}

/// How long one unit of [`spin`] takes on this machine.
#[derive(Clone, Copy)]
pub struct Spin {
    nanoseconds_a_unit: f64,
}

impl Spin {
    /// Times many short spins, and believes the fastest run.
    pub fn calibrate() -> Self {
        const UNITS: u32 = 50;
        const SPINS: u32 = 2_000;
        let run = || {
            let start = Instant::now();
            for _ in 0..SPINS {
                black_box(spin(black_box(UNITS)));
            }
            start.elapsed().as_nanos() as f64 / f64::from(UNITS * SPINS)
        };
        let nanoseconds_a_unit = (0..50).map(|_| run()).fold(f64::INFINITY, f64::min);
        Spin { nanoseconds_a_unit }
    }

    /// The units that take this long.
    pub fn units(self, nanoseconds: f64) -> u32 {
        (nanoseconds / self.nanoseconds_a_unit).round() as u32
    }
}

/// How the cost of a loop is spread over its items.
#[derive(Clone, Copy)]
pub enum Shape {
    Even,
    FirstPercent,
    LastPercent,
    /// Item `i` costs in proportion to `1 / (i + 1)`.
    Falling,
}

impl Spin {
    /// The units of `n` items that take `nanoseconds` together.
    pub fn costs(self, shape: Shape, n: usize, nanoseconds: f64) -> Vec<u32> {
        let heavy = (n / 100).max(1);
        let share = |i: usize| match shape {
            Shape::Even => 1.0 / n as f64,
            Shape::FirstPercent if i < heavy => 1.0 / heavy as f64,
            Shape::LastPercent if i >= n - heavy => 1.0 / heavy as f64,
            Shape::FirstPercent | Shape::LastPercent => 0.0,
            Shape::Falling => 1.0 / ((i + 1) as f64 * (n as f64).ln()),
        };
        (0..n).map(|i| self.units(nanoseconds * share(i))).collect()
    }
}

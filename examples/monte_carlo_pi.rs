//! π by throwing darts at a square, with a random generator for each thread.
//!
//! `cargo run --release --example monte_carlo_pi -- [darts]`

use std::env;
use std::f64::consts::PI;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use filch::prelude::*;

fn main() {
    let darts: u64 = env::args().nth(1).map_or(100_000_000, |n| {
        n.parse().expect("usage: monte_carlo_pi [darts]")
    });
    assert!(darts > 0, "no darts, no π");

    let (expected, one) = timed(|| sequential(darts));
    let (hits, all) = timed(|| parallel(darts));

    for hits in [expected, hits] {
        // Hits are binomial; seven standard deviations off happens once in 10^11 runs.
        let (n, p) = (darts as f64, PI / 4.0);
        let off = (hits as f64 - n * p) / (n * p * (1.0 - p)).sqrt();
        assert!(
            off.abs() < 7.0,
            "{hits} hits: {off:.1} standard deviations off"
        );
    }
    println!("π is about {:.5}", 4.0 * hits as f64 / darts as f64);
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn sequential(darts: u64) -> u64 {
    let mut generator = Generator::seeded(0);
    (0..darts).map(|_| hit(&mut generator)).sum()
}

/// `map_init` makes a generator where a stretch of work starts, not for every item. Where that is depends on which thread was free when. So each
/// generator takes the next number for its seed, and the result is a little different in each run.
fn parallel(darts: u64) -> u64 {
    let seeds = AtomicU64::new(0);
    (0..darts)
        .into_par_iter()
        .map_init(
            || Generator::seeded(seeds.fetch_add(1, Ordering::Relaxed)),
            |generator, _| hit(generator),
        )
        .sum()
}

/// 1 if the next dart lands in the quarter of a circle.
fn hit(generator: &mut Generator) -> u64 {
    let (x, y) = (generator.next(), generator.next());
    u64::from(x * x + y * y < 1.0)
}

/// xorshift64* (S. Vigna, 2016): small and fast; a real program would take a crate's.
struct Generator(u64);

impl Generator {
    /// Seeds that are close to each other give sequences that are not.
    fn seeded(seed: u64) -> Generator {
        let z = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Generator((z ^ (z >> 27)) | 1)
    }

    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        bits as f64 / (1u64 << 53) as f64
    }
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

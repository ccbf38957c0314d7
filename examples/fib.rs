//! Fibonacci numbers by recursion: `join` at every level, with no cut-off.
//!
//! `cargo run --release --example fib -- [n]`

use std::env;
use std::time::{Duration, Instant};

fn main() {
    let n: u32 = env::args()
        .nth(1)
        .map_or(34, |n| n.parse().expect("usage: fib [n]"));

    let (expected, one) = timed(|| sequential(n));
    let (found, all) = timed(|| parallel(n));

    assert_eq!(found, expected, "the two ways disagree");
    assert_eq!(found, by_adding(n), "both ways are wrong");
    println!("fib({n}) = {found}");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn sequential(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    sequential(n - 1) + sequential(n - 2)
}

/// The same, but the two calls may run at the same time.
///
/// A call does next to nothing here, so this shows what `join` itself costs, and on two threads it may well be slower than plain calls. Real
/// programs do more in a call, and then `join` can stand at every level: most are never taken by another thread, and those cost little more
/// than two plain calls.
fn parallel(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (a, b) = filch::join(|| parallel(n - 1), || parallel(n - 2));
    a + b
}

/// How a program would really do it: by adding. The other results are checked against this.
fn by_adding(n: u32) -> u64 {
    let (mut a, mut b) = (0, 1);
    for _ in 0..n {
        (a, b) = (b, a + b);
    }
    a
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

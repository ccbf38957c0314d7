//! As much as can be done in a given time: a parallel loop that stops at a deadline and keeps what it has.
//!
//! `cargo run --release --example deadline -- [milliseconds]`

use std::env;
use std::time::{Duration, Instant};

use filch::ext::*;
use filch::prelude::*;

fn main() {
    let budget = env::args()
        .nth(1)
        .map_or(300, |n| n.parse().expect("usage: deadline [milliseconds]"));
    let budget = Duration::from_millis(budget);

    let (done, all) = timed(|| longest_until(CancelToken::after(budget)));
    // The same blocks again, for the check and for comparison.
    let (expected, one) = timed(|| {
        done.iter()
            .map(|run| longest(run.block))
            .collect::<Vec<_>>()
    });

    assert_eq!(done, expected, "the two ways disagree");
    let in_order = done.is_sorted_by(|a, b| a.block < b.block);
    assert!(in_order, "blocks out of order, or twice");
    let late = longest_until(CancelToken::after(Duration::ZERO));
    assert!(late.is_empty(), "work was done after the deadline");
    println!("{} blocks of {BLOCK} numbers within {all:.2?}", done.len());
    if let Some(run) = done.iter().max_by_key(|run| run.steps) {
        println!("{} needs {} steps to come down to 1", run.start, run.steps);
    }
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// Numbers in an item of the loop, which is not interrupted: its time is what the deadline may be missed by.
const BLOCK: u64 = 1_000;

/// More than there is time for; and from these numbers no sequence leaves 64 bits.
const BLOCKS: u64 = 10_000_000;

/// The number in a block that takes longest.
#[derive(Debug, PartialEq)]
struct Run {
    block: u64,
    start: u64,
    steps: u32,
}

/// The results of all blocks that were begun before the deadline, in order. They need not be the first ones: the threads are at several places
/// of the range, and all stop at once.
fn longest_until(deadline: CancelToken) -> Vec<Run> {
    (0..BLOCKS)
        .into_par_iter()
        // A token looks at the clock a few times in a hundred microseconds, not for each item; one that takes longer is waited for.
        .cancellable(&deadline)
        .map(longest)
        .collect()
}

fn longest(block: u64) -> Run {
    (block * BLOCK + 1..=(block + 1) * BLOCK)
        .map(|start| (collatz(start), start))
        .max()
        .map(|(steps, start)| Run {
            block,
            start,
            steps,
        })
        .expect("a block is not empty")
}

/// How often `n` has to be halved if it is even, or tripled and increased by 1 if it is odd, until it is 1.
fn collatz(mut n: u64) -> u32 {
    let mut steps = 0;
    while n > 1 {
        n = if n.is_multiple_of(2) {
            n / 2
        } else {
            3 * n + 1
        };
        steps += 1;
    }
    steps
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

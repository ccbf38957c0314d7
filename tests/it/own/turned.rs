//! A call inside another parallel loop that was always next to nothing is done without a look at the clock. When its items turn expensive, the looks
//! come back after a few calls.

use crate::support::within;
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

/// What a cheap call should take: less than what is looked at, far more than nothing.
const CHEAP: Duration = Duration::from_nanos(150);
const CALLS: usize = 2000;
const ROUNDS: usize = 10;

fn site(len: usize, expensive: bool) -> usize {
    let cost = |x| {
        if expensive {
            thread::sleep(Duration::from_micros(20));
        }
        black_box(x)
    };
    (0..len).into_par_iter().map(cost).sum()
}

/// Does `body` that often in one fold of a parallel loop, on one thread. The others have nothing to do.
fn outer(times: usize, mut body: impl FnMut() + Send) {
    let one = (0..1).into_par_iter().with_min_len(2);
    let body = std::sync::Mutex::new(&mut body);
    one.for_each(|_| {
        let mut body = body.lock().expect("one thread");
        (0..times).for_each(|_| body());
    });
}

/// The length at which a cheap call takes `CHEAP` or a little more, by the quickest of some tries.
fn length() -> usize {
    let time = |len: usize| {
        let mut least = Duration::MAX;
        outer(20, || {
            let start = Instant::now();
            (0..100).for_each(|_| assert_eq!(site(len, false), len * (len - 1) / 2));
            least = least.min(start.elapsed() / 100);
        });
        least
    };
    (1..20)
        .map(|bits| 1 << bits)
        .find(|&len| time(len) >= CHEAP)
        .expect("a loop of a million items takes so long")
}

/// How many calls are not cut at all, from when their items are expensive.
fn unsplit(pool: &ThreadPool, len: usize) -> usize {
    let offered = || pool.stats().offered;
    let (mut calls, mut unsplit) = (0, None);
    outer(2 * CALLS, || {
        calls += 1;
        if calls <= CALLS {
            site(len, false);
        } else if unsplit.is_none() {
            let before = offered();
            site(len, true);
            if offered() > before {
                unsplit = Some(calls - CALLS - 1);
            }
        }
    });
    unsplit.expect("expensive calls are shared at last")
}

#[test]
fn a_cheap_nested_call_that_turns_expensive_is_soon_shared() {
    within(120, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build();
        let pool = pool.expect("threads for the test");
        pool.install(|| {
            let len = length();
            let all: Vec<_> = (0..ROUNDS).map(|_| unsplit(&pool, len)).collect();
            let sum: usize = all.iter().sum();
            assert!(sum <= 20 * ROUNDS, "{all:?} calls of {len} items");
        });
    });
}

//! What things cost on this machine, as far as they can be measured by themselves. The rest stays as it is in `Costs::default`.

use super::real::{Work, pool};
use sim::Costs;
use std::hint::{black_box, spin_loop};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{park, scope, yield_now};
use std::time::Instant;

/// Measures what can be.
pub fn measure(work: &Work) -> Costs {
    let fork = pool(1).install(|| {
        each(100_000, || {
            black_box(filch::join(|| (), || ()));
        })
    });
    let (wake, arrival) = wake_ups();
    Costs {
        fork,
        wake,
        arrival,
        clock: each(10_000, || {
            black_box(Instant::now());
        })
        .min(50),
        pause: each(10_000, spin_loop),
        give_way: each(10_000, yield_now),
        crowd: crowd(work),
        ..Costs::default()
    }
}

/// What `f` takes, in nanoseconds: the least mean of 20 rounds.
fn each(count: u32, f: impl Fn()) -> u64 {
    let round = || {
        let start = Instant::now();
        (0..count).for_each(|_| f());
        start.elapsed() / count
    };
    let least = (0..20).map(|_| round()).min();
    least.unwrap_or_default().as_nanos() as u64
}

/// What a wake-up costs the waker, and how long after that the woken thread runs: what a quarter undercuts, and what three quarters do.
///
/// The waker works on meanwhile, as in a pool; if it slept, the woken thread would have its processor at once.
fn wake_ups() -> (u64, (u64, u64)) {
    const ROUNDS: usize = 200;
    const NEVER: u64 = u64::MAX;
    let (calls, up) = (AtomicU64::new(0), AtomicU64::new(NEVER));
    let begin = Instant::now();
    let now = || begin.elapsed().as_nanos() as u64;
    let (mut costs, mut ways) = (Vec::new(), Vec::new());
    scope(|scope| {
        let sleeper = scope.spawn(|| {
            for round in 1..=ROUNDS as u64 {
                while calls.load(Ordering::Acquire) < round {
                    park();
                }
                up.store(now(), Ordering::Release);
            }
        });
        for _ in 0..ROUNDS {
            let rest = now() + 300_000;
            while now() < rest {
                spin_loop();
            }
            let start = now();
            calls.fetch_add(1, Ordering::Release);
            sleeper.thread().unpark();
            costs.push(now() - start);
            let mut at = NEVER;
            while at == NEVER {
                spin_loop();
                at = up.swap(NEVER, Ordering::Acquire);
            }
            ways.push(at - start);
        }
    });
    costs.sort_unstable();
    ways.sort_unstable();
    let cost = costs[ROUNDS / 2];
    let way = |at: usize| ways[at].saturating_sub(cost);
    (cost, (way(ROUNDS / 4), way(3 * ROUNDS / 4)))
}

/// By how many percent work takes longer while another thread works, too.
fn crowd(work: &Work) -> u64 {
    let time = || {
        let start = Instant::now();
        work.take(2_000_000);
        start.elapsed().as_nanos() as u64
    };
    let alone = (0..20).map(|_| time()).min().unwrap_or(1);
    let stop = AtomicBool::new(false);
    let mut together: Vec<u64> = scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                work.take(1000);
            }
        });
        let times = (0..40).map(|_| time()).collect();
        stop.store(true, Ordering::Relaxed);
        times
    });
    together.sort_unstable();
    // Of the fastest ones; the others met other processes.
    (together[together.len() / 10] * 100 / alone).saturating_sub(100)
}

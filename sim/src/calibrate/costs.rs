//! What things cost on this machine, as far as they can be measured by themselves. The rest stays as it is in `Costs::default`.

use super::real::{Work, pool};
use sim::Costs;
use std::hint::{black_box, spin_loop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{park, scope, sleep, spawn, yield_now};
use std::time::{Duration, Instant};

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

/// What a wake-up costs the waker, and how long after that the woken thread runs: what a quarter undercuts, and what a half does.
fn wake_ups() -> (u64, (u64, u64)) {
    let (sender, receiver) = mpsc::channel();
    let (called, begin) = (Arc::new(AtomicBool::new(false)), Instant::now());
    let now = move || begin.elapsed().as_nanos() as u64;
    let called_here = called.clone();
    let sleeper = spawn(move || {
        loop {
            while !called_here.swap(false, Ordering::Acquire) {
                park();
            }
            if sender.send(now()).is_err() {
                return;
            }
        }
    });
    let (mut costs, mut ways) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        sleep(Duration::from_millis(1));
        let start = now();
        called.store(true, Ordering::Release);
        sleeper.thread().unpark();
        let end = now();
        let up = receiver.recv().expect("the sleeper lives");
        costs.push(end - start);
        ways.push(up - start);
    }
    drop(receiver);
    called.store(true, Ordering::Release);
    sleeper.thread().unpark();
    sleeper.join().expect("it only sleeps");
    costs.sort_unstable();
    ways.sort_unstable();
    let (cost, way) = (costs[50], |at: usize| ways[at].saturating_sub(costs[50]));
    (cost, (way(50), way(100)))
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

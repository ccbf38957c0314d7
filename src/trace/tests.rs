//! Tests of recordings: each test records a program of which it is known what a recording must say.

mod blocks;
mod bounds;
mod destructors;
mod events;
mod files;
mod limits;
mod metered;
mod order;
mod parts;
mod reasons;
mod splits;
mod sums;

use super::record;
use super::recording::Trace;
use crate::core::event::Kind;
use crate::prelude::*;
use crate::{Stats, ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Held by each test: a recording has all pools of the process in it.
pub(super) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

/// Waits until all threads of the pool sleep, and have counted and recorded that they do: only then the time that they slept grows.
fn settle(pool: &ThreadPool) {
    let threads = pool.current_num_threads();
    let slept = || {
        pool.seats()[..threads]
            .iter()
            .map(|seat| seat.slept)
            .collect::<Vec<_>>()
    };
    loop {
        let before = slept();
        std::thread::sleep(Duration::from_micros(100));
        let all = before
            .iter()
            .zip(slept())
            .all(|(before, after)| after > *before);
        if all && pool.load().asleep as usize == threads {
            return;
        }
    }
}

fn spin(time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}

/// Work of all kinds, some of which is stolen.
fn work(pool: &ThreadPool) {
    fn fib(n: u32) -> u64 {
        if n < 2 {
            spin(Duration::from_micros(1));
            return n.into();
        }
        let (a, b) = crate::join(|| fib(n - 1), || fib(n - 2));
        a + b
    }
    pool.install(|| {
        assert_eq!(fib(10), 55);
        let sum: u64 = (0..5000u64)
            .into_par_iter()
            .map(|i| {
                spin(Duration::from_nanos(i % 64 * 20));
                i
            })
            .sum();
        assert_eq!(sum, 2500 * 4999);
        crate::scope(|s| {
            for _ in 0..20 {
                s.spawn(|s| {
                    spin(Duration::from_micros(10));
                    s.spawn(|_| spin(Duration::from_micros(5)));
                });
            }
        });
        let nested: usize = (0..40)
            .into_par_iter()
            .map(|i| (0..i * 10).into_par_iter().filter(|j| j % 3 == 0).count())
            .sum();
        assert!(nested > 0);
    });
}

/// Records `work` in a pool at rest, whose tracks and counters are then those of the work alone.
fn recorded(threads: usize, told: bool) -> (Trace, Stats) {
    let pool = pool(threads);
    if told {
        pool.force_cuts(crate::iter::plumbing::Cuts::Random(threads as u32));
    }
    work(&pool);
    settle(&pool);
    let (stats, mut trace) = record(|| {
        let before = pool.stats();
        (0..5).for_each(|_| work(&pool));
        settle(&pool);
        pool.stats() - before
    });
    // Other tests may have built pools meanwhile.
    let number = pool.weak().number();
    trace
        .tracks
        .retain(|track| track.of.pool == number || track.of.desk == 0);
    assert_eq!(trace.lost(), 0);
    (trace, stats)
}

fn count(trace: &Trace, kind: Kind) -> u64 {
    let tracks = trace.tracks.iter();
    tracks
        .flat_map(|track| &track.events)
        .filter(|event| event.kind == kind)
        .count() as u64
}

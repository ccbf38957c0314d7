//! What the counters say, and what can be proved with them.

use crate::support::within;
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// One state, one identity, one part for the call, and one more for each piece that ran as a job: never one for each split.
#[test]
fn folders_are_one_more_than_pieces() {
    within(120, || {
        for threads in [1, 2, 3, 8] {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            for round in 0..20 {
                let (states, identities) = (AtomicUsize::new(0), AtomicUsize::new(0));
                let before = pool.stats();
                let parts = pool.install(|| {
                    (0..2000usize)
                        .into_par_iter()
                        .map_init(
                            || states.fetch_add(1, Relaxed),
                            |_, i| {
                                if i % 100 == round {
                                    thread::sleep(Duration::from_micros(100));
                                }
                                i
                            },
                        )
                        .fold(
                            || {
                                identities.fetch_add(1, Relaxed);
                                0
                            },
                            |sum, i| sum + i,
                        )
                        .collect_vec_list()
                });
                let spent = pool.stats() - before;
                let folders = spent.pieces as usize + 1;
                assert_eq!(states.into_inner(), folders, "{threads} threads\n{spent}");
                assert_eq!(
                    identities.into_inner(),
                    folders,
                    "{threads} threads\n{spent}"
                );
                assert_eq!(parts.len(), folders);
                assert_eq!(parts.iter().flatten().sum::<usize>(), 1999 * 1000);
                assert_eq!(spent.offered, spent.kept + spent.taken, "{spent}");
                assert_eq!(spent.taken, spent.pieces, "{spent}");
            }
        }
    });
}

#[test]
fn one_thread_makes_one_state() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let states = AtomicUsize::new(0);
    pool.install(|| {
        (0..1_000_000)
            .into_par_iter()
            .map_init(|| states.fetch_add(1, Relaxed), |_, i: u32| i)
            .for_each(drop)
    });
    assert_eq!(states.into_inner(), 1);
}

#[test]
fn a_snapshot_subtracts_and_prints() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let before = pool.stats();
    pool.install(|| ());
    pool.install(|| filch::join(|| (), || ()));
    let spent = pool.stats() - before;
    assert_eq!((spent.injected, spent.guests), (2, 0));
    let table = spent.to_string();
    assert!(
        table
            .lines()
            .any(|line| line.contains("injected") && line.ends_with(" 2")),
        "{table}"
    );
}

/// Joins that no thread steals stay private: a recursion of depth d makes about d of them public, not one a join.
#[test]
fn joins_stay_private() {
    fn fib(n: u32) -> u64 {
        if n < 2 {
            return u64::from(n);
        }
        let (a, b) = filch::join(|| fib(n - 1), || fib(n - 2));
        a + b
    }
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let before = pool.stats();
    assert_eq!(pool.install(|| fib(22)), 17_711);
    let spent = pool.stats() - before;
    assert!((1..=100).contains(&spent.promotions), "{spent}");
}

/// A call with work for two wakes a few threads, and not more of them in a larger pool.
#[test]
fn wake_ups_of_a_call_do_not_grow_with_the_pool() {
    within(120, || {
        const CALLS: u64 = 100;
        for threads in [2, 8, 64] {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let work = || thread::sleep(Duration::from_micros(200));
            let asleep = format!("parked: {threads}");
            let before = pool.stats();
            for _ in 0..CALLS {
                while !format!("{pool:?}").contains(&asleep) {
                    thread::yield_now();
                }
                pool.install(|| filch::join(work, work));
            }
            let spent = pool.stats() - before;
            assert!(spent.wakes >= CALLS, "{threads} threads\n{spent}");
            assert!(spent.wakes <= 8 * CALLS, "{threads} threads\n{spent}");
            assert!(spent.parks <= 12 * CALLS, "{threads} threads\n{spent}");
            assert!(spent.steals <= 8 * CALLS, "{threads} threads\n{spent}");
        }
    });
}

/// Calls with work for two in pools of which two threads may run: what is woken, looked for and visited does not grow with the threads that are held back.
#[test]
fn what_is_held_back_is_not_visited() {
    const CALLS: u64 = 40;
    const SPAWNS: u64 = 20;
    within(120, || {
        for threads in [2, 8, 64, 300] {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let asleep = || pool.load().asleep as usize == threads;
            let settle = || {
                while !asleep() {
                    thread::yield_now();
                }
            };
            settle();
            pool.set_active(2).unwrap();
            settle();
            let before = pool.stats();
            for _ in 0..CALLS {
                settle();
                pool.scope(|s| {
                    for _ in 0..SPAWNS {
                        s.spawn(|_| {
                            let work = || thread::sleep(Duration::from_micros(20));
                            filch::join(work, work);
                        });
                    }
                });
            }
            let spent = pool.stats() - before;
            // Two rights are in use at most; one may go from word to word while they are read.
            let rounds = spent.looks + spent.steals + spent.wakes;
            assert!(spent.visits <= 3 * rounds, "{threads} threads\n{spent}");
            assert!(spent.looks >= CALLS, "{threads} threads\n{spent}");
            assert!(spent.wakes <= 8 * CALLS, "{threads} threads\n{spent}");
            assert!(spent.parks <= 12 * CALLS, "{threads} threads\n{spent}");
        }
    });
}

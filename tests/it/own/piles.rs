//! Jobs that lie on top of each other on a stack, each begun while the one below waits for a part of its own.

use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder, isolate};
use std::cell::Cell;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Yields until it `is_so`, but not for long.
fn await_that(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() && start.elapsed() < Duration::from_millis(5) {
        thread::yield_now();
    }
}

/// Each job waits for a part of its own, which another thread has, and which takes until the next job has begun: on top of the wait, for want of other
/// threads. Before deep waits had patience, 61 jobs lay on one stack.
#[test]
fn few_jobs_are_under_way_at_once_on_one_thread() {
    jobs_pile_up(|left, right| _ = filch::join(left, right));
}

/// Each job has a scope, and waits for parts of it that other threads have. Before deep scopes had patience, 264 lay on one stack.
#[test]
fn few_scopes_are_under_way_at_once_on_one_thread() {
    thread_local! {
        static UNDER_WAY: Cell<usize> = const { Cell::new(0) };
    }
    let deepest = AtomicUsize::new(0);
    let pool = ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    pool.in_place_scope(|s| {
        for _ in 0..10_000 {
            s.spawn(|_| {
                let below = UNDER_WAY.replace(UNDER_WAY.get() + 1);
                deepest.fetch_max(below + 1, Relaxed);
                filch::scope(|s| {
                    for _ in 0..4 {
                        s.spawn(|_| (0..20).for_each(|_| thread::yield_now()));
                    }
                });
                UNDER_WAY.set(below);
            });
        }
    });
    let deepest = deepest.into_inner();
    assert!(
        (2..40).contains(&deepest),
        "{deepest} scopes lay on each other"
    );
}

type Half<'a> = &'a (dyn Fn() + Sync);

fn jobs_pile_up(fork: impl Fn(Half<'_>, Half<'_>) + Sync) {
    thread_local! {
        static UNDER_WAY: Cell<usize> = const { Cell::new(0) };
    }
    const JOBS: usize = 300;
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (deepest, begun, taken) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    pool.in_place_scope(|s| {
        for _ in 0..JOBS {
            s.spawn(|_| {
                let below = UNDER_WAY.replace(UNDER_WAY.get() + 1);
                deepest.fetch_max(below + 1, Relaxed);
                let this = begun.fetch_add(1, Relaxed) + 1;
                let before = taken.load(Relaxed);
                fork(&|| await_that(|| taken.load(Relaxed) > before), &|| {
                    taken.fetch_add(1, Relaxed);
                    await_that(|| begun.load(Relaxed) > this);
                });
                UNDER_WAY.set(below);
            });
        }
    });
    assert_eq!(begun.into_inner(), JOBS);
    assert_eq!(taken.into_inner(), JOBS);
    let deepest = deepest.into_inner();
    assert!(
        (8..45).contains(&deepest),
        "{deepest} jobs lay on each other"
    );
}

/// Items of an isolated call leave for a pool that is stuck, and come back. Their threads do the work there, and do not begin one item after the other on top of it.
/// They are the items of a loop that runs there, and of one in a share of a broadcast. Where threads went back to their own pool for each item, all 400 lay on one stack.
#[test]
fn few_items_lie_on_each_other_that_come_back_from_a_stuck_pool() {
    thread_local! {
        static UNDER_WAY: Cell<usize> = const { Cell::new(0) };
    }
    let [here, there, elsewhere] = [2, 1, 1].map(|threads| {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        builder.build().unwrap()
    });
    let [begun, over] = [(); 2].map(|()| Barrier::new(2));
    let deepest = AtomicUsize::new(0);
    let items = |pool: &ThreadPool| {
        let item = || {
            let below = UNDER_WAY.replace(UNDER_WAY.get() + 1);
            deepest.fetch_max(below + 1, Relaxed);
            pool.install(|| ());
            UNDER_WAY.set(below);
        };
        let items = (0..400).into_par_iter().with_max_len(1);
        items.for_each(|_| here.install(item));
    };
    thread::scope(|threads| {
        threads.spawn(|| {
            let wait = || {
                begun.wait();
                over.wait();
            };
            there.install(|| isolate(|| elsewhere.install(wait)));
        });
        begun.wait();
        here.install(|| isolate(|| there.install(|| items(&there))));
        here.install(|| isolate(|| there.broadcast(|_| items(&there))));
        over.wait();
    });
    let deepest = deepest.into_inner();
    assert!(deepest < 60, "{deepest} items lay on each other");
}

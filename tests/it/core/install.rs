//! `install`: into the own pool, into others, and round in circles.

use crate::support::{Flag, Ledger, Place, caught, planted, pool, within};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::cell::Cell;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

fn new_pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

#[test]
fn work_runs_in_the_pool_that_was_named() {
    for threads in [1, 2, 3, 8] {
        let seen = pool(threads).install(|| {
            let index = filch::current_thread_index();
            (
                filch::current_num_threads(),
                index == pool(threads).current_thread_index(),
                index,
            )
        });
        assert_eq!((seen.0, seen.1), (threads, true));
        assert!(seen.2.is_some_and(|i| i < threads));
        assert_eq!(pool(threads).current_num_threads(), threads);
        assert_eq!(pool(threads).current_thread_index(), None);
    }
    let other = pool(2).install(|| pool(3).current_thread_index());
    assert_eq!(other, None);
}

/// Into the own pool: at once, and on the same thread.
#[test]
fn into_the_same_pool() {
    for threads in [1, 2, 8] {
        pool(threads).install(|| {
            let here = thread::current().id();
            assert_eq!(pool(threads).install(|| thread::current().id()), here);
        });
    }
}

/// `install` hands over: nothing of it runs on the caller, and what it needs is borrowed.
#[test]
fn from_outside_on_a_thread_of_the_pool() {
    let here = thread::current().id();
    let mut text = String::from("a");
    let there = pool(2).install(|| {
        text.push('b');
        thread::current().id()
    });
    assert_ne!(here, there);
    assert_eq!(text, "ab");
}

/// A pool whose threads may pile up what they take on while they wait for other pools.
fn roomy_pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.stack_size(64 << 20).build().unwrap()
}

#[test]
fn across_two_pools_and_back() {
    for (m, n) in [(1, 1), (1, 2), (2, 2), (3, 8)] {
        let sum = within(60, move || {
            let (a, b) = (roomy_pool(m), roomy_pool(n));
            a.install(|| {
                (0..50u64)
                    .into_par_iter()
                    .map(|x| {
                        b.install(|| {
                            (0..x)
                                .into_par_iter()
                                .map(|y| if y % 16 == 0 { a.install(|| y) } else { y })
                                .sum::<u64>()
                        })
                    })
                    .sum::<u64>()
            })
        });
        assert_eq!(sum, (0..50).map(|x: u64| (0..x).sum::<u64>()).sum::<u64>());
    }
}

#[test]
fn deep_round_trips() {
    fn ping(a: &ThreadPool, b: &ThreadPool, depth: u32) -> u32 {
        if depth == 0 {
            0
        } else {
            a.install(|| ping(b, a, depth - 1)) + 1
        }
    }
    for (m, n) in [(1, 1), (2, 1), (2, 3)] {
        let depth = within(60, move || ping(&new_pool(m), &new_pool(n), 100));
        assert_eq!(depth, 100);
    }
}

/// Joins whose sides run in different pools.
#[test]
fn joins_across_pools() {
    fn fib(n: u32, a: &ThreadPool, b: &ThreadPool) -> u32 {
        if n < 2 {
            return n;
        }
        let (x, y) = filch::join(|| b.install(|| fib(n - 1, b, a)), || fib(n - 2, a, b));
        x + y
    }
    for (m, n) in [(1, 1), (2, 2), (1, 8)] {
        let result = within(60, move || {
            let (a, b) = (roomy_pool(m), roomy_pool(n));
            a.install(|| fib(12, &a, &b))
        });
        assert_eq!(result, 144);
    }
}

/// A thread that waits for another pool still serves its own.
#[test]
fn a_pool_works_while_it_waits_for_another() {
    within(60, || {
        let (a, b) = (new_pool(1), new_pool(1));
        for _ in 0..50 {
            let done = std::sync::Arc::new(Flag::new());
            let set = done.clone();
            a.install(|| {
                a.spawn(move || set.set());
                b.install(|| done.wait());
            });
        }
    });
}

#[test]
fn many_callers_at_once() {
    within(60, || {
        let pools: Vec<ThreadPool> = (1..4).map(new_pool).collect();
        thread::scope(|threads| {
            for i in 0..32u64 {
                let pool = &pools[i as usize % 3];
                threads.spawn(move || {
                    for n in 0..50 {
                        let sum: u64 = pool.install(|| (0..n).into_par_iter().map(|x| x * i).sum());
                        assert_eq!(i * (0..n).sum::<u64>(), sum);
                    }
                });
            }
        });
    });
}

#[test]
fn panics_come_out() {
    for place in Place::all() {
        let (a, b) = (pool(1), pool(3));
        assert_eq!(
            place.run(|| caught(|| a.install(|| planted(1)))),
            Err::<(), _>(1)
        );
        let outcome = place.run(|| caught(|| a.install(|| b.install(|| planted(2)))));
        assert_eq!(outcome, Err::<(), _>(2));
        assert_eq!(place.run(|| a.install(|| b.install(|| 3))), 3);
    }
}

/// A pool is unwind safe: a program need not assert that it may be used after a panic.
#[test]
fn panics_are_caught_without_further_ado() {
    let pool = new_pool(2);
    let text = catch_unwind(|| pool.install(|| -> u8 { panic!("out") })).unwrap_err();
    assert_eq!(text.downcast_ref::<&str>(), Some(&"out"));
    let both = || pool.join(|| (0..9).into_par_iter().sum::<u8>(), || panic!("out"));
    assert!(catch_unwind(both).is_err());
    let job = || pool.scope(|s| s.spawn(|_| panic!("out")));
    assert!(catch_unwind(job).is_err());
    assert_eq!(catch_unwind(|| pool.install(|| 3)).ok(), Some(3));
    let owned = move || pool.install(|| 4);
    assert_eq!(catch_unwind(owned).ok(), Some(4));
}

#[test]
fn captures_and_results_are_dropped_once() {
    for place in Place::all() {
        let ledger = Ledger::new(2);
        place.run(|| {
            let capture = ledger.token(0);
            let result = pool(2).install(move || (capture.id(), ledger.token(1)));
            assert_eq!((result.0, ledger.live(0), ledger.live(1)), (0, 0, 1));
        });
        ledger.assert_all_gone();
    }
}

/// The methods of a pool are the functions of the crate, run there.
#[test]
fn methods() {
    for threads in [1, 2, 3, 8] {
        let p = pool(threads);
        let count = AtomicUsize::new(0);
        let add = || {
            assert_eq!(p.current_num_threads(), filch::current_num_threads());
            assert!(p.current_thread_index().is_some());
            count.fetch_add(1, Relaxed);
        };
        assert_eq!(p.join(|| 1, || 2), (1, 2));
        p.join(add, add);
        p.scope(|s| s.spawn(|_| add()));
        p.scope_fifo(|s| s.spawn_fifo(|_| add()));
        p.in_place_scope(|s| s.spawn(|_| add()));
        p.in_place_scope_fifo(|s| s.spawn_fifo(|_| add()));
        p.scope(|s| s.spawn_broadcast(|_, _| add()));
        assert_eq!(count.into_inner(), 6 + threads);
    }
}

/// While an item waits for another pool, its thread begins others; but it must not pile up all of them.
#[test]
fn items_that_call_another_pool_do_not_fill_the_stack() {
    thread_local!(static NESTED: Cell<usize> = const { Cell::new(0) });
    within(120, || {
        for threads in [1, 2] {
            let (here, there) = (new_pool(threads), new_pool(1));
            let n = 5000usize;
            let deepest = AtomicUsize::new(0);
            let nested = |call: &dyn Fn() -> usize| {
                let nested = NESTED.get() + 1;
                NESTED.set(nested);
                deepest.fetch_max(nested, Relaxed);
                let result = call();
                NESTED.set(nested - 1);
                result
            };
            let items = || (0..n).into_par_iter().with_max_len(1);
            let away = |i: usize| nested(&|| there.install(|| i));
            let sum = here.install(|| items().map(away).sum::<usize>());
            assert_eq!(sum, n * (n - 1) / 2);
            let trip = |i: usize| nested(&|| there.install(|| here.install(|| i)));
            let sum = here.install(|| items().map(trip).sum::<usize>());
            assert_eq!(sum, n * (n - 1) / 2);
            let deepest = deepest.into_inner();
            assert!(deepest < 200, "{deepest} items on one stack");
        }
    });
}

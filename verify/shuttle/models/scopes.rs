//! Scopes, spawned jobs and broadcasts.

use crate::{Pool, Seats, bump, check, check_without_thieves};
use shuttle::sync::mpsc::channel;
use shuttle::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn scope_whose_jobs_spawn_more() {
    check(|| {
        let pool = Pool::new(2);
        let (seats, count) = (Seats::new(2), AtomicUsize::new(0));
        let add = || {
            seats.occupy();
            bump(&count);
        };
        pool.pool.scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|scope| {
                    scope.spawn(|_| add());
                    filch::join(add, add);
                });
            }
            add();
        });
        assert_eq!(count.load(Ordering::Relaxed), 7);
        pool.stop();
    });
}

/// The thread that opened the scope is none of the pool's.
#[test]
fn scope_in_place() {
    check(|| {
        let pool = Pool::new(2);
        let count = AtomicUsize::new(0);
        let add = || bump(&count);
        pool.pool.in_place_scope(|scope| {
            scope.spawn(|scope| scope.spawn(|_| add()));
            scope.spawn(|_| {
                filch::join(add, add);
            });
        });
        assert_eq!(count.load(Ordering::Relaxed), 3);
        pool.stop();
    });
}

#[test]
fn spawned_jobs_run_before_the_pool_stops() {
    check(|| {
        let pool = Pool::new(2);
        let count = Arc::new(AtomicUsize::new(0));
        for _ in 0..2 {
            let count = Arc::clone(&count);
            pool.pool.spawn(move || {
                let inner = Arc::clone(&count);
                filch::spawn(move || bump(&inner));
                bump(&count);
            });
        }
        pool.stop();
        assert_eq!(count.load(Ordering::Relaxed), 4);
    });
}

/// Of two jobs the first waits for the second, while one thread waits inside a call and the other sleeps: the thread that wakes up for the first job
/// has to wake the other thread for the second.
#[test]
fn job_that_waits_for_the_next_one() {
    check_without_thieves(|| {
        let (pool, other) = (Pool::new(2), Pool::new(1));
        let (done, is_done) = channel();
        let (started, is_started) = channel();
        let pools = (Arc::new(pool.pool), other);
        let waiter = thread::spawn({
            let pool = Arc::clone(&pools.0);
            move || {
                pool.install(|| {
                    pools.1.pool.install(move || {
                        started.send(()).unwrap();
                        is_done.recv().unwrap();
                    });
                });
                pools.1.stop();
            }
        });
        is_started.recv().unwrap();
        let (first, second) = channel();
        let (last, is_last) = channel();
        pools.0.spawn(move || {
            second.recv().unwrap();
            last.send(()).unwrap();
        });
        pools.0.spawn(move || first.send(()).unwrap());
        is_last.recv().unwrap();
        done.send(()).unwrap();
        waiter.join().unwrap();
        Pool {
            pool: Arc::into_inner(pools.0).unwrap(),
            threads: pool.threads,
        }
        .stop();
    });
}

/// Runs `f`, mostly on top of a wait.
fn on_top(f: impl FnOnce() + Send) {
    filch::scope(|scope| scope.spawn(|_| f()));
}

/// A thread deep in waits looks where its work went, and naps. One that sleeps has to be woken for what comes from outside meanwhile.
#[test]
fn job_that_waits_for_the_next_one_beside_a_patient_thread() {
    check(|| {
        let pool = Arc::new(Pool::new(3));
        let [(taken, is_taken), (begun, has_begun), (done, is_done)] = [(); 3].map(|()| channel());
        let outside = thread::spawn({
            let pool = Arc::clone(&pool);
            move || {
                has_begun.recv().unwrap();
                let one_sleeps = || {
                    let load = pool.pool.load();
                    load.asleep > 0 && load.searching == 0
                };
                for _ in 0..100 {
                    if one_sleeps() {
                        break;
                    }
                    thread::yield_now();
                }
                pool.pool.spawn(move || done.send(()).unwrap());
            }
        });
        let wait = move || {
            let right = move || {
                taken.send(()).unwrap();
                begun.send(()).unwrap();
                is_done.recv().unwrap();
            };
            filch::join(move || is_taken.recv().unwrap(), right);
        };
        pool.pool.install(|| on_top(|| on_top(wait)));
        outside.join().unwrap();
        Arc::into_inner(pool).unwrap().stop();
    });
}

#[test]
fn broadcasts_among_joins() {
    check(|| {
        let pool = Arc::new(Pool::new(2));
        let seats = Arc::new(Seats::new(2));
        let other = thread::spawn({
            let (pool, seats) = (Arc::clone(&pool), Arc::clone(&seats));
            move || pool.pool.broadcast(|_| seats.occupy()).len()
        });
        let shares = pool.pool.install(|| {
            let share = || filch::broadcast(|context| context.index());
            filch::join(share, share)
        });
        assert_eq!(shares, (vec![0, 1], vec![0, 1]));
        assert_eq!(other.join().unwrap(), 2);
        Arc::into_inner(pool).unwrap().stop();
    });
}

#[test]
fn broadcasts_that_nobody_waits_for() {
    check_without_thieves(|| {
        let pool = Pool::new(3);
        let count = Arc::new(AtomicUsize::new(0));
        let inner = Arc::clone(&count);
        pool.pool.spawn_broadcast(move |_| bump(&inner));
        pool.pool.scope(|scope| {
            scope.spawn_broadcast(|_, context| {
                count.fetch_add(context.num_threads(), Ordering::Relaxed);
            });
        });
        assert!(count.load(Ordering::Relaxed) >= 9);
        pool.stop();
        assert_eq!(count.load(Ordering::Relaxed), 12);
    });
}

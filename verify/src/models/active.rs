//! A pool that is told to run on fewer threads holds rights back. What is queued, and mail for a number that is held back, is run all the same.

use super::{Event, all_but_one_asleep, asleep, check, finish, job, push_and_block, stop};
use crate::core::broadcast::broadcast_in;
use crate::core::worker::Worker;
use loom::thread;
use std::sync::Arc;

/// A job comes from outside while the pool of two becomes one of one, and a worker falls asleep.
#[test]
fn job_meets_a_pool_that_narrows() {
    check("job against narrowing", 2, || {
        let (pool, threads) = all_but_one_asleep(2);
        pool.set_active(1);
        let done = Event::new();
        let inner = done.clone();
        pool.inject(job(move || inner.happen()));
        done.wait();
        assert_eq!(pool.active(), 1);
        stop(&pool, threads);
    });
}

/// A worker blocks in a job, for one that only another worker can run: as soon as the pool is wide enough.
#[test]
fn job_that_needs_two_threads_meets_a_pool_that_widens() {
    check("widening", 3, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        pool.set_active(1);
        let (started, done) = (Event::new(), Event::new());
        pool.inject(job({
            let (pool, started, done) = (Arc::clone(&pool), started.clone(), done.clone());
            move || {
                started.happen();
                push_and_block(&pool, &done);
            }
        }));
        loom::explore();
        started.wait();
        pool.set_active(2);
        done.wait();
        stop(&pool, threads);
    });
}

/// The same by way of mail: a broadcast reaches each number on its own worker, also the number that is held back.
#[test]
fn broadcast_meets_a_right_that_is_held_back() {
    check("broadcast in a narrow pool", 2, || {
        let (pool, threads) = asleep(2);
        pool.set_active(1);
        let homes = broadcast_in(&pool, |context| {
            let worker = Worker::current().unwrap();
            assert_eq!(worker.desk().worker_number(), Some(context.index()));
            context.index()
        });
        assert_eq!(homes, [0, 1]);
        stop(&pool, threads);
    });
}

/// A worker broadcasts while the pool is told to run on one thread, and perhaps this very worker's right is held back when it waits.
#[test]
fn broadcast_from_inside_meets_a_pool_that_narrows() {
    check("broadcast against narrowing", 2, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        let (started, go, done) = (Event::new(), Event::new(), Event::new());
        pool.inject(job({
            let (pool, started, go, done) =
                (Arc::clone(&pool), started.clone(), go.clone(), done.clone());
            move || {
                started.happen();
                go.wait();
                assert_eq!(broadcast_in(&pool, |context| context.index()), [0, 1]);
                done.happen();
            }
        }));
        started.wait();
        loom::explore();
        go.happen();
        pool.set_active(1);
        done.wait();
        stop(&pool, threads);
    });
}

/// Two threads say different things at the same time: one is the last, and the pool is as wide as that says.
#[test]
fn two_widths_at_once() {
    check("two widths", 3, || {
        let (pool, threads) = asleep(2);
        let other = thread::spawn({
            let pool = Arc::clone(&pool);
            move || pool.set_active(1)
        });
        pool.set_active(2);
        other.join().unwrap();
        let active = pool.active();
        assert_eq!(pool.rights.free(), active);
        let done = Event::new();
        let inner = done.clone();
        pool.inject(job(move || inner.happen()));
        done.wait();
        stop(&pool, threads);
    });
}

/// The pool is dropped while it is narrow: all threads have to end, though each that ends keeps its right.
#[test]
fn narrow_pool_stops() {
    check("a narrow pool stops", 3, || {
        let (pool, threads) = asleep(2);
        pool.set_active(1);
        finish(&pool, threads);
    });
}

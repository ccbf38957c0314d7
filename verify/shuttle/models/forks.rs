//! Joins within joins, in one pool.

use crate::{Pool, Seats, check, fib};
use shuttle::sync::Mutex;
use shuttle::sync::mpsc::channel;
use shuttle::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn joins(threads: usize) {
    let pool = Pool::new(threads);
    let seats = Seats::new(threads);
    assert_eq!(pool.pool.install(|| fib(4, &seats)), 3);
    pool.stop();
}

#[test]
fn joins_on_two_threads() {
    check(|| joins(2));
}

#[test]
fn joins_on_three_threads() {
    check(|| joins(3));
}

/// Each leaf is run once.
#[test]
fn two_callers_at_once() {
    check(|| {
        let pool = Arc::new(Pool::new(2));
        let seats = Arc::new(Seats::new(2));
        let other = thread::spawn({
            let (pool, seats) = (Arc::clone(&pool), Arc::clone(&seats));
            move || assert_eq!(pool.pool.install(|| fib(3, &seats)), 2)
        });
        let runs: [AtomicUsize; 4] = Default::default();
        let count = |i: usize| {
            runs[i].fetch_add(1, Ordering::Relaxed);
            seats.occupy();
        };
        pool.pool.install(|| {
            filch::join(
                || filch::join(|| count(0), || count(1)),
                || filch::join(|| count(2), || count(3)),
            )
        });
        assert!(runs.iter().all(|runs| runs.load(Ordering::Relaxed) == 1));
        other.join().unwrap();
        Arc::into_inner(pool).unwrap().stop();
    });
}

/// The left half of the inner join blocks until its right half has run, so another thread has to come for that.
#[test]
fn left_half_that_blocks_on_its_right_half() {
    check(|| {
        let pool = Pool::new(2);
        let (sender, receiver) = channel();
        let (got, ()) = pool.pool.install(|| {
            filch::join(
                || filch::join(move || receiver.recv(), move || sender.send(1)),
                || (),
            )
        });
        assert_eq!(got, (Ok(1), Ok(())));
        pool.stop();
    });
}

/// A lock is held across a join, and what else there is to do wants it, too.
#[test]
fn lock_across_an_isolated_join() {
    check(|| {
        let pool = Pool::new(2);
        let total = Mutex::new(0);
        let add = || {
            let mut total = total.lock().unwrap();
            let (a, b) = filch::isolate(|| filch::join(|| 1, || 2));
            *total += a + b;
        };
        pool.pool
            .install(|| filch::join(|| filch::join(add, add), || filch::join(add, add)));
        assert_eq!(*total.lock().unwrap(), 12);
        pool.stop();
    });
}

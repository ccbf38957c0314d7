//! Several pools, and how they come and go.

use crate::{Pool, Seats, check, check_without_thieves, fib, join, took};
use shuttle::thread;
use std::sync::Arc;

#[test]
fn there_and_back() {
    check(|| {
        let (here, there) = (Pool::new(2), Pool::new(1));
        let seats = (Seats::new(2), Seats::new(1));
        let sum = here.pool.install(|| {
            let back = || here.pool.install(|| fib(2, &seats.0));
            let (a, b) = filch::join(
                || there.pool.install(|| back() + fib(2, &seats.1)),
                || fib(2, &seats.0),
            );
            a + b
        });
        assert_eq!(sum, 3);
        here.stop();
        there.stop();
    });
}

#[test]
fn dropped_by_one_while_another_is_inside() {
    check(|| {
        let Pool { pool, threads } = Pool::new(2);
        let pool = Arc::new(pool);
        let inside = thread::spawn({
            let pool = Arc::clone(&pool);
            move || {
                let seats = Seats::new(2);
                assert_eq!(pool.install(|| fib(3, &seats)), 2);
                took(pool.stats());
            }
        });
        drop(pool);
        inside.join().unwrap();
        join(threads);
    });
}

#[test]
fn dropped_by_its_own_thread() {
    check_without_thieves(|| {
        let Pool { pool, threads } = Pool::new(2);
        let pool = Arc::new(pool);
        let inner = Arc::clone(&pool);
        pool.spawn(move || {
            drop(inner);
            filch::join(thread::yield_now, thread::yield_now);
        });
        drop(pool);
        join(threads);
    });
}

/// A pool is told all the time how many of its threads may run.
#[test]
fn width_changes_under_work() {
    check(|| {
        let Pool { pool, threads } = Pool::new(2);
        let pool = Arc::new(pool);
        let other = thread::spawn({
            let pool = Arc::clone(&pool);
            move || [1, 2, 1].map(|active| pool.set_active(active).expect("1 or 2"))
        });
        let seats = Seats::new(2);
        assert_eq!(pool.install(|| fib(3, &seats)), 2);
        assert_eq!(pool.broadcast(|context| context.index()), [0, 1]);
        other.join().unwrap();
        assert_eq!(pool.active(), 1);
        took(pool.stats());
        drop(pool);
        join(threads);
    });
}

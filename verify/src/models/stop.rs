//! A pool is let go while its threads fall asleep: they end all the same.

use super::{asleep, check, finish, pool, start};
use crate::core::spawn::spawn_in;
use loom::thread;
use std::sync::Arc;

#[test]
fn last_handle_goes_while_a_worker_falls_asleep() {
    check("stop, 1 worker", 3, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        finish(&pool, threads);
    });
}

#[test]
fn last_handle_goes_while_two_workers_fall_asleep() {
    check("stop, 2 workers", 2, || {
        let pool = pool(2);
        let threads = vec![start(&pool, 0), start(&pool, 1)];
        finish(&pool, threads);
    });
}

/// What ends last is a detached job, or the handle: either has to wake the thread that sleeps.
#[test]
fn handle_goes_while_the_last_job_ends() {
    check("stop against the last job", 2, || {
        let (pool, threads) = asleep(2);
        spawn_in(&pool, || ());
        finish(&pool, threads);
    });
}

/// A guest has the only seat while the pool is let go.
#[test]
fn handle_goes_while_the_seat_is_lent() {
    check("stop against a guest", 2, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        let guest = thread::spawn({
            let pool = Arc::clone(&pool);
            move || super::visit(&pool)
        });
        pool.keep_alive();
        pool.let_go();
        guest.join().unwrap();
        finish(&pool, threads);
    });
}

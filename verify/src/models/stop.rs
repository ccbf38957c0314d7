//! A pool is let go while its threads fall asleep: they end all the same.

use super::{Event, asleep, check, finish, pool, start};
use crate::core::broadcast::spawn_broadcast_in;
use crate::core::spawn::spawn_in;
use crate::core::worker::Worker;
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
    check("stop against the last job", 3, || {
        let (pool, threads) = asleep(2);
        spawn_in(&pool, || ());
        finish(&pool, threads);
    });
}

/// A guest has the only right while the pool is let go.
#[test]
fn handle_goes_while_a_guest_has_the_right() {
    check("stop against a guest", 2, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        let guest = thread::spawn({
            let pool = Arc::clone(&pool);
            move || super::visit(&pool)
        });
        pool.keep_alive();
        pool.release();
        guest.join().unwrap();
        finish(&pool, threads);
    });
}

/// What is for each number is sent to all of them, by an exit handler, while the thread of another one ends.
#[test]
fn broadcast_meets_a_thread_that_ends() {
    check("broadcast against the end", 1, || {
        loom::stop_exploring();
        let pool = pool(2);
        pool.release();
        let (sits, go) = (Event::new(), Event::new());
        let other = thread::spawn({
            let (pool, sits, go) = (Arc::clone(&pool), sits.clone(), go.clone());
            move || {
                // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
                let sitting = unsafe { Worker::sit(pool.seats[1].own_desk(), 1) };
                let worker = sitting.worker();
                sits.happen();
                go.wait();
                worker.end();
                drop(sitting);
            }
        });
        // SAFETY: as above.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let worker = sitting.worker();
        sits.wait();
        loom::explore();
        go.happen();
        spawn_broadcast_in(&pool, |_| ());
        worker.end();
        drop(sitting);
        other.join().unwrap();
        assert!(pool.is_stopped());
    });
}

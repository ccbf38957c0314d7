//! Work becomes visible while a worker goes to sleep: it is run.

use super::{Event, asleep, check, job, pool, push_and_block, start, stop};
use crate::core::job::HeapJob;
use std::sync::Arc;

#[test]
fn injected_job_meets_a_worker_that_falls_asleep() {
    check("inject, 1 worker", 3, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        let done = Event::new();
        pool.inject(job({
            let done = done.clone();
            move || done.happen()
        }));
        done.wait();
        stop(&pool, threads);
    });
}

/// The same with a job that descends from a call: it has a queue of its own.
#[test]
fn injected_job_of_a_call_meets_a_worker_that_falls_asleep() {
    check("inject with a root, 1 worker", 3, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        let done = Event::new();
        let inner = done.clone();
        // SAFETY: it borrows nothing.
        let job = unsafe { HeapJob::boxed(pool.new_root(), move || inner.happen()) };
        pool.inject(job);
        done.wait();
        stop(&pool, threads);
    });
}

/// A job spawns another one and blocks until that was run: the second worker has to come.
#[test]
fn spawned_job_meets_a_worker_that_falls_asleep() {
    check("spawn and block, 2 workers", 2, || {
        let pool = pool(2);
        let threads = vec![start(&pool, 0), start(&pool, 1)];
        let done = Event::new();
        pool.inject(job({
            let (share, done) = (Arc::clone(&pool), done.clone());
            move || push_and_block(&share, &done)
        }));
        done.wait();
        stop(&pool, threads);
    });
}

/// Two jobs come in while two workers sleep. The first, for which one of them is woken, blocks until the second was run: it has to wake the
/// other worker.
#[test]
fn worker_that_finds_work_wakes_the_next_one() {
    check("worker finds work, and there is more", 3, || {
        let (pool, threads) = asleep(2);
        let done = Event::new();
        let (one, two) = (done.clone(), done.clone());
        pool.inject(job(move || one.wait()));
        pool.inject(job(move || two.happen_at_last()));
        done.wait();
        stop(&pool, threads);
    });
}

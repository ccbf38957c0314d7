//! Work becomes visible while a worker goes to sleep: it is run.

use super::{Event, check, job, pool, push_and_block, start, stop};
use std::sync::Arc;

#[test]
fn injected_job_meets_a_worker_that_falls_asleep() {
    check("inject, 1 worker", 2, || {
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

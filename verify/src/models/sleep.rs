//! Work becomes visible while a worker goes to sleep: it is run.

use super::{Event, asleep, check, job, pool, push_and_block, run_on, start, stop};
use crate::core::job::HeapJob;
use crate::core::processor::only_one;
use crate::core::worker::Worker;
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

/// On one processor, a woken worker leaves the work to another one. The other one, which may have slept on this processor, too, does not wake a third.
#[test]
fn workers_on_one_processor_do_not_leave_work_to_each_other_for_ever() {
    check("spawn and block, 3 workers on one processor", 3, || {
        let (pool, threads) = asleep(3);
        only_one(true);
        let done = Event::new();
        run_on(&pool, 0, {
            let (share, done) = (Arc::clone(&pool), done.clone());
            move || push_and_block(&share, &done)
        });
        done.wait();
        only_one(false);
        stop(&pool, threads);
    });
}

/// Two jobs need two workers. The first that is woken would leave its place to the second, but then no thread is left to look.
#[test]
fn worker_that_is_left_alone_with_the_work_looks_for_it() {
    check("two jobs that need two workers of one processor", 3, || {
        let (pool, threads) = asleep(3);
        only_one(true);
        let done = Event::new();
        run_on(&pool, 0, {
            let done = done.clone();
            move || {
                let (one, two) = (done.clone(), done.clone());
                let worker = Worker::current().expect("jobs run at desks");
                worker.spawn(job(move || one.wait()));
                worker.spawn(job(move || two.happen_at_last()));
                done.wait();
            }
        });
        done.wait();
        only_one(false);
        stop(&pool, threads);
    });
}

/// A worker that leaves work to another one still reads its mail, which no other worker can.
#[test]
fn worker_that_leaves_its_place_reads_its_mail() {
    check("mail for a worker that leaves its place", 2, || {
        let (pool, threads) = asleep(3);
        only_one(true);
        let (done, read) = (Event::new(), Event::new());
        run_on(&pool, 0, {
            let (share, done) = (Arc::clone(&pool), done.clone());
            move || {
                let worker = Worker::current().expect("jobs run at desks");
                assert!(std::ptr::eq(worker.pool(), &*share));
                worker.spawn(job(move || done.happen()));
            }
        });
        run_on(&pool, 1, {
            let read = read.clone();
            move || read.happen_at_last()
        });
        read.wait();
        done.wait();
        only_one(false);
        stop(&pool, threads);
    });
}

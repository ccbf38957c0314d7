//! Threads deep in waits give what they wait for some time, until none of them works. No time passes in a model, so none may nap.

use super::{Foreign, Slot, check, job, pool, until};
use crate::core::pool::Pool;
use crate::core::worker::Worker;
use loom::thread;
use std::sync::Arc;

/// How many jobs lie on a thread that gives much time.
const DEEP: usize = 40;

/// Has this thread be worker `number` of a pool whose workers are born with their rights, deep in waits, while `f` runs.
fn deep(pool: &Pool, number: usize, f: impl FnOnce(Worker<'_>)) {
    // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
    let sitting = unsafe { Worker::sit(pool.seats[number].own_desk(), number) };
    let worker = sitting.worker();
    let before = worker.own().depth.replace(DEEP);
    f(worker);
    worker.own().depth.set(before);
}

fn finish(pool: &Pool) {
    assert!(!pool.has_injected(), "work was left behind");
    assert_eq!((pool.idle.patient(), pool.idle.hungry()), (0, 0));
}

/// Both threads of a pool wait for a job that neither runs while it gives the other one time.
#[test]
fn threads_that_wait_for_each_other_lose_their_patience() {
    check("patience that ends", 3, || {
        let pool = pool(2);
        let latches = [Foreign::new(), Foreign::new()];
        pool.inject(job({
            let latches = latches.clone();
            move || latches.iter().for_each(|latch| latch.set())
        }));
        let other = thread::spawn({
            let (pool, latch) = (Arc::clone(&pool), Arc::clone(&latches[1]));
            move || deep(&pool, 1, |worker| latch.wait(worker))
        });
        deep(&pool, 0, |worker| latches[0].wait(worker));
        loom::stop_exploring();
        other.join().unwrap();
        finish(&pool);
    });
}

/// The other thread of a pool is patient, too, until it finds a job of its own, and that is what this one waits for.
#[test]
fn thread_that_works_is_given_time() {
    check("patience that lasts", 3, || {
        let pool = pool(2);
        let latches = [Foreign::new(), Foreign::new()];
        let on_top = Arc::new(Slot::new());
        pool.inject(job({
            let on_top = Arc::clone(&on_top);
            move || on_top.write()
        }));
        let other = thread::spawn({
            let (pool, latch) = (Arc::clone(&pool), Arc::clone(&latches[1]));
            move || deep(&pool, 1, |worker| latch.wait(worker))
        });
        let works = job({
            let latches = latches.clone();
            move || {
                for _ in 0..8 {
                    thread::yield_now();
                }
                latches.iter().for_each(|latch| latch.set());
            }
        });
        deep(&pool, 0, |worker| {
            until(|| pool.idle.patient() == 1);
            assert!(pool.seats[1].mail.push(works));
            latches[0].wait(worker);
        });
        loom::stop_exploring();
        other.join().unwrap();
        assert!(
            pool.has_injected(),
            "a job began on top of a wait for a thread that works"
        );
        deep(&pool, 0, |worker| assert!(worker.run_one(false)));
        on_top.assert_written();
        finish(&pool);
    });
}

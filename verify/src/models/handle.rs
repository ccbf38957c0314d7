//! A job's handle: its result arrives however the waiting and the end of the job meet, and a job is begun or cancelled, never both.

use super::{Event, Slot, asleep, check, job, stop};
use crate::core::handle::{JobHandle, spawn_handle_in};
use crate::core::pool::Pool;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn start(pool: &Arc<Pool>) -> (JobHandle<()>, Arc<Slot>) {
    let slot = Arc::new(Slot::new());
    let written = Arc::clone(&slot);
    (spawn_handle_in(pool, move || written.write()), slot)
}

fn join(handle: JobHandle<()>, slot: &Slot) {
    assert!(handle.join().is_ok(), "the job did not panic");
    slot.assert_written();
}

#[test]
fn caller_joins_a_job() {
    check("join from outside", 3, || {
        let (pool, threads) = asleep(1);
        let (handle, slot) = start(&pool);
        join(handle, &slot);
        stop(&pool, threads);
    });
}

#[test]
fn worker_joins_a_job() {
    check("join on a worker", 3, || {
        let (pool, threads) = asleep(2);
        let done = Event::new();
        pool.inject(job({
            let (pool, done) = (Arc::clone(&pool), done.clone());
            move || {
                let (handle, slot) = start(&pool);
                join(handle, &slot);
                done.happen_at_last();
            }
        }));
        done.wait();
        stop(&pool, threads);
    });
}

#[test]
fn cancel_meets_the_start() {
    check("cancel", 3, || {
        let (pool, threads) = asleep(1);
        let ran = Arc::new(AtomicBool::new(false));
        let job = {
            let ran = Arc::clone(&ran);
            move || ran.store(true, Ordering::Relaxed)
        };
        let was_cancelled = match spawn_handle_in(&pool, job).cancel() {
            Ok(()) => true,
            Err(handle) => handle.join().is_err(),
        };
        stop(&pool, threads);
        let ran = ran.load(Ordering::Relaxed);
        assert_ne!(ran, was_cancelled, "a job runs or is cancelled");
    });
}

//! First in, first out: queues behind jobs, and pools whose threads take their own oldest job first.

use super::deque::{fork_and_join, forks};
use super::{Slot, asleep, check, job, pool_that_takes, stop};
use crate::core::scope::{in_place_scope_fifo_in, scope_fifo};
use crate::core::worker::Worker;
use crate::sync::{AtomicUsize, Ordering};
use std::sync::Arc;

/// The same references run the jobs, whichever thread takes them; the queue is gone when all have run.
#[test]
fn two_threads_take_from_a_queue() {
    check("fifo scope on a worker", 2, || {
        let (pool, threads) = asleep(2);
        let done = super::Event::new();
        let inner = done.clone();
        pool.inject(job(move || {
            let slots = [Slot::new(), Slot::new()];
            scope_fifo(|s| {
                s.spawn_fifo(|_| slots[0].write());
                s.spawn_fifo(|_| slots[1].write());
            });
            slots.iter().for_each(Slot::assert_written);
            inner.happen_at_last();
        }));
        done.wait();
        stop(&pool, threads);
    });
}

/// A thread from outside puts a job in while another one takes the last.
#[test]
fn jobs_come_while_others_are_taken() {
    check("fifo scope, job that spawns", 2, || {
        let (pool, threads) = asleep(2);
        let slots = [Slot::new(), Slot::new()];
        in_place_scope_fifo_in(&pool, |s| {
            s.spawn_fifo(|s| {
                s.spawn_fifo(|_| slots[1].write());
                slots[0].write();
            });
        });
        slots.iter().for_each(Slot::assert_written);
        stop(&pool, threads);
    });
}

/// One thread alone runs the jobs in the order in which they came, though its own queue is last in, first out.
#[test]
fn one_thread_keeps_the_order() {
    check("fifo scope on the only worker", 3, || {
        let (pool, threads) = asleep(1);
        let done = super::Event::new();
        let inner = done.clone();
        pool.inject(job(move || {
            let ran = AtomicUsize::new(0);
            scope_fifo(|s| {
                for at in 0..3 {
                    let ran = &ran;
                    s.spawn_fifo(move |_| {
                        let before = ran.fetch_add(1, Ordering::Relaxed);
                        assert_eq!(before, at, "a job ran out of turn");
                    });
                }
            });
            inner.happen_at_last();
        }));
        done.wait();
        stop(&pool, threads);
    });
}

/// In a pool whose threads take the oldest first: what lies before the offer in the queue is another job, not the offer.
#[test]
fn fork_behind_a_spawned_job_meets_a_thief() {
    check("breadth-first fork against a thief", 2, || {
        let slot = Arc::new(Slot::new());
        let inner = Arc::clone(&slot);
        forks(pool_that_takes(2, true), 2, move |worker: Worker<'_>| {
            worker.spawn(job(move || inner.write()));
            fork_and_join(worker, || ());
            while let Some(job) = worker.find_local(None) {
                // SAFETY: just taken out of a queue.
                unsafe { worker.execute(job) };
            }
        });
        slot.assert_written();
    });
}

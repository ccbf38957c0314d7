//! A scope waits until all its jobs are done, those too that were spawned by others, and what they did is seen.

use super::{Event, Slot, asleep, check, job, stop};
use crate::core::scope::{Scope, in_place_scope_in, scope};

fn two_jobs<'scope>(s: &Scope<'scope>, slots: &'scope [Slot; 2]) {
    s.spawn(|_| slots[0].write());
    s.spawn(|_| slots[1].write());
}

/// The second job is counted while the first one ends.
fn job_that_spawns<'scope>(s: &Scope<'scope>, slots: &'scope [Slot; 2]) {
    s.spawn(|s| {
        s.spawn(|_| slots[1].write());
        slots[0].write();
    });
}

type Op = for<'scope> fn(&Scope<'scope>, &'scope [Slot; 2]);

/// A thread of the pool waits, and helps.
fn on_a_worker(op: Op) {
    let (pool, threads) = asleep(2);
    let done = Event::new();
    let inner = done.clone();
    pool.inject(job(move || {
        let slots = [Slot::new(), Slot::new()];
        scope(|s| op(s, &slots));
        slots.iter().for_each(Slot::assert_written);
        inner.happen_at_last();
    }));
    done.wait();
    stop(&pool, threads);
}

/// A thread from outside waits, with a right if it can have one.
fn from_outside(op: Op) {
    let (pool, threads) = asleep(2);
    let slots = [Slot::new(), Slot::new()];
    in_place_scope_in(&pool, |s| op(s, &slots));
    slots.iter().for_each(Slot::assert_written);
    stop(&pool, threads);
}

#[test]
fn worker_waits_for_two_jobs() {
    check("scope on a worker", 2, || on_a_worker(two_jobs));
}

#[test]
fn worker_waits_for_a_job_that_spawns() {
    check("scope on a worker, job that spawns", 2, || {
        on_a_worker(job_that_spawns)
    });
}

#[test]
fn caller_waits_for_two_jobs() {
    check("scope from outside", 2, || from_outside(two_jobs));
}

#[test]
fn caller_waits_for_a_job_that_spawns() {
    check("scope from outside, job that spawns", 2, || {
        from_outside(job_that_spawns)
    });
}

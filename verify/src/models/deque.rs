//! The owner promotes while a thief asks and steals: no job is lost or had twice, and no request is lost.

use super::{check, pool};
use crate::core::deque::Worth;
use crate::core::desk::Desk;
use crate::core::follow::Follower;
use crate::core::fork::{Forked, fork};
use crate::core::job::{JobRef, StackJob};
use crate::core::pool::Pool;
use crate::core::root::Root;
use crate::core::worker::Worker;
use loom::cell::UnsafeCell;
use loom::thread;
use std::sync::Arc;

type Job = StackJob<(), fn(()), ()>;

/// As `Worker::push`, but wakes no thread.
fn push(desk: &Desk, job: JobRef) {
    if desk.own.deque.push(job, &desk.thief) {
        desk.own.deque.answer(
            &desk.thief,
            Root::NONE,
            (desk.owner(), &desk.probe, &Follower::default()),
            0,
            Worth::Most,
        );
    }
}

/// As `Worker::pop`, but wakes no thread.
fn pop(desk: &Desk) -> bool {
    if desk.own.deque.pop(&desk.thief) {
        return true;
    }
    let private = desk.own.deque.pop_slow();
    if private {
        desk.own.deque.answer(
            &desk.thief,
            Root::NONE,
            (desk.owner(), &desk.probe, &Follower::default()),
            0,
            Worth::Most,
        );
    }
    private
}

/// What a thief does with one look.
fn look(desk: &Desk) -> Option<JobRef> {
    if desk.thief.is_empty() {
        desk.thief.ask();
        None
    } else {
        desk.thief.steal()
    }
}

/// I3: what is private will be shown, without another request.
fn check_invariant(desk: &Desk) {
    let deque = &desk.own.deque;
    assert!(
        !deque.has_private() || !deque.is_public_empty() || desk.thief.is_asked(),
        "a request was lost"
    );
}

const LOST: &str = "a job was lost or came back twice";

fn model(pushes: usize, pops: usize, looks: usize) {
    let desk = Arc::new(Desk::new(1, None, std::ptr::null(), false));
    let jobs: Vec<Job> = (0..pushes).map(|_| Job::new((), |()| ())).collect();
    // SAFETY: the jobs stay in place until the end, and are never run.
    let jobs: Vec<JobRef> = jobs.iter().map(|job| unsafe { job.as_ref() }).collect();
    let thief = thread::spawn({
        let desk = Arc::clone(&desk);
        move || (0..looks).filter_map(|_| look(&desk)).collect::<Vec<_>>()
    });
    jobs.iter().for_each(|&job| push(&desk, job));
    // Private jobs come back in the order of the joins, the newest first.
    let mut private = jobs.len();
    let mut back = vec![];
    while back.len() < pops && pop(&desk) {
        private = private.checked_sub(1).expect(LOST);
        back.push(jobs[private]);
    }
    let mut all = thief.join().unwrap();
    check_invariant(&desk);
    all.append(&mut back);
    while pop(&desk) {
        private = private.checked_sub(1).expect(LOST);
        all.push(jobs[private]);
    }
    while let Some(job) = desk.own.deque.pop_public(&desk.thief) {
        all.push(job);
    }
    assert_eq!(all.len(), pushes, "{LOST}");
    assert!(jobs.iter().all(|job| all.contains(job)), "{LOST}");
}

#[test]
fn pushes_meet_a_thief() {
    check("pushes against a thief", 3, || model(3, 0, 2));
}

#[test]
fn pops_meet_a_thief() {
    check("pops against a thief", 3, || model(4, 2, 2));
}

/// Forks within forks on one thread, while another one robs it: every offer is run exactly once.
pub(super) fn forks(pool: Arc<Pool>, looks: usize, call: impl FnOnce(Worker<'_>)) {
    let thief = thread::spawn({
        let pool = Arc::clone(&pool);
        move || {
            // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
            let sitting = unsafe { Worker::sit(pool.seats[1].own_desk(), 1) };
            let worker = sitting.worker();
            for _ in 0..looks {
                if let Some(job) = worker.find(None, Some(0)) {
                    // SAFETY: just taken out of a queue.
                    unsafe { worker.execute(job) };
                }
            }
            drop(sitting);
        }
    });
    // SAFETY: as above.
    let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
    let worker = sitting.worker();
    call(worker);
    drop(sitting);
    thief.join().unwrap();
}

#[test]
fn fork_meets_a_thief() {
    check("fork against a thief", 2, || {
        forks(pool(2), 1, |worker| fork_and_join(worker, || ()));
    });
}

#[test]
fn nested_forks_meet_a_thief() {
    check("nested forks against a thief", 1, || {
        forks(pool(2), 2, |worker| {
            fork_and_join(worker, || fork_and_join(worker, || ()))
        });
    });
}

/// Offers something that has to be run once, while `left` runs here.
pub(super) fn fork_and_join(worker: Worker<'_>, left: impl FnOnce()) {
    let runs = UnsafeCell::new(0);
    match fork(worker, Worth::Most, Shared(&runs), Shared::add_one, left).1 {
        Forked::Kept(offer) => offer.add_one(),
        Forked::Taken(()) => {}
    }
    // SAFETY: checked by loom.
    runs.with(|runs| assert_eq!(unsafe { *runs }, 1));
}

/// A pointer into the frame that forked.
#[derive(Clone, Copy)]
pub(super) struct Shared(pub(super) *const UnsafeCell<u32>);
// SAFETY: the cell is loom's, which reports what is not synchronised.
unsafe impl Send for Shared {}

impl Shared {
    pub(super) fn add_one(self) {
        // SAFETY: the frame that forked waits; the cell is checked by loom.
        unsafe { (*self.0).with_mut(|runs| *runs += 1) };
    }
}

//! A thread sleeps inside a wait, and is woken by its latch, by a thread that wants help, or by both.

use super::deque::fork_and_join;
use super::{
    Event, Foreign, Slot, asleep, check, finish, in_waits, job, push_and_block, run_on, stop, until,
};
use crate::core::count::CountLatch;
use crate::core::deque::Worth;
use crate::core::fork::{Forked, fork};
use crate::core::job::HeapJob;
use crate::core::visit::Visit;
use crate::core::worker::Worker;
use loom::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn guest_waits_for_its_offer() {
    check("guest waits", 3, || {
        let (pool, threads) = asleep(2);
        let visit = Visit::begin(&pool).unwrap();
        fork_and_join(visit.worker, || ());
        drop(visit);
        stop(&pool, threads);
    });
}

#[test]
fn worker_waits_for_its_offer() {
    check("worker waits", 2, || {
        let (pool, threads) = asleep(2);
        let done = Event::new();
        let inner = done.clone();
        pool.inject(job(move || {
            fork_and_join(Worker::current().unwrap(), || ());
            inner.happen();
        }));
        done.wait();
        stop(&pool, threads);
    });
}

/// `join(|| join(|| receive(), || send()), c)` on two threads.
#[test]
fn join_whose_left_half_blocks_on_its_right_half() {
    check("join that blocks", 2, || {
        let (pool, threads) = asleep(2);
        let (sent, done) = (Event::new(), Event::new());
        let inner = done.clone();
        pool.inject(job(move || {
            let worker = Worker::current().unwrap();
            let send = sent.clone();
            fork_and_join(worker, || {
                fork(
                    worker,
                    Worth::Most,
                    send,
                    |send| send.happen_at_last(),
                    || sent.wait(),
                );
            });
            inner.happen();
        }));
        done.wait();
        stop(&pool, threads);
    });
}

/// A thread from outside waits for a job that it brought in, with or without a right.
#[test]
fn caller_waits_for_its_job() {
    check("caller waits", 3, || {
        let (pool, threads) = asleep(2);
        let latch = Arc::new(CountLatch::new(1, None, &pool));
        let root = pool.new_root();
        let inner = Arc::clone(&latch);
        // SAFETY: the Arc keeps the latch; the job is counted.
        let body = move || unsafe { CountLatch::done(&*inner) };
        // SAFETY: it borrows nothing.
        pool.inject(unsafe { HeapJob::boxed(root, body) });
        latch.wait(None, &pool, root);
        stop(&pool, threads);
    });
}

/// Two workers wait for another pool when work comes in. One is woken for it, but just then its wait is over. Then it blocks on that work.
#[test]
fn waiter_whose_latch_is_set_passes_the_wake_up_on() {
    check("waiter leaves with a wake-up", 3, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        let (first, second, done) = (Foreign::new(), Foreign::new(), Event::new());
        run_on(&pool, 0, {
            let (latch, done) = (Arc::clone(&first), done.clone());
            move || {
                latch.wait(Worker::current().unwrap());
                done.wait();
            }
        });
        until(|| in_waits(&pool) == 1);
        let latch = Arc::clone(&second);
        run_on(&pool, 1, move || latch.wait(Worker::current().unwrap()));
        until(|| in_waits(&pool) == 2);
        loom::explore();
        let inner = done.clone();
        pool.inject(job(move || inner.happen_at_last()));
        first.set();
        done.wait();
        second.set();
        stop(&pool, threads);
    });
}

/// Two jobs come in while one worker waits and the other sleeps. The first blocks until the second was run.
#[test]
fn waiter_that_finds_work_wakes_the_next_one() {
    check("waiter finds work, and there is more", 3, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        let (latch, done) = (Foreign::new(), Event::new());
        pool.inject(job({
            let latch = Arc::clone(&latch);
            move || latch.wait(Worker::current().unwrap())
        }));
        until(|| in_waits(&pool) == 1);
        loom::explore();
        let (one, two) = (done.clone(), done.clone());
        pool.inject(job(move || one.wait()));
        pool.inject(job(move || two.happen_at_last()));
        done.wait();
        latch.set();
        stop(&pool, threads);
    });
}

/// A guest falls asleep in a wait while a job comes in that it must leave. If it is woken for that, it wakes a thread that may run it.
#[test]
fn guest_that_leaves_a_job_from_outside_passes_the_wake_up_on() {
    check("guest leaves a job from outside", 2, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        let (latch, done) = (Foreign::new(), Event::new());
        let (began, go) = (Event::new(), Event::new());
        let guest = thread::spawn({
            let (pool, latch, began, go) = (
                Arc::clone(&pool),
                Arc::clone(&latch),
                began.clone(),
                go.clone(),
            );
            move || {
                let visit = Visit::begin(&pool).unwrap();
                began.happen();
                go.wait();
                latch.wait(visit.worker);
            }
        });
        began.wait();
        loom::explore();
        go.happen();
        let inner = done.clone();
        pool.inject(job(move || inner.happen_at_last()));
        done.wait();
        loom::stop_exploring();
        latch.set();
        guest.join().unwrap();
        finish(&pool, threads);
    });
}

/// A guest robs another guest's offer, which it must not run, and hands it back. Its owner waits for it by then, and gets it back unrun: run on
/// top of that wait it would be cut, robbed and handed back again, one wait deeper each time.
#[test]
fn offer_that_a_guest_hands_back_is_kept() {
    check("offer handed back", 2, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        let (began, go) = (Event::new(), Event::new());
        let robber = thread::spawn({
            let (pool, began, go) = (Arc::clone(&pool), began.clone(), go.clone());
            move || {
                let visit = Visit::begin(&pool).unwrap();
                began.happen();
                go.wait();
                let own = visit.worker.own().root.get();
                assert!(visit.worker.find(Some(own), None).is_none());
            }
        });
        began.wait();
        let visit = Visit::begin(&pool).unwrap();
        let owner = thread::current().id();
        let ran = AtomicBool::new(false);
        let elsewhere = |()| {
            let here = thread::current().id();
            ran.store(true, Ordering::Relaxed);
            assert_ne!(
                here, owner,
                "an offer that came back was run on top of the wait for it"
            );
        };
        loom::explore();
        let (_, offer) = fork(visit.worker, Worth::Little, (), elsewhere, || go.happen());
        loom::stop_exploring();
        let is_taken = matches!(offer, Forked::Taken(()));
        assert_eq!(
            ran.into_inner(),
            is_taken,
            "an offer that came back is lost"
        );
        robber.join().unwrap();
        drop(visit);
        finish(&pool, threads);
    });
}

/// A guest falls asleep in a wait while a worker makes a job public that the guest must not run, and blocks on it. A third thread sleeps.
#[test]
fn guest_that_is_woken_for_foreign_work_passes_it_on() {
    check("guest woken for foreign work", 1, || {
        let (pool, threads) = asleep(3);
        loom::stop_exploring();
        let (latch, done) = (Foreign::new(), Event::new());
        let (began, started, go) = (Event::new(), Event::new(), Event::new());
        let guest = thread::spawn({
            let (pool, latch, began, go) = (
                Arc::clone(&pool),
                Arc::clone(&latch),
                began.clone(),
                go.clone(),
            );
            move || {
                let visit = Visit::begin(&pool).unwrap();
                began.happen();
                go.wait();
                latch.wait(visit.worker);
            }
        });
        began.wait();
        pool.inject(job({
            let (pool, started, go, done) =
                (Arc::clone(&pool), started.clone(), go.clone(), done.clone());
            move || {
                started.happen();
                go.wait();
                push_and_block(&pool, &done);
            }
        }));
        started.wait();
        loom::explore();
        go.happen();
        done.wait();
        loom::stop_exploring();
        latch.set();
        guest.join().unwrap();
        finish(&pool, threads);
    });
}

/// A caller from outside waits for what a worker took, and that blocks on a job that comes now: the other worker has to come, with the caller's
/// right, for there is no other one.
#[test]
fn caller_that_sleeps_puts_its_right_down() {
    check("a right for a thread that can use it", 3, || {
        let (pool, threads) = asleep(1);
        loom::stop_exploring();
        let (latch, done) = (Foreign::new(), Event::new());
        let guest = thread::spawn({
            let (pool, latch) = (Arc::clone(&pool), Arc::clone(&latch));
            move || latch.wait(Visit::begin(&pool).unwrap().worker)
        });
        until(|| in_waits(&pool) == 1);
        loom::explore();
        let inner = done.clone();
        pool.inject(job(move || inner.happen_at_last()));
        done.wait();
        loom::stop_exploring();
        latch.set();
        guest.join().unwrap();
        finish(&pool, threads);
    });
}

/// The same, but the caller's wait ends just when the worker has its right: it waits for it, and goes on. What users keep by the index goes to the worker
/// and back.
#[test]
fn caller_that_wakes_waits_for_a_right() {
    check("a right for the next one", 2, || {
        let (pool, threads) = asleep(1);
        loom::stop_exploring();
        let (latch, kept) = (Foreign::new(), Arc::new(Slot::new()));
        let guest = thread::spawn({
            let (pool, latch, kept) = (Arc::clone(&pool), Arc::clone(&latch), Arc::clone(&kept));
            move || {
                let visit = Visit::begin(&pool).unwrap();
                kept.write();
                latch.wait(visit.worker);
                assert_eq!(visit.worker.index(), 0);
                kept.write();
            }
        });
        until(|| in_waits(&pool) == 1);
        loom::explore();
        let inner = Arc::clone(&kept);
        pool.inject(job(move || inner.write()));
        latch.set();
        guest.join().unwrap();
        stop(&pool, threads);
    });
}

/// The same, but the caller is only about to sleep, and may be called before it does. Then no bell rings, and all that the worker did under the right
/// comes with the call.
#[test]
fn caller_is_called_before_it_sleeps() {
    check("called early", 2, || {
        let (pool, threads) = asleep(1);
        loom::stop_exploring();
        let (latch, kept) = (Foreign::new(), Arc::new(Slot::new()));
        let (began, go) = (Event::new(), Event::new());
        let guest = thread::spawn({
            let (pool, latch, kept) = (Arc::clone(&pool), Arc::clone(&latch), Arc::clone(&kept));
            let (began, go) = (began.clone(), go.clone());
            move || {
                let visit = Visit::begin(&pool).unwrap();
                kept.write();
                latch.announce(visit.worker);
                began.happen();
                go.wait();
                latch.wait(visit.worker);
                kept.write();
            }
        });
        began.wait();
        // This orders nothing, as far as loom knows.
        let ran = Arc::new(AtomicBool::new(false));
        pool.inject(job({
            let (kept, ran) = (Arc::clone(&kept), Arc::clone(&ran));
            move || {
                kept.write();
                ran.store(true, Ordering::SeqCst);
            }
        }));
        loom::explore();
        go.happen();
        until(|| ran.load(Ordering::SeqCst));
        latch.set();
        guest.join().unwrap();
        stop(&pool, threads);
    });
}

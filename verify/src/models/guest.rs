//! A right changes hands between workers and guests: never two holders at once (everything that belongs to the holder is in loom's
//! cells, so loom sees to that), and no work stays behind while a thread could do it.

use super::{
    Event, Foreign, Slot, asleep, check, finish, in_waits, job, pool, push_and_block, start, stop,
    until, visit,
};
use crate::core::broadcast::{broadcast_in, spawn_broadcast_in};
use crate::core::job::HeapJob;
use crate::core::pool::Pool;
use crate::core::spawn::{spawn_in, yield_local};
use crate::core::visit::Visit;
use loom::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Every way in which a guest takes a right and puts it down, against a worker that starts, looks and falls asleep.
#[test]
fn guest_comes_and_goes() {
    check("guest", 3, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        visit(&pool);
        visit(&pool);
        stop(&pool, threads);
    });
}

/// Two guests and one right. What users keep by the index goes from one holder to the next.
fn two_guests(pool: &Arc<Pool>) {
    let kept = Arc::new(Slot::new());
    let come_and_go = |pool: &Pool, kept: &Slot| {
        let visit = Visit::begin(pool);
        if visit.is_some() {
            kept.write();
        }
    };
    let other = thread::spawn({
        let (pool, kept) = (Arc::clone(pool), Arc::clone(&kept));
        move || come_and_go(&pool, &kept)
    });
    come_and_go(pool, &kept);
    other.join().unwrap();
}

#[test]
fn guests_meet() {
    check("two guests", 4, || {
        let (pool, threads) = asleep(1);
        two_guests(&pool);
        stop(&pool, threads);
    });
}

/// The same, while a worker puts the right down and falls asleep. Its look at the rights before that hides the look that a guest took, unless loom is
/// patched: as it comes, loom does not find the bug.
#[test]
fn guests_meet_and_a_worker_falls_asleep() {
    check("two guests and a worker", 2, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        two_guests(&pool);
        stop(&pool, threads);
    });
}

/// Work from outside arrives while a guest has the only right, or is about to.
#[test]
fn injected_job_meets_a_guest() {
    check("guest against inject", 2, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        let done = Event::new();
        let other = thread::spawn({
            let (pool, done) = (Arc::clone(&pool), done.clone());
            move || {
                let inner = done.clone();
                pool.inject(job(move || inner.happen()));
                done.wait();
            }
        });
        visit(&pool);
        other.join().unwrap();
        stop(&pool, threads);
    });
}

/// A thread from outside polls until a job of the pool has been run. If it did not leave the processor when it found nothing, there would be no end of schedules in which it
/// keeps it.
#[test]
fn a_poll_from_outside_leaves_the_processor() {
    check("poll from outside", 2, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        let done = Arc::new(loom::sync::atomic::AtomicBool::new(false));
        let inner = Arc::clone(&done);
        pool.inject(job(move || inner.store(true, Ordering::Release)));
        while !done.load(Ordering::Acquire) {
            assert_eq!(yield_local(), None);
        }
        stop(&pool, threads);
    });
}

/// A guest spawns and leaves: another thread has to run the job.
#[test]
fn guest_leaves_a_job_behind() {
    check("guest leaves a job", 3, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        let done = Event::new();
        let inner = done.clone();
        match Visit::begin(&pool) {
            Some(visit) => visit.worker.spawn(job(move || inner.happen())),
            None => inner.happen(),
        }
        done.wait();
        stop(&pool, threads);
    });
}

/// A worker makes a job public and blocks until it was run, while a guest has the only other right: when the guest has left, the other worker
/// has to hear of it.
#[test]
fn wake_up_without_a_free_right_is_made_up_for() {
    check("no right for a wake-up", 3, || {
        let (pool, threads) = asleep(2);
        let (started, lent, done) = (Event::new(), Event::new(), Event::new());
        pool.inject(job({
            let (pool, started, lent, done) = (
                Arc::clone(&pool),
                started.clone(),
                lent.clone(),
                done.clone(),
            );
            move || {
                started.happen();
                lent.wait();
                push_and_block(&pool, &done);
            }
        }));
        started.wait();
        let visit = Visit::begin(&pool).expect("a worker sleeps, and nothing is in the injector");
        lent.happen();
        drop(visit);
        done.wait();
        stop(&pool, threads);
    });
}

/// The same, but when the guest has left, the next one comes before the worker is up.
#[test]
fn wake_up_without_a_free_right_is_made_up_for_twice() {
    check("no right for a wake-up, twice", 3, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        let (started, lent, pushed, done) =
            (Event::new(), Event::new(), Event::new(), Event::new());
        pool.inject(job({
            let (started, lent, pushed, done) =
                (started.clone(), lent.clone(), pushed.clone(), done.clone());
            move || {
                started.happen();
                lent.wait();
                let worker = crate::core::worker::Worker::current().unwrap();
                worker.spawn(job({
                    let done = done.clone();
                    move || done.happen_at_last()
                }));
                pushed.happen();
                done.wait();
            }
        }));
        started.wait();
        let visit_1 = Visit::begin(&pool).expect("a worker sleeps, and nothing is in the injector");
        lent.happen();
        pushed.wait();
        loom::explore();
        let other = thread::spawn({
            let pool = Arc::clone(&pool);
            move || visit(&pool)
        });
        drop(visit_1);
        other.join().unwrap();
        done.wait();
        stop(&pool, threads);
    });
}

/// The same, while a caller sleeps inside a wait of its own, bound to its root: the guest's right is for the worker. If the caller got it, it would look in
/// vain and put it down again, and the worker might wait for it without an end.
#[test]
fn right_that_was_missed_goes_to_who_can_use_it() {
    check("a missed right, and a bound waiter", 3, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        let latch = Foreign::new();
        let caller = thread::spawn({
            let (pool, latch) = (Arc::clone(&pool), Arc::clone(&latch));
            move || latch.wait(Visit::begin(&pool).unwrap().worker)
        });
        until(|| in_waits(&pool) == 1 && pool.rights.free() == 2);
        let (started, lent, pushed, done) =
            (Event::new(), Event::new(), Event::new(), Event::new());
        pool.inject(job({
            let (started, lent, pushed, done) =
                (started.clone(), lent.clone(), pushed.clone(), done.clone());
            move || {
                started.happen();
                lent.wait();
                let inner = done.clone();
                let worker = crate::core::worker::Worker::current().unwrap();
                worker.spawn(job(move || inner.happen_at_last()));
                pushed.happen();
                done.wait();
            }
        }));
        started.wait();
        let visit = Visit::begin(&pool).expect("a worker sleeps, and nothing is in the injector");
        lent.happen();
        pushed.wait();
        loom::explore();
        drop(visit);
        assert_eq!(
            in_waits(&pool),
            1,
            "a waiter that cannot use it got the right"
        );
        done.wait();
        loom::stop_exploring();
        latch.set();
        caller.join().unwrap();
        finish(&pool, threads);
    });
}

/// A waker finds the note of another one, and no right: a guest has put its right down, and the next guest has it already. The first one is about to make up
/// for the old note, and has to see the new work, for there is no new note.
#[test]
fn wake_up_behind_an_old_note_is_made_up_for() {
    check("an old note", 2, || {
        let (pool, threads) = asleep(1);
        loom::stop_exploring();
        let (began, go, done) = (Event::new(), Event::new(), Event::new());
        // These order nothing, as far as loom knows.
        let came = Arc::new([AtomicBool::new(false), AtomicBool::new(false)]);
        let first = thread::spawn({
            let (pool, began, go) = (Arc::clone(&pool), began.clone(), go.clone());
            move || {
                let visit = Visit::begin(&pool).unwrap();
                began.happen();
                go.wait();
                drop(visit);
            }
        });
        began.wait();
        assert!(!pool.note_miss(), "the guest has the only right");
        let next = thread::spawn({
            let (pool, came, go) = (Arc::clone(&pool), Arc::clone(&came), go.clone());
            move || {
                go.wait();
                let visit = Visit::begin(&pool);
                came[0].store(true, Ordering::SeqCst);
                until(|| came[1].load(Ordering::SeqCst));
                drop(visit);
            }
        });
        loom::explore();
        go.happen();
        until(|| came[0].load(Ordering::SeqCst));
        let inner = done.clone();
        // It descends from a call: the queue of such jobs has no fence of its own. SAFETY: it borrows nothing.
        let job = unsafe { HeapJob::boxed(pool.new_root(), move || inner.happen_at_last()) };
        pool.inject(job);
        came[1].store(true, Ordering::SeqCst);
        done.wait();
        loom::stop_exploring();
        first.join().unwrap();
        next.join().unwrap();
        finish(&pool, threads);
    });
}

/// A worker is woken for a job, but a guest takes the last free right before it can.
#[test]
fn searcher_without_a_right_passes_the_job_on() {
    check("no right for a searcher that saw work", 3, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        let (started, go, done) = (Event::new(), Event::new(), Event::new());
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
        if let Some(visit) = Visit::begin(&pool) {
            thread::yield_now();
            drop(visit);
        }
        done.wait();
        stop(&pool, threads);
    });
}

/// A broadcast meets a guest that has one of the rights.
#[test]
fn broadcast_meets_a_guest() {
    check("broadcast against guest", 2, || {
        let pool = pool(1);
        let threads = vec![start(&pool, 0)];
        let other = thread::spawn({
            let pool = Arc::clone(&pool);
            move || visit(&pool)
        });
        assert_eq!(broadcast_in(&pool, |context| context.index()), [0]);
        other.join().unwrap();
        stop(&pool, threads);
    });
}

/// A thread that queues a job where another one has the turn does not wait for it.
#[test]
fn job_is_queued_at_the_end_of_a_turn() {
    check("a turn ends", 3, || {
        let (pool, done) = (pool(0), Event::new());
        let other = thread::spawn({
            let (pool, done) = (Arc::clone(&pool), done.clone());
            move || spawn_in(&pool, move || done.happen())
        });
        assert!(visit(&pool));
        done.wait();
        other.join().unwrap();
        stop(&pool, vec![]);
    });
}

/// A call waits for a job that was queued before it, while another thread had the turn: no other thread would run it.
#[test]
fn call_waits_for_a_job_that_was_queued_before() {
    check("a call behind a job", 3, || {
        let (pool, done) = (pool(0), Event::new());
        let other = thread::spawn({
            let pool = Arc::clone(&pool);
            move || visit(&pool)
        });
        let inner = done.clone();
        spawn_in(&pool, move || inner.happen());
        let call = Visit::begin(&pool);
        done.wait();
        drop(call);
        other.join().unwrap();
        stop(&pool, vec![]);
    });
}

/// A pool without threads runs on its callers.
#[test]
fn pool_without_threads_runs_what_is_spawned() {
    check("callers alone", 3, || {
        let pool = pool(0);
        let (done, others) = (Event::new(), Event::new());
        let other = thread::spawn({
            let (pool, others) = (Arc::clone(&pool), others.clone());
            move || {
                let inner = others.clone();
                spawn_in(&pool, move || inner.happen());
                others.wait();
            }
        });
        let inner = done.clone();
        spawn_broadcast_in(&pool, move |_| inner.happen());
        done.wait();
        other.join().unwrap();
        assert!(visit(&pool), "the right has to be free again");
        stop(&pool, vec![]);
    });
}

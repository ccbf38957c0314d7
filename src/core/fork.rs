//! Fork: offer a value to other threads, do something else, and get the value back, or its result.
//!
//! `join` and the parallel iterators are built on this. `join(a, b)` offers the closure `b`, runs `a`, and calls `b` if it came back. An
//! iterator offers the right half of what is left, folds the left half, and goes on with the same fold if the right half came back.

use super::deque::Worth;
use super::job::{JobRef, StackJob};
use super::meter;
use super::unwind::{Payload, catch, drop_quietly, quietly, resume};
use super::worker::Worker;
use crate::sync::planted;

/// What became of an offer.
pub(crate) enum Forked<V, R> {
    /// No thread took it: here it is, untouched.
    Kept(V),
    /// Another thread (or this one, while it waited for something else) ran it, and this came out.
    Taken(R),
}

/// Offers `value` to other threads, runs `left` here, and says what became of the offer.
///
/// A thread that takes the offer calls `run(value)`. `worth` says whether a sleeping thread may be woken for it.
///
/// If `left` panics, the offer is run (or awaited) anyway, as the contract of `join` demands; then the panic of `left` goes on, and
/// one of `run` is dropped. A panic of `run` alone goes on here.
#[inline(always)]
pub(crate) fn fork<V, L, R>(
    worker: Worker<'_>,
    worth: Worth,
    value: V,
    run: impl FnOnce(V) -> R + Send,
    left: impl FnOnce() -> L,
) -> (L, Forked<V, R>)
where
    V: Send,
    R: Send,
{
    let job = StackJob::new(value, run);
    // SAFETY: this frame keeps the job in place: every way out of here goes through `take_back` or past the set latch.
    worker.push(unsafe { job.as_ref() }, worth);
    let left = match catch(left) {
        Ok(left) => left,
        Err(payload) => left_panicked(worker, &job, payload),
    };
    if worker.pop() {
        // SAFETY: it was private, so no other thread ever knew of it.
        let (value, _run) = unsafe { job.take_back() };
        return (left, Forked::Kept(value));
    }
    // SAFETY: as above.
    if regain(worker, unsafe { job.as_ref() }) {
        // SAFETY: it was in our own queue, so no thread ran it.
        let (value, _run) = unsafe { job.take_back() };
        return (left, Forked::Kept(value));
    }
    // SAFETY: the latch is set.
    match unsafe { job.take_result() } {
        Ok(result) => (left, Forked::Taken(result)),
        Err(payload) => {
            drop_quietly(left);
            resume(payload)
        }
    }
}

/// Gets a promoted job back, or waits until it is done. True: it is out of all queues and unrun. False: a thread ran it, and its latch is set.
///
/// Like all that is slow in a fork, compiled once and not for each type of job.
#[cold]
#[inline(never)]
fn regain(worker: Worker<'_>, name: JobRef) -> bool {
    let (own, desk) = (worker.own(), worker.desk());
    while let Some(newest) = own.deque.pop_public(&desk.thief) {
        if newest == name {
            if meter::is_on() {
                // Runs here as if another thread had stolen it, so that the meter sees where it begins and ends.
                worker.run_or_hand_back(newest);
                break;
            }
            end_offer(worker, name);
            return true;
        }
        if planted!("oldest") {
            continue;
        }
        // Spawned meanwhile, newer than our job; or, in a breadth-first pool, older and of any call.
        worker.run_or_hand_back(newest);
        // Of such jobs there may be no end, so mail and jobs from outside get their turn here.
        worker.run_overdue();
    }
    // SAFETY: the job was promoted, so it has a tag; the frame that forked keeps it in place, and waits here.
    let tag = unsafe { name.tag() };
    let back = worker.wait_for_taken(name, tag.latch(), &|| tag.thief());
    meter::join(name.address());
    if back {
        end_offer(worker, name);
    }
    back
}

/// The owner has its promoted job back, unrun: the offer ends, and the `Follow` hook is told.
fn end_offer(worker: Worker<'_>, name: JobRef) {
    worker.desk().probe.kept(|| name.address());
    // SAFETY: the job was promoted, so it has a tag; the frame that forked keeps it in place.
    let token = unsafe { name.tag() }.token;
    worker.follower().back(token);
}

/// `left` panicked: the offer is run anyway, then the panic goes on.
#[cold]
#[inline(never)]
fn left_panicked<V, F, R>(worker: Worker<'_>, job: &StackJob<V, F, R>, payload: Payload) -> !
where
    V: Send,
    F: FnOnce(V) -> R + Send,
    R: Send,
{
    // SAFETY: the frame that forked keeps the job in place, and waits here.
    let name = unsafe { job.as_ref() };
    go_on_panicking(worker, name, payload, &mut |back| {
        if back {
            // SAFETY: `regain` says that no thread ran it and no queue holds it.
            let (value, run) = unsafe { job.take_back() };
            drop(run(value));
        } else {
            // SAFETY: `regain` says that the latch is set.
            drop(unsafe { job.take_result() });
        }
    })
}

/// Ends the offer, and goes on with the panic. `end` gets what [`regain`] returned: it runs the offer, or drops its result.
fn go_on_panicking(
    worker: Worker<'_>,
    name: JobRef,
    payload: Payload,
    end: &mut dyn FnMut(bool),
) -> ! {
    let private = worker.pop();
    if !private && planted!("left") {
        resume(payload);
    }
    let back = private || regain(worker, name);
    quietly(&mut || end(back));
    resume(payload)
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::follow::{Follow, Follower};
    use crate::core::pool::{Handlers, Pool};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    /// Counts what leaves and what comes back.
    struct Count(Arc<[AtomicUsize; 2]>);

    impl Follow for Count {
        fn leave(&self) -> u64 {
            self.0[0].fetch_add(1, SeqCst);
            7
        }
        fn arrive(&self, _: u64) {
            unreachable!("no thread runs it")
        }
        fn done(&self, _: u64) {}
        fn back(&self, token: u64) {
            assert_eq!(token, 7);
            self.0[1].fetch_add(1, SeqCst);
        }
    }

    /// A thread that takes the offer, may not run it, and hands it over: the owner has it back unrun, as if it had not been taken.
    #[test]
    fn an_offer_that_is_handed_back_ends_like_one_that_was_not_taken() {
        let counts = Arc::new([0, 0].map(AtomicUsize::new));
        let handlers = Handlers {
            follow: Follower::new(Count(Arc::clone(&counts))),
            ..Handlers::default()
        };
        let pool = Pool::new(2, 0, handlers, false, false);
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let worker = sitting.worker();
        for (round, is_taken) in [false, true].into_iter().enumerate() {
            worker.start_eager();
            let left = || {
                if is_taken {
                    let job = worker.desk().thief.steal().expect("it is public");
                    // SAFETY: public, and its owner waits for it.
                    unsafe { job.tag() }.mark_handed_back();
                    pool.brought.push(&[job]);
                }
                "left"
            };
            let (left, offer) = fork(worker, Worth::Most, round, |_| (), left);
            assert_eq!(left, "left");
            assert!(matches!(offer, Forked::Kept(value) if value == round));
            let counts = [&counts[0], &counts[1]].map(|count| count.load(SeqCst));
            assert_eq!(counts, [round + 1; 2]);
        }
        assert!(!pool.has_brought() && worker.own().deque.is_empty());
    }
}

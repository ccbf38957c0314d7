//! Fork: offer a value to other threads, do something else, and get the value back, or its result.
//!
//! The primitive below `join` and the parallel iterators. `join(a, b)` offers the closure `b`, runs `a`, and calls `b` if it came back. An
//! iterator offers the right half of what is left, folds the left half, and goes on with the same fold if the right half came back.

use super::job::StackJob;
use super::unwind::{Payload, catch, resume};
use super::worker::Worker;

/// What became of an offer.
pub(crate) enum Forked<V, R> {
    /// Nobody came for it: here it is, untouched.
    Kept(V),
    /// Another thread (or this one, while it waited for something else) ran it, and this came out.
    Taken(R),
}

/// Offers `value` to other threads, runs `left` here, and says what became of the offer.
///
/// A thread that takes the offer calls `run(value)`. `loud` says whether a sleeping thread may be woken for it.
///
/// If `left` panics, the offer is run (or awaited) all the same, as the contract of `join` demands; then the panic of `left` goes on, and
/// one of `run` is dropped. A panic of `run` alone goes on here.
#[inline(always)]
pub(crate) fn fork<V, L, R>(
    worker: Worker<'_>,
    loud: bool,
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
    worker.push(unsafe { job.as_ref() }, loud);
    let left = match catch(left) {
        Ok(left) => left,
        Err(payload) => left_panicked(worker, &job, payload),
    };
    if worker.pop() {
        // SAFETY: it was private, so nobody else ever knew of it.
        let (value, _run) = unsafe { job.take_back() };
        return (left, Forked::Kept(value));
    }
    match settle(worker, &job) {
        Settled::Back(value, _run) => (left, Forked::Kept(value)),
        Settled::Done(Ok(result)) => (left, Forked::Taken(result)),
        Settled::Done(Err(payload)) => {
            drop(left);
            resume(payload)
        }
    }
}

enum Settled<V, F, R> {
    Back(V, F),
    Done(Result<R, Payload>),
}

/// The job was promoted: takes it out of the public queue, or waits for whoever took it.
#[cold]
#[inline(never)]
fn settle<V, F, R>(worker: Worker<'_>, job: &StackJob<V, F, R>) -> Settled<V, F, R>
where
    V: Send,
    F: FnOnce(V) -> R + Send,
    R: Send,
{
    // SAFETY: only compared and asked for its tag, while this frame lives.
    let name = unsafe { job.as_ref() };
    let (own, seat) = (worker.own(), worker.seat());
    while let Some(newest) = own.deque.pop_public(&seat.thief) {
        if newest == name {
            // SAFETY: it was in our queue, so nobody ran it.
            let (value, run) = unsafe { job.take_back() };
            return Settled::Back(value, run);
        }
        // Spawned meanwhile, newer than our job; or, in a breadth-first pool, older and of any call.
        worker.run_or_hand_back(newest);
    }
    // SAFETY: the job was promoted, so it has a tag.
    let tag = unsafe { name.tag() };
    worker.wait(tag.latch(), || tag.thief());
    // SAFETY: the latch is set.
    Settled::Done(unsafe { job.take_result() })
}

/// `left` panicked: the offer is run all the same, then the panic goes on.
#[cold]
#[inline(never)]
fn left_panicked<V, F, R>(worker: Worker<'_>, job: &StackJob<V, F, R>, payload: Payload) -> !
where
    V: Send,
    F: FnOnce(V) -> R + Send,
    R: Send,
{
    let settled = if worker.pop() {
        // SAFETY: it was private, so nobody else ever knew of it.
        let (value, run) = unsafe { job.take_back() };
        Settled::Back(value, run)
    } else {
        settle(worker, job)
    };
    let other = catch(|| match settled {
        Settled::Back(value, run) => drop(run(value)),
        Settled::Done(Ok(result)) => drop(result),
        Settled::Done(Err(second)) => drop(second),
    });
    // The first panic is the one that counts. If dropping the other payload panics in its turn, that one is leaked.
    if let Err(second) = other {
        std::mem::forget(catch(|| drop(second)));
    }
    resume(payload)
}

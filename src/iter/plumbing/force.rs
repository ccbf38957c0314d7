//! The driver under `force_cuts` or under the script of a test. The driver asks here whether to cut, how long a block is, and whether another thread
//! takes an offer. If a test has set an answer for the pool, it holds instead of time and demand.

use crate::core::deque::Worth;
use crate::core::fork::{Forked, fork};
use crate::core::meter;
use crate::core::script::Question;
use crate::core::unwind::{catch, drop_quietly, resume};
use crate::core::worker::Worker;

/// Whether to cut, if a test has set that.
#[inline]
pub(super) fn forced(worker: Worker<'_>) -> Option<bool> {
    worker.pool().test_hook.cut()
}

/// Whether a test has set the pool's [hook](crate::core::script::TestHook), or the thread is metered. Then loops ignore what is remembered of them, and all are looked at.
#[inline]
pub(crate) fn is_forced(worker: Worker<'_>) -> bool {
    worker.pool().test_hook.is_set() || meter::is_on()
}

/// How many of `most` items to fold before the next look, if a script says so.
#[inline]
pub(super) fn forced_block(worker: Worker<'_>, most: usize) -> Option<usize> {
    let items = worker.pool().test_hook.ask(Question::Block(most))?;
    Some(items.min(most - 1) + 1)
}

/// As [`fork`], for parts of iterators. If the loop is `forced`, and a script says what becomes of offers, does that.
#[inline]
pub(crate) fn offer<V, L, R>(
    (worker, forced): (Worker<'_>, bool),
    worth: Worth,
    value: V,
    run: impl FnOnce(V) -> R + Send,
    left: impl FnOnce() -> L,
) -> (L, Forked<V, R>)
where
    V: Send,
    R: Send,
{
    if forced && let Some(answer) = worker.pool().test_hook.ask(Question::Offer) {
        return as_answered(answer, value, run, left);
    }
    fork(worker, worth, value, run, left)
}

/// Whether another thread has what this one offered last, as far as can be seen: of what it offered, others take the oldest first, and nothing is left. False
/// under a script that says what becomes of offers; and while jobs lie where an isolated thread lays down its own when it waits: the offer may be one of them.
#[inline]
pub(crate) fn is_taken(worker: Worker<'_>) -> bool {
    let deque = &worker.own().deque;
    let pool = worker.pool();
    !deque.has_private()
        && deque.is_public_empty()
        && !pool.has_brought()
        && !pool.test_hook.is_scripted()
}

/// Does on this thread what two threads might have done, as the script's `answer` says; panics as `fork` does.
#[cold]
fn as_answered<V, L, R>(
    answer: usize,
    value: V,
    run: impl FnOnce(V) -> R,
    left: impl FnOnce() -> L,
) -> (L, Forked<V, R>) {
    let (left, right) = match answer {
        0 => match catch(left) {
            Ok(left) => return (left, Forked::Kept(value)),
            Err(payload) => (Err(payload), catch(|| run(value))),
        },
        1 => {
            let right = catch(|| run(value));
            (catch(left), right)
        }
        _ => {
            let left = catch(left);
            (left, catch(|| run(value)))
        }
    };
    match (left, right) {
        (Ok(left), Ok(right)) => (left, Forked::Taken(right)),
        (Ok(left), Err(payload)) => {
            drop_quietly(left);
            resume(payload)
        }
        (Err(payload), right) => {
            drop_quietly(right);
            resume(payload)
        }
    }
}

//! Waits with a time limit, for models. In a model the time never runs out. So if only the time limit ends a wait in the real program, all
//! threads of the model wait for ever, and the model fails. [`timed_waits`] tells such a failure from other deadlocks.
//!
//! A thread that naps between looks is let run again: nothing else would wake it. But if it goes on and on, it is one of those threads.

use shuttle::sync::{self, MutexGuard};
use shuttle::thread;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LockResult, PoisonError};
use std::time::Duration;

/// How many threads wait with a time limit. Std's, because looking at it is no step of the model.
static TIMED: AtomicUsize = AtomicUsize::new(0);

/// How many naps threads took: in the model at hand, and in all of the process.
static NAPS: AtomicUsize = AtomicUsize::new(0);
static ALL_NAPS: AtomicUsize = AtomicUsize::new(0);

/// How many naps a model may have. A model where no wake-up is lost has a few: while a thread naps, the others come to an end, or to a wait.
const MOST_NAPS: usize = 5_000;

/// How many threads of the model wait with a time limit.
pub(crate) fn timed_waits() -> usize {
    TIMED.load(Ordering::Relaxed)
}

/// Begins a new model.
pub(crate) fn forget_timed_waits() {
    TIMED.store(0, Ordering::Relaxed);
    NAPS.store(0, Ordering::Relaxed);
}

/// How many naps threads took in all models so far.
pub(crate) fn naps() -> usize {
    ALL_NAPS.load(Ordering::Relaxed)
}

/// Lets other threads run. After too many naps, it waits for ever.
pub(crate) fn sleep(_: Duration) {
    ALL_NAPS.fetch_add(1, Ordering::Relaxed);
    if NAPS.fetch_add(1, Ordering::Relaxed) < MOST_NAPS {
        return thread::yield_now();
    }
    TIMED.fetch_add(1, Ordering::Relaxed);
    loop {
        thread::park();
    }
}

/// Whether the time ran out: never.
pub(crate) struct NotTimedOut;

impl NotTimedOut {
    pub(crate) fn timed_out(&self) -> bool {
        false
    }
}

#[derive(Debug, Default)]
pub(crate) struct Condvar(sync::Condvar);

impl Condvar {
    pub(crate) const fn new() -> Self {
        Condvar(sync::Condvar::new())
    }

    pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.0.wait(guard)
    }

    pub(crate) fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        _: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, NotTimedOut)> {
        // Not counted out where the model is torn down, so that it can be asked what was waited for.
        TIMED.fetch_add(1, Ordering::Relaxed);
        let woken = self.0.wait(guard);
        TIMED.fetch_sub(1, Ordering::Relaxed);
        Ok((woken.unwrap_or_else(PoisonError::into_inner), NotTimedOut))
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}

//! Waits with a time limit, for models. In a model the time never runs out. So if only the time limit ends a wait in the real program, all
//! threads of the model wait for ever, and the model fails. [`timed_waits`] tells such a failure from other deadlocks.

use shuttle::sync::{self, MutexGuard};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LockResult, PoisonError};
use std::time::Duration;

/// How many threads wait with a time limit. Std's, because looking at it is no step of the model.
static TIMED: AtomicUsize = AtomicUsize::new(0);

/// How many threads of the model wait with a time limit.
pub(crate) fn timed_waits() -> usize {
    TIMED.load(Ordering::Relaxed)
}

/// Begins a new model.
pub(crate) fn forget_timed_waits() {
    TIMED.store(0, Ordering::Relaxed);
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

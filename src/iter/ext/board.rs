//! A state with threads that wait for it to change. Threads of the pool help their pool meanwhile.

use crate::sync::{Condvar, Mutex, MutexGuard, lock};
use std::sync::PoisonError;
use std::time::Duration;

/// How long a thread of a pool sleeps before it looks for work again.
const NAP: Duration = Duration::from_micros(200);

/// A state behind a lock, and the threads that wait for a change of it.
pub(super) struct Board<S> {
    inner: Mutex<Inner<S>>,
    changed: Condvar,
}

struct Inner<S> {
    state: S,
    /// How many threads sleep: a notification is a system call even if none does.
    asleep: usize,
}

impl<S> Board<S> {
    pub(super) fn new(state: S) -> Self {
        Board {
            inner: Mutex::new(Inner { state, asleep: 0 }),
            changed: Condvar::new(),
        }
    }

    /// Looks at the state.
    pub(super) fn peek<R>(&self, look: impl FnOnce(&S) -> R) -> R {
        look(&lock(&self.inner).state)
    }

    /// Changes the state; waiting threads look again.
    pub(super) fn change<R>(&self, change: impl FnOnce(&mut S) -> R) -> R {
        let mut inner = lock(&self.inner);
        let result = change(&mut inner.state);
        self.publish(inner);
        result
    }

    /// Looks at the state until `take` returns a value; other waiting threads then look again.
    ///
    /// Meanwhile calls `help`, which runs a job if the thread is in a pool, and returns whether there was one. The thread may be waiting for
    /// one of the jobs, or for something that needs one. So this never waits for work that only this thread could do.
    pub(super) fn wait<R>(
        &self,
        help: impl Fn() -> Option<bool>,
        mut take: impl FnMut(&mut S) -> Option<R>,
    ) -> R {
        let mut helped = Some(true);
        loop {
            let mut inner = lock(&self.inner);
            let mut taken = take(&mut inner.state);
            if taken.is_none() && helped != Some(true) {
                inner = self.sleep(inner, helped.is_some());
                taken = take(&mut inner.state);
            }
            if let Some(taken) = taken {
                self.publish(inner);
                return taken;
            }
            drop(inner);
            helped = help();
        }
    }

    fn publish(&self, inner: MutexGuard<'_, Inner<S>>) {
        let asleep = inner.asleep;
        drop(inner);
        if asleep > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits for a change; in a pool only for a while.
    fn sleep<'s>(
        &'s self,
        mut inner: MutexGuard<'s, Inner<S>>,
        in_pool: bool,
    ) -> MutexGuard<'s, Inner<S>> {
        inner.asleep += 1;
        let mut inner = if in_pool {
            let woken = self.changed.wait_timeout(inner, NAP);
            woken.unwrap_or_else(PoisonError::into_inner).0
        } else {
            let woken = self.changed.wait(inner);
            woken.unwrap_or_else(PoisonError::into_inner)
        };
        inner.asleep -= 1;
        inner
    }
}

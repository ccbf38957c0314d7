//! A state with threads that wait for it to change. Threads of a pool help their pool meanwhile, and sleep as in any other wait: without a right, so that
//! another thread may run.

use crate::core::count::{CountLatch, Opener};
use crate::core::worker::Worker;
use crate::sync::{Condvar, Mutex, MutexGuard, lock, wait};
use std::mem;

/// A state behind a lock, and the threads that wait for a change of it.
pub(super) struct Board<S> {
    inner: Mutex<BoardState<S>>,
    changed: Condvar,
}

struct BoardState<S> {
    state: S,
    /// How many threads outside of all pools sleep: a notification is a system call even if none does.
    outside: usize,
    /// What threads of pools wait for: each of these opens a latch at the next change.
    inside: Vec<Opener>,
}

impl<S> Board<S> {
    pub(super) fn new(state: S) -> Self {
        let (outside, inside) = (0, Vec::new());
        Board {
            inner: Mutex::new(BoardState {
                state,
                outside,
                inside,
            }),
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
    /// Until the next change a thread of a pool runs what it may.
    pub(super) fn wait<R>(&self, take: impl FnMut(&mut S) -> Option<R>) -> R {
        self.wait_by(take, |worker, latch| latch.wait_here(worker))
    }

    /// The same, but a thread of a pool waits for a change by `inside`. It may be waiting for a job, or for something that needs one. So that must not
    /// wait for work that only this thread could do.
    pub(super) fn wait_by<R>(
        &self,
        mut take: impl FnMut(&mut S) -> Option<R>,
        inside: impl Fn(Worker<'_>, &CountLatch),
    ) -> R {
        let mut inner = lock(&self.inner);
        loop {
            if let Some(taken) = take(&mut inner.state) {
                self.publish(inner);
                return taken;
            }
            let Some(worker) = Worker::current() else {
                inner.outside += 1;
                inner = wait(&self.changed, inner);
                inner.outside -= 1;
                continue;
            };
            let (latch, opener) = CountLatch::for_one(worker);
            inner.inside.push(opener);
            drop(inner);
            inside(worker, &latch);
            inner = lock(&self.inner);
        }
    }

    /// Has waiting threads look again.
    fn publish(&self, mut inner: MutexGuard<'_, BoardState<S>>) {
        let (outside, inside) = (inner.outside, mem::take(&mut inner.inside));
        drop(inner);
        if outside > 0 {
            self.changed.notify_all();
        }
        inside.into_iter().for_each(Opener::open);
    }
}

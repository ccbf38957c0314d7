//! A latch that opens when a number of jobs are done: scopes and broadcasts wait on it.

use super::guest::Visit;
use super::latch::{Latch, LockLatch};
use super::pool::Pool;
use super::root::Root;
use super::worker::Worker;
use crate::sync::Arc;
use crate::sync::{AtomicUsize, Ordering, planted};
use std::ptr;

/// Counts jobs that are not done yet.
pub(crate) struct CountLatch {
    pending: AtomicUsize,
    waiter: Waiter,
}

/// Who waits.
enum Waiter {
    /// The holder of a seat, which helps meanwhile. It may be of another pool than the jobs, so whoever opens the latch brings a share in
    /// that pool.
    Seat(Latch, Arc<Pool>, usize),
    /// A thread from outside. It borrows a seat while it waits, if it can have one, and then helps; else it blocks. Which of the two is
    /// not known when the last job is done, so what that needs is shared, not borrowed.
    Outside(Arc<Outside>),
}

struct Outside {
    helping: Latch,
    pool: Arc<Pool>,
    /// The index of the borrowed seat, in that pool.
    seat: AtomicUsize,
    blocking: LockLatch,
}

impl CountLatch {
    /// A latch for the calling thread to wait on, with `pending` jobs of `pool` to begin with.
    pub(crate) fn new(pending: usize, worker: Option<Worker<'_>>, pool: &Pool) -> Self {
        CountLatch {
            pending: AtomicUsize::new(pending),
            waiter: match worker {
                Some(worker) => {
                    Waiter::Seat(Latch::new(), worker.pool().share(), worker.seat().index())
                }
                None => Waiter::Outside(Arc::new(Outside {
                    helping: Latch::new(),
                    pool: pool.share(),
                    seat: AtomicUsize::new(0),
                    blocking: LockLatch::new(),
                })),
            },
        }
    }

    /// One more job.
    pub(crate) fn add(&self) {
        let before = self.pending.fetch_add(1, Ordering::Relaxed);
        debug_assert!(before > 0);
    }

    /// One job is done. At the last one the latch opens.
    ///
    /// # Safety
    /// `this` is valid when the call starts, and is not used through this pointer when the call has returned.
    pub(crate) unsafe fn done(this: *const Self) {
        // SAFETY: the latch is not open yet, because this job is still counted; so `this` is valid.
        let latch = unsafe { &*this };
        let order = if planted!("count") {
            Ordering::Relaxed
        } else {
            Ordering::AcqRel
        };
        if latch.pending.fetch_sub(1, order) > 1 {
            return;
        }
        match &latch.waiter {
            Waiter::Seat(inner, pool, seat) => {
                let (pool, seat) = (Arc::clone(pool), *seat);
                // SAFETY: the last use of the latch.
                if unsafe { Latch::set(inner) } {
                    pool.seats[seat].ring();
                }
            }
            Waiter::Outside(outside) => {
                let outside = Arc::clone(outside);
                // SAFETY: ours, for the share we took.
                if unsafe { Latch::set(&raw const outside.helping) } {
                    let seat = outside.seat.load(Ordering::Acquire);
                    outside.pool.seats[seat].ring();
                }
                // SAFETY: as above.
                unsafe { LockLatch::set(&raw const outside.blocking) };
            }
        }
    }

    /// Waits until all jobs are done. `worker` is what `new` got; a thread that has none may borrow a seat of `pool`, whose jobs of `root`
    /// it then runs.
    pub(crate) fn wait(&self, worker: Option<Worker<'_>>, pool: &Pool, root: Root) {
        match (&self.waiter, worker) {
            (Waiter::Seat(latch, ..), Some(worker)) if ptr::eq(worker.pool(), pool) => {
                worker.wait(latch);
            }
            (Waiter::Seat(latch, ..), Some(worker)) => worker.wait_for_pool(latch),
            (Waiter::Outside(outside), _) => {
                if outside.helping.probe() {
                    return;
                }
                match Visit::begin(pool) {
                    Some(visit) => {
                        let seat = visit.worker.seat().index();
                        outside.seat.store(seat, Ordering::Release);
                        visit.worker.own().root.set(root);
                        visit.worker.wait(&outside.helping);
                    }
                    None => outside.blocking.wait(),
                }
            }
            (Waiter::Seat(..), None) => unreachable!("the waiter of a latch changed threads"),
        }
    }
}

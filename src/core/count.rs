//! A latch that opens when a number of jobs are done. Scopes and broadcasts wait on it, and so do threads that join a job or wait for a round of items.

use super::desk::Desk;
use super::latch::{Latch, LockLatch};
use super::pool::Pool;
use super::root::Root;
use super::visit::Visit;
use super::worker::Worker;
use crate::sync::Arc;
use crate::sync::{AtomicPtr, AtomicUsize, Ordering, planted};
use std::ptr;

/// Counts jobs that are not done yet.
pub(crate) struct CountLatch {
    pending: AtomicUsize,
    waiter: Side,
}

/// Opens a latch that counts one job. There is one of these for each such latch.
pub(crate) struct Opener(Arc<CountLatch>);

impl Opener {
    pub(crate) fn open(self) {
        // SAFETY: that job is counted until now, for it is counted out here only, and the `Arc` keeps the latch.
        unsafe { CountLatch::done(&*self.0) };
    }
}

/// The thread that waits.
enum Side {
    /// A thread at this desk, which helps meanwhile. It may be of another pool than the jobs.
    Inside(Latch, *const Desk),
    /// A thread from outside. If the pool lets it in, it is a guest while it waits, and helps; else it blocks. The thread that does the last job does not know which,
    /// and sets both latches. The waiter may be gone by then, so the two are shared, not borrowed.
    Outside(Arc<Outside>),
}

struct Outside {
    helping: Latch,
    pool: Arc<Pool>,
    /// The desk at which it helps, in that pool.
    desk: AtomicPtr<Desk>,
    blocking: LockLatch,
}

// SAFETY: the desk is Sync, and its thread waits at it, which keeps it; all else is Send by itself.
unsafe impl Send for Side {}
// SAFETY: as above.
unsafe impl Sync for Side {}

impl CountLatch {
    /// A latch for the calling thread to wait on, with `pending` jobs of `pool` to begin with.
    pub(crate) fn new(pending: usize, worker: Option<Worker<'_>>, pool: &Pool) -> Self {
        CountLatch {
            pending: AtomicUsize::new(pending),
            waiter: match worker {
                Some(worker) => Side::Inside(Latch::new(), worker.desk()),
                None => Side::Outside(Arc::new(Outside {
                    helping: Latch::new(),
                    pool: pool.to_arc(),
                    desk: AtomicPtr::new(ptr::null_mut()),
                    blocking: LockLatch::new(),
                })),
            },
        }
    }

    /// A latch for the calling thread, which is `worker`, to wait on until it is opened.
    pub(crate) fn for_one(worker: Worker<'_>) -> (Arc<Self>, Opener) {
        let latch = Arc::new(Self::new(1, Some(worker), worker.pool()));
        let opener = Opener(Arc::clone(&latch));
        (latch, opener)
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
            Side::Inside(inner, desk) => {
                let desk = *desk;
                // SAFETY: the thread that waits is at the desk at least until the latch is set.
                let pool = Pool::of(unsafe { &*desk });
                // When the latch is set, the waiter may leave and its pool may end. This thread keeps that pool, unless it is at a desk of the pool itself.
                let is_here = Worker::current().is_some_and(|worker| ptr::eq(worker.pool(), pool));
                let _kept = (!is_here && !planted!("outlive")).then(|| pool.to_arc());
                // SAFETY: the last use of the latch.
                if unsafe { Latch::set(inner) } {
                    // SAFETY: the desk is the pool's, which is kept: by this thread, or above.
                    pool.end_wait(unsafe { &*desk });
                }
            }
            Side::Outside(outside) => {
                let outside = Arc::clone(outside);
                // SAFETY: the clone of the `Arc` keeps it.
                if unsafe { Latch::set(&raw const outside.helping) } {
                    let desk = outside.desk.load(Ordering::Acquire);
                    // SAFETY: stored before the waiter dozed, and the desk is the pool's, which `outside` keeps.
                    outside.pool.end_wait(unsafe { &*desk });
                }
                // SAFETY: as above.
                unsafe { LockLatch::set(&raw const outside.blocking) };
            }
        }
    }

    /// Waits until all jobs are done. `worker` is what `new` got; a thread at no desk may take part in `pool`, whose jobs of `root`
    /// it then runs.
    pub(crate) fn wait(&self, worker: Option<Worker<'_>>, pool: &Pool, root: Root) {
        match (&self.waiter, worker) {
            (Side::Inside(latch, ..), Some(worker)) if ptr::eq(worker.pool(), pool) => {
                worker.wait(latch);
            }
            (Side::Inside(latch, ..), Some(worker)) => worker.wait_for_pool(latch, pool, None),
            (Side::Outside(outside), _) => {
                if outside.helping.probe() {
                    return;
                }
                match Visit::begin(pool) {
                    Some(visit) => {
                        let desk = ptr::from_ref(visit.worker.desk());
                        outside.desk.store(desk.cast_mut(), Ordering::Release);
                        visit.worker.own().root.set(root);
                        visit.worker.wait_and_leave(&outside.helping);
                    }
                    None => outside.blocking.wait(),
                }
            }
            (Side::Inside(..), None) => unreachable!("the waiter of a latch changed threads"),
        }
    }

    /// Waits for something that any job of this pool may bring about. Meanwhile the thread runs whatever it may. `worker` is what `new` got.
    pub(crate) fn wait_here(&self, worker: Worker<'_>) {
        self.wait(Some(worker), worker.pool(), Root::NONE);
    }

    /// Waits for work of the isolated root `root` in `pool`. A thread of `pool` runs only such work meanwhile. A thread of another pool runs such work, and whatever it
    /// may run in its own pool. `worker` is what `new` got.
    pub(crate) fn wait_for_root(&self, worker: Worker<'_>, pool: &Pool, root: Root) {
        let Side::Inside(latch, ..) = &self.waiter else {
            unreachable!("the latch was made for a thread outside");
        };
        if !ptr::eq(worker.pool(), pool) {
            return worker.wait_for_pool(latch, pool, Some(root));
        }
        worker.wait_under(root, || worker.wait(latch));
    }
}

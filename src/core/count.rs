//! A latch that opens when a number of jobs are done. Scopes and broadcasts wait on it, and so do threads that join a job or wait for a round of items.

use super::desk::Desk;
use super::latch::{Latch, LockLatch};
use super::pool::Pool;
use super::root::Root;
use super::visit::Visit;
use super::wait::IN_CHILD;
use super::worker::Worker;
use crate::sync::Arc;
use crate::sync::{AtomicPtr, AtomicUsize, Ordering, planted, sleep};
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
                if pool.is_orphan() {
                    return wait_in_child(&outside.helping, pool, root);
                }
                // In a pool without threads, another caller may have the turn and wait for this thread. So this thread waits for its jobs and not for the turn.
                match Visit::try_begin(pool) {
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

/// A child after `fork` goes on in frames of its parent's, on a thread that was outside `pool`. Only this thread runs what it spawns there under `root`.
#[cold]
fn wait_in_child(latch: &Latch, pool: &Pool, root: Root) {
    while !latch.probe() {
        match pool.take_injected(Some(root), true) {
            // SAFETY: just taken out of a queue.
            Some(job) => unsafe { pool.run(job, 0) },
            // Other threads of the child may have some of the jobs.
            None => sleep(IN_CHILD),
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::fresh::new_isolated_root;
    use crate::core::job::{Borrowed, HeapJob};
    use crate::core::pool::Handlers;
    use std::sync::mpsc;
    use std::thread;

    /// Waits from outside until `end`, which another thread calls when this one sleeps, has counted the latch out. `free`: the pool has a right for a guest.
    fn wait_outside(free: bool, end: fn(&Pool, Root, &CountLatch)) {
        // Its threads are never started.
        let pool = Pool::new(1, 0, Handlers::default(), true, false);
        if free {
            pool.rights.put(0);
        }
        let root = pool.new_root();
        let latch = CountLatch::new(2, None, &pool);
        let outside = match &latch.waiter {
            Side::Outside(outside) => outside,
            Side::Inside(..) => unreachable!("this thread is at no desk"),
        };
        latch.add();
        thread::scope(|scope| {
            scope.spawn(|| {
                while free && pool.load().waiting == 0 {
                    thread::yield_now();
                }
                for _ in 0..2 {
                    // SAFETY: three are counted, and these are two of them.
                    unsafe { CountLatch::done(&raw const latch) };
                    assert!(!outside.helping.probe());
                }
                end(&pool, root, &latch);
            });
            latch.wait(None, &pool, root);
            assert!(outside.helping.probe());
            // It is over, so this does not wait, whatever the pool says.
            latch.wait(None, &pool, root);
        });
        assert_eq!(pool.rights.is_free(0), free);
    }

    #[test]
    fn who_waits_outside_sleeps_until_all_is_counted_out() {
        for free in [true, false] {
            // SAFETY: one is counted.
            wait_outside(free, |_, _, latch| unsafe { CountLatch::done(latch) });
        }
    }

    /// The work that it waits for comes while it sleeps as a guest, and there is no other thread to do it.
    #[test]
    fn a_guest_that_waits_is_woken_for_the_work_of_its_call() {
        wait_outside(true, |pool, root, latch| {
            let latch = Borrowed::new(latch);
            // SAFETY: one is counted, which is this one.
            let end = move || unsafe { CountLatch::done(latch.get()) };
            // SAFETY: the caller waits for it.
            pool.inject(unsafe { HeapJob::boxed(root, end) });
        });
    }

    /// What became of work during a wait.
    #[derive(Debug, PartialEq, Eq)]
    enum Work {
        Left,
        Done,
        /// Done by a thread that others see waiting for another pool: it is called if that pool needs it.
        DoneForAPool,
    }

    /// Waits at a desk, inside a call of this root, until another thread has counted the latch out. There is work of the call. `wait` gets a second pool.
    fn work_during(call: Root, wait: fn(&CountLatch, Worker<'_>, &Pool)) -> Work {
        let [pool, other] = [(), ()].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let worker = sitting.worker();
        worker.own().root.set(call);
        let latch = CountLatch::new(1, Some(worker), &pool);
        let (tell, told) = mpsc::channel();
        let work = move || {
            let worker = Worker::current().expect("it runs at a desk");
            let _ = tell.send(match worker.own().pool_waits.get().is_null() {
                true => Work::Done,
                false => Work::DoneForAPool,
            });
        };
        // SAFETY: it borrows nothing.
        pool.inject(unsafe { HeapJob::boxed(call, work) });
        thread::scope(|scope| {
            scope.spawn(|| {
                while pool.load().waiting == 0 {
                    thread::yield_now();
                }
                // SAFETY: one is counted.
                unsafe { CountLatch::done(&raw const latch) };
            });
            wait(&latch, worker, &other);
            assert_eq!(latch.pending.load(Ordering::Acquire), 0);
        });
        if let Some(job) = pool.take_injected(None, true) {
            // SAFETY: just taken out of a queue of this pool.
            unsafe { pool.run(job, 0) };
            return Work::Left;
        }
        told.recv().expect("the work was done")
    }

    #[test]
    fn who_waits_at_a_desk_sleeps_until_all_is_counted_out() {
        let isolated = new_isolated_root();
        for call in [Root::NONE, isolated] {
            let here = work_during(call, |latch, worker, _| latch.wait_here(worker));
            assert_eq!(here, Work::Done);
        }
        let for_another = work_during(isolated, |latch, worker, other| {
            latch.wait(Some(worker), other, Root::NONE);
        });
        assert_eq!(for_another, Work::DoneForAPool);
        let for_a_root = work_during(Root::NONE, |latch, worker, other| {
            latch.wait_for_root(worker, other, new_isolated_root());
        });
        assert_eq!(for_a_root, Work::DoneForAPool);
        // In its own pool it does nothing else.
        let for_a_root_here = work_during(Root::NONE, |latch, worker, _| {
            latch.wait_for_root(worker, worker.pool(), new_isolated_root());
        });
        assert_eq!(for_a_root_here, Work::Left);
    }

    #[test]
    fn a_latch_for_one_is_opened_by_its_opener() {
        let pool = Pool::new(1, 0, Handlers::default(), true, false);
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let (latch, opener) = CountLatch::for_one(sitting.worker());
        assert_eq!(latch.pending.load(Ordering::Relaxed), 1);
        opener.open();
        assert_eq!(latch.pending.load(Ordering::Relaxed), 0);
        latch.wait_here(sitting.worker());
    }
}

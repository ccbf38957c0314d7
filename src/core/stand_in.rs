//! A thread that waits for another pool inside an isolated call, or for the items of an iterator that another pool computes in the background, does the
//! work of that call there itself, if all threads of that pool wait for other things.
//!
//! Isolated threads of two pools may wait for each other's pools, each bound to its own call. None may run the other's work on top of its own call:
//! that work may want a lock that is held further down on the stack, or join a job that runs there. So the thread that waits for the work runs it, on its own
//! stack: only the same call lies below.

use super::desk::Desk;
use super::pool::Pool;
use super::root::Root;
use super::until::Roots;
use super::visit::Visit;
use super::worker::Worker;
use crate::sync::planted;
use std::{iter, ptr};

/// A wait for isolated work in another pool, in a frame of the thread that waits. The waits of one desk are a linked list, from the innermost outwards.
pub(super) struct PoolWait<'a> {
    pool: &'a Pool,
    root: Root,
    desk: &'a Desk,
    /// The next such wait further out, at the same desk; or null.
    outer: *const (),
}

impl<'a> PoolWait<'a> {
    /// # Safety
    /// `place` is null, or points to a wait that lasts for as long as the reference is used.
    unsafe fn at(place: *const ()) -> Option<&'a Self> {
        // SAFETY: by the caller.
        unsafe { place.cast::<Self>().as_ref() }
    }

    /// Whether that pool has work of this thread's call, and no thread of that pool will do it.
    fn is_left_to_us(&self) -> bool {
        // In a child after `fork` the lists of both pools may be locked for ever.
        self.pool.is_stuck() && !self.pool.is_orphan() && self.pool.brought.has(self.root)
    }

    /// Runs one such job, if no other thread was faster. Meanwhile this thread has no right in its own pool.
    fn stand_in(&self, worker: Worker<'_>) -> bool {
        // Taken before this thread puts its own right down. To put it down may call threads of the other pool, and then two threads could take each other's rights.
        let Some(number) = self.pool.try_take(None) else {
            return false;
        };
        let before = worker.own().number();
        worker.clear_desk();
        worker.put_right_down();
        let done = self.visit(number, worker);
        worker.come_back(before);
        done
    }

    /// Runs a job there, with right `number`, on top of what `worker` does.
    fn visit(&self, number: usize, worker: Worker<'_>) -> bool {
        let (visit, _) = Visit::sit_down(self.pool, (&self.pool.seats[number], number), None);
        let own = visit.worker.own();
        own.root.set(self.root);
        own.below.set(worker.desk());
        let before = visit.worker.tell_pools_below(Some(visit.worker.desk()));
        let depth = own.depth.replace(worker.depth() + 1);
        let job = self.pool.brought.take(Some(self.root));
        if !planted!("beside") {
            self.pool.fence_and_call_callers();
        }
        if let Some(job) = job {
            // SAFETY: just taken out of a queue, and run once.
            let run = || unsafe { visit.worker.execute(job) };
            let roots = [Some(self.root), None];
            visit.worker.share_waits(worker, &roots, &run);
        }
        own.depth.set(depth);
        visit.worker.tell_pools_below(before);
        own.below.set(ptr::null());
        job.is_some()
    }
}

impl<'a> Worker<'a> {
    /// Runs `wait`, in which this thread waits for `pool`. If it is `bound` to an isolated call, `pool` may leave work of that call to this thread meanwhile: any wait
    /// inside `wait` that is bound to the same call does that work ([`stand_in`](Self::stand_in)).
    pub(super) fn while_waiting_for<R>(
        self,
        pool: &Pool,
        bound: Option<Root>,
        wait: impl FnOnce() -> R,
    ) -> R {
        let root = bound.filter(|root| {
            // A child after `fork` touches no lock of its parent's pool.
            root.is_isolated() && !pool.crew.is_callers() && !pool.is_orphan()
        });
        let Some(root) = root else {
            return wait();
        };
        let desk = self.desk();
        let innermost = &self.own().pool_waits;
        pool.sleepers.lock().add_caller(root, desk);
        let pool_wait = PoolWait {
            pool,
            root,
            desk,
            outer: innermost.get(),
        };
        innermost.set(ptr::from_ref(&pool_wait).cast());
        wait()
    }

    /// Runs `run` at this desk, on top of what this thread does at the desk of `other`. Pools that leave work of these roots to its waits there leave it to this thread here,
    /// too.
    pub(super) fn share_waits(self, other: Worker<'_>, roots: &[Option<Root>], run: &dyn Fn()) {
        let Some((root, roots)) = roots.split_first() else {
            return run();
        };
        let Some(root) = *root else {
            return self.share_waits(other, roots, run);
        };
        let is_on_list = |pool: &Pool| {
            let mut own = self.pool_waits();
            own.any(|wait| wait.root == root && ptr::eq(wait.pool, pool))
        };
        let waits = other.pool_waits().filter(|wait| wait.root == root);
        let pools = waits.map(|wait| wait.pool);
        let pools: Vec<_> = pools
            .filter(|pool| !ptr::eq(*pool, self.pool()) && !is_on_list(pool))
            .collect();
        self.while_waiting_for_all(&pools, root, &|| self.share_waits(other, roots, run));
    }

    /// [`while_waiting_for`](Self::while_waiting_for) for some pools. It calls `wait` once.
    fn while_waiting_for_all(self, pools: &[&Pool], root: Root, wait: &dyn Fn()) {
        match pools.split_last() {
            None => wait(),
            Some((pool, others)) => self.while_waiting_for(pool, Some(root), || {
                self.while_waiting_for_all(others, root, wait);
            }),
        }
    }

    /// The waits for other pools on this desk, innermost first.
    fn pool_waits(self) -> impl Iterator<Item = &'a PoolWait<'a>> {
        // SAFETY: null, or a wait in a frame of `while_waiting_for`. This thread is inside that frame, and the frame resets the pointer before it ends.
        let innermost = unsafe { PoolWait::at(self.own().pool_waits.get()) };
        // SAFETY: as above, of a frame further down.
        iter::successors(innermost, |wait| unsafe { PoolWait::at(wait.outer) })
    }

    /// The innermost of those waits that is for the call `bound`, and whose pool leaves work of that call to this thread.
    fn left_to_us(self, bound: Option<Root>) -> Option<&'a PoolWait<'a>> {
        let mut same = self.pool_waits().filter(|wait| Some(wait.root) == bound);
        same.find(|wait| wait.is_left_to_us())
    }

    /// Runs one job of the call `bound` that another pool leaves to this thread. False: there is none, or another thread was faster.
    pub(super) fn stand_in(self, bound: Option<Root>) -> bool {
        self.left_to_us(bound).is_some_and(|wait| {
            // Another of the pools for which this thread waits may have called it. That pool calls another thread instead.
            let pools = self.pool_waits().map(|other| other.pool);
            let others = pools.filter(|pool| !ptr::eq(*pool, wait.pool));
            if !planted!("other") {
                others.for_each(Pool::call_callers);
            }
            wait.stand_in(self)
        })
    }

    /// Whether another pool leaves work of one of these roots to this thread.
    pub(super) fn is_left_to_us(self, roots: Roots) -> bool {
        let mut roots = roots.into_iter();
        roots.any(|root| self.left_to_us(root).is_some())
    }

    /// Runs one such job. False: there is none, or another thread was faster.
    pub(super) fn stand_in_for(self, roots: Roots) -> bool {
        roots.into_iter().any(|root| self.stand_in(root))
    }

    /// Another pool may have called this thread to stand in, but it has something else to do. So all pools for which it waits call other threads.
    pub(super) fn pass_call_on(self) {
        if !planted!("busy") {
            self.pool_waits().for_each(|wait| wait.pool.call_callers());
        }
    }

    /// The desks that this thread left to stand in here: the last one first.
    pub(super) fn desks_below(&self) -> impl Iterator<Item = &Desk> {
        // SAFETY: null, or a desk that frames below keep.
        let below = |desk: &Desk| unsafe { desk.own.below.get().as_ref() };
        iter::successors(below(self.desk()), move |desk| below(desk))
    }

    /// Whether this thread is at the desk of this address, or left it to stand in elsewhere: then what runs there is below on this thread's stack.
    pub(super) fn is_above(&self, desk: usize) -> bool {
        let mut desks = iter::once(self.desk()).chain(self.desks_below());
        desks.any(|own| ptr::from_ref(own).addr() == desk)
    }

    /// This thread is a worker of one pool or more, and stands in here. These are its desks as a worker, each in another pool, with its number there.
    pub(super) fn workers_below(&self) -> impl Iterator<Item = (&Desk, usize)> {
        let desks = self.desks_below();
        desks.filter_map(|desk| Some((desk, desk.worker_number()?)))
    }

    /// Tells the pools of those desks that this thread now stands in at the desk `at`; `None` says that it is back at its own. Gives the desk that they knew before.
    pub(super) fn tell_pools_below(&self, at: Option<&Desk>) -> Option<&Desk> {
        let mut before = None;
        for (desk, number) in self.workers_below() {
            let pool = Pool::of(desk);
            if !pool.is_orphan() {
                before = pool.sleepers.lock().set_away(number, at);
            }
        }
        before
    }

    /// Takes a right in this pool after work in another pool. If a job there has forked this process, and this is the child, the thread goes on with the number that
    /// it had `before`: no other thread is left to hold that, and a lock that the queue for rights needs may be held for ever by a thread of the parent.
    pub(super) fn come_back(self, before: Option<usize>) {
        if !self.pool().is_orphan() {
            self.take_right_again();
        } else if let Some(number) = before {
            self.own().hold(number);
        }
    }
}

impl Drop for PoolWait<'_> {
    fn drop(&mut self) {
        self.desk.own.pool_waits.set(self.outer);
        if !self.pool.is_orphan() {
            let sleepers = &self.pool.sleepers;
            sleepers.lock().remove_caller(self.root, self.desk);
            // The pool may have chosen this thread while it was on the list, and call it when it is in another wait or in none. So another caller is called.
            if sleepers.any_callers() && !planted!("gone") {
                self.pool.call_callers();
            }
        }
    }
}

#[cfg(all(test, unix, not(any(filch_loom, filch_shuttle, miri))))]
#[path = "stand_in/tests/mod.rs"]
pub(super) mod tests;

//! A thread at a desk. What it does there is in [`push`](super::push), [`find`](super::find), [`run`](super::run), [`search`](super::search) and
//! [`wait`](super::wait).

use super::desk::{self, Desk, Own};
use super::follow::Follower;
use super::idle::Idle;
use super::policy;
use super::pool::Pool;
use super::root::Root;
use super::seat::Seat;
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem;

/// The proof that this thread is at a desk. Wherever it runs code of the user's or a job, it holds a right as well.
#[derive(Clone, Copy)]
pub(crate) struct Worker<'a> {
    desk: &'a Desk,
    /// Neither Send nor Sync: it is this thread that is at the desk.
    here: PhantomData<*mut ()>,
}

/// A thread that has [sat down](Worker::sit) at a desk, until this is dropped.
#[must_use]
pub(crate) struct Sitting<'a> {
    worker: Worker<'a>,
    /// The desk at which the thread was before, or null. That desk is still alive, because a frame below keeps it.
    below: *const Desk,
}

impl<'a> Sitting<'a> {
    #[inline(always)]
    pub(crate) fn worker(&self) -> Worker<'a> {
        self.worker
    }

    /// The thread leaves the desk. Returns the number of the right that it still holds.
    #[inline]
    pub(crate) fn rise(self) -> Option<usize> {
        self.worker.own().number()
    }

    /// The thread stays at the desk for good.
    pub(crate) fn stay(self) {
        mem::forget(self);
    }
}

impl Drop for Sitting<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: a frame below keeps that desk.
        unsafe { desk::leave(self.worker.desk, self.below) };
        self.worker.own().let_go();
    }
}

impl<'a> Worker<'a> {
    /// The desk of this thread, if it is at one.
    ///
    /// The lifetime is the caller's frame: a thread stays at its desk until all frames that run on it are gone.
    #[inline(always)]
    pub(crate) fn current() -> Option<Worker<'a>> {
        let desk = desk::current()?;
        Some(Worker {
            desk,
            here: PhantomData,
        })
    }

    /// Has this thread work at `desk`, with right `number`, until what is returned is dropped.
    ///
    /// # Safety
    /// - This thread holds the right, and its seat says that the desk is [at work](Seat::sit_down) there, or will before the thread pushes or runs anything.
    /// - As long as the thread sits, no other thread is at the desk, and the desk lives.
    /// - Of two on one thread, the later one ends first.
    #[inline]
    pub(crate) unsafe fn sit(desk: &'a Desk, number: usize) -> Sitting<'a> {
        // SAFETY: by the caller.
        let below = unsafe { desk::go_to(desk) };
        let worker = Worker {
            desk,
            here: PhantomData,
        };
        worker.own().hold(number);
        Sitting { worker, below }
    }

    /// In a child process: this thread is at no desk any more, whatever it did when its parent forked.
    #[cfg(unix)]
    pub(crate) fn forget() {
        // SAFETY: at none.
        unsafe { desk::go_to(std::ptr::null()) };
    }

    #[inline(always)]
    pub(crate) fn own(self) -> &'a Own {
        &self.desk.own
    }

    #[inline(always)]
    pub(crate) fn desk(self) -> &'a Desk {
        self.desk
    }

    /// By which the desk is known to what has no reference to it.
    #[inline]
    pub(crate) fn desk_address(self) -> usize {
        std::ptr::from_ref(self.desk).addr()
    }

    /// The number of the right that this thread holds: its index.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.own().index()
    }

    /// What belongs to the number of the right that this thread holds. None: it runs [beside](super::beside) the holders of rights.
    #[inline]
    pub(super) fn seat(self) -> Option<&'a Seat> {
        self.pool().seats.get(self.index())
    }

    #[inline]
    pub(crate) fn pool(self) -> &'a Pool {
        Pool::of(self.desk)
    }

    /// What follows the jobs of this thread's pool.
    #[inline]
    pub(crate) fn follower(self) -> &'a Follower {
        &self.pool().handlers.follow
    }

    pub(super) fn idle(self) -> &'a Idle {
        &self.pool().idle
    }

    /// How many things are under way on this thread, each inside a wait of the one before: jobs, and before those what a thread does that does
    /// not live for jobs alone, such as a guest's call or a handler.
    pub(crate) fn depth(self) -> usize {
        self.own().depth.get()
    }

    /// Enters a root that no other call has.
    pub(crate) fn enter_new_root(self) {
        let own = self.own();
        own.roots.set(own.roots.get() + 1);
        own.root.set(Root::new(self.desk.id(), own.roots.get()));
    }

    /// The only root whose jobs this thread may run while it waits, or `None` for all.
    pub(super) fn bound(self) -> Option<Root> {
        let own = self.own();
        let root = own.root.get();
        let bound = root.is_isolated() || (own.guest.get() && !self.pool().crew.is_callers());
        bound.then_some(root)
    }

    /// Whether the running code descends from an isolated call, or from a job with a handle.
    pub(super) fn is_isolated(self) -> bool {
        self.own().root.get().is_isolated()
    }

    pub(crate) fn random(self) -> u64 {
        let mut state = self.own().random.get();
        let random = policy::random(&mut state);
        self.own().random.set(state);
        random
    }

    /// Draws, and says whether this look was drawn: one of about `mean` (a power of two), at random, or it could keep step with a pattern and always miss it. `left`
    /// counts down to the next one that is drawn.
    #[inline]
    pub(crate) fn draw(self, left: &Cell<u32>, mean: u32) -> bool {
        match left.get().checked_sub(1) {
            Some(rest) => {
                left.set(rest);
                false
            }
            None => {
                left.set((self.random() >> 32) as u32 & (2 * mean - 1));
                true
            }
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::fresh::new_isolated_root;
    use crate::core::pool::Handlers;

    /// What a waiting thread may run depends on this. Where there are no other threads, a guest runs everything.
    #[test]
    fn guests_and_isolated_threads_are_bound_to_their_roots() {
        for threads in [2, 0] {
            let pool = Pool::new(threads, 0, Handlers::default(), true, false);
            // SAFETY: the pool keeps the desk, and no other thread is there.
            let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
            let (worker, own) = (sitting.worker(), sitting.worker().own());
            worker.enter_new_root();
            let root = own.root.get();
            assert_eq!(worker.bound(), None);
            own.guest.set(true);
            assert_eq!(worker.bound(), (threads > 0).then_some(root));
            for guest in [true, false] {
                own.guest.set(guest);
                let isolated = new_isolated_root();
                own.root.set(isolated);
                assert_eq!(worker.bound(), Some(isolated));
            }
        }
    }
}

//! A thread's own jobs: how it pushes them at the end of its queue, pops them there, and shows some to the others when a thief has asked.

use super::deque::{Giver, Worth};
use super::event::Kind;
use super::job::JobRef;
use super::meter;
use super::root::Root;
use super::worker::Worker;
use crate::sync::planted;

impl<'a> Worker<'a> {
    /// Pushes a join job, which may be `worth` waking a thread.
    #[inline(always)]
    pub(crate) fn push(self, job: JobRef, worth: Worth) {
        if self.own().deque.push(job, &self.desk().thief) {
            self.answer(worth);
        }
    }

    /// Takes the caller's own job back, if it is still private.
    #[inline(always)]
    pub(crate) fn pop(self) -> bool {
        self.own().deque.pop(&self.desk().thief) || self.pop_slow()
    }

    /// The slow path of a pop: a thief has asked, or no private job is left.
    #[cold]
    #[inline(never)]
    fn pop_slow(self) -> bool {
        let private = self.own().deque.pop_slow();
        if private {
            self.answer(Worth::Most);
        }
        private
    }

    /// Promotes a job for a thief that asked: the slow path of push and pop, and of each look between the blocks of a loop.
    #[cold]
    #[inline(never)]
    pub(crate) fn answer(self, worth: Worth) {
        let own = self.own();
        if own.deque.answer(
            &self.desk().thief,
            own.root.get(),
            self.as_giver(),
            self.eager(),
            worth,
        ) {
            self.desk().counters.promotions.bump();
            if worth == Worth::Most {
                self.pool().notify(own.root.get());
                return;
            }
            let relies = own.relies.take();
            self.desk().probe.offered(relies);
            if relies && !planted!("rely") {
                self.pool().notify_if_all_sleep(own.root.get());
            }
        }
    }

    fn as_giver(self) -> Giver<'a> {
        let desk = self.desk();
        (desk.owner(), &desk.probe, self.follower())
    }

    /// Answers a thief's request, if there is one and anything to give.
    #[inline]
    pub(crate) fn answer_if_asked(self) {
        if self.desk().thief.is_asked() && self.own().deque.has_private() {
            self.answer(Worth::Most);
        }
    }

    /// Makes everything public, which has to happen before a wait and before a closure that may block.
    pub(crate) fn publish_all(self) {
        let own = self.own();
        let mut any = false;
        while own.deque.promote(
            &self.desk().thief,
            own.root.get(),
            self.as_giver(),
            Worth::Most,
        ) {
            self.desk().counters.promotions.bump();
            any = true;
        }
        if any {
            self.pool().notify(own.root.get());
        }
    }

    /// Pushes a spawned job.
    pub(crate) fn spawn(self, job: JobRef) {
        // SAFETY: it is public from the start, and alive until what is pushed here has run.
        let root = unsafe { job.tag() }.root;
        self.desk().probe.note(Kind::Spawn, || job.address());
        self.own().deque.push_public(job, &self.desk().thief);
        self.pool().notify(root);
        self.call_for_spawned(root);
    }

    /// Inside an isolated call or a job with a handle, this thread has pushed a job of `root`, and may run something else first. If no right is free, a thread that waits for
    /// such a job is called all the same.
    fn call_for_spawned(self, root: Root) {
        if root.is_isolated() && self.may_be_left() {
            self.pool().wake_without_right(root);
        }
    }

    /// This thread is about to block, perhaps for jobs that it has offered. Inside an isolated call or a job with a handle, if no right is free, it hands them over: then
    /// the threads that wait for their roots are called all the same. These may be roots of calls further out. A thread that does
    /// not [work for all](Pool::works_for_all) always hands them over: it may [stand in](super::stand_in) here, and perhaps only other threads that wait for this pool may run them.
    pub(super) fn leave_what_is_public(self) {
        if self.is_isolated() && (self.may_be_left() || !self.works_for_all()) {
            self.clear_desk();
        }
    }

    /// Whether there are jobs in this thread's public queue, and no right is free for a thread that could take them.
    fn may_be_left(self) -> bool {
        !self.own().deque.is_public_empty() && !self.pool().rights.any()
    }

    /// How many pushes of a new descent go public at once: all of them, if joins are metered.
    fn eager(self) -> u32 {
        match meter::is_on() {
            true => u32::MAX,
            false => self.pool().eager,
        }
    }

    /// Makes the first pushes of a root or of a stolen job public.
    pub(crate) fn start_eager(self) {
        let pushes = self.eager();
        self.own().deque.start_eager(pushes, &self.desk().thief);
    }
}

//! What a thread does with a job that it has found: it runs it, or leaves it to others. Between two jobs it takes turns with threads that want a right.

use super::event::Kind;
use super::find::fits;
use super::job::JobRef;
use super::meter;
use super::root::Root;
use super::sub_root::SubRoot;
use super::unwind::{Payload, catch, resume};
use super::worker::Worker;
use crate::sync::planted;

impl Worker<'_> {
    /// Runs a job that was taken out of a queue.
    ///
    /// # Safety
    /// As for [`JobRef::run`].
    pub(crate) unsafe fn execute(self, job: JobRef) {
        // SAFETY: a job in a queue is public and alive.
        let root = unsafe { job.tag() }.root;
        match self.bound() {
            // SAFETY: by the caller.
            Some(bound) if !root.is_within(bound) => unsafe { self.execute_apart(bound, job) },
            // SAFETY: by the caller.
            _ => unsafe { self.execute_under(root, job) },
        }
    }

    /// The same for a job that a wait found. It keeps the root `also`, for whose work the thread waits, whatever it is bound to.
    ///
    /// # Safety
    /// As for [`JobRef::run`].
    pub(super) unsafe fn execute_in_wait(self, also: Option<Root>, job: JobRef) {
        // SAFETY: a job in a queue is public and alive.
        let root = unsafe { job.tag() }.root;
        match also.is_some_and(|also| root.is_within(also)) {
            // SAFETY: by the caller.
            true => unsafe { self.execute_under(root, job) },
            // SAFETY: by the caller.
            false => unsafe { self.execute(job) },
        }
    }

    /// Runs a job on top of the call to which this thread is `bound`, and of which the job is no work. That may be this thread's share of a broadcast, or any job
    /// when it yields. Under its old root, which many jobs may share, a wait inside the job would run those jobs on top of the call that must not meet them. They may
    /// want a lock that is held below, or join a job that runs there. So the job gets a root of its own, a [sub-root](super::sub_root) of the old one.
    /// What the job brings into other pools has that root as well. If such a pool is stuck, this thread [stands in](super::stand_in) there.
    ///
    /// # Safety
    /// As for [`JobRef::run`].
    #[cold]
    unsafe fn execute_apart(self, bound: Root, job: JobRef) {
        // SAFETY: a job in a queue is public and alive.
        let root = unsafe { job.tag() }.root;
        let is_job = !bound.may_hold_a_lock() && !root.may_hold_a_lock();
        let sub_root = SubRoot::new(root, is_job);
        // SAFETY: by the caller.
        unsafe { self.execute_under(sub_root.root(), job) };
    }

    /// # Safety
    /// As for [`JobRef::run`].
    unsafe fn execute_under(self, root: Root, job: JobRef) {
        debug_assert!(!self.own().deque.has_private(), "I4");
        let before = self.own().root.replace(root);
        let interrupted = self.own().driver.enter_job();
        let depth = self.own().depth.get();
        self.own().depth.set(depth + 1);
        self.start_eager();
        self.desk().counters.jobs.bump();
        self.desk().probe.note(Kind::Run, || job.address());
        let metered = meter::run(job.address());
        // SAFETY: by the caller.
        unsafe { self.pool().run(job, self.index()) };
        metered.end();
        if !planted!("done") {
            self.desk().probe.note(Kind::Done, || job.address());
        }
        self.own().depth.set(depth);
        self.own().driver.leave_job(interrupted);
        self.own().root.set(before);
        match self.seat() {
            Some(_) => self.take_turns(),
            None => self.end_beside(),
        }
    }

    /// Runs `f` under `root`, and gives its panic back. While this thread waits in there, it runs only work of that root.
    pub(super) fn under<R>(self, root: Root, f: impl FnOnce() -> R) -> Result<R, Payload> {
        // Private jobs belong to the outer root, and a job gets its root when it is promoted. So they are promoted now.
        self.publish_all();
        let before = self.own().root.replace(root);
        self.start_eager();
        let result = catch(f);
        self.own().root.set(before);
        if self.seat().is_none() {
            // This thread may hold a lock still, so it waits for no right.
            self.exchange_for_a_right();
        }
        result
    }

    /// Runs `wait`, a wait for work of `root`, under that root, and goes on with its panic. Around the wait this thread may be isolated or not.
    pub(super) fn wait_under<R>(self, root: Root, wait: impl FnOnce() -> R) -> R {
        let result = self.under(root, wait);
        if self.seat().is_none() {
            self.end_beside();
        }
        result.unwrap_or_else(|payload| resume(payload))
    }

    /// If a thread wants a right, this thread puts its own down and waits in line for another. Not inside an isolated call: there this thread may hold a lock, and the
    /// next holder of the right may wait for that lock without putting the right down.
    #[inline]
    pub(crate) fn take_turns(self) {
        if self.pool().sleepers.any_wanting() && !self.own().root.get().may_hold_a_lock() {
            self.wait_for_turn();
        }
    }

    /// The same, also inside an isolated call, where this thread may hold a lock.
    pub(super) fn lend_right(self) {
        if self.pool().sleepers.any_wanting() {
            self.wait_for_turn();
        }
    }

    #[cold]
    pub(super) fn wait_for_turn(self) {
        if self.pool().is_orphan() {
            // A child after `fork`: the threads that wanted a right are not there.
            return;
        }
        if self.own().depth.get() == 0 {
            // A worker between two jobs: the main loop puts its right down, and takes another one only when there is work.
            return;
        }
        self.clear_desk();
        self.put_right_down();
        self.take_right_again();
    }

    /// Takes a right after a sleep, or after work elsewhere. Inside an isolated call this thread may hold a lock, so it [goes on](super::beside) in any case.
    pub(super) fn take_right_again(self) {
        let (pool, desk) = (self.pool(), self.desk());
        self.hold(match self.is_isolated() {
            true => pool.take_right_to_go_on(desk, self.has_own_mail()),
            false => pool.take_right(desk),
        });
    }

    /// Whether there is mail for this worker's own number.
    fn has_own_mail(self) -> bool {
        let own = self.desk().worker_number();
        own.is_some_and(|number| !self.pool().seats[number].mail.is_empty())
    }

    /// This thread holds right `number` from now on.
    #[inline]
    pub(super) fn hold(self, number: usize) {
        self.own().hold(number);
        let changes = match self.pool().seats.get(number) {
            Some(seat) => {
                self.desk().prefer(number);
                seat.sit_down(self.desk())
            }
            None => self.pool().beside(number).sit_down(self.desk()),
        };
        if changes && !self.works_for_all() && !planted!("hold") {
            self.pool().fence_and_call_callers();
        }
    }

    /// See [`Pool::works_for_all`].
    pub(super) fn works_for_all(self) -> bool {
        self.pool().works_for_all(self.desk())
    }

    /// Exchanges the right in hand for right `wanted`, if no thread holds that.
    #[cold]
    pub(super) fn change_number_to(self, wanted: usize) {
        let (pool, number) = (self.pool(), self.index());
        if !pool.is_unused(wanted) {
            return;
        }
        // Thieves look under the numbers that are in use, one after the other. So a number changes only while there is nothing to be found.
        self.clear_desk();
        if pool.exchange(number, wanted) {
            self.hold(wanted);
            pool.after_put_down(number);
        }
    }

    /// Puts this thread's right down. Its queue is empty: no thread would find a job there.
    pub(super) fn put_right_down(self) {
        debug_assert!(self.own().deque.is_empty());
        if let Some(number) = self.own().let_go() {
            if number < self.pool().num_threads() {
                // A guest took its number without asking for it by `preferred`, so the desk learns it here.
                self.desk().prefer(number);
            }
            self.pool().put_down(number);
        }
    }

    /// Hands what is in this thread's public queue over to the others; nothing is private.
    pub(super) fn clear_desk(self) {
        if self.own().deque.is_public_empty() {
            return;
        }
        let all = std::iter::from_fn(|| self.own().deque.pop_public(&self.desk().thief));
        self.hand_over(&all.collect::<Vec<_>>());
    }

    /// Now and then, runs mail or a job from outside, which `find` otherwise looks for last.
    pub(crate) fn run_overdue(self) {
        if let Some(job) = self.find_overdue(self.bound()) {
            // SAFETY: just taken out of a queue.
            unsafe { self.execute(job) };
        }
    }

    /// Runs a job from this thread's own queue if this thread may run it, and else hands it over to the others.
    pub(crate) fn run_or_hand_back(self, job: JobRef) {
        if fits(job, self.bound()) {
            // SAFETY: the caller took it out of a queue.
            unsafe { self.execute(job) };
        } else {
            self.hand_over(&[job]);
        }
    }
}

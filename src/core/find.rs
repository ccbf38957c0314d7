//! Where a thread looks for a job: in its own queue, in those of the others, in what came from outside, and in its mail.

use super::event::{Kind, OUTSIDE};
use super::job::JobRef;
use super::policy;
use super::root::Root;
use super::worker::Worker;
use crate::sync::planted;
use std::collections::BTreeSet;
use std::ptr;

impl Worker<'_> {
    /// Takes a job that this thread may run now.
    pub(crate) fn find(self, bound: Option<Root>, thief: Option<usize>) -> Option<JobRef> {
        self.find_overdue(bound)
            .or_else(|| self.find_local(bound))
            .or_else(|| thief.and_then(|at| self.rob(at, bound)))
            .or_else(|| self.rob_all(bound))
            .or_else(|| self.take_injected(bound))
    }

    /// Takes a job from this thread's own queues.
    pub(crate) fn find_local(self, bound: Option<Root>) -> Option<JobRef> {
        let newest = match self.own().deque.pop_public(&self.desk().thief) {
            Some(job) if !fits(job, bound) => self.uncover(job, bound),
            newest => newest,
        };
        // Restricted or not: a broadcast needs every number, so two calls that waited for each other's shares would wait for ever.
        newest.or_else(|| self.seat().mail.take())
    }

    /// Takes the newest job of its own queue that this thread may run. `top`, and what else lies above that, goes where anyone may take it, all
    /// at once: there may be any number.
    #[cold]
    fn uncover(self, top: JobRef, bound: Option<Root>) -> Option<JobRef> {
        let mut above = vec![top];
        let found = loop {
            match self.own().deque.pop_public(&self.desk().thief) {
                Some(job) if !fits(job, bound) => above.push(job),
                found => break found,
            }
        };
        self.hand_over(&above);
        found
    }

    /// Puts jobs of this pool where anyone may take them.
    pub(super) fn hand_over(self, jobs: &[JobRef]) {
        let mut roots = BTreeSet::new();
        for job in jobs {
            // SAFETY: jobs in a queue are public and alive, and these were in one and will be.
            let tag = unsafe { job.tag() };
            tag.come_back();
            roots.insert(tag.root);
            self.desk().counters.handed_back.bump();
            self.desk().probe.note(Kind::Handed, || job.address());
        }
        self.pool().brought.push(jobs);
        if !planted!("back") {
            roots.into_iter().for_each(|root| self.pool().notify(root));
        }
    }

    /// Now and then, takes a job of those that are found last: of the others there may be no end.
    pub(crate) fn find_overdue(self, bound: Option<Root>) -> Option<JobRef> {
        let looks = &self.own().looks;
        looks.set(looks.get().wrapping_add(1));
        if !looks.get().is_multiple_of(policy::turn(self.depth())) {
            return None;
        }
        self.find_foreign(bound)
    }

    /// Takes a job that came from outside this pool or was handed over, or mail.
    pub(super) fn find_foreign(self, bound: Option<Root>) -> Option<JobRef> {
        let share = self.seat().mail.take();
        share.or_else(|| self.take_injected(bound))
    }

    fn rob_all(self, bound: Option<Root>) -> Option<JobRef> {
        let seats = self.pool().seats.len();
        policy::victims(seats, self.random()).find_map(|at| self.rob(at, bound))
    }

    /// Takes a job from the thread that holds right `number`, or asks it for one.
    pub(super) fn rob(self, number: usize, bound: Option<Root>) -> Option<JobRef> {
        let victim = self.pool().seats[number].at_work();
        if ptr::eq(victim, self.desk()) {
            return None;
        }
        if !victim.thief.is_empty() {
            self.desk().counters.steals.bump();
            let stolen = victim.thief.steal();
            if let Some(job) = stolen {
                let from = (number as u64).min(OUTSIDE - 1);
                self.desk()
                    .probe
                    .note(Kind::Take, || job.address() | from << 48);
            }
            match stolen {
                Some(job) if fits(job, bound) => return Some(job),
                // A restricted waiter must not run it.
                Some(job) => self.hand_over(&[job]),
                None => self.desk().counters.failed_steals.bump(),
            }
        } else if !self.pool().rights.is_free(number) {
            victim.thief.ask();
        }
        None
    }

    fn take_injected(self, bound: Option<Root>) -> Option<JobRef> {
        let brought_first = self.own().looks.get() % 2 == 1;
        let job = self.pool().take_injected(bound, brought_first)?;
        self.desk()
            .probe
            .note(Kind::Take, || job.address() | OUTSIDE << 48);
        Some(job)
    }
}

/// Whether a waiter bound to `bound` may run `job`.
pub(super) fn fits(job: JobRef, bound: Option<Root>) -> bool {
    // SAFETY: a job in a queue is public and alive.
    bound.is_none_or(|root| unsafe { job.tag() }.root == root)
}

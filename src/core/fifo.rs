//! Jobs that run first in, first out: a queue of jobs, and a reference to it in the deque for each of them.
//!
//! A thread's own queue is last in, first out. For the FIFO flavours of `spawn`, the job goes into a queue beside it, and the deque gets a
//! reference to that queue; the thread that runs the reference runs the oldest job. So the newest reference runs the oldest job.

use super::follow::Follower;
use super::job::{Header, JobRef, Owner};
use super::root::Root;
use crate::sync::planted;
use crossbeam_deque::{Injector, Steal};
use std::ptr::NonNull;

/// The queue. It is itself a job that can be in any number of queues at once, as often as there are jobs in it.
#[repr(C)]
pub(crate) struct Fifo {
    header: Header,
    jobs: Injector<JobRef>,
}

// SAFETY: the header is written once, before the queue is shared; the injector is Sync.
unsafe impl Sync for Fifo {}
// SAFETY: as above; JobRefs are Send.
unsafe impl Send for Fifo {}

impl Fifo {
    /// An empty queue for jobs of `root`; [`Fifo::publish`] comes before the first push.
    pub(crate) fn new() -> Self {
        Fifo {
            header: Header::new(Self::run_oldest),
            jobs: Injector::new(),
        }
    }

    /// Settles where the queue is and which root its jobs have.
    ///
    /// # Safety
    /// Called once, before the queue is shared. The queue does not move afterwards, and lives until every reference was run.
    pub(crate) unsafe fn publish(&self, root: Root) {
        // SAFETY: by the caller.
        unsafe { self.as_ref().publish(root, 0, None) };
    }

    fn as_ref(&self) -> JobRef {
        JobRef::new(NonNull::from(self).cast())
    }

    /// Puts a job in; the returned reference goes into the deque in its place.
    pub(crate) fn push(&self, job: JobRef) -> JobRef {
        if planted!("newest") {
            return job;
        }
        self.jobs.push(job);
        self.as_ref()
    }

    /// # Safety
    /// `this` is the header of a `Fifo` that is alive.
    unsafe fn run_oldest(this: *const Header, number: usize, follower: &Follower) -> Option<Owner> {
        // SAFETY: by the caller.
        let this = unsafe { &*this.cast::<Self>() };
        let job = loop {
            match this.jobs.steal() {
                Steal::Success(job) => break job,
                Steal::Retry if !planted!("retry") => {}
                Steal::Empty | Steal::Retry => unreachable!("there are as many references as jobs"),
            }
        };
        // SAFETY: taken out of the queue; `this` is not used after it, as the last job may end what holds the queue.
        let owner = unsafe { job.run(number, follower) };
        if planted!("behind") {
            this.jobs.is_empty();
        }
        owner
    }
}

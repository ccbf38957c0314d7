//! Mail: jobs for the thread that holds the right of one number, such as a share of a broadcast.

use super::job::JobRef;
use super::process_lock::ProcessLock;
use crate::sync::{AtomicUsize, Ordering, planted};
use std::collections::VecDeque;

/// The queue of such jobs; rarely used, so a lock will do.
///
/// It is closed when the worker of that number has ended, or could not be started: a job that no thread would ever take is not put in. In a child after `fork` it
/// is as good as closed if another thread held the lock.
pub(crate) struct Mail {
    /// How many jobs there are, so that a look costs no lock. It says nothing of the jobs: to take one needs the lock.
    len: AtomicUsize,
    /// `None` when it is closed.
    jobs: ProcessLock<Option<VecDeque<JobRef>>>,
}

impl Mail {
    pub(crate) fn new() -> Self {
        Mail {
            len: AtomicUsize::new(0),
            jobs: ProcessLock::new(Some(VecDeque::new())),
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// False: it is closed, and the job is still the caller's.
    #[must_use]
    pub(crate) fn push(&self, job: JobRef) -> bool {
        let Some(mut jobs) = self.jobs.lock() else {
            return false;
        };
        let Some(open) = &mut *jobs else { return false };
        open.push_back(job);
        self.len.store(open.len(), Ordering::Relaxed);
        true
    }

    /// The oldest job.
    pub(crate) fn take(&self) -> Option<JobRef> {
        if self.is_empty() {
            return None;
        }
        let mut jobs = self.jobs.lock()?;
        let open = jobs.as_mut()?;
        let job = open.pop_front();
        self.len.store(open.len(), Ordering::Relaxed);
        job
    }

    /// Closes it. The jobs that came before are the caller's.
    #[must_use]
    pub(crate) fn close(&self) -> VecDeque<JobRef> {
        let Some(mut jobs) = self.jobs.lock() else {
            return VecDeque::new();
        };
        self.len.store(0, Ordering::Relaxed);
        if planted!("close") {
            return VecDeque::new();
        }
        jobs.take().unwrap_or_default()
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::follow::Follower;
    #[cfg(all(unix, not(miri)))]
    use crate::core::global_pointer::assert_well_in_child;
    use crate::core::job::HeapJob;
    use crate::core::root::Root;

    fn run(job: JobRef) {
        // SAFETY: just taken out of a queue, or refused.
        assert!(unsafe { job.run(0, &Follower::default()) }.is_none());
    }

    #[test]
    fn mail_comes_in_its_order_until_it_is_closed() {
        let mail = Mail::new();
        // SAFETY: it borrows nothing.
        let jobs = [(); 4].map(|()| unsafe { HeapJob::boxed(Root::NONE, || ()) });
        assert!(mail.is_empty() && mail.take().is_none());
        assert!(jobs[..3].iter().all(|&job| mail.push(job)));
        assert_eq!(mail.take(), Some(jobs[0]));
        assert!(!mail.is_empty());
        assert_eq!(mail.close(), &jobs[1..3]);
        assert!(!mail.push(jobs[3]) && mail.is_empty());
        assert!(mail.take().is_none() && mail.close().is_empty());
        jobs.into_iter().for_each(run);
    }

    /// In a child after `fork`, what a thread of the parent had locked stays so for ever. It is as if nothing were there. All else is there as before.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_waits_for_no_mail() {
        let mail = Mail::new();
        // SAFETY: it borrows nothing.
        let jobs = [(); 3].map(|()| unsafe { HeapJob::boxed(Root::NONE, || ()) });
        assert!(jobs[..2].iter().all(|&job| mail.push(job)));
        let locked = mail.jobs.lock();
        assert_well_in_child(|| {
            let nothing = mail.take().is_none() && !mail.push(jobs[2]);
            nothing && mail.close().is_empty()
        });
        drop(locked);
        assert_well_in_child(|| {
            let all = mail.push(jobs[2]) && mail.take() == Some(jobs[0]);
            all && mail.close() == &jobs[1..]
        });
        assert_eq!(mail.close(), &jobs[..2]);
        jobs.into_iter().for_each(run);
    }
}

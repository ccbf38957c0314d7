//! Jobs, sorted by the root they descend from. A waiter that may run only the jobs of one root finds them without a look at the others.

use super::job::JobRef;
use super::root::Root;
use super::sorted_map::SortedMap;
use crate::sync::{AtomicUsize, Mutex, Ordering, lock, planted};
use std::collections::VecDeque;

/// A queue for each root that has jobs here. Rarely used, so a lock will do.
pub(crate) struct RootQueues {
    /// How many jobs there are, so that a look at nothing costs no lock.
    len: AtomicUsize,
    jobs: Mutex<ByRoot>,
}

struct ByRoot {
    /// No queue is empty.
    queues: SortedMap<Root, VecDeque<JobRef>>,
    /// The root that was last served to a thread that may run jobs of any root.
    last: Root,
}

impl RootQueues {
    pub(crate) fn new() -> Self {
        RootQueues {
            len: AtomicUsize::new(0),
            jobs: Mutex::new(ByRoot {
                queues: SortedMap::new(),
                last: Root::NONE,
            }),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    /// Whether there are jobs of `root`.
    pub(crate) fn has(&self, root: Root) -> bool {
        lock(&self.jobs).queues.get_mut(root).is_some()
    }

    /// Calls `f` with what tells whether there are jobs of a root, at one moment for all roots.
    pub(crate) fn look<R>(&self, f: impl FnOnce(&mut dyn FnMut(Root) -> bool) -> R) -> R {
        let mut by_root = lock(&self.jobs);
        f(&mut |root| by_root.queues.get_mut(root).is_some())
    }

    /// Puts jobs in, each behind those of its root.
    pub(crate) fn push(&self, jobs: &[JobRef]) {
        let mut by_root = lock(&self.jobs);
        for &job in jobs {
            // SAFETY: a job in a queue is public and alive.
            let root = unsafe { job.tag() }.root;
            by_root.queues.entry(root, VecDeque::new).push_back(job);
        }
        // Written with the lock held; so is every change of it.
        let len = self.len.load(Ordering::Relaxed) + jobs.len();
        if !planted!("boxed") {
            self.len.store(len, Ordering::Release);
        }
    }

    /// The oldest job of the root `bound`; or of any root, by turns.
    pub(crate) fn take(&self, bound: Option<Root>) -> Option<JobRef> {
        if self.is_empty() {
            return None;
        }
        let mut by_root = lock(&self.jobs);
        let root = match bound {
            Some(root) => root,
            None => by_root.next()?,
        };
        let queue = by_root.queues.get_mut(root)?;
        let job = queue.pop_front();
        if queue.is_empty() {
            by_root.queues.remove(root);
        }
        self.count_out();
        job
    }

    /// Whether `job` was here; if so, it is no more.
    pub(crate) fn take_back(&self, job: JobRef) -> bool {
        // SAFETY: the caller is the job's owner, which keeps it alive.
        let root = unsafe { job.tag() }.root;
        let mut by_root = lock(&self.jobs);
        let Some(queue) = by_root.queues.get_mut(root) else {
            return false;
        };
        let Some(at) = queue.iter().position(|&other| other == job) else {
            return false;
        };
        queue.remove(at);
        if queue.is_empty() {
            by_root.queues.remove(root);
        }
        self.count_out();
        true
    }

    /// One job less, with the lock held.
    fn count_out(&self) {
        let len = self.len.load(Ordering::Relaxed);
        self.len.store(len.wrapping_sub(1), Ordering::Release);
    }
}

impl ByRoot {
    /// The root whose turn it is.
    fn next(&mut self) -> Option<Root> {
        self.last = self.queues.after(self.last).next()?;
        Some(self.last)
    }
}

//! Entries of a thread's queue whose jobs are gone: the thread that spawned a job has joined or cancelled it before a thread came to its entry.
//!
//! Such an entry does nothing when it is run, but it holds memory until then. A thread that never waits may leave its queue to the others for ever, and these may be busy,
//! or there are none. So the thread itself takes an entry out when it joins or cancels a job and that entry is the newest in its queue. Until then it remembers which entries are of that kind.

use std::cell::Cell;
use std::collections::BTreeMap;

/// Which entry of which queue a job has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The address of the desk with the queue.
    pub(crate) desk: usize,
    /// The [address](super::job::JobRef::address) of the job, which is that of no other one while the entry is in a queue.
    pub(crate) job: u64,
}

/// What knows whether an entry is still in a queue.
pub(crate) trait InQueue: Send {
    fn is_queued(&self) -> bool;
}

/// The entries of a queue whose jobs are gone. Other threads may have taken some of them meanwhile.
pub(crate) struct GoneList {
    by_job: Cell<BTreeMap<u64, Box<dyn InQueue>>>,
    /// Forgets those that other threads took when there are so many.
    most: Cell<usize>,
}

const FEW: usize = 16;

impl GoneList {
    pub(crate) const fn new() -> Self {
        GoneList {
            by_job: Cell::new(BTreeMap::new()),
            most: Cell::new(FEW),
        }
    }

    pub(crate) fn add(&self, job: u64, entry: Box<dyn InQueue>) {
        let mut by_job = self.by_job.take();
        if by_job.len() >= self.most.get() {
            by_job.retain(|_, entry| entry.is_queued());
            self.most.set(2 * by_job.len() + FEW);
        }
        // If there is an older one at this address, that entry was freed.
        by_job.insert(job, entry);
        self.by_job.set(by_job);
    }

    pub(crate) fn is_empty(&self) -> bool {
        let by_job = self.by_job.take();
        let is_empty = by_job.is_empty();
        self.by_job.set(by_job);
        is_empty
    }

    /// Whether the job of an entry that is in the queue is gone. If so, it is forgotten.
    pub(crate) fn take(&self, job: u64) -> bool {
        let mut by_job = self.by_job.take();
        let entry = by_job.remove(&job);
        self.by_job.set(by_job);
        // If what is remembered is of another entry, which had this address before, the older entry was taken.
        entry.is_some_and(|entry| entry.is_queued())
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::sync::{Arc, AtomicBool, Ordering};

    impl InQueue for Arc<AtomicBool> {
        fn is_queued(&self) -> bool {
            self.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn entries_are_known_until_they_are_taken() {
        let (list, queued) = (GoneList::new(), Arc::new(AtomicBool::new(true)));
        let taken = Arc::new(AtomicBool::new(false));
        assert!(!list.take(1));
        list.add(1, Box::new(Arc::clone(&queued)));
        list.add(2, Box::new(Arc::clone(&taken)));
        assert!(list.take(1) && !list.take(1));
        assert!(!list.take(2));
        assert_eq!([&queued, &taken].map(Arc::strong_count), [1, 1]);
    }

    #[test]
    fn what_others_took_is_forgotten_in_time() {
        let (list, taken) = (GoneList::new(), Arc::new(AtomicBool::new(false)));
        let (kept, queued) = (100, Arc::new(AtomicBool::new(true)));
        for job in 0..kept {
            list.add(job, Box::new(Arc::clone(&queued)));
        }
        for job in kept..10_000 {
            list.add(job, Box::new(Arc::clone(&taken)));
            assert!(Arc::strong_count(&taken) <= 2 * (kept as usize + FEW));
        }
        assert!((0..kept).all(|job| list.take(job)));
    }
}

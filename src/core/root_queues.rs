//! Jobs, sorted by the root they descend from. A waiter that may run only the jobs of one root finds them without a look at the others.

use super::job::JobRef;
use super::process_lock::ProcessLock;
use super::root::Root;
use super::sorted_map::SortedMap;
use crate::sync::{AtomicUsize, Ordering, planted};
use std::collections::VecDeque;

/// A queue for each root that has jobs here. Rarely used, so a lock will do.
///
/// In a child after `fork`, if another thread held the lock: what is here is lost, as is all that other threads had taken, and what is put in as well.
pub(crate) struct RootQueues {
    /// How many jobs there are, so that a look at nothing costs no lock.
    len: AtomicUsize,
    jobs: ProcessLock<ByRoot>,
}

struct ByRoot {
    /// No queue is empty.
    queues: SortedMap<Root, VecDeque<JobRef>>,
    /// The root that was last served to a thread that may run jobs of any root.
    last: Root,
    /// How often a thread was served that may run jobs of a root and of the sub-roots below it.
    served: usize,
}

impl RootQueues {
    pub(crate) fn new() -> Self {
        RootQueues {
            len: AtomicUsize::new(0),
            jobs: ProcessLock::new(ByRoot {
                queues: SortedMap::new(),
                last: Root::NONE,
                served: 0,
            }),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    /// Whether there are jobs within `root`.
    pub(crate) fn has(&self, root: Root) -> bool {
        !self.is_empty() && self.look(|has| has(root))
    }

    /// Calls `f` with what tells whether there are jobs within a root, at one moment for all roots.
    pub(crate) fn look<R>(&self, f: impl FnOnce(&mut dyn FnMut(Root) -> bool) -> R) -> R {
        let by_root = self.jobs.lock();
        let has = |by_root: &ByRoot, root| by_root.within(root).next().is_some();
        f(&mut |root| by_root.as_deref().is_some_and(|all| has(all, root)))
    }

    /// Puts jobs in, each behind those of its root.
    pub(crate) fn push(&self, jobs: &[JobRef]) {
        let Some(mut by_root) = self.jobs.lock() else {
            return;
        };
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

    /// The oldest job of a root: of `bound` or of a sub-root below it, or of any; the roots take turns.
    pub(crate) fn take(&self, bound: Option<Root>) -> Option<JobRef> {
        if self.is_empty() {
            return None;
        }
        let mut by_root = self.jobs.lock()?;
        let root = match bound {
            Some(root) => by_root.next_within(root)?,
            None => by_root.next()?,
        };
        self.pop(&mut by_root, root)
    }

    /// The oldest job of `root` alone.
    pub(crate) fn take_from(&self, root: Root) -> Option<JobRef> {
        let mut by_root = self.jobs.lock()?;
        self.pop(&mut by_root, root)
    }

    fn pop(&self, by_root: &mut ByRoot, root: Root) -> Option<JobRef> {
        let job = by_root.queues.get_mut(root)?.pop_front();
        by_root.remove_if_empty(root);
        self.count_out();
        job
    }

    /// The roots that have jobs here, and how many each has.
    pub(crate) fn counts(&self) -> Vec<(Root, usize)> {
        if self.is_empty() {
            return Vec::new();
        }
        let by_root = self.jobs.lock();
        let queues = by_root.iter().flat_map(|by_root| by_root.queues.iter());
        queues.map(|(root, jobs)| (root, jobs.len())).collect()
    }

    /// Whether `job` was here; if so, it is no more.
    pub(crate) fn take_back(&self, job: JobRef) -> bool {
        // SAFETY: the caller is the job's owner, which keeps it alive.
        let root = unsafe { job.tag() }.root;
        let Some(mut by_root) = self.jobs.lock() else {
            return false;
        };
        let Some(queue) = by_root.queues.get_mut(root) else {
            return false;
        };
        let Some(at) = queue.iter().position(|&other| other == job) else {
            return false;
        };
        queue.remove(at);
        by_root.remove_if_empty(root);
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

    /// The roots within `call` that have jobs.
    fn within(&self, call: Root) -> impl Iterator<Item = Root> {
        let exact = self.queues.from(call).next().filter(|&root| root == call);
        let below = self.queues.from(Root::FIRST_SUB_ROOT);
        let below = below.filter(move |&root| root != call && root.is_within(call));
        exact.into_iter().chain(below)
    }

    /// The one of those whose turn it is.
    fn next_within(&mut self, call: Root) -> Option<Root> {
        let count = self.within(call).count();
        let turn = self.served.checked_rem(count)?;
        self.served = self.served.wrapping_add(1);
        // What descends from a call no more may have been counted.
        let next = self.within(call).nth(turn);
        next.or_else(|| self.within(call).next())
    }

    fn remove_if_empty(&mut self, root: Root) {
        let queue = self.queues.get_mut(root);
        if queue.is_some_and(|queue| queue.is_empty()) {
            self.queues.remove(root);
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    #[cfg(all(unix, not(miri)))]
    use crate::core::global_pointer::assert_well_in_child;
    use crate::core::job::StackJob;
    use crate::core::sub_root::SubRoot;

    #[test]
    fn the_jobs_of_each_root_come_in_their_order_and_roots_take_turns() {
        let jobs: Vec<_> = (0..6).map(|n| StackJob::new(n, |n: u64| n)).collect();
        // SAFETY: they stay in place until the end of the test.
        let names: Vec<_> = jobs.iter().map(|job| unsafe { job.as_ref() }).collect();
        let root = Root::isolated;
        for (&name, of) in names.iter().zip([3, 1, 1, 2, 1, 1]) {
            // SAFETY: alive, ours and not public yet.
            unsafe { name.publish(root(of), 0, None) };
        }
        let [three, first, second, two, third, last] = names[..] else {
            unreachable!()
        };
        let queues = RootQueues::new();
        assert!(queues.is_empty() && queues.take(None).is_none());
        queues.push(&[three, first, second]);
        queues.push(&[two, third, last]);
        assert_eq!(queues.len(), 6);
        assert!(queues.has(root(2)) && !queues.has(root(4)));
        assert!(queues.look(|has| has(root(1)) && has(root(3)) && !has(root(0))));

        assert!(queues.take(Some(root(4))).is_none());
        assert_eq!(queues.take(Some(root(1))), Some(first));
        // One of each root.
        assert_eq!(queues.take(None), Some(second));
        assert_eq!(queues.take(None), Some(two));
        assert!(!queues.has(root(2)) && queues.len() == 3);
        assert_eq!(queues.take(None), Some(three));
        // From the middle, and by its owner once.
        assert!(queues.take_back(last) && !queues.take_back(last) && !queues.take_back(two));
        assert!(!queues.is_empty() && queues.has(root(1)));
        assert_eq!(queues.take(None), Some(third));
        queues.push(&[last]);
        assert!(queues.take_back(last) && !queues.has(root(1)));
        assert!(queues.is_empty() && queues.take(None).is_none());
    }

    /// A waiter that is bound to a root finds the jobs of the sub-roots below it as well, and they take turns.
    #[test]
    fn jobs_of_sub_roots_are_found_from_above() {
        let call = Root::isolated(1);
        let sub_root = SubRoot::new(call, false);
        let below = SubRoot::new(sub_root.root(), false);
        let roots = [call, call, sub_root.root(), below.root(), Root::isolated(2)];
        let jobs: Vec<_> = (0..5).map(|n| StackJob::new(n, |n: u64| n)).collect();
        // SAFETY: they stay in place until the end of the test.
        let names: Vec<_> = jobs.iter().map(|job| unsafe { job.as_ref() }).collect();
        for (&name, root) in names.iter().zip(roots) {
            // SAFETY: alive, ours and not public yet.
            unsafe { name.publish(root, 0, None) };
        }
        let queues = RootQueues::new();
        queues.push(&names);
        assert!(roots.iter().all(|&root| queues.has(root)));
        assert!(queues.look(|has| has(sub_root.root()) && !has(Root::isolated(3))));
        let mut taken = Vec::new();
        while let Some(job) = queues.take(Some(call)) {
            taken.push(names.iter().position(|&name| name == job).unwrap());
        }
        let place = |n| taken.iter().position(|&one| one == n).unwrap();
        assert_eq!(taken.len(), 4);
        assert!(
            place(0) < place(1) && place(2).min(place(3)) < place(1),
            "{taken:?}"
        );
        assert!(!queues.has(sub_root.root()) && queues.len() == 1);
        assert_eq!(queues.take(None), Some(names[4]));

        // From below, only what is below.
        queues.push(&names[2..4]);
        assert_eq!(queues.take(Some(below.root())), Some(names[3]));
        assert!(queues.take(Some(below.root())).is_none());
        assert!(queues.take_back(names[2]) && queues.is_empty());
    }

    /// In a child after `fork`, what a thread of the parent had locked stays so for ever. It is as if nothing were there. All else is there as before.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_waits_for_no_jobs() {
        let jobs: Vec<_> = (0..3).map(|n| StackJob::new(n, |n: u64| n)).collect();
        // SAFETY: they stay in place until the end of the test.
        let names: Vec<_> = jobs.iter().map(|job| unsafe { job.as_ref() }).collect();
        let root = Root::isolated(1);
        for &name in &names {
            // SAFETY: alive, ours and not public yet.
            unsafe { name.publish(root, 0, None) };
        }
        let queues = RootQueues::new();
        queues.push(&names[..2]);
        let locked = queues.jobs.lock();
        assert_well_in_child(|| {
            queues.push(&names[2..]);
            let seen = queues.has(root) || queues.look(|has| has(root));
            !seen && queues.take(None).is_none() && !queues.take_back(names[0])
        });
        drop(locked);
        assert_well_in_child(|| {
            queues.push(&names[2..]);
            let seen = queues.has(root) && queues.look(|has| has(root));
            seen && queues.take_back(names[0]) && queues.take(None) == Some(names[1])
        });
        assert!(names[..2].iter().all(|&name| queues.take_back(name)));
    }
}

//! A thread's own jobs: how it pushes them at the end of its queue, pops them there, and shows some to the others when a thief has asked.

use super::deque::{Giver, Worth};
use super::event::Kind;
use super::gone::{Entry, InQueue};
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

    /// The job of `entry`, which this thread is about to do or has given up, was put into a queue. If that is this thread's and the job is the newest there, takes it out, and
    /// those under it whose jobs are gone as well. Otherwise remembers it: then `remembered` is called.
    ///
    /// Not in a pool that is breadth-first: there the oldest job comes first, and to look at it would put it behind the others.
    pub(super) fn clear_gone(self, entry: Entry, remembered: impl FnOnce() -> Box<dyn InQueue>) {
        if entry.desk != self.desk_address() || self.pool().is_breadth_first() {
            return;
        }
        let (own, thief) = (self.own(), &self.desk().thief);
        let mut is_left = true;
        while let Some(job) = own.deque.pop_public(thief) {
            if job.address() == entry.job {
                is_left = false;
            } else if !own.gone.take(job.address()) {
                // SAFETY: it was in the queue, so it is public and alive.
                let root = unsafe { job.tag() }.root;
                own.deque.push_public(job, thief);
                self.pool().notify(root);
                self.call_for_spawned(root);
                break;
            }
            // SAFETY: just taken out of the queue.
            let woken = unsafe { job.run(self.index(), self.follower()) };
            debug_assert!(woken.is_none(), "no thread waits for such an entry");
            self.desk().probe.note(Kind::Kept, || job.address());
            if !is_left && own.gone.is_empty() {
                break;
            }
        }
        if is_left {
            own.gone.add(entry.job, remembered());
        }
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

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::deque::Worth;
    use crate::core::desk::Desk;
    #[cfg(all(unix, not(miri)))]
    use crate::core::global_pointer::assert_well_in_child;
    use crate::core::job::{HeapJob, JobRef, StackJob};
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::visit::Visit;
    use crate::core::worker::Worker;

    /// Does `work` as worker 0 of a pool of two, with jobs to push. Worker 1 sleeps, and there is a right for it.
    fn at_desk(work: impl FnOnce(Worker<'_>, &Desk, &[JobRef])) {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let jobs: Vec<_> = (0..10).map(|n| StackJob::new(n, |n: usize| n)).collect();
        // SAFETY: they stay in place until the end, and none is run.
        let names: Vec<_> = jobs.iter().map(|job| unsafe { job.as_ref() }).collect();
        pool.rights.put(1);
        let desk = pool.seats[1].own_desk();
        pool.lie_down(desk, None, false);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        work(sitting.worker(), desk, &names);
        let left = |job: JobRef| assert!(names.contains(&job));
        pool.take_injected(None, false).into_iter().for_each(left);
    }

    /// Pushes all of them. No thief has asked since the first ones.
    fn push_all(worker: Worker<'_>, jobs: &[JobRef]) -> usize {
        jobs.iter().for_each(|&job| worker.push(job, Worth::Little));
        assert!(!worker.desk().thief.is_asked() && worker.own().deque.has_private());
        jobs.len() - worker.desk().thief.len()
    }

    /// Each private job comes back once; then those are left that are public.
    #[test]
    fn private_jobs_come_back_once() {
        at_desk(|worker, _, jobs| {
            let private = push_all(worker, jobs);
            assert!((0..private).all(|_| worker.pop()));
            assert!(!worker.pop() && worker.desk().thief.len() == jobs.len() - private);
        });
    }

    /// A thief's request is seen by the next push or pop, and between the blocks of a loop, if there is something to give.
    #[test]
    fn a_request_is_answered_once() {
        at_desk(|worker, _, jobs| {
            let private = push_all(worker, jobs);
            let (thief, public) = (&worker.desk().thief, jobs.len() - private);
            worker.answer_if_asked();
            assert_eq!(thief.len(), public);
            thief.ask();
            worker.answer_if_asked();
            assert_eq!(thief.len(), public + 1);
            assert!(!thief.is_asked());
            thief.ask();
            assert!(worker.pop() && !thief.is_asked());
            assert_eq!(thief.len(), public + 2);
            assert!((0..private - 3).all(|_| worker.pop()) && !worker.pop());
        });
    }

    /// A child after `fork` has no thread to wake, and takes no lock of its parent's pool: a thread of the parent may hold it for ever.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_shows_its_jobs_without_a_lock() {
        at_desk(|worker, desk, jobs| {
            let private = push_all(worker, jobs);
            worker.desk().thief.ask();
            let locked = worker.pool().sleepers.lock();
            assert_well_in_child(|| {
                let public = worker.desk().thief.len();
                // The first pop answers the request.
                let popped = (0..private).take_while(|_| worker.pop()).count();
                popped == private - 1 && worker.desk().thief.len() == public + 1
            });
            assert_well_in_child(|| {
                worker.publish_all();
                worker.desk().thief.len() == jobs.len()
            });
            assert_well_in_child(|| {
                // SAFETY: it borrows nothing.
                let job = unsafe { HeapJob::boxed(Root::NONE, || ()) };
                worker.spawn(job);
                worker.hand_over(&[job]);
                worker.pool().brought.len() == 1
            });
            drop(locked);
            // Here the thread is woken.
            assert!(!desk.has_wake_up() && worker.pop() && desk.has_wake_up());
            while worker.pop() {}
        });
    }

    /// The first pushes of a descent are for all to see.
    #[test]
    fn a_descent_begins_with_a_request() {
        at_desk(|worker, _, jobs| {
            push_all(worker, jobs);
            worker.start_eager();
            assert!(worker.desk().thief.is_asked());
        });
    }

    /// Whatever makes a job public that is worth it wakes a thread.
    #[test]
    fn a_job_that_becomes_public_wakes_a_thread() {
        at_desk(|worker, desk, jobs| {
            worker.push(jobs[0], Worth::Little);
            assert!(!desk.has_wake_up(), "it is not worth that");
            worker.push(jobs[1], Worth::Most);
            assert!(desk.has_wake_up());
        });
        at_desk(|worker, desk, jobs| {
            worker.own().relies.set(true);
            worker.push(jobs[0], Worth::Little);
            assert!(desk.has_wake_up(), "its owner relies on that");
            assert!(!worker.own().relies.get());
        });
        at_desk(|worker, desk, jobs| {
            push_all(worker, jobs);
            worker.publish_all();
            assert!(desk.has_wake_up());
        });
        at_desk(|worker, desk, _| {
            worker.publish_all();
            assert!(!desk.has_wake_up(), "there is nothing");
            // SAFETY: it borrows nothing.
            let job = unsafe { HeapJob::boxed(Root::NONE, || ()) };
            worker.spawn(job);
            assert!(desk.has_wake_up());
            let job = worker.find_local(None).expect("it was pushed");
            // SAFETY: just taken out of a queue.
            unsafe { worker.pool().run(job, 0) };
        });
    }

    /// A thread that is about to block inside an isolated call leaves its jobs where other threads find them, unless one comes for them.
    #[test]
    fn a_thread_that_blocks_leaves_what_it_has_offered() {
        let call = Root::isolated(1);
        let leaves = |worker: Worker<'_>, root| {
            worker.own().root.set(root);
            // SAFETY: it borrows nothing.
            let job = unsafe { HeapJob::boxed(call, || ()) };
            worker.own().deque.push_public(job, &worker.desk().thief);
            worker.leave_what_is_public();
            worker.own().root.set(Root::NONE);
            let left = worker.pool().brought.take(None);
            let job = left.or_else(|| worker.find_local(None));
            // SAFETY: just taken out of a queue.
            unsafe { worker.pool().run(job.expect("it was pushed"), 0) };
            left.is_some()
        };
        at_desk(|worker, _, _| {
            let rights = &worker.pool().rights;
            assert!(!leaves(worker, call), "a right is free");
            assert!(rights.take_this(1));
            assert!(leaves(worker, call) && !leaves(worker, Root::NONE));
            rights.put(1);
        });
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        (0..2).for_each(|number| pool.rights.put(number));
        let number = pool.try_take(None).expect("it is free");
        let (visit, _) = Visit::sit_down(&pool, (&pool.seats[number], number), None);
        assert!(leaves(visit.worker, call), "others may have to do it");
    }
}

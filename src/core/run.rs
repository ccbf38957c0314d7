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

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::deque::Worth;
    use crate::core::job::{HeapJob, StackJob};
    use crate::core::pool::{Handlers, Pool};
    use crate::core::visit::Visit;
    use crate::sync::{Arc, AtomicU64, Ordering};
    use std::thread;

    fn pool(threads: usize) -> Arc<Pool> {
        Pool::new(threads, 0, Handlers::default(), true, false)
    }

    /// Does `work` as worker 0 of a pool of two, whose other right is in use.
    fn at_desk(work: impl FnOnce(&Pool, Worker<'_>)) {
        let pool = pool(2);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        work(&pool, sitting.worker());
    }

    /// # Safety
    /// What `body` borrows is there until it has run.
    unsafe fn job(root: Root, body: impl FnOnce() + Send) -> JobRef {
        // SAFETY: by the caller.
        unsafe { HeapJob::boxed(root, body) }
    }

    fn nothing() -> JobRef {
        // SAFETY: it borrows nothing.
        unsafe { job(Root::NONE, || ()) }
    }

    /// Runs all that was handed over.
    fn clear(pool: &Pool) -> usize {
        let jobs = std::iter::from_fn(|| pool.take_injected(None, false));
        // SAFETY: just taken out of a queue, and no other thread is there.
        jobs.map(|job| unsafe { pool.run(job, 0) }).count()
    }

    /// Pushes jobs that it takes back until `then` has seen that there are private ones.
    fn with_private_jobs(worker: Worker<'_>, then: impl FnOnce()) {
        let jobs: Vec<_> = (0..10).map(|n| StackJob::new(n, |n: usize| n)).collect();
        for job in &jobs {
            // SAFETY: they stay in place, and none is run.
            worker.push(unsafe { job.as_ref() }, Worth::Little);
        }
        assert!(worker.own().deque.has_private());
        then();
        while worker.pop() || worker.find_local(None).is_some() {}
        while worker.pool().take_injected(None, false).is_some() {}
    }

    /// While a job runs it is one deeper, under its own root, and in no loop.
    #[test]
    fn all_is_as_before_when_a_job_is_over() {
        at_desk(|_, worker| {
            let call = Root::isolated(1);
            let state = |worker: Worker<'_>| {
                let own = worker.own();
                (own.depth.get(), own.root.get(), own.driver.driving.get())
            };
            worker.own().driver.driving.set(true);
            let inside = || assert_eq!(state(Worker::current().unwrap()), (2, call, false));
            // SAFETY: it runs in this frame.
            unsafe { worker.execute(job(call, inside)) };
            assert_eq!(state(worker), (1, Root::NONE, true));
            worker.own().driver.driving.set(false);
        });
    }

    /// What was pushed before belongs to the root outside.
    #[test]
    fn a_root_is_entered_with_nothing_private_and_left_again() {
        at_desk(|_, worker| {
            with_private_jobs(worker, || {
                let inside = || {
                    assert!(!worker.own().deque.has_private());
                    assert_eq!(worker.own().root.get(), Root::isolated(1));
                };
                worker.under(Root::isolated(1), inside).unwrap();
                assert_eq!(worker.own().root.get(), Root::NONE);
            });
        });
    }

    /// A job that lies on top of a call of which it is no work holds no lock if neither the job nor the call may hold one.
    #[test]
    fn a_foreign_job_on_top_of_a_call_may_hold_a_lock_if_one_of_both_may() {
        at_desk(|_, worker| {
            let (call, handle) = (Root::isolated(1), Root::job(2));
            let (other_call, other_handle) = (Root::isolated(3), Root::job(4));
            let cases = [
                (call, Root::NONE, true),
                (call, other_call, true),
                (call, other_handle, true),
                (handle, other_call, true),
                (handle, Root::NONE, false),
                (handle, other_handle, false),
            ];
            for (bound, root, may) in cases {
                worker.own().root.set(bound);
                let inside = || {
                    let inner = Worker::current().unwrap().own().root.get();
                    assert!(inner.is_isolated() && ![bound, root].contains(&inner));
                    assert_eq!(inner.may_hold_a_lock(), may, "{root:?} on {bound:?}");
                };
                // SAFETY: it runs in this frame.
                unsafe { worker.execute(job(root, inside)) };
                worker.own().root.set(Root::NONE);
            }
        });
    }

    /// Between two jobs, a thread gives its right to one that wants it, and leaves what it has offered.
    #[test]
    fn threads_take_turns() {
        at_desk(|pool, worker| {
            let (had, desk) = (AtomicU64::new(0), pool.seats[1].own_desk());
            let turn = |takes_turn: &dyn Fn()| {
                thread::scope(|threads| {
                    threads.spawn(|| {
                        let number = pool.take_right(desk);
                        had.fetch_add(1, Ordering::Relaxed);
                        pool.put_down(number);
                    });
                    while !pool.sleepers.any_wanting() {
                        thread::yield_now();
                    }
                    worker.spawn(nothing());
                    // Inside an isolated call it may hold a lock.
                    worker.own().root.set(Root::isolated(1));
                    worker.take_turns();
                    worker.own().root.set(Root::NONE);
                    assert!(pool.sleepers.any_wanting() && !pool.has_brought());
                    takes_turn();
                    assert!(!pool.sleepers.any_wanting(), "it has had its turn");
                });
                assert!(worker.seat().is_some() && clear(pool) == 1);
            };
            turn(&|| worker.take_turns());
            turn(&|| worker.lend_right());
            assert_eq!(had.load(Ordering::Relaxed), 2);
        });
    }

    /// It may come often for its mail, and each time for a short time.
    #[test]
    fn a_thread_with_mail_is_the_next_to_get_a_right() {
        at_desk(|pool, worker| {
            let desk = pool.seats[1].own_desk();
            worker.own().root.set(Root::isolated(1));
            assert!(pool.seats[0].mail.push(nothing()));
            worker.own().let_go();
            // With no number to spare, it stays in line.
            let spare = pool.take_spare(&mut pool.sleepers.lock());
            let spare = spare.expect("it is there");
            pool.sleepers.lock().want(desk);
            thread::scope(|threads| {
                threads.spawn(|| {
                    while pool.sleepers.lock().counts()[2] < 2 {
                        thread::yield_now();
                    }
                    pool.put_down(0);
                    if desk.has_wake_up() {
                        // So that the other thread ends.
                        pool.put_down(0);
                    }
                });
                worker.take_right_again();
            });
            pool.put_down(spare);
            assert_eq!(worker.index(), 0);
            assert!(!desk.has_wake_up());
            pool.sleepers.lock().remove_wanting(desk);
            worker.own().root.set(Root::NONE);
            let job = pool.seats[0].mail.take().expect("no thread took it");
            // SAFETY: just taken out of a queue.
            unsafe { pool.run(job, 0) };
        });
    }

    /// A thread that comes out of an isolated call beside the holders of rights waits for one, if the wait around it is in no such call.
    #[test]
    fn a_wait_outside_of_isolated_calls_ends_with_a_right() {
        at_desk(|pool, worker| {
            let spare = pool.take_spare(&mut pool.sleepers.lock());
            worker.own().let_go();
            worker.hold(spare.expect("it is there"));
            thread::scope(|threads| {
                threads.spawn(|| {
                    while !pool.sleepers.any_wanting() {
                        thread::yield_now();
                    }
                    pool.put_down(0);
                });
                worker.wait_under(Root::isolated(1), || ());
                if worker.seat().is_none() {
                    // So that the other thread ends.
                    pool.sleepers.lock().want(pool.seats[1].own_desk());
                }
                assert!(worker.seat().is_some());
            });
        });
    }

    /// A number to spare is none to ask for: while no thread has it, it looks like a right that is held back. Of a pool of 16 the first one is 16.
    #[test]
    fn a_thread_asks_for_the_right_that_it_had_last() {
        for threads in [2, 16] {
            let pool = pool(threads);
            // SAFETY: the right is this thread's until it is put down, and the desk is for it alone.
            let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 1) };
            let (worker, desk) = (sitting.worker(), pool.seats[0].own_desk());
            worker.put_right_down();
            assert_eq!(desk.preferred(), Some(1));
            let spare = pool.take_spare(&mut pool.sleepers.lock());
            worker.hold(spare.expect("it is there"));
            worker.put_right_down();
            assert_eq!(desk.preferred(), Some(1));
            worker.hold(0);
            assert_eq!(desk.preferred(), Some(0));
        }
    }

    /// Until its seat shows its desk, a thread that does not work for all is taken for a worker, and its pool does not seem to be stuck.
    #[test]
    fn a_visitor_that_takes_another_number_has_a_caller_called() {
        for visits in [true, false] {
            let (stuck, sleeps, root) = (pool(2), pool(1), Root::isolated(1));
            (0..2).for_each(|number| stuck.rights.put(number));
            let number = stuck.try_take(None).expect("it is free");
            let (visit, _) = Visit::sit_down(&stuck, (&stuck.seats[number], number), None);
            let desk = sleeps.seats[0].own_desk();
            stuck.sleepers.lock().add_caller(root, desk);
            sleeps.lie_down(desk, Some(root), false);
            // SAFETY: it borrows nothing.
            stuck.brought.push(&[unsafe { job(root, || ()) }]);
            assert!(stuck.rights.take_this(1 - number));
            stuck.rights.put(number);
            match visits {
                true => visit.worker.hold(1 - number),
                false => {
                    // The seat shows the visitor until now.
                    stuck.seats[1 - number].sit_down(visit.worker.desk());
                    let worker = stuck.seats[0].own_desk();
                    // SAFETY: the right was just taken, and the desk is for this thread alone.
                    let sitting = unsafe { Worker::sit(worker, 1 - number) };
                    sitting.worker().hold(1 - number);
                }
            }
            assert_eq!(desk.has_wake_up(), visits);
            visit.worker.own().hold(1 - number);
            drop(visit);
            assert_eq!(clear(&stuck), 1);
            stuck.sleepers.lock().remove_caller(root, desk);
        }
    }

    /// Thieves look under one number after the other.
    #[test]
    fn a_thread_that_changes_its_number_leaves_what_it_has_offered() {
        at_desk(|pool, worker| {
            pool.rights.put(1);
            worker.spawn(nothing());
            worker.change_number_to(1);
            assert_eq!((worker.index(), pool.rights.is_free(0)), (1, true));
            assert_eq!(clear(pool), 1);
        });
    }

    #[test]
    fn a_job_that_is_overdue_or_comes_back_is_run_or_left_to_others() {
        at_desk(|pool, worker| {
            let count = &AtomicU64::new(0);
            // SAFETY: they run in this frame.
            let counts = |root| unsafe { job(root, || _ = count.fetch_add(1, Ordering::Relaxed)) };
            worker.own().depth.set(0);
            pool.inject(counts(Root::NONE));
            while pool.has_injected() {
                worker.run_overdue();
            }
            worker.own().depth.set(1);
            assert_eq!(count.load(Ordering::Relaxed), 1);
            worker.own().root.set(Root::isolated(1));
            worker.run_or_hand_back(counts(Root::isolated(1)));
            assert_eq!(count.load(Ordering::Relaxed), 2);
            worker.run_or_hand_back(counts(Root::NONE));
            worker.own().root.set(Root::NONE);
            assert_eq!((count.load(Ordering::Relaxed), clear(pool)), (2, 1));
        });
    }

    /// A child after `fork` takes no lock of its parent's pool: the threads that wanted a right are not there.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_takes_no_turns() {
        at_desk(|pool, worker| {
            let mut locked = pool.sleepers.lock();
            locked.want(pool.seats[1].own_desk());
            crate::core::global_pointer::assert_well_in_child(|| {
                worker.take_turns();
                worker.lend_right();
                worker.own().number() == Some(0)
            });
            drop(locked);
        });
    }

    /// What a job pushes first is for all to see, though older jobs lie there and no thief has asked: its thread may block for it. So it is in a call.
    #[test]
    fn a_job_begins_with_public_pushes() {
        at_desk(|_, worker| {
            with_private_jobs(worker, || {
                while worker.pop() {}
                let (thief, push) = (&worker.desk().thief, || {
                    let (worker, job) =
                        (Worker::current().unwrap(), StackJob::new(0, |n: usize| n));
                    let before = worker.desk().thief.len();
                    // SAFETY: it stays in place until it is back, and is not run.
                    worker.push(unsafe { job.as_ref() }, Worth::Little);
                    assert_eq!(worker.desk().thief.len(), before + 1);
                    assert!(!worker.pop() && worker.find_local(None).is_some());
                });
                assert!(!thief.is_empty() && !thief.is_asked());
                // SAFETY: it runs in this frame.
                unsafe { worker.execute(job(Root::NONE, push)) };
                assert!(!thief.is_empty());
                with_private_jobs(worker, || {
                    while worker.pop() {}
                    assert!(!thief.is_empty() && !thief.is_asked());
                    worker.under(Root::NONE, push).unwrap();
                });
            });
        });
    }
}

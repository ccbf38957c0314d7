//! Where a thread looks for a job: in its own queue, in those of the others, in what came from outside, and in its mail.

use super::event::{Kind, OUTSIDE};
use super::job::JobRef;
use super::policy;
use super::root::Root;
use super::seat::Seat;
use super::sorted_map::SortedMap;
use super::worker::Worker;
use crate::sync::planted;
use std::{iter, ptr};

impl Worker<'_> {
    /// Takes a job that this thread may run now.
    pub(crate) fn find(self, bound: Option<Root>, thief: Option<usize>) -> Option<JobRef> {
        self.find_overdue(bound)
            .or_else(|| self.find_local(bound))
            .or_else(|| thief.and_then(|at| self.steal_from(at, bound)))
            .or_else(|| self.steal_from_any(bound))
            .or_else(|| self.take_injected(bound))
    }

    /// Takes a job from this thread's own queues.
    pub(crate) fn find_local(self, bound: Option<Root>) -> Option<JobRef> {
        let newest = match self.own().deque.pop_public(&self.desk().thief) {
            Some(job) if !fits(job, bound) => self.pop_fitting(job, bound),
            newest => newest,
        };
        // Bound or not: a broadcast needs every number. If bound threads left mail alone, two calls that wait for each other's shares would wait for ever.
        newest.or_else(|| self.take_mail())
    }

    /// Takes the newest job of this thread's own queue that it may run. The jobs above it, `top` among them, are handed over to the other threads, all at once:
    /// there may be any number.
    #[cold]
    fn pop_fitting(self, top: JobRef, bound: Option<Root>) -> Option<JobRef> {
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

    /// Puts jobs of this pool where any thread may take them.
    pub(super) fn hand_over(self, jobs: &[JobRef]) {
        let mut roots = SortedMap::new();
        for job in jobs {
            // SAFETY: jobs in a queue are public and alive, and these were in one and will be.
            let tag = unsafe { job.tag() };
            tag.mark_handed_back();
            roots.entry(tag.root, || ());
            self.desk().counters.handed_back.bump();
            self.desk().probe.note(Kind::Handed, || job.address());
        }
        let pool = self.pool();
        pool.brought.push(jobs);
        if !planted!("back") {
            roots.keys().for_each(|root| pool.notify(root));
        }
        // This thread may go on and block for these jobs, and perhaps only threads of other pools may run them. Those see what was brought, and no queue.
        if !pool.is_orphan() {
            pool.fence_and_call_callers();
        }
    }

    /// Now and then, takes mail or a job from outside before all else. They are otherwise found last, and of the jobs before them there may be no end.
    pub(crate) fn find_overdue(self, bound: Option<Root>) -> Option<JobRef> {
        let looks = &self.own().looks;
        looks.set(looks.get().wrapping_add(1));
        let interval = policy::overdue_interval(self.depth());
        if !looks.get().is_multiple_of(interval) {
            return None;
        }
        self.take_mail_or_injected(bound)
    }

    /// Takes a job that came from outside this pool or was handed over, or mail.
    pub(super) fn take_mail_or_injected(self, bound: Option<Root>) -> Option<JobRef> {
        self.take_mail().or_else(|| self.take_injected(bound))
    }

    /// Takes mail for this thread. A worker that works under another number takes its own number first, if it can: so each share of a broadcast is run by the
    /// worker of its number, and none runs two.
    pub(super) fn take_mail(self) -> Option<JobRef> {
        if self.seat().is_none() {
            self.exchange_for_a_right();
        }
        // Beside the holders of rights no thread reads mail.
        let seat = self.seat()?;
        if let Some(worker_number) = self.desk().worker_number()
            && worker_number != self.index()
            && !planted!("elsewhere")
            && !self.settle_number_for_mail(worker_number, seat)
        {
            return None;
        }
        self.seat()?.mail.take()
    }

    /// This worker works under another number than its own, `worker_number`. If there is mail for one of the two, it exchanges its right for its own number, if no
    /// thread has that. False: there is no mail, or this worker must leave the mail for its present number to the worker of that number. The latter is so if there
    /// is mail for its own number as well, which it has to read later.
    fn settle_number_for_mail(self, worker_number: usize, here: &Seat) -> bool {
        let own = &self.pool().seats[worker_number];
        if own.mail.is_empty() && here.mail.is_empty() {
            // No mail now. Mail that comes after this look may be for both numbers, so this look must not lead to taking it.
            return planted!("both");
        }
        if self.pool().is_orphan() {
            // A child after `fork`: what follows locks the lists, and they may be locked for ever.
            return false;
        }
        self.change_number_to(worker_number);
        if self.index() == worker_number {
            return true;
        }
        // A broadcast sends all its mail with the lists locked. So, with them locked, no number has its share without the other having its own.
        let _locked = self.pool().sleepers.lock();
        own.mail.is_empty() || self.is_in_circle(worker_number)
    }

    /// Whether the workers have exchanged numbers in a circle: another worker has this one's `worker_number`, a third one has that worker's, and so on, up to the worker
    /// whose number this thread has. In a circle none gets its own number before the others leave. So each reads the mail of the number that it has, and runs one share.
    fn is_in_circle(self, worker_number: usize) -> bool {
        let pool = self.pool();
        let holder = |number: usize| {
            let desk = pool.seats[number].at_work();
            desk.worker_number().filter(|_| !pool.is_unused(number))
        };
        let chain = iter::successors(holder(worker_number), |&next| holder(next));
        chain
            .take(pool.seats.len())
            .any(|next| next == self.index())
    }

    /// The numbers under which threads work, from a random one on; this thread's number is among them, if it has one. Other numbers need no look: a thread without a
    /// right has nothing in its queue.
    pub(super) fn numbers_in_use(self) -> impl Iterator<Item = usize> {
        let pool = self.pool();
        let first = policy::first_victim(pool.seats.len(), self.random());
        let visits = &self.desk().counters.visits;
        pool.rights.in_use(first).inspect(|_| visits.bump())
    }

    /// Takes a job from any thread that has some to give.
    fn steal_from_any(self, bound: Option<Root>) -> Option<JobRef> {
        self.desk().counters.looks.bump();
        self.numbers_in_use()
            .find_map(|at| self.steal_from(at, bound))
    }

    /// This thread has found work, or was the last searcher. Wakes others if there is more work than the searchers that are left will find: first those bound to `root`.
    pub(super) fn call_others(self, root: Root) {
        let pool = self.pool();
        let counts = pool.idle.counts();
        if counts.asleep() == 0 && !pool.sleepers.any_bound() || !pool.has_right_for_one() {
            return;
        }
        let searching = counts.searching() as usize;
        let others = self.numbers_in_use().take(policy::loot_visits(searching));
        let loot = pool.loot(policy::most_loot(searching), others);
        for _ in 0..policy::wakes(loot, searching) {
            if !pool.wake_one(root) {
                return;
            }
        }
    }

    /// Takes a job from the thread that holds right `number`, or asks it for one.
    pub(super) fn steal_from(self, number: usize, bound: Option<Root>) -> Option<JobRef> {
        let victim = self.pool().at_work(number);
        if ptr::eq(victim, self.desk()) {
            return None;
        }
        if !victim.thief.is_empty() {
            let backoff = &self.own().backoff;
            backoff.before_steal(number, &victim.thief);
            self.desk().counters.steals.bump();
            let stolen = victim.thief.steal();
            backoff.after_steal(number, &victim.thief);
            if let Some(job) = stolen {
                let from = (number as u64).min(OUTSIDE - 1);
                self.desk()
                    .probe
                    .note(Kind::Take, || job.address() | from << 48);
            }
            match stolen {
                Some(job) if fits(job, bound) => return Some(job),
                // A bound waiter must not run it.
                Some(job) => self.hand_over(&[job]),
                None => self.desk().counters.failed_steals.bump(),
            }
        } else if self.pool().rights.is_in_use(number) {
            victim.thief.ask();
        }
        None
    }

    fn take_injected(self, bound: Option<Root>) -> Option<JobRef> {
        let brought_first = self.own().brought_first.get();
        if bound.is_none() {
            self.own().brought_first.set(!brought_first);
        }
        let job = self.pool().take_injected(bound, brought_first)?;
        Some(self.note_taken_from_outside(job))
    }

    pub(super) fn note_taken_from_outside(self, job: JobRef) -> JobRef {
        let event = || job.address() | OUTSIDE << 48;
        self.desk().probe.note(Kind::Take, event);
        job
    }
}

/// Whether a waiter bound to `bound` may run `job`.
pub(super) fn fits(job: JobRef, bound: Option<Root>) -> bool {
    // SAFETY: a job in a queue is public and alive.
    bound.is_none_or(|root| unsafe { job.tag() }.root.is_within(root))
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    #[cfg(all(unix, not(miri)))]
    use crate::core::global_pointer::assert_well_in_child;
    use crate::core::job::{HeapJob, JobRef};
    use crate::core::policy;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::visit::Visit;
    use crate::core::worker::Worker;
    use crate::sync::Arc;

    /// A pool of two. Does `work` as worker 0; the other right is free.
    fn at_desk(work: impl FnOnce(&Pool, Worker<'_>)) {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        pool.rights.put(1);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        work(&pool, sitting.worker());
    }

    fn job(root: Root) -> JobRef {
        // SAFETY: it borrows nothing.
        unsafe { HeapJob::boxed(root, || ()) }
    }

    /// Runs all that came from outside or was handed over.
    fn clear(pool: &Pool) -> usize {
        let jobs = std::iter::from_fn(|| pool.take_injected(None, false));
        // SAFETY: just taken out of a queue, and no other thread is there.
        jobs.map(|job| unsafe { pool.run(job, 0) }).count()
    }

    /// It finds the newest job of its call. Those above it are left to the other threads, and those below it stay.
    #[test]
    fn a_bound_thread_takes_its_own_jobs_and_hands_over_the_others() {
        at_desk(|pool, worker| {
            let (call, other) = (Root::isolated(1), Root::isolated(2));
            let jobs = [call, call, other, other].map(job);
            let push = |&job: &JobRef| worker.own().deque.push_public(job, &worker.desk().thief);
            jobs.iter().for_each(push);
            assert_eq!(worker.find_local(Some(call)), Some(jobs[1]));
            assert_eq!(pool.brought.len(), 2);
            assert_eq!(worker.find_local(Some(other)), None);
            assert!(pool.brought.len() == 3 && worker.own().deque.is_empty());
            // SAFETY: just taken out of a queue.
            unsafe { pool.run(jobs[1], 0) };
            assert_eq!(clear(pool), 3);
        });
    }

    /// A thread that steals takes what it may run, and leaves the rest to others.
    #[test]
    fn a_thief_hands_over_what_it_may_not_run() {
        at_desk(|pool, worker| {
            let (call, other) = (Root::isolated(1), Root::isolated(2));
            let jobs = [call, other].map(job);
            let victim = pool.seats[1].own_desk();
            assert!(pool.rights.take_this(1));
            let push = |&job: &JobRef| victim.own.deque.push_public(job, &victim.thief);
            jobs.iter().for_each(push);
            assert_eq!(worker.steal_from(1, Some(call)), Some(jobs[0]));
            assert!(!pool.has_brought());
            assert_eq!(worker.steal_from(1, Some(call)), None);
            assert_eq!(clear(pool), 1);
            // SAFETY: just taken out of a queue.
            unsafe { pool.run(jobs[0], 0) };
            pool.rights.put(1);
        });
    }

    /// A sleeper comes for what is handed over. So does a thread of another pool, if no thread of this one will run it.
    #[test]
    fn what_is_handed_over_has_a_thread_called() {
        at_desk(|pool, worker| {
            let desk = pool.seats[1].own_desk();
            pool.lie_down(desk, None, false);
            worker.hand_over(&[job(Root::NONE)]);
            assert!(desk.has_wake_up());
            assert_eq!(clear(pool), 1);
        });
        with_a_caller(|stuck, visit, is_called| {
            assert!(!is_called());
            visit.worker.hand_over(&[job(Root::isolated(1))]);
            assert!(is_called());
            assert_eq!(clear(stuck), 1);
        });
    }

    /// A pool of two threads, which are not there. A thread from outside takes part in it, and one of another pool waits for work of a call.
    fn with_a_caller(then: impl FnOnce(&Pool, Visit<'_>, &dyn Fn() -> bool)) {
        let [stuck, sleeps] = [2, 1].map(|threads| -> Arc<Pool> {
            Pool::new(threads, 0, Handlers::default(), true, false)
        });
        (0..2).for_each(|number| stuck.rights.put(number));
        let (root, desk) = (Root::isolated(1), sleeps.seats[0].own_desk());
        stuck.sleepers.lock().add_caller(root, desk);
        sleeps.lie_down(desk, Some(root), false);
        let number = stuck.try_take(None).expect("it is free");
        let (visit, _) = Visit::sit_down(&stuck, (&stuck.seats[number], number), None);
        then(&stuck, visit, &|| desk.has_wake_up());
        stuck.sleepers.lock().remove_caller(root, desk);
    }

    /// A child after `fork` that goes on in a call of a pool of its parent's takes no lock of that pool.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_that_hands_jobs_over_locks_no_lists() {
        with_a_caller(|stuck, visit, is_called| {
            let locked = stuck.sleepers.lock();
            crate::core::global_pointer::assert_well_in_child(|| {
                visit.worker.hand_over(&[job(Root::isolated(1))]);
                true
            });
            drop(locked);
            assert!(!is_called());
        });
    }

    /// One look in so many begins with what is otherwise found last, and the two kinds of it take turns: there may be no end of either.
    #[test]
    fn what_is_found_last_comes_first_now_and_then() {
        for (depth, bound_between) in [(0, false), (1, false), (2, false), (0, true), (1, true)] {
            at_desk(|pool, worker| {
                let interval = policy::overdue_interval(depth);
                worker.own().depth.set(depth);
                let roots = [Root::NONE, Root::new(0, 1)];
                (0..3).for_each(|_| roots.iter().for_each(|&root| pool.inject(job(root))));
                let mut found = Vec::new();
                for look in 1..=6 * interval {
                    let job = worker.find_overdue(None);
                    assert_eq!(job.is_some(), look % interval == 0, "look {look}");
                    if let Some(job) = job {
                        // SAFETY: it is public and alive.
                        found.push(unsafe { job.tag() }.root == Root::NONE);
                        // SAFETY: just taken out of a queue.
                        unsafe { pool.run(job, 0) };
                        // A look for the work of one call only is no turn.
                        let call = Some(Root::isolated(1)).filter(|_| bound_between);
                        assert!(call.is_none_or(|_| worker.take_injected(call).is_none()));
                    }
                }
                let in_turn = [false, true, false, true, false, true];
                assert_eq!(found, in_turn, "{depth} {bound_between}");
            });
        }
    }

    /// A worker works under another number than its own, for which there is mail. In a child after `fork` it leaves the mail, for which it would lock the lists.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_leaves_mail_for_another_number_without_a_lock() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 1) };
        let worker = sitting.worker();
        worker.hold(1);
        let mails = [0, 1].map(|number| &pool.seats[number].mail);
        assert!(mails.iter().all(|mail| mail.push(job(Root::NONE))));
        for is_free in [false, true] {
            if is_free {
                pool.rights.put(0);
            }
            let locked = pool.sleepers.lock();
            assert_well_in_child(|| worker.take_mail().is_none());
            drop(locked);
        }
        // Here it takes it.
        let own = worker.take_mail().expect("there is mail");
        assert_eq!(worker.index(), 0);
        for job in mails[1].take().into_iter().chain([own]) {
            // SAFETY: just taken out of a queue.
            unsafe { pool.run(job, 0) };
        }
    }

    /// A thread that has found work visits a few others at most, however many work, if others look for work; else only until it knows how many to wake.
    #[test]
    fn a_finder_visits_few() {
        for threads in [16, 64, 1000] {
            for loot in [0, 1, 5, threads - 1] {
                let pool = Pool::new(threads, 0, Handlers::default(), true, false);
                for seat in &pool.seats[..loot] {
                    // SAFETY: it borrows nothing.
                    let job = unsafe { HeapJob::boxed(Root::NONE, || ()) };
                    seat.own_desk()
                        .own
                        .deque
                        .push_public(job, &seat.own_desk().thief);
                }
                // A thread sleeps, so far as is counted, and there is a right for it. The finder has the right before that.
                pool.rights.put(threads - 1);
                pool.idle.start_sleep();
                // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
                let sitting =
                    unsafe { Worker::sit(pool.seats[threads - 2].own_desk(), threads - 2) };
                let finder = sitting.worker();
                for searching in 0..10 {
                    let visits = || finder.desk().counters.read().visits;
                    let before = visits();
                    finder.call_others(Root::NONE);
                    let visited = visits() - before;
                    let at_work = threads as u64 - 1;
                    match (searching, loot) {
                        (0, 0 | 1) => assert_eq!(visited, at_work),
                        (0, _) => assert!((2..=at_work).contains(&visited)),
                        _ => assert!(visited <= 4 * (searching + 2), "{visited} of {threads}"),
                    }
                    pool.idle.start_search();
                }
                drop(sitting);
                while let Some(job) = pool
                    .seats
                    .iter()
                    .find_map(|seat| seat.at_work().thief.steal())
                {
                    // SAFETY: just taken out of a queue.
                    assert!(unsafe { job.run(0, &pool.handlers.follow) }.is_none());
                }
            }
        }
    }
}

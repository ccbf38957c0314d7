//! Waiting: what a thread at a desk does until a latch is set.

use super::desk::WakeUp;
use super::event::Kind;
use super::job::JobRef;
use super::latch::Latch;
use super::patient::Until;
use super::policy::Next;
use super::pool::Pool;
use super::root::Root;
use super::stand_in::Roots;
use super::worker::Worker;
use crate::sync::planted;
use std::mem;
use std::time::Duration;

/// How often the patience doubles at most, to 6.5 s. It doubles with every two jobs more on the stack.
const DOUBLINGS: usize = 16;

/// The same for a scope, to 3 ms. A patient thread looks only in its own queue, and a job of the scope may lie in another one, from which no other thread takes it.
const SCOPE_DOUBLINGS: usize = 5;

impl Worker<'_> {
    /// Helps until `latch` is set. Where many jobs are on the stack, it first runs only what is in its own queue for [some time](Self::patience).
    pub(crate) fn wait(self, latch: &Latch) {
        let bound = self.bound();
        let until = Until::new(latch, bound);
        // In a pool without a second thread, no other thread could use the time.
        let patience = match self.pool().crew.threads() {
            0 | 1 => Duration::ZERO,
            _ => self.patience(SCOPE_DOUBLINGS),
        };
        let first = self.wait_patiently(patience, &until, true, &|| self.find_local(bound));
        if first.is_none() {
            self.wait_with(&until, &|| self.find(bound, None));
        }
    }

    /// Helps until `latch` is set. Then the thread leaves the pool and needs no right, so it may hold none when this returns.
    pub(crate) fn wait_and_leave(self, latch: &Latch) {
        let bound = self.bound();
        let find = || self.find(bound, None);
        let until = Until {
            // In a pool without threads this thread still needs its right: it has to run the jobs that are left, because no other thread will.
            leaves: !self.pool().crew.is_callers(),
            ..Until::new(latch, bound)
        };
        self.wait_with(&until, &find);
    }

    /// Helps until `latch` is set by another pool, `pool`. Where many jobs are on the stack, it first gives that pool [some time](Self::patience). `also` is the
    /// root of the awaited work in that pool, if it has one. This thread runs work of that root as well: in its own pool, and in `pool` if `pool` leaves it to this thread.
    pub(crate) fn wait_for_pool(self, latch: &Latch, pool: &Pool, also: Option<Root>) {
        let bound = self.bound();
        let until = Until {
            also,
            ..Until::new(latch, bound)
        };
        let patience = self.patience(DOUBLINGS);
        // Work of `also` comes first, because there may be no end of other work. A thread that may run everything finds both with one look.
        let first = also.filter(|_| bound.is_some());
        let both = |look: &dyn Fn(Option<Root>) -> Option<JobRef>| {
            let found = first.and_then(|root| look(Some(root)));
            found.or_else(|| look(bound))
        };
        let find = || both(&|bound| self.take_mail_or_injected(bound));
        self.while_waiting_for(pool, also.or(bound), || {
            let first = self.wait_patiently(patience, &until, false, &find);
            if first.is_none() {
                self.wait_with(&until, &|| both(&|bound| self.find(bound, None)));
            }
        });
    }

    /// Helps until `job` is done, which this thread offered and a thief took. `thief` gives the number under which the thief runs it: this thread steals from there
    /// first. Where many jobs are on the stack, it steals from nowhere else for [some time](Self::patience). True: a thread handed the job back unrun.
    pub(crate) fn wait_for_taken(
        self,
        job: JobRef,
        latch: &Latch,
        thief: &dyn Fn() -> Option<usize>,
    ) -> bool {
        let bound = self.bound();
        // Looked for before all else. If `find` took the job and it ran on top of this wait, it would fork and be handed back again, until the stack is full.
        let returned = || {
            // SAFETY: the job was promoted, so it has a tag, and it is ours, so it stays until this wait is over.
            let is_handed_back = unsafe { job.tag() }.is_handed_back();
            (is_handed_back && self.pool().brought.take_back(job)).then_some(job)
        };
        let until = Until {
            job: Some(job),
            ..Until::new(latch, bound)
        };
        // Jobs in the thief's queue descend from `job`, so there is an end of them.
        let a_part = || returned().or_else(|| thief().and_then(|at| self.steal_from(at, bound)));
        let all = || returned().or_else(|| self.find(bound, thief()));
        self.wait_patiently(self.patience(DOUBLINGS), &until, true, &a_part)
            .unwrap_or_else(|| self.wait_with(&until, &all))
    }

    /// Runs what `find` finds until the latch is set. True: `find` found `until.job`, which ends the wait unrun.
    fn wait_with(self, until: &Until<'_>, find: &dyn Fn() -> Option<JobRef>) -> bool {
        let (latch, bound) = (until.latch, until.bound);
        if latch.probe() {
            return false;
        }
        let awaited = || until.job.map_or(0, JobRef::address);
        self.desk().probe.note(Kind::Wait, awaited);
        self.publish_all();
        let mut looks = 0;
        let mut hungry = self.idle().count_hungry(bound);
        // This thread was woken to look for work, and counts as a searcher until it has looked.
        let mut woken = false;
        let mut found = None;
        while found.is_some() || !latch.probe() {
            let job = found.take().or_else(find);
            if mem::take(&mut woken) {
                // This thread found nothing, so there is nothing for other threads bound to the same roots. Waking one would make them wake each other for ever.
                let roots = match job {
                    Some(_) => until.roots(),
                    None => [None; 2],
                };
                self.end_search(roots, job.is_some());
            }
            hungry.set(job.is_none());
            self.desk().probe.search(job.is_none());
            if let Some(job) = job {
                if Some(job) == until.job && !planted!("kept") {
                    self.desk().probe.note(Kind::Waited, awaited);
                    return true;
                }
                // SAFETY: just taken out of a queue.
                unsafe { self.execute(job) };
                looks = 0;
                continue;
            }
            let (left, mail) = (self.is_left_to_us(until.roots()), self.has_mail_below());
            if left || mail {
                hungry.set(false);
                self.desk().probe.search(false);
                if left && self.stand_in_for(until.roots()) || mail && self.read_mail_below() {
                    looks = 0;
                    continue;
                }
            }
            // A thread that has nothing to do leaves its right to a thread that wants one.
            let next = match self.pool().sleepers.any_wanting() {
                true => Next::Sleep,
                false => self.after_look(looks, true),
            };
            match next {
                Next::Sleep => {
                    hungry.set(false);
                    (woken, found) = self.sleep_in_wait(until, find);
                    looks = 0;
                    let busy = woken || found.is_some() || latch.probe();
                    if busy || !self.stand_in_for(until.roots()) {
                        self.pass_call_on();
                    }
                }
                _ => looks += 1,
            }
        }
        self.desk().probe.search(false);
        self.desk().probe.note(Kind::Waited, awaited);
        if woken {
            self.end_search(until.roots(), false);
        }
        false
    }

    /// Ends a search that a waker relies on; `found` says whether this thread found a job. If it was the last searcher, it passes the wake-up on, because it may be
    /// unable to run what there is, or its wait may be over. A thread bound to one of `roots`, as this one is, is woken first.
    fn end_search(self, roots: Roots, found: bool) {
        let last = self.idle().end_search();
        if !self.works_for_all() && !planted!("looks") {
            // While this thread was counted as a searcher, `is_stuck` said no. So threads of other pools may have to be called now.
            self.pool().fence_and_call_callers();
        }
        if (last || found) && !planted!("wake") {
            let [bound, also] = roots;
            self.call_others(bound.unwrap_or(Root::NONE));
            if let Some(root) = also {
                self.call_others(root);
            }
        }
    }

    /// Sleeps inside a wait until the latch is set or help is wanted. True: help is wanted, and the caller owes [`Worker::end_search`].
    /// The job that the last look before the sleep found comes back as well: the caller runs it.
    ///
    /// While this thread sleeps, it holds no right, so another thread may run.
    fn sleep_in_wait(
        self,
        until: &Until<'_>,
        find: &dyn Fn() -> Option<JobRef>,
    ) -> (bool, Option<JobRef>) {
        let (pool, latch) = (self.pool(), until.latch);
        if !latch.doze() {
            return (false, None);
        }
        pool.lie_down(self.desk(), until.bound, until.leaves);
        if let Some(root) = until.also {
            pool.sleepers.lock().bind_also(self.desk(), root);
        }
        self.idle().settle();
        // The last look takes a job, and does not only see one: a bound waiter sees from outside that a queue has jobs, but not whether it may run them. The latch
        // is probed as well, because the thread that sets it wakes this one only if it is already on the list.
        let set = !planted!("lain") && latch.probe();
        let found = if set || planted!("register") {
            None
        } else {
            find()
        };
        let left = || self.is_left_to_us(until.roots()) || self.has_mail_below();
        let wake_up = if set || found.is_some() || left() {
            pool.get_up(self.desk())
        } else {
            self.desk().counters.parks.bump();
            self.desk().probe.sleep();
            self.put_down_to_sleep();
            let wake_up = self.desk().wait_for_wake_up();
            self.desk().probe.get_up();
            Some(wake_up)
        };
        latch.rise();
        let (woken, number) = match wake_up {
            None => (false, None),
            Some(WakeUp::Help(number)) => (true, number),
            Some(WakeUp::GoOn(number)) => (false, number),
        };
        if let Some(number) = number {
            // Only a thread whose own right was let go, with the lists locked, is given one.
            debug_assert!(self.own().number().is_none());
            self.hold(number);
        }
        if self.own().number().is_none() && !latch.probe() {
            // A thread that set the latch of an earlier wait at this desk has called this one late, for nothing. The wait goes on, and needs a right.
            self.hold(pool.take_right(self.desk()));
        }
        if !woken && until.bound.is_none() && !self.works_for_all() && !planted!("around") {
            // While this thread was counted as a sleeper, `is_stuck` said no. So threads of other pools may have to be called now.
            pool.fence_and_call_callers();
        }
        (woken, found)
    }

    /// Puts the right down before a sleep inside a wait, if no thread has called this one yet.
    fn put_down_to_sleep(self) {
        if planted!("down") {
            return;
        }
        debug_assert!(self.own().deque.is_empty());
        self.pool().put_down_to_sleep(self.desk());
        // This worker may have worked under another number, and there may be mail for its own number.
        if let Some(worker_number) = self.desk().worker_number()
            && !self.pool().seats[worker_number].mail.is_empty()
        {
            self.pool().call_for_mail(worker_number);
        }
    }

    /// Runs `nap`, in which this thread sleeps for a while and waits for other threads. It holds no right meanwhile, so another thread may run. If no thread of this
    /// pool runs, a thread of another pool that waits for this one sees that this pool is [stuck](Pool::is_stuck).
    pub(crate) fn nap<R>(self, nap: impl FnOnce() -> R) -> R {
        if self.pool().is_orphan() {
            // A child after `fork`: no other thread is there.
            return nap();
        }
        self.publish_all();
        self.clear_desk();
        self.put_right_down();
        let result = nap();
        self.hold(self.pool().take_right(self.desk()));
        result
    }

    /// Runs one job that this thread may run while it waits, if there is one.
    pub(crate) fn help(self) -> bool {
        self.publish_all();
        // Also inside an isolated call: perhaps the thread that this one waits for needs the right.
        self.lend_right();
        let job = self.find(self.bound(), None);
        // SAFETY: just taken out of a queue.
        job.map(|job| unsafe { self.execute(job) }).is_some()
    }

    /// Runs one job, if there is one that this thread may run; `local` looks at its own queues only.
    pub(crate) fn run_one(self, local: bool) -> bool {
        // A thread that yields asks for any job; only isolation still counts.
        let bound = Some(self.own().root.get()).filter(|root| root.may_hold_a_lock());
        self.publish_all();
        if !local {
            self.take_turns();
        }
        let job = match local {
            true => self.find_local(bound),
            false => self.find(bound, None),
        };
        match job {
            // SAFETY: just taken out of a queue.
            Some(job) => unsafe { self.execute(job) },
            // To stand in for another pool, this thread would put its right down. Its next holder may wait for a lock that this thread holds.
            None if local || bound.is_some() => return false,
            None => return self.do_what_is_left([self.bound(), None]),
        }
        true
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::clock::mock;
    use crate::core::job::{HeapJob, JobRef};
    use crate::core::join::join;
    use crate::core::latch::Latch;
    use crate::core::patient::Until;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::start::with_what_there_is;
    use crate::core::thread_pool::ThreadPool;
    use crate::core::worker::Worker;
    use crate::sync::Arc;
    use std::cell::Cell;
    use std::ptr;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    fn pools<const N: usize>() -> [Arc<Pool>; N] {
        [(); N].map(|()| Pool::new(1, 0, Handlers::default(), true, false))
    }

    fn job(root: Root, body: impl FnOnce() + Send + 'static) -> JobRef {
        // SAFETY: it borrows nothing.
        unsafe { HeapJob::boxed(root, body) }
    }

    /// A job that counts.
    fn counting(root: Root, count: &Arc<AtomicU64>) -> JobRef {
        let count = Arc::clone(count);
        job(root, move || {
            count.fetch_add(1, Ordering::SeqCst);
        })
    }

    /// Does `work` as worker 0.
    fn at_desk<R>(pool: &Pool, work: impl FnOnce(Worker<'_>) -> R) -> R {
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].worker(), 0) };
        work(sitting.worker())
    }

    /// Sets the latch for which worker 0 waits.
    fn set(latch: &Latch, pool: &Pool) {
        // SAFETY: the frame of the latch is below this one.
        if unsafe { Latch::set(latch) } {
            pool.end_wait(pool.seats[0].worker());
        }
    }

    /// Waits with looks of `find`, as on a machine where no other thread wants the processor.
    fn wait_with(worker: Worker<'_>, latch: &Latch, find: &dyn Fn() -> Option<JobRef>) {
        mock::with(500, || worker.wait_with(&Until::new(latch, None), find));
    }

    /// How often worker 0 looks for a job in `wait`, which ends when it has put its right down.
    fn looks_in_wait(pool: &Pool, wait: impl Fn(Worker<'_>, &Latch) + Sync) -> u64 {
        asleep_in_wait(pool, wait, || ());
        pool.seats[0].worker().counters.read().looks
    }

    /// What `asleep` sees when worker 0 has put its right down in `wait`, which ends then.
    fn asleep_in_wait<R>(
        pool: &Pool,
        wait: impl Fn(Worker<'_>, &Latch) + Sync,
        asleep: impl FnOnce() -> R,
    ) -> R {
        let (latch, desk) = (Latch::new(), pool.seats[0].worker());
        thread::scope(|threads| {
            let waits = threads.spawn(|| {
                // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
                let sitting = unsafe { Worker::sit(desk, 0) };
                wait(sitting.worker(), &latch);
            });
            while pool.rights.free() == 0 && !waits.is_finished() {
                thread::yield_now();
            }
            let seen = asleep();
            // SAFETY: the frame of the latch is below this one.
            if unsafe { Latch::set(&latch) } {
                pool.end_wait(desk);
            }
            seen
        })
    }

    /// Does `left` as worker 0, while `right` is on offer, which no other thread has asked for. So are three more, but the first ones are public at once.
    fn offer(pool: &Pool, left: impl FnOnce() + Send, right: impl FnOnce() + Send) {
        let left = || {
            assert!(Worker::current().unwrap().own().deque.has_private());
            left();
        };
        let more = || join(|| join(left, right), || ());
        at_desk(pool, |_| join(|| join(more, || ()), || ()));
    }

    /// What a thread offers is seen by others, and by the thread itself, while it helps, yields, waits or naps.
    #[test]
    fn a_thread_that_does_something_else_shows_its_offers() {
        let [pool] = pools();
        let helps: [fn(Worker<'_>) -> bool; 3] = [
            |worker| worker.help(),
            |worker| worker.run_one(true),
            |worker| worker.run_one(false),
        ];
        for helps in helps {
            let ran = AtomicBool::new(false);
            let left = || {
                let worker = Worker::current().unwrap();
                assert!(helps(worker) && ran.load(Ordering::SeqCst));
                let others = (0..).take_while(|_| helps(worker)).count();
                assert_eq!(others, 3);
            };
            offer(&pool, left, || ran.store(true, Ordering::SeqCst));
        }
        let latch = Latch::new();
        let wait = || Worker::current().unwrap().wait(&latch);
        offer(&pool, wait, || set(&latch, &pool));
        let nap = || {
            let worker = Worker::current().unwrap();
            worker.nap(|| {
                assert_eq!(pool.rights.free(), 1);
                assert!(pool.has_brought(), "another thread may take it");
            });
            assert_eq!(worker.own().number(), Some(0));
        };
        offer(&pool, nap, || ());
    }

    /// A thread that helps or yields first lets another one run that wants a right.
    #[test]
    fn a_thread_that_helps_gives_its_turn() {
        let helps: [fn(Worker<'_>) -> bool; 2] =
            [|worker| worker.help(), |worker| worker.run_one(false)];
        for helps in helps {
            let pool = Pool::new(2, 0, Handlers::default(), true, false);
            let ran = AtomicBool::new(false);
            thread::scope(|threads| {
                threads.spawn(|| {
                    let number = pool.take_right(pool.seats[1].worker());
                    ran.store(true, Ordering::SeqCst);
                    pool.put_down(number);
                });
                at_desk(&pool, |worker| {
                    // Inside a job.
                    worker.own().depth.set(1);
                    while !pool.sleepers.any_wanting() {
                        thread::yield_now();
                    }
                    helps(worker);
                    let first = ran.load(Ordering::SeqCst);
                    worker.put_right_down();
                    worker.own().depth.set(0);
                    assert!(first);
                });
            });
        }
    }

    /// In a nap no thread needs what only this one could do, and the thread puts its own right down. In a child process it takes no lock for that.
    #[test]
    #[cfg(all(unix, not(miri)))]
    fn a_child_naps_without_a_lock() {
        crate::core::global_pointer::watch_forks();
        let ([pool], count) = (pools(), Arc::new(AtomicU64::new(0)));
        // A thread that puts a right down has to look for a sleeper, for which it locks the lists.
        pool.inject(counting(Root::NONE, &count));
        assert!(!pool.note_miss());
        at_desk(&pool, |worker| {
            let locked = pool.sleepers.lock();
            // SAFETY: the child is this one thread, and ends with `_exit`.
            let child = unsafe { libc::fork() };
            if child == 0 {
                // If it is stuck, the alarm ends it.
                // SAFETY: neither has preconditions.
                unsafe { libc::alarm(20) };
                worker.nap(|| ());
                unsafe { libc::_exit(0) };
            }
            drop(locked);
            let mut status = -1;
            // SAFETY: `status` is ours.
            let ended = unsafe { libc::waitpid(child, &mut status, 0) };
            assert_eq!((ended, status), (child, 0), "how the child ended");
            assert!(worker.run_one(false));
        });
    }

    /// Does `work` as worker 0 of a pool, for which worker 0 of another pool has left its desk there. Gives what its mail in the other pool has counted.
    fn with_mail_below(work: impl Fn(Worker<'_>, &AtomicU64)) -> u64 {
        let ([pool, other], count) = (pools(), Arc::new(AtomicU64::new(0)));
        at_desk(&other, |below| {
            below.put_right_down();
            assert!(other.seats[0].mail.push(counting(Root::NONE, &count)));
            at_desk(&pool, |worker| {
                worker.own().below.set(below.desk());
                work(worker, &count);
                worker.own().below.set(ptr::null());
            });
        });
        let read = count.load(Ordering::SeqCst);
        if let Some(job) = other.seats[0].mail.take() {
            // SAFETY: just taken out of a queue, and no other thread is there.
            unsafe { other.run(job, 0) };
        }
        read
    }

    /// A thread that yields reads mail for another pool: but not if it is to look at its own queues only, nor inside an isolated call, where it keeps its right.
    #[test]
    fn a_yield_does_what_is_left_in_other_pools() {
        let yields = |root, local, did| {
            with_mail_below(|worker, _| {
                worker.own().root.set(root);
                assert_eq!(worker.run_one(local), did);
                worker.own().root.set(Root::NONE);
            })
        };
        assert_eq!(yields(Root::NONE, true, false), 0);
        assert_eq!(yields(Root::isolated(1), false, false), 0);
        assert_eq!(yields(Root::NONE, false, true), 1);
    }

    #[test]
    fn a_thread_that_waits_reads_its_mail_in_other_pools() {
        let read = with_mail_below(|worker, count| {
            let (latch, looks) = (Latch::new(), Cell::new(0));
            let find = || {
                looks.set(looks.get() + 1);
                if looks.get() == 100_000 || count.load(Ordering::SeqCst) == 1 {
                    set(&latch, worker.pool());
                }
                None
            };
            wait_with(worker, &latch, &find);
        });
        assert_eq!(read, 1);
    }

    /// Loops that other threads run are cut for a thread that waits and has found nothing, but not while it works.
    #[test]
    fn a_thread_that_waits_is_hungry_until_it_finds_a_job() {
        let [pool] = pools();
        let is_hungry = {
            let pool = Arc::clone(&pool);
            move || pool.idle.is_hungry(Root::NONE)
        };
        let (seen, sees) = mpsc::channel();
        let works = {
            let (is_hungry, seen) = (is_hungry.clone(), seen.clone());
            job(Root::NONE, move || seen.send(is_hungry()).unwrap())
        };
        let (latch, looks) = (Latch::new(), Cell::new(0));
        let find = || {
            looks.set(looks.get() + 1);
            match looks.get() {
                3 => return Some(works),
                2 => seen.send(is_hungry()).unwrap(),
                4 => set(&latch, &pool),
                _ => {}
            }
            None
        };
        at_desk(&pool, |worker| wait_with(worker, &latch, &find));
        assert!(!is_hungry());
        drop(seen);
        let seen: Vec<_> = sees.try_iter().collect();
        assert_eq!(seen, [true, false]);
    }

    /// What the wake-up was for may be more than one job. So the thread that was woken, and found one, wakes another thread for the rest, although a third one
    /// looks for work.
    #[test]
    fn a_thread_that_was_woken_and_finds_a_job_wakes_another_one() {
        for finds in [true, false] {
            let pool = Pool::new(3, 0, Handlers::default(), true, false);
            let (count, called) = (Arc::new(AtomicU64::new(0)), AtomicBool::new(false));
            let desk = pool.seats[1].worker();
            let was_woken = AtomicBool::new(false);
            let wait = |worker: Worker<'_>, latch: &Latch| {
                let looks = Cell::new(0);
                let find = || {
                    looks.set(looks.get() + u32::from(called.load(Ordering::SeqCst)));
                    match looks.get() {
                        1 if finds => {}
                        2 if !finds => was_woken.store(desk.has_wake_up(), Ordering::SeqCst),
                        _ => return None,
                    }
                    Some(counting(Root::NONE, &count))
                };
                wait_with(worker, latch, &find);
                if finds {
                    was_woken.store(desk.has_wake_up(), Ordering::SeqCst);
                }
            };
            asleep_in_wait(&pool, wait, || {
                (0..4).for_each(|_| pool.injector.push(counting(Root::NONE, &count)));
                pool.idle.start_search();
                pool.lie_down(desk, None, false);
                pool.rights.put(2);
                called.store(true, Ordering::SeqCst);
                assert!(pool.wake_one(Root::NONE));
                while count.load(Ordering::SeqCst) == 0 {
                    thread::yield_now();
                }
            });
            assert_eq!(was_woken.into_inner(), finds);
            while let Some(job) = pool.take_injected(None, false) {
                // SAFETY: just taken out of a queue, and no other thread is there.
                unsafe { pool.run(job, 0) };
            }
        }
    }

    /// A thread that is called to stand in for another pool may have something else to do, or come too late: then another one is called.
    #[test]
    fn a_thread_that_gets_up_for_something_else_has_another_one_called() {
        for late in [true, false] {
            let ([stuck, pool, sleeps], roots) = (pools(), [1, 2].map(Root::isolated));
            stuck.rights.put(0);
            let desk = sleeps.seats[0].worker();
            let [gets_up, looked, called] = [(); 3].map(|()| AtomicBool::new(false));
            let wait = |worker: Worker<'_>, latch: &Latch| {
                let see = || called.store(desk.has_wake_up(), Ordering::SeqCst);
                let find = || {
                    if gets_up.load(Ordering::SeqCst) {
                        see();
                        looked.store(true, Ordering::SeqCst);
                        set(latch, &pool);
                    }
                    None
                };
                let bound = Some(roots[0]);
                worker.while_waiting_for(&stuck, bound, || {
                    let until = Until::new(latch, bound);
                    mock::with(500, || worker.wait_with(&until, &find));
                    see();
                });
            };
            let count = Arc::new(AtomicU64::new(0));
            asleep_in_wait(&pool, wait, || {
                stuck.sleepers.lock().add_caller(roots[1], desk);
                sleeps.lie_down(desk, Some(roots[1]), false);
                stuck.brought.push(&[counting(roots[1], &count)]);
                if late {
                    gets_up.store(true, Ordering::SeqCst);
                    pool.end_wait(pool.seats[0].worker());
                    while !looked.load(Ordering::SeqCst) {
                        thread::yield_now();
                    }
                }
            });
            assert!(called.into_inner(), "late: {late}");
            stuck.sleepers.lock().remove_caller(roots[1], desk);
            let job = stuck.brought.take(Some(roots[1])).unwrap();
            // SAFETY: just taken out of a queue, and no other thread is there.
            unsafe { stuck.run(job, 0) };
        }
    }

    /// A thread that was woken to search looks before it stands in for another pool, and one that has found a job runs that first: what it does in the other pool may
    /// wait for it.
    #[test]
    fn a_thread_does_what_it_got_up_for_before_it_stands_in() {
        for is_woken in [true, false] {
            let ([stuck, pool], root) = (pools(), Root::isolated(1));
            stuck.rights.put(0);
            let [stood_in, before] = [0, 9].map(|count| Arc::new(AtomicU64::new(count)));
            let bring = || stuck.brought.push(&[counting(root, &stood_in)]);
            let woken = AtomicBool::new(false);
            let wait = |worker: Worker<'_>, latch: &Latch| {
                let did = Cell::new(false);
                let see = || {
                    let (stood_in, before) = (Arc::clone(&stood_in), Arc::clone(&before));
                    move || before.store(stood_in.load(Ordering::SeqCst), Ordering::SeqCst)
                };
                let find = || {
                    if stood_in.load(Ordering::SeqCst) == 1 {
                        set(latch, &pool);
                    }
                    if did.get() {
                        return None;
                    }
                    if is_woken {
                        did.set(woken.load(Ordering::SeqCst));
                        see()();
                        return None;
                    }
                    // The last look before the sleep.
                    did.set(pool.sleepers.lock().counts()[1] == 1);
                    did.get().then(|| {
                        bring();
                        job(root, see())
                    })
                };
                worker.while_waiting_for(&stuck, Some(root), || {
                    let until = Until::new(latch, Some(root));
                    mock::with(500, || worker.wait_with(&until, &find));
                });
            };
            asleep_in_wait(&pool, wait, || {
                if is_woken {
                    bring();
                    woken.store(true, Ordering::SeqCst);
                    assert!(pool.wake_one(root));
                    while stood_in.load(Ordering::SeqCst) == 0 {
                        thread::yield_now();
                    }
                }
            });
            let seen = [before, stood_in].map(|count| count.load(Ordering::SeqCst));
            assert_eq!(seen, [0, 1], "is_woken: {is_woken}");
        }
    }

    /// In a pool without threads this thread has to run the jobs that are left.
    #[test]
    fn a_thread_that_leaves_after_a_wait_gets_no_right_where_others_run_jobs() {
        for workers in [1, 0] {
            let pool = Pool::new(workers, 0, Handlers::default(), true, false);
            // In a pool without threads the right is free at first, and not in the hand of worker 0.
            assert_eq!(pool.rights.take_this(0), workers == 0);
            let has_right = AtomicBool::new(false);
            let wait = |worker: Worker<'_>, latch: &Latch| {
                worker.wait_and_leave(latch);
                has_right.store(worker.own().number().is_some(), Ordering::SeqCst);
            };
            asleep_in_wait(&pool, wait, || ());
            assert_eq!(has_right.into_inner(), workers == 0);
        }
    }

    /// A worker that works under another number than its own falls asleep, and mail for its own number is there that it has not seen.
    #[test]
    fn a_worker_that_falls_asleep_is_called_for_mail_to_its_number() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let (read, is_read) = mpsc::channel();
        let (latch, desk) = (Latch::new(), pool.seats[0].worker());
        pool.rights.put(0);
        assert!(pool.seats[0].mail.push(job(Root::NONE, || ())));
        let got_up = thread::scope(|threads| {
            threads.spawn(|| {
                // SAFETY: this worker's right is free, and it has another one. Its desk is for it alone.
                let sitting = unsafe { Worker::sit(desk, 1) };
                let worker = sitting.worker();
                worker.hold(1);
                let find = || {
                    if worker.own().number() == Some(0) {
                        read.send(()).unwrap();
                        set(&latch, &pool);
                    }
                    None
                };
                wait_with(worker, &latch, &find);
            });
            let got_up = is_read.recv_timeout(Duration::from_secs(60));
            set(&latch, &pool);
            got_up
        });
        assert_eq!(got_up, Ok(()));
        let mail = pool.seats[0].mail.take().unwrap();
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { pool.run(mail, 0) };
    }

    /// A thread that waits for another pool runs work of its own call, and of what it waits for, and is woken for both.
    #[test]
    fn a_thread_that_waits_for_another_pool_sleeps_bound_to_two_roots() {
        let [pool, other] = [(); 2].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
        let roots = [1, 2].map(Root::isolated);
        let wait = |worker: Worker<'_>, latch: &Latch| {
            worker.own().root.set(roots[0]);
            worker.wait_for_pool(latch, &other, Some(roots[1]));
        };
        let count = Arc::new(AtomicU64::new(0));
        pool.brought.push(&roots.map(|root| counting(root, &count)));
        let seen = asleep_in_wait(&pool, wait, || {
            let lists = pool.sleepers.lock();
            let bound = roots.map(|root| lists.first_bound(root).is_some());
            (bound, count.load(Ordering::SeqCst))
        });
        assert_eq!(seen, ([true; 2], 2));
    }

    /// A thread waits inside an isolated call, and there is work of another call, for a thread of another pool. That may do it when the first one has put its right
    /// down, and so it does so without a single yield.
    #[test]
    fn a_thread_that_leaves_work_to_callers_lies_down_soon() {
        let [pool, other] = [(); 2].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
        let roots = [1, 2].map(Root::isolated);
        let caller = other.seats[0].worker();
        pool.sleepers.lock().add_caller(roots[1], caller);
        // SAFETY: it borrows nothing.
        pool.inject(unsafe { HeapJob::boxed(roots[1], || ()) });
        let looks = looks_in_wait(&pool, |worker, latch| {
            worker.own().root.set(roots[0]);
            worker.wait(latch);
        });
        assert!(looks < 100, "{looks} looks");
        pool.sleepers.lock().remove_caller(roots[1], caller);
        let job = pool.take_injected(Some(roots[1]), false);
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { pool.run(job.expect("no thread took it"), 0) };
    }

    /// On a busy machine, each yield of a thread that waits takes as long as the others run. So it sleeps after the first one that took long, and another thread
    /// may have its right; where the processor is free it looks for some time.
    #[test]
    fn a_thread_that_waits_on_a_busy_machine_lies_down_soon() {
        let beside_others = |away| {
            let pool = Pool::new(1, 0, Handlers::default(), true, false);
            looks_in_wait(&pool, |worker, latch| {
                mock::with(away, || worker.wait(latch))
            })
        };
        let [busy, quiet] = [1_000_000, 500].map(beside_others);
        assert!(busy < 100, "{busy} looks");
        assert!(quiet > 500, "{quiet} looks");
    }

    /// A thread that would leave after its wait needs no right then, but it needs one if it was called for an earlier wait, and goes on.
    #[test]
    fn a_wait_that_goes_on_after_a_late_call_has_a_right() {
        let pool = Pool::new(1, 0, Handlers::default(), true, false);
        let (ran, has_ran) = mpsc::channel();
        let number = asleep_in_wait(
            &pool,
            |worker, latch| worker.wait_and_leave(latch),
            || {
                let number = || Worker::current().and_then(|worker| worker.own().number());
                // SAFETY: it borrows nothing, and the wait takes it.
                let job =
                    unsafe { HeapJob::boxed(Root::NONE, move || ran.send(number()).unwrap()) };
                pool.injector.push(job);
                pool.end_wait(pool.seats[0].worker());
                has_ran.recv_timeout(Duration::from_secs(60))
            },
        );
        assert_eq!(number, Ok(Some(0)));
    }

    /// A thief that tells an owner late may find another wait at that desk. That wait goes on until its own latch is set, and the counts stay true.
    #[test]
    fn a_late_end_of_an_earlier_wait_ends_no_other() {
        let pool = with_what_there_is(2);
        let calls = ThreadPool::of(Arc::clone(&pool));
        let (started, has_started) = mpsc::channel();
        let (go_on, may_go_on) = mpsc::channel::<()>();
        let over = AtomicBool::new(false);
        thread::scope(|threads| {
            threads.spawn(|| {
                calls.install(move || {
                    let left = move || has_started.recv().unwrap();
                    let right = move || {
                        started.send(()).unwrap();
                        may_go_on.recv().unwrap();
                    };
                    join(left, right)
                });
                over.store(true, Ordering::SeqCst);
            });
            let in_waits = || pool.sleepers.lock().counts()[1];
            let few = std::env::var_os("FILCH_TEST_CASES").is_none();
            for _ in 0..if few { 20 } else { 200 } {
                while in_waits() == 0 {
                    assert!(!over.load(Ordering::SeqCst), "the wait ended too early");
                    thread::yield_now();
                }
                pool.seats
                    .iter()
                    .for_each(|seat| pool.end_wait(seat.worker()));
            }
            assert!(!over.load(Ordering::SeqCst));
            go_on.send(()).unwrap();
        });
        while pool.sleepers.lock().counts() != [2, 0, 0] {
            thread::yield_now();
        }
        let counts = pool.idle.counts();
        assert_eq!((counts.searching(), counts.asleep()), (0, 2));
        assert_eq!(pool.rights.free(), 2);
        calls.shutdown();
    }
}

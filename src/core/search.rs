//! The main loop of a thread of the pool: it runs jobs, searches for more, and sleeps.

use super::clock;
use super::desk::WakeUp;
use super::policy::{self, Next};
use super::root::Root;
use super::worker::Worker;
use crate::sync::{planted, spin_loop};

impl Worker<'_> {
    /// What a worker thread does for its whole life: run, look, sleep. It begins and ends with a right in hand.
    pub(crate) fn run_until_stopped(self) {
        // From here on nothing but jobs is on the stack.
        self.own().depth.set(0);
        loop {
            while !self.pool().sleepers.any_wanting()
                && self.seat().is_some()
                && let Some(job) = self.find(None, None)
            {
                // SAFETY: just taken out of a queue.
                unsafe { self.execute(job) };
            }
            self.clear_desk();
            if !self.search() {
                self.own().depth.set(1);
                return;
            }
        }
    }

    /// The last thing that a thread does in a pool, after its exit handler.
    pub(crate) fn end(self) {
        // Perhaps the handler spawned something, and this is the last thread.
        self.run_until_stopped();
        // Mail that still came may spawn more jobs, so the main loop runs once more.
        for job in self.pool().seats[self.index()].mail.close() {
            // SAFETY: just taken out of a queue.
            unsafe { self.execute(job) };
        }
        self.run_until_stopped();
    }

    /// Looks for a job without a right, and takes one to run it. Either way the thread holds a right when this returns. False: the pool has stopped.
    fn search(self) -> bool {
        let (pool, idle) = (self.pool(), self.idle());
        let worker_number = self.worker_number();
        let counts = idle.counts();
        // Counted as a searcher before the right is put down: in between it would be seen nowhere, and the pool could be taken for stuck.
        idle.start_search();
        self.put_right_down();
        let threads = pool.crew.threads() as u32;
        let awake = threads.saturating_sub(counts.asleep());
        let may = policy::may_search(counts.searching(), awake, threads);
        self.desk().probe.search(true);
        // If this thread keeps its waker from their common processor, it sleeps: another thread that is woken may find a processor of its own.
        let displaces = counts.asleep() > 0 && self.desk().displaces_waker();
        if (!may || displaces) && !pool.is_stopped() {
            self.sleep();
        }
        let mut looks = 0;
        loop {
            if pool.is_stopped() {
                self.desk().prefer(worker_number);
                let number = pool.take_right(self.desk());
                self.hold(number);
                self.desk().probe.search(false);
                // What is there has to be done first.
                let Some(job) = self.find(None, None) else {
                    idle.end_search();
                    return false;
                };
                idle.end_search();
                // SAFETY: just taken out of a queue.
                unsafe { self.execute(job) };
                return true;
            }
            if self.look_for_work() {
                let Some(number) = pool.try_take(Some(worker_number)) else {
                    if pool.has_unread(worker_number) {
                        self.wait_to_read();
                        return true;
                    }
                    // No right is free.
                    self.sleep();
                    looks = 0;
                    continue;
                };
                self.hold(number);
                if let Some(job) = self.find(None, None) {
                    self.desk().probe.search(false);
                    idle.end_search();
                    if !planted!("wake") {
                        self.call_others(Root::NONE);
                    }
                    // SAFETY: just taken out of a queue.
                    unsafe { self.execute(job) };
                    return true;
                }
                self.put_right_down();
            }
            match self.after_look(looks, false) {
                Next::Sleep => {
                    self.sleep();
                    looks = 0;
                }
                _ => looks += 1,
            }
        }
    }

    /// What comes after a look in vain: spins, yields, or tells the caller to sleep. The thread `waits` for something, or is a searcher with nothing else to do.
    pub(super) fn after_look(self, looks: u32, waits: bool) -> Next {
        let next = policy::after_look(looks, waits);
        match next {
            Next::Spin(times) => (0..times).for_each(|_| spin_loop()),
            // A thread of another pool may do that work, but only when this one has put its right down. Each yield may take a time slice, so it sleeps at once.
            Next::Yield if waits && self.leaves_work_to_callers() => return Next::Sleep,
            // The system gives us no processor. Sleep, so that a thread with work wakes one that can run. In a wait, this thread has a right as well, and keeps
            // it from others for as long as it looks.
            Next::Yield if clock::give_way() => return Next::Sleep,
            Next::Yield | Next::Sleep => {}
        }
        next
    }

    /// Whether there is work that this thread must not run, and perhaps a thread of another pool that will, if this pool is [stuck](super::pool::Pool::is_stuck).
    fn leaves_work_to_callers(self) -> bool {
        let pool = self.pool();
        pool.sleepers.any_callers() && pool.has_brought() && self.bound().is_some()
    }

    /// Whether a look from outside the queues shows something to do; asks for private work on the way.
    fn look_for_work(self) -> bool {
        self.look(true)
    }

    /// The same. Without `work`, it looks only for things that no other thread does: whether the pool has stopped, and its mail.
    fn look(self, work: bool) -> bool {
        let pool = self.pool();
        let reads = work || !planted!("unread");
        if pool.is_stopped() || reads && pool.has_unread(self.worker_number()) {
            return true;
        }
        if !work {
            return false;
        }
        if pool.has_injected() {
            return true;
        }
        self.desk().counters.looks.bump();
        self.numbers_in_use().any(|number| {
            let victim = pool.at_work(number);
            let loot = !victim.thief.is_empty();
            if !loot {
                victim.thief.ask();
            }
            loot
        })
    }

    /// Waits for a right to read mail, and reads it. No right is free, and no thread has this worker's number, so no other thread reads the mail. Threads that run
    /// take turns with those that want a right, so the mail is read however much work there is. This ends the search, and the thread comes back with a right.
    fn wait_to_read(self) {
        let pool = self.pool();
        self.desk().prefer(self.worker_number());
        self.desk().probe.search(false);
        if self.idle().end_search() {
            self.call_others(Root::NONE);
        }
        self.hold(pool.take_right(self.desk()));
        // At once: the right may be wanted again.
        if let Some(job) = self.find(None, None) {
            // SAFETY: just taken out of a queue.
            unsafe { self.execute(job) };
        }
    }

    /// The number of this worker.
    fn worker_number(self) -> usize {
        self.desk()
            .worker_number()
            .expect("only workers look for work")
    }

    /// Sleeps until it is called. Comes back as a searcher.
    ///
    /// A thread that was woken on its waker's processor keeps the waker from going on: whatever it runs there, nothing is gained. If another one looks for work,
    /// or can be woken to do so, it sleeps again.
    fn sleep(self) {
        let pool = self.pool();
        let mut called = self.sleep_once(false);
        // With mail for its number it stays awake: no other thread reads that.
        while called && self.desk().displaces_waker() && !pool.has_unread(self.worker_number()) {
            if pool.idle.counts().searching() < 2 && !pool.wake_substitute() {
                break;
            }
            called = self.sleep_once(true);
        }
    }

    /// Sleeps until another thread calls this one. False: this thread has seen something to do, and did not sleep. It `leaves` work to other searchers, if there are any.
    fn sleep_once(self, leaves: bool) -> bool {
        let (pool, idle) = (self.pool(), self.idle());
        let worker_number = self.worker_number();
        // First the list, then the count. If this thread is not the last searcher, it need not look again, but then the last searcher has to find it on the list.
        pool.sleepers.lock().park(worker_number);
        let last = idle.search_to_sleep();
        idle.settle();
        let looks = !leaves || last && !planted!("substitute");
        // The planted bug: the last look came before the thread registered, and none comes after.
        if !planted!("register") && self.look(looks) {
            let can_run = pool.rights.any() || !planted!("pass") && pool.note_miss();
            let comes = can_run || pool.is_stopped() || pool.has_unread(worker_number);
            if comes && pool.sleepers.lock().unpark(worker_number) {
                idle.sleep_to_search();
                return false;
            }
        }
        self.desk().counters.parks.bump();
        self.desk().probe.sleep();
        let wake_up = self.desk().wait_for_wake_up();
        self.desk().probe.get_up();
        self.desk().probe.search(true);
        match wake_up {
            WakeUp::Help(None) => true,
            other => unreachable!("a worker without work was woken to {other:?}"),
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::job::HeapJob;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::start::with_what_there_is;
    use crate::core::worker::Worker;
    use crate::sync::{Arc, AtomicU64, Ordering};
    use std::sync::mpsc;
    use std::thread;

    /// A sleeper that is not called sleeps on, however often its bells ring; and it can still be woken.
    #[test]
    fn a_bell_that_rings_for_nothing_wakes_nobody() {
        let pool = with_what_there_is(3);
        let asleep = || pool.sleepers.lock().counts() == [3, 0, 0];
        for _ in 0..3 {
            while !asleep() {
                thread::yield_now();
            }
            for _ in 0..500 {
                pool.seats.iter().for_each(|seat| seat.own_desk().ring());
                thread::yield_now();
                let counts = pool.idle.counts();
                assert_eq!((counts.searching(), counts.asleep()), (0, 3));
                assert!(asleep());
            }
            let (sender, receiver) = mpsc::channel();
            // SAFETY: it borrows nothing.
            pool.inject(unsafe { HeapJob::boxed(Root::NONE, move || sender.send(()).unwrap()) });
            receiver.recv().unwrap();
        }
        pool.release();
        pool.wait_until_ended();
    }

    /// A thread that ends has its own number at last, since it closes the mail of that, and is not counted as one that searches. What comes until then is run.
    #[test]
    fn a_thread_ends_under_its_own_number_when_all_is_done() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let (spare, count) = (
            pool.take_spare(&mut pool.sleepers.lock()),
            &AtomicU64::new(0),
        );
        for number in [1, spare.expect("it is there")] {
            // SAFETY: the number is this thread's, and the desk is for it alone.
            let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), number) };
            let worker = sitting.worker();
            worker.hold(number);
            if number == 1 {
                pool.rights.put(0);
                pool.release();
            }
            for _ in 0..3 {
                let inside = || {
                    assert_eq!(Worker::current().unwrap().depth(), 1);
                    count.fetch_add(1, Ordering::Relaxed);
                };
                // SAFETY: they run in this frame.
                pool.inject(unsafe { HeapJob::boxed(Root::NONE, inside) });
            }
            worker.run_until_stopped();
            assert_eq!((worker.index(), worker.depth()), (0, 1));
            assert_eq!(pool.idle.counts().searching(), 0);
            worker.put_right_down();
        }
        assert_eq!(count.load(Ordering::Relaxed), 6);
    }

    /// However many jobs there are. What the thread has pushed meanwhile is left to others.
    #[test]
    fn a_thread_that_wants_a_right_gets_one_between_two_jobs() {
        /// Spawns itself until it is told to end, or has run often while a thread wanted a right.
        fn go_on(pool: &Arc<Pool>, ends: &Arc<AtomicU64>, rounds: u64) {
            let rounds = rounds + u64::from(pool.sleepers.any_wanting());
            if rounds == 1000 || ends.load(Ordering::Relaxed) != 0 {
                ends.fetch_max(2, Ordering::Relaxed);
                return;
            }
            let (next_pool, next_ends) = (Arc::clone(pool), Arc::clone(ends));
            let body = move || go_on(&next_pool, &next_ends, rounds);
            // SAFETY: it borrows nothing.
            let job = unsafe { HeapJob::boxed(Root::NONE, body) };
            match Worker::current() {
                Some(worker) => worker.spawn(job),
                None => pool.inject(job),
            }
        }
        let pool = with_what_there_is(1);
        let ends = Arc::new(AtomicU64::new(0));
        go_on(&pool, &ends, 0);
        while pool.seats[0].own_desk().counters.read().jobs == 0 {
            thread::yield_now();
        }
        // A desk that no thread uses.
        let desk = Pool::new(1, 0, Handlers::default(), true, false);
        let number = pool.take_right(desk.seats[0].own_desk());
        assert_eq!(ends.fetch_max(1, Ordering::Relaxed), 0);
        pool.put_down(number);
        while ends.load(Ordering::Relaxed) < 2 {
            thread::yield_now();
        }
        pool.release();
        pool.wait_until_ended();
    }

    /// No right is free, and that of its number is held back, so no other thread reads its mail. It waits for a right, and others may have to do what it would have found.
    #[test]
    fn a_thread_that_searches_waits_for_a_right_to_read_its_mail() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let (sleeps, count) = (pool.seats[1].own_desk(), &AtomicU64::new(0));
        pool.rights.hold_back(0);
        pool.lie_down(sleeps, None, false);
        let body = || _ = count.fetch_add(1, Ordering::Relaxed);
        // SAFETY: it runs in this frame.
        let share = unsafe { HeapJob::boxed(Root::NONE, body) };
        assert!(pool.seats[0].mail.push(share));
        thread::scope(|threads| {
            threads.spawn(|| {
                // SAFETY: the desk is for this thread alone, and it has no right until it takes one.
                let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
                let worker = sitting.worker();
                worker.own().let_go();
                assert!(worker.search());
                assert_eq!(worker.own().number(), Some(0));
                worker.put_right_down();
            });
            while !pool.sleepers.any_wanting() {
                thread::yield_now();
            }
            let seen = (pool.missed.any(), pool.idle.counts().searching());
            pool.put_down(1);
            assert_eq!(seen, (true, 0));
        });
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }

    /// With mail for its number it stays awake, although no right is free: no other thread reads that.
    #[test]
    fn a_thread_with_mail_does_not_fall_asleep() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        pool.rights.hold_back(0);
        // SAFETY: it borrows nothing.
        let share = unsafe { HeapJob::boxed(Root::NONE, || ()) };
        assert!(pool.seats[0].mail.push(share));
        // SAFETY: the desk is for this thread alone, and it runs nothing without a right.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        sitting.worker().own().let_go();
        pool.idle.start_search();
        assert!(!sitting.worker().sleep_once(false));
        assert_eq!(pool.idle.counts().searching(), 1);
        assert_eq!(pool.sleepers.lock().counts(), [0; 3]);
        let share = pool.seats[0].mail.take().expect("no thread took it");
        // SAFETY: just taken out of a queue.
        unsafe { pool.run(share, 0) };
    }

    #[test]
    fn a_search_ends_with_a_job_and_a_right_and_the_thread_goes_on() {
        let pool = Pool::new(1, 0, Handlers::default(), true, false);
        let count = &AtomicU64::new(0);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let body = || _ = count.fetch_add(1, Ordering::Relaxed);
        // SAFETY: it runs in this frame.
        pool.inject(unsafe { HeapJob::boxed(Root::NONE, body) });
        assert!(sitting.worker().search());
        let searching = pool.idle.counts().searching();
        assert_eq!((count.load(Ordering::Relaxed), searching), (1, 0));
        assert_eq!(sitting.worker().own().number(), Some(0));
    }
}

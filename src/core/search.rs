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

    /// The last that a thread does in a pool, after its exit handler.
    pub(crate) fn end(self) {
        // Perhaps the handler spawned something, and this is the last thread.
        self.run_until_stopped();
        // What still came may bring the pool back to life, too.
        for job in self.pool().seats[self.index()].mail.close() {
            // SAFETY: just taken out of a queue.
            unsafe { self.execute(job) };
        }
        self.run_until_stopped();
    }

    /// Looks for a job, without a right, and runs it, with one. False: the pool has stopped; there is a right in hand, too.
    fn search(self) -> bool {
        let (pool, idle) = (self.pool(), self.idle());
        let worker_number = self.worker_number();
        let counts = idle.counts();
        // Before the right is put down: with neither, this thread would not be seen, and the pool could be taken for one that is stuck.
        idle.start_search();
        self.put_right_down();
        let threads = pool.crew.threads() as u32;
        let awake = threads.saturating_sub(counts.asleep());
        let may = policy::may_search(counts.searching(), awake, threads);
        self.desk().probe.search(true);
        // If it keeps its waker from their processor, it sleeps: another thread that is woken may find a processor of its own.
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
                    // So many threads work as may.
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

    /// One turn of the back-off, of a thread that waits for something, or looks for work and is counted as a searcher.
    pub(super) fn after_look(self, looks: u32, waits: bool) -> Next {
        let next = policy::after_look(looks, waits);
        match next {
            Next::Spin(times) => (0..times).for_each(|_| spin_loop()),
            // A caller may begin that work only when this thread has put its right down, and each yield may take a time slice.
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

    /// The same; without `work`, only what no other thread can do.
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
            let victim = pool.seats[number].at_work();
            let loot = !victim.thief.is_empty();
            if !loot {
                victim.thief.ask();
            }
            loot
        })
    }

    /// So many threads work as may, and there is mail for this worker's number, which no thread has. Others take turns with a thread that wants a right, so
    /// the mail is read however much work there is. Comes back with a right, and ends the search.
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
        // No other thread reads its mail.
        while called && self.desk().displaces_waker() && !pool.has_unread(self.worker_number()) {
            if pool.idle.counts().searching() < 2 && !pool.wake_substitute() {
                break;
            }
            called = self.sleep_once(true);
        }
    }

    /// Sleeps until it is called. False: it has seen something to do instead. It `leaves` work to others that search, if there are any.
    fn sleep_once(self, leaves: bool) -> bool {
        let (pool, idle) = (self.pool(), self.idle());
        let worker_number = self.worker_number();
        // First the list: if this was not the last one that looked, and so does not look again, the last one has to find it there.
        pool.sleepers.lock().park(worker_number);
        let last = idle.search_to_sleep();
        idle.settle();
        let looks = !leaves || last && !planted!("substitute");
        // The bug: to have looked before registering, and no more after.
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
    use crate::core::root::Root;
    use crate::core::start::with_what_there_is;
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
                pool.seats.iter().for_each(|seat| seat.worker().ring());
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
}

//! What a pool's own thread does: jobs, a search for more, and sleep.

use super::clock;
use super::policy::{self, Next};
use super::root::Root;
use super::worker::Worker;
use crate::sync::{planted, spin_loop};

impl Worker<'_> {
    /// What a worker thread does for its whole life: run, look, sleep.
    pub(crate) fn run_until_stopped(self) {
        // From here on nothing but jobs is on the stack.
        self.own().depth.set(0);
        loop {
            while let Some(job) = self.find_overdue(None).or_else(|| self.find_local(None)) {
                // SAFETY: just taken out of a queue.
                unsafe { self.execute(job) };
            }
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
        for job in self.seat().mail.close() {
            // SAFETY: just taken out of a queue.
            unsafe { self.execute(job) };
        }
        self.run_until_stopped();
    }

    /// Looks for a job and runs it. False: the pool has stopped.
    fn search(self) -> bool {
        let (idle, word) = (self.idle(), &self.seat().word);
        idle.start_search();
        word.search();
        let mut looks = 0;
        loop {
            if self.sees_work() {
                if word.start_work() {
                    let last = idle.end_search() && !planted!("wake");
                    if let Some(job) = self.find(None, None) {
                        if last && self.pool().has_loot() {
                            // Nobody is on the watch any more, and there is more to do.
                            self.pool().notify(Root::NONE);
                        }
                        // SAFETY: just taken out of a queue.
                        unsafe { self.execute(job) };
                        return true;
                    }
                    if self.pool().is_stopped() {
                        return false;
                    }
                    idle.start_search();
                    word.search();
                } else {
                    // A guest has the seat.
                    self.sleep();
                    looks = 0;
                    continue;
                }
            }
            match self.after_look(looks, true) {
                Next::Sleep => {
                    self.sleep();
                    looks = 0;
                }
                _ => looks += 1,
            }
        }
    }

    /// One turn of the back-off, of a thread that is counted as a searcher or not.
    pub(super) fn after_look(self, looks: u32, counted: bool) -> Next {
        let searching = self.idle().counts().searching();
        let next = policy::after_look(looks, searching.saturating_sub(u32::from(counted)));
        match next {
            Next::Spin(times) => (0..times).for_each(|_| spin_loop()),
            // Whoever counts on a searcher wakes another thread, where it can run.
            Next::Yield if clock::give_way() && counted => return Next::Sleep,
            Next::Yield | Next::Sleep => {}
        }
        next
    }

    /// Whether a look from outside the queues shows something to do; asks for private work on the way.
    fn sees_work(self) -> bool {
        let pool = self.pool();
        if pool.is_stopped() || pool.has_injected() || !self.seat().mail.is_empty() {
            return true;
        }
        let mut any = false;
        for seat in &pool.seats {
            if seat.has_loot() {
                any = true;
            } else if seat.index() != self.seat().index() && seat.word.is_running() {
                seat.thief.ask();
            }
        }
        any
    }

    /// Sleeps until somebody claims the seat. Comes back as a searcher.
    fn sleep(self) {
        let (idle, word) = (self.idle(), &self.seat().word);
        self.seat().note_place();
        idle.search_to_sleep();
        let ours = word.fall_asleep();
        idle.settle();
        // The bug: to have looked before registering, and no more after.
        if !planted!("register") && self.sees_work() {
            if ours && word.rouse() {
                idle.sleep_to_search();
                return;
            }
            // Somebody was faster: if it was a guest, it has the seat, but promoters counted on us to look.
            if !planted!("pass") {
                self.pool().notify(Root::NONE);
            }
        }
        self.seat().counters.parks.bump_shared();
        // Whoever claims the seat turns the sleeper into a searcher, in the counts too, and rings when all is done. So even if the seat
        // is claimed by now, the bell comes first.
        loop {
            self.seat().doorbell.park();
            if word.wake_up() {
                break;
            }
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::builder::ThreadPoolBuilder;
    use crate::core::job::HeapJob;
    use crate::core::root::Root;
    use std::sync::mpsc;
    use std::thread;

    /// A sleeper that is not claimed sleeps on, however often its bells ring; and it can still be woken.
    #[test]
    fn a_bell_that_rings_for_nothing_wakes_nobody() {
        let builder = ThreadPoolBuilder::new().num_threads(3);
        let pool = builder.build_with_what_there_is();
        let asleep = || pool.seats.iter().all(|seat| seat.word.name() == "asleep");
        for _ in 0..3 {
            while !asleep() {
                thread::yield_now();
            }
            for _ in 0..500 {
                for seat in &pool.seats {
                    seat.doorbell.unpark();
                    seat.bell.unpark();
                }
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
        pool.let_go();
        pool.wait_until_ended();
    }
}

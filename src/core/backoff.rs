//! Back-off: a thread that steals jobs which are short beside a steal leaves their owner's queue alone for a while.
//!
//! Each steal takes cache lines away from the owner: the ends of its queue, the count of a scope, the memory of the job. If a job takes
//! less time than it takes to move these lines, two threads are slower than the owner alone. That time depends on the machine, and on where
//! the threads are. So a thief times its steals, and the work between two of them. If it is back too soon, it waits before the next steal,
//! and longer each time.
//!
//! It does not wait if the queue has not changed since its last steal. Then the owner is busy with something long and is not disturbed, and
//! the jobs may wait for this thread.

use super::clock;
use super::deque::Thief;
use super::policy;
use crate::sync::{Cell, spin_loop};

/// What a thief remembers of its last steals, all times in ticks.
pub(crate) struct Backoff {
    /// How many more steals go untimed. It stays 0, so that each steal is timed, for as long as jobs are short.
    untimed: Cell<u32>,
    /// The number under which the victim worked.
    victim: Cell<usize>,
    /// How many jobs the thief left there.
    left: Cell<usize>,
    /// When the last timed steal began, and when it ended.
    begun: Cell<u64>,
    ended: Cell<u64>,
    /// How many jobs in a row were short.
    short: Cell<u32>,
}

impl Backoff {
    pub(crate) fn new() -> Self {
        Backoff {
            untimed: Cell::new(policy::UNTIMED),
            victim: Cell::new(usize::MAX),
            left: Cell::new(0),
            begun: Cell::new(0),
            ended: Cell::new(0),
            short: Cell::new(0),
        }
    }

    /// To be called before a steal from the queue of `number`. Waits if the jobs there are short.
    #[inline]
    pub(crate) fn before_steal(&self, number: usize, queue: &Thief) {
        match self.untimed.get() {
            0 => self.judge(number, queue),
            1 => {
                self.untimed.set(0);
                self.begun.set(clock::ticks());
            }
            more => self.untimed.set(more - 1),
        }
    }

    /// Looks at the time since the last timed steal, and waits if that was too short.
    #[cold]
    fn judge(&self, number: usize, queue: &Thief) {
        let now = clock::ticks();
        let steal = self.ended.get().saturating_sub(self.begun.get());
        let job = now.saturating_sub(self.ended.get());
        if !policy::is_short(job, steal) || self.victim.get() != number {
            self.short.set(0);
            self.untimed.set(policy::UNTIMED);
            return;
        }
        self.begun.set(now);
        if queue.len() == self.left.get() {
            return;
        }
        let times = self.short.get().saturating_add(1);
        self.short.set(times);
        let ticks = policy::backoff(steal, times, clock::per_us());
        // A clock that went back ends the wait.
        while self.begun.get().wrapping_sub(now) < ticks {
            spin_loop();
            self.begun.set(clock::ticks());
        }
    }

    /// To be called after that steal.
    #[inline]
    pub(crate) fn after_steal(&self, number: usize, queue: &Thief) {
        if self.untimed.get() == 0 {
            self.victim.set(number);
            self.left.set(queue.len());
            self.ended.set(clock::ticks());
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::deque;

    /// A thief that is back at once backs off, as soon as a steal was timed, but not from a queue that its owner leaves alone, nor from another one.
    #[test]
    fn only_short_jobs_of_a_busy_queue_make_a_thief_wait() {
        let (_, queue) = deque::new(false);
        // So long before that the next steal comes at once, whatever the machine does meanwhile.
        let steal = |backoff: &Backoff, number| {
            backoff.before_steal(number, &queue);
            backoff.after_steal(number, &queue);
            backoff.begun.set(0);
        };
        let backoff = Backoff::new();
        for _ in 0..policy::UNTIMED {
            steal(&backoff, 7);
            assert_eq!(backoff.short.get(), 0);
        }
        for times in 1..=9 {
            // The owner did something.
            backoff.left.set(usize::MAX);
            steal(&backoff, 7);
            assert_eq!(backoff.short.get(), times);
        }
        steal(&backoff, 7);
        assert_eq!(backoff.short.get(), 9, "the queue was left alone");
        backoff.left.set(usize::MAX);
        steal(&backoff, 8);
        assert_eq!(backoff.short.get(), 0, "another queue");
        for _ in 0..policy::UNTIMED {
            steal(&backoff, 8);
        }
        // A job that is no longer short.
        backoff.left.set(usize::MAX);
        backoff.begun.set(backoff.ended.get());
        steal(&backoff, 8);
        assert_eq!(backoff.short.get(), 0);
    }
}

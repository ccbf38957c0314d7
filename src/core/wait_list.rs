//! Threads that sleep until something may have changed. While no thread sleeps, a change costs no more than a fence and a look.
//!
//! A change is a store to the memory that the sleepers look at. A thread that made a change then looks for sleepers. A thread that falls
//! asleep first registers, and then looks for changes. Between the two steps each has a full fence, so one of the two sees the other.

use crate::sync::{AtomicUsize, Condvar, Mutex, Ordering, fence, lock, planted};
use std::sync::PoisonError;
use std::time::Duration;

/// The sleepers of one place.
#[derive(Default)]
pub(crate) struct WaitList {
    /// How many sleep and were not told to rise; written with `asleep` locked.
    unaware: AtomicUsize,
    asleep: Mutex<Asleep>,
    changed: Condvar,
}

#[derive(Default)]
struct Asleep {
    all: usize,
    /// Of those, how many were told to rise, and have not yet. Without it every change would cost a system call until they are up.
    roused: usize,
}

impl WaitList {
    /// Wakes one sleeper, after a change that is enough for one.
    #[inline]
    pub(crate) fn notify_one(&self) {
        if self.is_anyone_unaware() {
            self.rouse(1);
        }
    }

    /// Wakes all sleepers.
    pub(crate) fn notify_all(&self) {
        if self.is_anyone_unaware() {
            self.rouse(usize::MAX);
        }
    }

    /// Whether a thread sleeps that does not know of the change that the caller just made.
    #[inline]
    fn is_anyone_unaware(&self) -> bool {
        if !planted!("fence") {
            fence(Ordering::SeqCst);
        }
        self.unaware.load(Ordering::Relaxed) > 0
    }

    #[cold]
    fn rouse(&self, most: usize) {
        let mut asleep = lock(&self.asleep);
        for _ in 0..most.min(asleep.all - asleep.roused) {
            asleep.roused += 1;
            self.changed.notify_one();
        }
        self.publish(&asleep);
    }

    /// Sleeps until it is notified, but not at all if `ready`, and not much longer than `most`. Whether that time ran out.
    ///
    /// May come back for no reason.
    pub(crate) fn sleep(&self, most: Duration, ready: impl FnOnce() -> bool) -> bool {
        let mut asleep = lock(&self.asleep);
        asleep.all += 1;
        self.publish(&asleep);
        if !planted!("settle") {
            fence(Ordering::SeqCst);
        }
        let mut timed_out = false;
        if planted!("register") || !ready() {
            let woken = self.changed.wait_timeout(asleep, most);
            let (guard, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
            asleep = guard;
            timed_out = timeout.timed_out();
            let risen = usize::from(!planted!("roused"));
            asleep.roused = asleep.roused.saturating_sub(risen);
        }
        asleep.all -= 1;
        asleep.roused = asleep.roused.min(asleep.all);
        self.publish(&asleep);
        timed_out
    }

    fn publish(&self, asleep: &Asleep) {
        let unaware = asleep.all - asleep.roused;
        self.unaware.store(unaware, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn no_change_is_missed() {
        const ROUNDS: usize = 2_000;
        const LONG: Duration = Duration::from_secs(60);
        let (ping, pong) = (WaitList::default(), WaitList::default());
        let (sent, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let until = |list: &WaitList, count: &AtomicUsize, least: usize| {
            let start = Instant::now();
            while count.load(Ordering::Acquire) < least {
                list.sleep(LONG, || count.load(Ordering::Acquire) >= least);
                assert!(start.elapsed() < LONG / 2, "a change was missed");
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    until(&ping, &sent, round);
                    answered.store(round, Ordering::Release);
                    pong.notify_one();
                }
            });
            for round in 1..=ROUNDS {
                sent.store(round, Ordering::Release);
                ping.notify_all();
                until(&pong, &answered, round);
            }
        });
    }

    /// How many sleep, how many of them were told to rise, and how many were not.
    fn counts(list: &WaitList) -> [usize; 3] {
        let asleep = lock(&list.asleep);
        let unaware = list.unaware.load(Ordering::Relaxed);
        [asleep.all, asleep.roused, unaware]
    }

    #[test]
    fn each_sleeper_is_told_once() {
        let list = WaitList::default();
        lock(&list.asleep).all = 3;
        for (most, roused) in [(1, 1), (1, 2), (usize::MAX, 3), (usize::MAX, 3)] {
            list.rouse(most);
            assert_eq!(counts(&list), [3, roused, 3 - roused]);
        }
    }

    #[test]
    fn who_is_ready_does_not_sleep() {
        let list = WaitList::default();
        assert!(!list.sleep(Duration::from_secs(60), || true));
        assert!(list.sleep(Duration::from_millis(1), || false));
        assert_eq!(counts(&list), [0; 3]);
    }
}

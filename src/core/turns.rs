//! Which thread gets the next right: a thread that finds a free one, or the first in the queue of threads that want one.
//!
//! A thread that wants a right and finds none free goes into the queue, and is called when it has a right. So does a thread whose wait is
//! over while it sleeps without a right. Between two jobs, threads that run take turns with those in the queue.
//!
//! A thread that goes on after a wait inside an isolated call stands in the queue for some time only: see [`beside`](super::beside).

use super::desk::{Desk, WakeUp};
use super::job::JobRef;
use super::pool::Pool;
use super::root::Root;
use super::sleepers::Locked;
use crate::sync::{Ordering, fence, planted};

impl Pool {
    /// Takes a right, if there is a free one and no thread waits for it.
    pub(crate) fn try_take(&self, preferred: Option<usize>) -> Option<usize> {
        if self.sleepers.any_wanting() {
            if self.rights.any() && !planted!("surplus") {
                // The thread that put the right down has to hand it out, and the system may have taken its processor away. Until then a searcher would spin here in vain.
                self.hand_out_rights();
            }
            return None;
        }
        if let Some(number) = preferred
            && self.rights.take_this(number)
        {
            return Some(number);
        }
        // With the lists locked, no other thread is just moving a right between the free ones and those that are held back.
        let any = self.rights.any();
        any.then(|| self.take_locked(&mut self.sleepers.lock(), preferred))?
    }

    /// Takes a free right: `preferred` if no thread has it, else the lowest. If `preferred` is held back, another one is held back instead.
    pub(super) fn take_locked(
        &self,
        lists: &mut Locked<'_>,
        preferred: Option<usize>,
    ) -> Option<usize> {
        preferred
            .and_then(|number| self.take_this_locked(lists, number))
            .or_else(|| self.rights.take_first())
    }

    /// Takes right `number`, if no thread has it. If it is held back, a free right is held back in its place; without a free one, this fails.
    pub(super) fn take_this_locked(&self, _: &mut Locked<'_>, number: usize) -> Option<usize> {
        if self.rights.take_this(number) {
            return Some(number);
        }
        if !self.rights.is_held_back(number) || planted!("exchange") {
            return None;
        }
        let other = self.rights.take_first()?;
        self.rights.hold_back(other);
        self.rights.take_held(number);
        Some(number)
    }

    /// Gives right `number`, which the caller has, for `other`, if no thread has that: `number` is then free or held back, as `other` was. So as many rights
    /// are in use as before, and no thread has to wait for its turn. The caller has to call `after_put_down` for `number` afterwards.
    pub(super) fn exchange(&self, number: usize, other: usize) -> bool {
        let _locked = self.sleepers.lock();
        if self.rights.take_this(other) {
            self.rights.put(number);
            return true;
        }
        let held_back = self.rights.is_held_back(other) && !planted!("exchange");
        if held_back {
            self.rights.hold_back(number);
            self.rights.take_held(other);
        }
        held_back
    }

    /// Takes a right for the thread at `desk`; waits until there is one.
    pub(crate) fn take_right(&self, desk: &Desk) -> usize {
        if let Some(number) = self.try_take(desk.preferred()) {
            return number;
        }
        self.sleepers.lock().want(desk);
        self.hand_out_rights();
        right_in(desk.wait_for_wake_up())
    }

    /// Holds free rights back, if that is due, and gives the others to threads that wait for one.
    #[cold]
    pub(super) fn hand_out_rights(&self) {
        if !planted!("want") {
            fence(Ordering::SeqCst);
        }
        loop {
            let mut lists = self.sleepers.lock();
            while lists.has_surplus() {
                let Some(number) = self.rights.take_last() else {
                    return;
                };
                self.rights.hold_back(number);
                lists.count_held_back();
            }
            let Some(desk) = lists.first_wanting() else {
                return;
            };
            let Some(number) = self.take_locked(&mut lists, desk.preferred()) else {
                return;
            };
            lists.remove_first_wanting();
            self.wake_with(lists, desk, number);
        }
    }

    /// Wakes the thread at `desk`, which was in the queue until now. It goes on with `number`.
    pub(super) fn wake_with(&self, lists: Locked<'_>, desk: &Desk, number: usize) {
        desk.mark_woken(WakeUp::GoOn(Some(number)));
        drop(lists);
        desk.ring();
    }

    /// The thread at `desk` is about to sleep inside a wait, and may be called from now on.
    pub(crate) fn lie_down(&self, desk: &Desk, bound: Option<Root>, leaves: bool) {
        // First the count: a waker that takes the thread off the list counts it out, so it has to be counted in by then.
        if bound.is_none() {
            self.idle.start_sleep();
        }
        self.sleepers.lock().lie_down(desk, bound, leaves);
    }

    /// The thread at `desk` takes itself off the list. `Some`: another thread had called it before, for this.
    pub(crate) fn get_up(&self, desk: &Desk) -> Option<WakeUp> {
        let mut lists = self.sleepers.lock();
        if let Some(waiter) = lists.get_up(desk) {
            if waiter.bound.is_none() {
                self.idle.end_sleep();
            }
            return None;
        }
        desk.take_wake_up()
    }

    /// The latch of the thread at `desk` is set, and that thread slept, or was about to.
    pub(crate) fn end_wait(&self, desk: &Desk) {
        #[cfg(filch_loom)]
        let _used = self.last_use.get().map(|last| last.begin());
        if self.is_orphan() {
            // A child after `fork`: that thread is not here, or looks by itself. The lists may be locked for ever.
            return;
        }
        let mut lists = self.sleepers.lock();
        let Some(waiter) = lists.get_up(desk) else {
            // It is not on the list yet, and probes its latch after it has registered. Or another thread has already called it.
            return;
        };
        // The thread is counted out of the sleepers only when it has a right or is in line. In between it would be counted nowhere, and the pool would seem stuck.
        let count_out = || {
            if waiter.bound.is_none() {
                self.idle.end_sleep();
            }
        };
        let number = match waiter.holds || waiter.leaves {
            true => None,
            false => {
                let first = !self.sleepers.any_wanting();
                let take = || self.take_locked(&mut lists, desk.preferred());
                let number = first.then(take).flatten();
                if number.is_none() && !waiter.goes_on() {
                    lists.want(desk);
                    count_out();
                    drop(lists);
                    return self.hand_out_rights();
                }
                // Without a right, it takes one by itself.
                number
            }
        };
        count_out();
        desk.mark_woken(WakeUp::GoOn(number));
        drop(lists);
        desk.ring();
    }

    /// The thread at `desk`, which sleeps inside a wait, gets in line for a right, and goes on when it has one.
    pub(super) fn call_into_line(&self, mut lists: Locked<'_>, desk: &Desk) {
        if lists.call_to_go_on(desk, WakeUp::GoOn(None)) {
            // All that have rights may wait for a lock that it holds. So it gets in line by itself, for some time only.
            drop(lists);
            return desk.ring();
        }
        let Some(waiter) = lists.get_up(desk) else {
            return;
        };
        if waiter.bound.is_none() {
            self.idle.end_sleep();
        }
        lists.want(desk);
        drop(lists);
        self.hand_out_rights();
    }

    /// Runs a job of this pool on this thread, which holds right `number`, and tells the job's owner.
    ///
    /// # Safety
    /// As for [`JobRef::run`].
    #[inline]
    pub(crate) unsafe fn run(&self, job: JobRef, number: usize) {
        // SAFETY: by the caller.
        if let Some(owner) = unsafe { job.run(number, &self.handlers.follow) } {
            // SAFETY: the owners of a pool's jobs are its desks.
            self.end_wait(unsafe { owner.get::<Desk>() });
        }
    }
}

/// The right, or number to spare, with which a thread goes on that was in the queue.
pub(super) fn right_in(wake_up: WakeUp) -> usize {
    match wake_up {
        WakeUp::GoOn(Some(number)) => number,
        other => unreachable!("a thread that wants a right was called to {other:?}"),
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::pool::Handlers;
    use crate::sync::Arc;

    /// A pool of three, of whose rights the first one is this thread's, and the last one is free or held back.
    fn pool(narrow: bool) -> Arc<Pool> {
        let pool = Pool::new(3, 0, Handlers::default(), true, false);
        match narrow {
            true => pool.rights.hold_back(2),
            false => pool.rights.put(2),
        }
        pool
    }

    #[test]
    fn a_number_is_exchanged_for_one_that_no_thread_has() {
        for narrow in [false, true] {
            let pool = pool(narrow);
            let rights = &pool.rights;
            let is_in_use = || [0, 1, 2].map(|number| rights.is_in_use(number));
            assert!(!pool.exchange(0, 1));
            assert_eq!(is_in_use(), [true, true, false]);
            assert!(pool.exchange(0, 2));
            assert_eq!(is_in_use(), [false, true, true]);
            assert_eq!(
                (rights.is_free(0), rights.is_held_back(0)),
                (!narrow, narrow)
            );
        }
    }

    /// First come, first served: neither a thread that comes later nor one whose wait is over gets the right before the one in line.
    #[test]
    fn the_first_in_line_gets_the_right() {
        for waits in [false, true] {
            let pool = pool(false);
            let [first, later] = [0, 1].map(|number| pool.seats[number].own_desk());
            pool.sleepers.lock().want(first);
            match waits {
                false => assert_eq!(pool.try_take(None), None),
                true => {
                    asleep(&pool, later, None);
                    pool.end_wait(later);
                }
            }
            assert_eq!(first.take_wake_up(), Some(WakeUp::GoOn(Some(2))));
            assert!(!later.has_wake_up() && pool.sleepers.any_wanting() == waits);
        }
    }

    /// The thread at `desk` sleeps, and has put its right down.
    fn asleep(pool: &Pool, desk: &Desk, bound: Option<Root>) {
        pool.lie_down(desk, bound, false);
        pool.sleepers.lock().waiter_at(desk).unwrap().holds = false;
        desk.prefer(2);
    }

    /// Threads that sleep bound to a root are in no count.
    #[test]
    fn a_thread_that_gets_up_is_counted_out() {
        let roots = [None, Some(Root::new(1, 1)), Some(Root::isolated(1))];
        for bound in roots {
            let pool = pool(false);
            let desk = pool.seats[1].own_desk();
            // With one more, since the count never shows less than none.
            let count = || {
                pool.idle.start_sleep();
                let count = pool.idle.counts().asleep();
                pool.idle.end_sleep();
                count - 1
            };
            let asleep_now = || {
                asleep(&pool, desk, bound);
                assert_eq!(count(), u32::from(bound.is_none()));
            };
            asleep_now();
            assert!(pool.get_up(desk).is_none() && count() == 0);
            asleep_now();
            pool.end_wait(desk);
            assert_eq!(count(), 0);
            // It was called before, and is told for what.
            assert_eq!(pool.get_up(desk), Some(WakeUp::GoOn(Some(2))));
        }
    }

    /// No right is free. A thread gets in line, and is woken when it has one. In an isolated call it may hold a lock, so it goes on by itself.
    #[test]
    fn a_thread_whose_wait_is_over_wants_a_right() {
        let roots = [None, Some(Root::new(1, 1)), Some(Root::isolated(1))];
        let end_wait = |pool: &Pool, desk: &Desk| pool.end_wait(desk);
        let for_mail = |pool: &Pool, desk: &Desk| pool.call_into_line(pool.sleepers.lock(), desk);
        for bound in roots {
            for call in [end_wait as fn(&Pool, &Desk), for_mail] {
                let pool = pool(false);
                let desk = pool.seats[1].own_desk();
                assert!(pool.rights.take_this(2));
                asleep(&pool, desk, bound);
                pool.idle.start_sleep();
                call(&pool, desk);
                assert_eq!(pool.idle.counts().asleep(), 1);
                let goes_on = bound.is_some_and(Root::is_isolated);
                assert_eq!(pool.sleepers.any_wanting(), !goes_on);
                if goes_on {
                    assert_eq!(desk.take_wake_up(), Some(WakeUp::GoOn(None)));
                } else {
                    assert!(!desk.has_wake_up());
                    pool.put_down(2);
                    assert_eq!(desk.take_wake_up(), Some(WakeUp::GoOn(Some(2))));
                }
                // It is on no list any more.
                call(&pool, desk);
                assert!(!desk.has_wake_up() && !pool.sleepers.any_wanting());
            }
        }
    }

    /// A right may become free before the thread is in line.
    #[test]
    fn a_thread_in_line_gets_a_right_that_is_free() {
        let pool = pool(true);
        let desk = pool.seats[1].own_desk();
        asleep(&pool, desk, None);
        let lists = pool.sleepers.lock();
        pool.rights.take_held(2);
        pool.rights.put(2);
        pool.call_into_line(lists, desk);
        assert_eq!(desk.take_wake_up(), Some(WakeUp::GoOn(Some(2))));
    }
}

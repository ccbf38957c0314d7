//! Callers: threads of other pools that wait for isolated work in this pool. If this pool is stuck, it calls them, and they [stand in](super::stand_in).
//!
//! The hand-shake:
//!
//! 1. A caller puts itself on the list of this pool, fences, and looks whether this pool is stuck. (The fence is that of every wait that falls asleep:
//!    [`Idle::settle`](super::idle::Idle::settle), in `wait.rs`.)
//! 2. A thread that puts down a right of this pool, or brings it work, fences, and looks at the list.
//! 3. A thread that does not [work for all](Pool::works_for_all) does so, too: when its seat first shows its desk (as it comes in, or goes on after a sleep),
//!    and when it stops being counted as searching or asleep.

use super::desk::Desk;
use super::pool::Pool;
use super::root::Root;
use crate::sync::{Ordering, fence, planted};

impl Pool {
    /// Whether the pool is stuck. Then there is work for threads that are bound to a call, and a right is free. But no thread that
    /// [works for all](Pool::works_for_all) holds a right, and no thread searches or sleeps unbound that would be woken for the work.
    pub(super) fn is_stuck(&self) -> bool {
        let none_looks = || {
            let counts = self.idle.counts();
            counts.asleep() == 0 && counts.searching() == 0
        };
        let works_for_all = |number: usize| self.works_for_all(self.at_work(number));
        let none_works = || self.rights.any() && !self.rights.in_use(0).any(works_for_all);
        // Twice: between two looks a thread may put its right down and begin to search, or the other way round.
        self.has_brought() && none_looks() && none_works() && none_looks()
    }

    /// If this pool is stuck, calls one of the callers for whose root there is work here. The callers take turns.
    ///
    /// A caller that is awake needs no call: it looks before it sleeps. A caller that was called calls the next one, when it has a right here, or if it has
    /// something else to do.
    #[cold]
    pub(super) fn call_callers(&self) {
        // In a child after `fork` there is no thread to call, and the lists may be locked for ever.
        if !self.is_stuck() || self.is_orphan() || planted!("callers") {
            return;
        }
        let mut to_ask = None;
        while to_ask != Some(0) {
            let mut lists = self.sleepers.lock();
            let most = to_ask.unwrap_or(lists.callers());
            // One hold of the locks passes over all callers for which there is no work.
            let next = self.brought.look(|has| lists.next_caller(most, has));
            let Some((turns, root, desk)) = next else {
                return;
            };
            to_ask = Some(most - turns);
            // When the lists are unlocked, the thread may leave the list and its pool may end. The `Arc` keeps that pool, and so the desk.
            let pool = Pool::of(desk).to_arc();
            drop(lists);
            if pool.call_back(desk, root) {
                return;
            }
        }
    }

    /// Calls a caller behind a fence, if the pool is stuck. A thread that hands jobs over does this. A thread that does not [work for all](Pool::works_for_all) also does it when its
    /// seat begins to show its desk, since until then its right could be taken for a worker's, and when it stops being counted as searching or asleep.
    #[cold]
    pub(super) fn fence_and_call_callers(&self) {
        fence(Ordering::SeqCst);
        if self.sleepers.any_callers() {
            self.call_callers();
        }
    }

    /// Wakes the thread at `desk`, a desk of this pool, if it sleeps in a wait that does work of `root`. Returns whether that thread goes on at once.
    fn call_back(&self, desk: &Desk, root: Root) -> bool {
        let waiter = self.sleepers.lock().waiter_at(desk).copied();
        let Some(waiter) = waiter.filter(|one| [one.bound, one.also].contains(&Some(root))) else {
            return false;
        };
        self.end_wait(desk);
        // A thread without a right may get none before another caller has done its part. So the caller of this function calls the next one.
        let has_right = desk.was_given_a_right() || waiter.holds && desk.has_wake_up();
        has_right || planted!("line")
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::desk::Desk;
    #[cfg(all(unix, not(miri)))]
    use crate::core::global_pointer::assert_well_in_child;
    use crate::core::job::HeapJob;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::worker::Worker;
    use crate::sync::Arc;
    use std::thread;

    fn pools<const N: usize>() -> [Arc<Pool>; N] {
        [(); N].map(|()| Pool::new(1, 0, Handlers::default(), true, false))
    }

    /// A thread at `desk` sleeps in a wait for `stuck`, a pool of one, where there is work of its call `root`.
    fn sleep_for(stuck: &Pool, desk: &Desk, root: Root) {
        stuck.sleepers.lock().add_caller(root, desk);
        Pool::of(desk).lie_down(desk, Some(root), false);
        bring(stuck, root);
    }

    fn bring(stuck: &Pool, root: Root) {
        // SAFETY: it borrows nothing.
        let job = unsafe { HeapJob::boxed(root, || ()) };
        stuck.brought.push(&[job]);
    }

    /// All that is left is done.
    fn clear(stuck: &Pool, root: Root) {
        while let Some(job) = stuck.brought.take(Some(root)) {
            // SAFETY: just taken out of a queue.
            unsafe { stuck.run(job, 0) };
        }
    }

    #[test]
    fn work_from_outside_has_a_thread_called() {
        let ([stuck, sleeps], root) = (pools(), Root::isolated(1));
        stuck.rights.put(0);
        let desk = sleeps.seats[0].own_desk();
        stuck.sleepers.lock().add_caller(root, desk);
        sleeps.lie_down(desk, Some(root), false);
        // SAFETY: it borrows nothing.
        stuck.inject(unsafe { HeapJob::boxed(root, || ()) });
        assert!(desk.has_wake_up());
        clear(&stuck, root);
        stuck.sleepers.lock().remove_caller(root, desk);
    }

    /// A child after `fork` has no thread to call, whatever is left of its parent's pool: a caller, work, mail, a missed wake-up.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_calls_nobody_and_waits_for_no_lock() {
        let ([stuck, sleeps], root) = (pools(), Root::isolated(1));
        stuck.rights.put(0);
        let desk = sleeps.seats[0].own_desk();
        sleep_for(&stuck, desk, root);
        // SAFETY: it borrows nothing.
        let job = || unsafe { HeapJob::boxed(root, || ()) };
        let share = job();
        assert!(stuck.is_stuck() && stuck.seats[0].mail.push(share));
        stuck.missed.note();
        let locked = [stuck.sleepers.lock(), sleeps.sleepers.lock()];
        assert_well_in_child(|| {
            stuck.call_callers();
            stuck.inject(job());
            stuck.make_up();
            !stuck.has_unread(0)
        });
        drop(locked);
        assert!(stuck.has_unread(0) && !desk.has_wake_up());
        stuck.call_callers();
        assert!(desk.has_wake_up());
        stuck.brought.push(&[stuck.seats[0].mail.take().unwrap()]);
        clear(&stuck, root);
        stuck.sleepers.lock().remove_caller(root, desk);
    }

    /// A thread may be chosen while it waits, and called when it waits no more: so when it leaves, others are called.
    #[test]
    fn a_thread_that_leaves_has_another_one_called() {
        let ([stuck, leaves, sleeps], roots) = (pools(), [1, 2].map(Root::isolated));
        stuck.rights.put(0);
        let desk = sleeps.seats[0].own_desk();
        sleep_for(&stuck, desk, roots[1]);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(leaves.seats[0].own_desk(), 0) };
        let wait = || assert!(!desk.has_wake_up());
        sitting
            .worker()
            .while_waiting_for(&stuck, Some(roots[0]), wait);
        assert!(desk.has_wake_up());
        clear(&stuck, roots[1]);
        stuck.sleepers.lock().remove_caller(roots[1], desk);
    }

    /// A thread that waits for two pools, and is called by one of them, may do its part in the other.
    #[test]
    fn a_thread_that_stands_in_elsewhere_has_another_one_called() {
        let ([outer, inner, waits, sleeps], roots) = (pools(), [1, 2].map(Root::isolated));
        outer.rights.put(0);
        inner.rights.put(0);
        let desk = sleeps.seats[0].own_desk();
        sleep_for(&outer, desk, roots[1]);
        bring(&outer, roots[0]);
        bring(&inner, roots[0]);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(waits.seats[0].own_desk(), 0) };
        let (worker, root) = (sitting.worker(), Some(roots[0]));
        worker.while_waiting_for(&outer, root, || {
            worker.while_waiting_for(&inner, root, || {
                assert!(!desk.has_wake_up());
                assert!(worker.stand_in(root));
                assert!(desk.has_wake_up());
            });
        });
        roots.iter().for_each(|&root| clear(&outer, root));
        outer.sleepers.lock().remove_caller(roots[1], desk);
    }

    /// Callers that have nothing to do cost no lock each, however many there are.
    #[test]
    fn the_lists_are_locked_once_for_all_that_have_nothing_to_do() {
        let ([stuck, waits, sleeps], roots) = (pools(), [1, 2, 3].map(Root::isolated));
        stuck.rights.put(0);
        let awake = waits.seats[0].own_desk();
        for _ in 0..500 {
            stuck.sleepers.lock().add_caller(roots[0], awake);
        }
        // There is work of a call whose thread is on no list.
        bring(&stuck, roots[2]);
        let locks = |pool: &Pool| {
            pool.sleepers
                .times
                .load(std::sync::atomic::Ordering::Relaxed)
        };
        let before = locks(&stuck);
        stuck.call_callers();
        assert_eq!(locks(&stuck) - before, 1);
        // And so it is for the one behind them that is called.
        let desk = sleeps.seats[0].own_desk();
        sleep_for(&stuck, desk, roots[1]);
        let before = locks(&stuck);
        stuck.call_callers();
        assert!(desk.has_wake_up());
        assert_eq!(locks(&stuck) - before, 1);
        roots.iter().for_each(|&root| clear(&stuck, root));
        stuck.sleepers.lock().remove_caller(roots[1], desk);
    }

    /// Four threads wait for a pool of three. Each one that comes in has the next one called, until there is no right left.
    #[test]
    fn each_thread_that_comes_in_has_another_one_called() {
        let (stuck, callers) = (
            Pool::new(3, 0, Handlers::default(), true, false),
            pools::<4>(),
        );
        (0..3).for_each(|number| stuck.rights.put(number));
        let desks = callers.each_ref().map(|pool| pool.seats[0].own_desk());
        let roots = [1, 2, 3, 4].map(Root::isolated);
        let called = || desks.iter().filter(|desk| desk.has_wake_up()).count();
        for (&root, desk) in roots.iter().zip(desks) {
            sleep_for(&stuck, desk, root);
        }
        stuck.call_callers();
        assert_eq!(called(), 1);
        for (number, calls) in [(0, 2), (1, 3), (2, 3)] {
            assert!(stuck.rights.take_this(number));
            let seat = &stuck.seats[number];
            seat.sit_down(stuck.guest_desk(seat));
            stuck.fence_and_call_callers();
            assert_eq!(called(), calls);
        }
        // The right of a worker that works is none for those that do its pool's work only for themselves.
        stuck.rights.put(2);
        stuck.seats[0].sit_down(stuck.seats[0].own_desk());
        assert!(!stuck.is_stuck());
        for (&root, desk) in roots.iter().zip(desks) {
            clear(&stuck, root);
            stuck.sleepers.lock().remove_caller(root, desk);
        }
    }

    /// Four threads wait for a pool of one, and there is work for each; the first is awake. The others are called one after the other, when the right is free.
    #[test]
    fn threads_are_called_in_turn_for_the_rights_that_are_free() {
        let ([stuck], callers) = (pools(), pools::<4>());
        stuck.rights.put(0);
        let desks = callers.each_ref().map(|pool| pool.seats[0].own_desk());
        let roots = [1, 2, 3, 4].map(Root::isolated);
        stuck.sleepers.lock().add_caller(roots[0], desks[0]);
        bring(&stuck, roots[0]);
        for at in 1..4 {
            sleep_for(&stuck, desks[at], roots[at]);
        }
        let called = || desks.map(|desk| usize::from(desk.has_wake_up()));
        for calls in 1..=3 {
            stuck.call_callers();
            let called = called();
            assert_eq!((called[0], called.iter().sum()), (0, calls));
        }
        // Any of them does its part, and another one is called when the right is put down. All others are awake by now.
        assert!(stuck.rights.take_this(0) && !stuck.is_stuck());
        for (&root, desk) in roots.iter().zip(desks) {
            clear(&stuck, root);
            stuck.sleepers.lock().remove_caller(root, desk);
        }
    }

    /// The first of two is awake. The second one is called all the same.
    #[test]
    fn the_last_one_in_line_is_called() {
        let ([stuck, wakes, sleeps], roots) = (pools(), [1, 2].map(Root::isolated));
        stuck.rights.put(0);
        let (awake, desk) = (wakes.seats[0].own_desk(), sleeps.seats[0].own_desk());
        stuck.sleepers.lock().add_caller(roots[0], awake);
        bring(&stuck, roots[0]);
        sleep_for(&stuck, desk, roots[1]);
        stuck.call_callers();
        assert!(desk.has_wake_up());
        for (root, desk) in roots.into_iter().zip([awake, desk]) {
            clear(&stuck, root);
            stuck.sleepers.lock().remove_caller(root, desk);
        }
    }

    /// Other threads have the rights of the pool of the first one. It may get none before the second one has done its part.
    #[test]
    fn a_thread_that_gets_no_right_keeps_no_other_one_from_being_called() {
        let ([stuck], sleep) = (pools(), pools::<2>());
        stuck.rights.put(0);
        let roots = [1, 2].map(Root::isolated);
        let desks = sleep.each_ref().map(|pool| pool.seats[0].own_desk());
        for (root, desk) in roots.into_iter().zip(desks) {
            sleep_for(&stuck, desk, root);
            Pool::of(desk)
                .sleepers
                .lock()
                .waiter_at(desk)
                .unwrap()
                .holds = false;
        }
        stuck.call_callers();
        assert!(desks.iter().all(|desk| desk.has_wake_up()));
        for (root, desk) in roots.into_iter().zip(desks) {
            clear(&stuck, root);
            stuck.sleepers.lock().remove_caller(root, desk);
        }
    }

    /// Two pools may call each other's threads at the same time, so none keeps its lists locked meanwhile.
    #[test]
    fn the_lists_are_not_locked_while_a_thread_is_called() {
        let ([stuck, sleeps], root) = (pools(), Root::isolated(1));
        stuck.rights.put(0);
        let desk = sleeps.seats[0].own_desk();
        sleep_for(&stuck, desk, root);
        let times = || {
            sleeps
                .sleepers
                .times
                .load(std::sync::atomic::Ordering::Relaxed)
        };
        thread::scope(|threads| {
            let locked = sleeps.sleepers.lock();
            let before = times();
            threads.spawn(|| stuck.call_callers());
            while times() == before {
                thread::yield_now();
            }
            drop(stuck.sleepers.lock());
            drop(locked);
        });
        assert!(desk.has_wake_up());
        clear(&stuck, root);
        stuck.sleepers.lock().remove_caller(root, desk);
    }
}

//! Waking: which thread is woken for work.
//!
//! A thread that has made work visible looks for sleepers, behind a full fence. A thread that falls asleep registers, and looks for work behind a full
//! fence. ([`idle`](super::idle) has the proof.) Rights have the same hand-shake: a waker that finds a sleeper but no free right leaves a note that it
//! [missed](Pool::note_miss) one, and a thread that puts its right down looks for such a note. ([`missed`](super::missed))

use super::desk::{Desk, WakeUp};
use super::event::Kind;
use super::job::JobRef;
use super::note;
use super::policy;
use super::pool::Pool;
use super::root::Root;
use super::sleepers::{Locked, Sleeper};
use crate::sync::{Ordering, fence, planted};

impl Pool {
    // For work.

    /// Brings a job in from a thread that is at no desk of this pool, or one that comes behind what its thread has spawned.
    pub(crate) fn inject(&self, job: JobRef) {
        self.outside.injected.bump_shared();
        note::here(Kind::Inject, || job.address());
        // SAFETY: no thread has run it yet.
        let root = unsafe { job.tag() }.root;
        if root == Root::NONE {
            self.injector.push(job);
        } else {
            self.brought.push(&[job]);
        }
        self.notify(root);
        if self.sleepers.any_callers() {
            self.call_callers();
        }
    }

    /// Work of `root` has become visible: wakes a sleeper if no thread searches, or if the searchers may be bound to other roots.
    pub(crate) fn notify(&self, root: Root) {
        if !self.notify_if_all_sleep(root) && self.sleepers.any_bound_to(root) && !planted!("bound")
        {
            // The threads that search may be bound to other roots, and a thread that waits for this root may be the only one left for it.
            self.wake(Whom::Bound(root));
        }
    }

    /// Work of `root` has become visible: wakes a sleeper if no thread searches and some sleep. Returns whether that was so. This alone is enough, without the rest
    /// of [`notify`](Pool::notify), where only a thread that fell asleep meanwhile could have missed the work.
    pub(crate) fn notify_if_all_sleep(&self, root: Root) -> bool {
        let counts = self.idle.counts_after_push();
        let all_sleep = counts.asleep() > 0 && counts.searching() == 0;
        if all_sleep && !(planted!("trust") && self.idle.patient() > 0) {
            self.wake_for(root);
        }
        all_sleep
    }

    /// Whether a thread sleeps and a right is free for it.
    #[inline]
    pub(crate) fn can_wake(&self) -> bool {
        (self.idle.counts().asleep() > 0 || self.sleepers.any_bound()) && self.rights.any()
    }

    /// Wakes as many threads as is good for new work of `root`. False: there is none to be woken.
    #[cold]
    pub(crate) fn wake_for(&self, root: Root) -> bool {
        let asleep = self.idle.counts().asleep() as usize;
        let most = policy::first_wakes(asleep, self.crew.threads());
        let Some(first) = self.wake(Whom::BoundFirst(root)) else {
            return false;
        };
        // If the first thread has already seen its wake-up, it runs, and wakes another one itself if that helps. So a second thread is woken only while the first has not.
        for _ in 1..most {
            if !first.has_wake_up() || !self.wake_one(root) {
                break;
            }
        }
        true
    }

    /// Wakes one thread that would run work of `root`. False: there is none.
    #[cold]
    pub(crate) fn wake_one(&self, root: Root) -> bool {
        self.wake(Whom::BoundFirst(root)).is_some()
    }

    /// Wakes a worker that searches in place of the calling one, which runs on its waker's processor. False: no worker is parked. A thread inside a wait is not
    /// taken: it would run on top of that wait what the caller can run on an empty stack.
    pub(super) fn wake_substitute(&self) -> bool {
        self.call(Whom::Idle)
            .inspect(|desk| {
                // Else the woken worker could find itself on this processor as well, and wake this one again in its place, while the first waker waits for both.
                if !planted!("displace") {
                    desk.forget_waker();
                }
                self.rouse(desk);
            })
            .is_some()
    }

    /// Whether a right is free for a thread that is woken. If none is, this notes a miss, and the thread that puts the next right down makes up for it.
    pub(crate) fn has_right_for_one(&self) -> bool {
        self.rights.any() || self.note_miss()
    }

    /// Wakes a thread that is wanted, and gives its desk. None: there is no such thread, or no right for it.
    fn wake(&self, whom: Whom) -> Option<&Desk> {
        self.call(whom).inspect(|desk| self.rouse(desk))
    }

    /// Ends the sleep of the thread at `desk`, which was just called: counts the wake-up and rings the bell.
    pub(super) fn rouse(&self, desk: &Desk) {
        self.outside.wakes.bump_shared();
        note::wake(desk);
        desk.ring();
    }

    /// Takes a thread that is wanted off its list, and gives its desk. [`rouse`](Pool::rouse) has to follow. None: no such thread, or no right.
    fn call(&self, whom: Whom) -> Option<&Desk> {
        if self.is_orphan() {
            // A child after `fork`: no thread of this pool sleeps here, and the lists may be locked for ever.
            return None;
        }
        loop {
            if !self.has_right_for_one() {
                // A fork is run by the thread that made it, before that goes on. What was brought has no such thread.
                let (Whom::Bound(root) | Whom::BoundFirst(root)) = whom else {
                    return None;
                };
                let brought = root.is_isolated() && self.brought.has(root);
                return brought.then(|| self.call_without_right(root))?;
            }
            let mut lists = self.sleepers.lock();
            return Some(match whom.first(&lists) {
                None => return None,
                Some(Sleeper::Worker(number)) => {
                    lists.unpark(number);
                    self.call_to_search(number)
                }
                Some(Sleeper::Waiter(desk)) => {
                    let take = |lists: &mut Locked<'_>| self.take_locked(lists, desk.preferred());
                    if !self.call_to_help(&mut lists, desk, take) {
                        // A guest took the last right. The next round looks for one again.
                        continue;
                    }
                    desk
                }
            });
        }
    }

    /// Takes a thread off the list of those that wait for isolated work of `root`, though no right is free for it. It may hold a lock for which all wait that have
    /// rights, and then no right is put down. It [goes on](super::beside) in any case.
    fn call_without_right(&self, root: Root) -> Option<&Desk> {
        if !root.is_isolated() || !self.sleepers.any_bound_to(root) || self.is_orphan() {
            return None;
        }
        let mut lists = self.sleepers.lock();
        let desk = lists.first_that_goes_on(root)?;
        lists.call_to_go_on(desk, WakeUp::Look).then_some(desk)
    }

    /// Wakes such a thread.
    #[cold]
    pub(super) fn wake_without_right(&self, root: Root) {
        if let Some(desk) = self.call_without_right(root) {
            self.rouse(desk);
        }
    }

    /// A thread was called in a wait for work of `root`, and has found a job, or waits no more. If there is more work, another thread that waits for it is called, also
    /// without a right: that thread may hold a lock for which all others wait. What was only pushed counts if the first one was called `without_right`: perhaps for that.
    #[cold]
    pub(super) fn pass_work_on(&self, root: Root, without_right: bool) {
        if !root.is_isolated() || self.is_orphan() {
            return;
        }
        fence(Ordering::SeqCst);
        let any_waits = self.sleepers.any_bound_to(root);
        let any_work = || self.brought.has(root) || without_right && self.any_to_steal();
        if any_waits && any_work() && self.wake(Whom::Bound(root)).is_none() {
            self.wake_without_right(root);
        }
    }

    /// Calls worker `number`, which was just taken off the list of those that sleep for want of work.
    pub(super) fn call_to_search(&self, number: usize) -> &Desk {
        let desk = self.seats[number].own_desk();
        self.idle.sleep_to_search();
        desk.mark_woken(WakeUp::Help(None));
        desk
    }

    /// Calls the thread at `desk` to search, if it sleeps inside a wait. It gets the right that `take` takes, unless it still holds one. False: no sleeper, or no right.
    pub(super) fn call_to_help(
        &self,
        lists: &mut Locked<'_>,
        desk: &Desk,
        take: impl FnOnce(&mut Locked<'_>) -> Option<usize>,
    ) -> bool {
        let Some(waiter) = lists.waiter_at(desk).copied() else {
            return false;
        };
        let number = match waiter.holds {
            true => None,
            false => match take(lists) {
                None => return false,
                number => number,
            },
        };
        lists.get_up(desk);
        match waiter.bound {
            Some(_) => self.idle.start_search(),
            None => self.idle.sleep_to_search(),
        }
        desk.mark_woken(WakeUp::Help(number));
        true
    }

    /// Notes that there was work for a sleeper and no free right: the next thread that puts a right down wakes a sleeper. True: a right is free after all.
    #[cold]
    pub(crate) fn note_miss(&self) -> bool {
        self.missed.note();
        if !planted!("note") {
            fence(Ordering::SeqCst);
        }
        self.rights.any()
    }

    /// Wakes all workers, because the pool has stopped.
    pub(crate) fn wake_all(&self) {
        if planted!("stop") {
            return;
        }
        // A thread that is not on the list yet gets the lock after us, and sees that the pool has stopped.
        loop {
            let mut lists = self.sleepers.lock();
            let Some(number) = lists.first_parked() else {
                return;
            };
            lists.unpark(number);
            let desk = self.call_to_search(number);
            drop(lists);
            self.rouse(desk);
        }
    }

    /// Makes up for a miss, after a right was put down: wakes sleepers for that right, if there is still something to do.
    #[cold]
    pub(super) fn make_up(&self) {
        if self.is_orphan() {
            // A child after `fork` has no thread to wake, and the lists may be locked for ever.
            return;
        }
        while self.missed.begin() {
            // A waker that saw the old note has left no new one. It made its work visible before it looked at the note, so with this fence we see that work. The
            // fence after our right was put down does not do: another thread may have taken that right before the waker looked. This fence also has a second use.
            // A thread that puts a right down from here on either sees that this thread makes up, or its right is in the count of free rights below.
            if !planted!("stale") {
                fence(Ordering::SeqCst);
            }
            let (roots, more) = match self.has_loot() {
                true => self.wake_for_what_was_missed(),
                false => (Vec::new(), false),
            };
            let again = self.missed.end(more);
            for root in roots {
                self.wake(Whom::Bound(root));
            }
            // A right that was put down meanwhile is free, or its next holder sees the note.
            if !again || !self.note_miss() {
                return;
            }
        }
    }

    /// Wakes an unbound thread. Returns the roots of the bound threads that the caller has to wake as well, and whether there are more of those than rights.
    fn wake_for_what_was_missed(&self) -> (Vec<Root>, bool) {
        // No more threads are woken than rights are free. The unbound thread comes first, and a worker takes its right only when it has found a job. So one right is
        // left for it: a bound thread, perhaps the one that has just put the right down, would take it meanwhile, and both would be woken for ever in vain.
        let mut free = self.rights.free();
        if self.wake(Whom::Unbound).is_some() && !planted!("turns") {
            free = free.saturating_sub(1);
        }
        // The missed work may be for a bound thread only, and the thread that was woken above may find something else. So bound threads are woken, too. They take
        // turns: one that looks in vain puts its right down again, and threads beyond `free` are left to the next right that is put down.
        // A bound thread for whose root there is nothing sleeps on: it would take a right in vain, which a caller could use, and put it down for the next one.
        let in_queues = self.any_to_steal();
        let mut lists = self.sleepers.lock();
        self.brought
            .look(|has| lists.bound_in_turn(free, |root| in_queues || has(root)))
    }
}

/// Which thread may be woken.
#[derive(Clone, Copy)]
enum Whom {
    /// A waiter that may run work of this root, but not of any root.
    Bound(Root),
    /// A worker without work.
    Idle,
    /// A thread that may run anything: first a worker without work, then an unbound waiter.
    Unbound,
    /// A thread bound to this root, or else an unbound one. Bound threads come first: an unbound one might find other work and pass the wake-up on to a thread that
    /// must not run this work.
    BoundFirst(Root),
}

impl Whom {
    /// The first such thread.
    fn first<'a>(self, lists: &Locked<'a>) -> Option<Sleeper<'a>> {
        let bound = |root| lists.first_bound(root).map(Sleeper::Waiter);
        match self {
            Whom::Bound(root) => bound(root),
            Whom::BoundFirst(root) if !planted!("bound") => {
                bound(root).or_else(|| Whom::Unbound.first(lists))
            }
            Whom::Idle => lists.first_parked().map(Sleeper::Worker),
            Whom::Unbound | Whom::BoundFirst(_) => {
                let unbound = || lists.first_unbound().map(Sleeper::Waiter);
                Whom::Idle.first(lists).or_else(unbound)
            }
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::desk::{Desk, WakeUp};
    #[cfg(all(unix, not(miri)))]
    use crate::core::global_pointer::assert_well_in_child;
    use crate::core::job::HeapJob;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::start::with_what_there_is;
    use crate::core::thread_pool::ThreadPool;
    use crate::core::worker::Worker;
    use crate::sync::Arc;
    use std::sync::Barrier;
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread;

    /// A thread inside a wait is no substitute: what a worker can run on an empty stack would run on top of that wait.
    #[test]
    fn a_thread_inside_a_wait_is_no_substitute() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        pool.rights.put(1);
        pool.lie_down(pool.seats[1].own_desk(), None, false);
        assert!(!pool.wake_substitute());
        assert!(pool.wake_one(Root::NONE));
    }

    /// In a child after `fork` no thread of the pool sleeps, whatever the lists say, and a thread of the parent may hold their lock for ever.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_wakes_nobody_and_takes_no_lock() {
        let (pool, root) = (
            Pool::new(3, 0, Handlers::default(), true, false),
            Root::isolated(1),
        );
        let [waits, sleeps] = [1, 2].map(|number| pool.seats[number].own_desk());
        pool.lie_down(waits, Some(root), false);
        pool.lie_down(sleeps, None, false);
        let wakes: [fn(&Pool, Root); 5] = [
            |pool, _| pool.notify(Root::NONE),
            |pool, root| pool.notify(root),
            |pool, root| pool.wake_without_right(root),
            |pool, _| _ = pool.wake_substitute(),
            // A job is over that was taken before the fork, and its owner sleeps.
            |pool, _| pool.end_wait(pool.seats[2].own_desk()),
        ];
        for free in [false, true] {
            if free {
                pool.rights.put(0);
            }
            let locked = pool.sleepers.lock();
            for wakes in wakes {
                assert_well_in_child(|| {
                    wakes(&pool, root);
                    !waits.has_wake_up() && !sleeps.has_wake_up()
                });
            }
            drop(locked);
        }
        wakes[4](&pool, root);
        wakes[2](&pool, root);
        assert!(waits.has_wake_up() && sleeps.has_wake_up());
    }

    /// While no right is free no sleeper is woken, and a miss is noted. Of many sleepers two are woken at first.
    #[test]
    fn a_sleeper_is_woken_for_a_free_right() {
        let pool = Pool::new(4, 0, Handlers::default(), true, false);
        let desks = || pool.seats.iter().map(|seat| seat.own_desk());
        desks().for_each(|desk| pool.lie_down(desk, None, false));
        assert!(!pool.can_wake() && !pool.missed.any());
        assert!(!pool.wake_one(Root::NONE) && pool.missed.any());
        (0..4).for_each(|number| pool.rights.put(number));
        assert!(pool.can_wake() && pool.wake_for(Root::NONE));
        assert_eq!(pool.idle.counts().asleep(), 2);
        assert!(pool.wake_one(Root::NONE) && pool.can_wake());
        assert!(pool.wake_one(Root::NONE) && !pool.can_wake());
        assert!(!pool.wake_for(Root::NONE));
    }

    #[test]
    fn the_only_sleeper_is_woken_unless_a_thread_searches() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        pool.lie_down(pool.seats[1].own_desk(), None, false);
        pool.rights.put(1);
        pool.idle.start_search();
        assert!(!pool.notify_if_all_sleep(Root::NONE));
        pool.idle.end_search();
        assert!(pool.notify_if_all_sleep(Root::NONE));
        assert!(pool.seats[1].own_desk().has_wake_up());
    }

    /// A free right is left for the thread that may run everything: it takes one only when it has found a job.
    #[test]
    fn a_right_is_left_for_the_unbound_thread_that_was_woken() {
        let pool = Pool::new(4, 0, Handlers::default(), true, false);
        let roots = [1, 2].map(Root::isolated);
        pool.lie_down(pool.seats[1].own_desk(), None, false);
        for (number, root) in [2, 3].into_iter().zip(roots) {
            pool.lie_down(pool.seats[number].own_desk(), Some(root), false);
            // SAFETY: it borrows nothing.
            pool.brought.push(&[unsafe { HeapJob::boxed(root, || ()) }]);
        }
        [1, 2]
            .into_iter()
            .for_each(|number| pool.rights.put(number));
        let (first, more) = pool.wake_for_what_was_missed();
        assert!(pool.seats[1].own_desk().has_wake_up());
        assert_eq!((first.len(), more), (1, true));
        // Without an unbound thread, there is a right for each.
        let (both, more) = pool.wake_for_what_was_missed();
        assert_eq!((both.len(), more), (2, false));
        for root in roots {
            let job = pool.brought.take(Some(root)).expect("it is there");
            // SAFETY: just taken out of a queue, and no other thread is there.
            unsafe { pool.run(job, 0) };
        }
    }

    /// Of two threads, each bound to a call, the one is woken for whose call there is work.
    #[test]
    fn a_bound_thread_is_woken_for_what_was_missed() {
        let (pool, roots) = (
            Pool::new(3, 0, Handlers::default(), true, false),
            [1, 2].map(Root::isolated),
        );
        let desks = [1, 2].map(|number| pool.seats[number].own_desk());
        for (desk, root) in desks.into_iter().zip(roots) {
            pool.lie_down(desk, Some(root), false);
            pool.sleepers.lock().waiter_at(desk).unwrap().holds = false;
        }
        // SAFETY: it borrows nothing.
        pool.brought
            .push(&[unsafe { HeapJob::boxed(roots[1], || ()) }]);
        assert!(!pool.note_miss());
        pool.rights.put(0);
        pool.make_up();
        assert_eq!(desks.map(Desk::has_wake_up), [false, true]);
        assert!(!pool.missed.any());
        let job = pool.brought.take(Some(roots[1])).unwrap();
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { pool.run(job, 0) };
    }

    #[test]
    fn a_thread_is_called_to_help_if_it_sleeps_and_gets_a_right() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let desk = pool.seats[1].own_desk();
        let helps = |right| pool.call_to_help(&mut pool.sleepers.lock(), desk, |_| right);
        assert!(!helps(Some(1)), "it does not sleep");
        pool.lie_down(desk, None, false);
        pool.sleepers.lock().waiter_at(desk).unwrap().holds = false;
        assert!(!helps(None), "there is no right");
        assert!(helps(Some(1)));
        assert!(!helps(Some(1)), "it was called before");
    }

    /// Where no right is free, a thread that waits in an isolated call is called for what was brought, and for what is public and perhaps not run by its pusher. For a
    /// fork it is not: the thread that made it runs it.
    #[test]
    fn a_thread_is_called_without_a_right_for_what_others_may_not_run() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let (desk, root) = (pool.seats[1].own_desk(), Root::isolated(1));
        let lie_down = || {
            pool.lie_down(desk, Some(root), false);
            pool.sleepers.lock().waiter_at(desk).unwrap().holds = false;
        };
        // SAFETY: it borrows nothing.
        let job = || unsafe { HeapJob::boxed(root, || ()) };
        // SAFETY: its number is this thread's, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        lie_down();
        pool.notify(root);
        assert!(!desk.has_wake_up());
        pool.inject(job());
        assert_eq!(desk.take_wake_up(), Some(WakeUp::Look));
        lie_down();
        pool.pass_work_on(root, false);
        assert_eq!(desk.take_wake_up(), Some(WakeUp::Look));
        let brought = pool.brought.take(Some(root));
        lie_down();
        pool.pass_work_on(root, true);
        assert!(!desk.has_wake_up());
        sitting.worker().spawn(job());
        assert_eq!(desk.take_wake_up(), Some(WakeUp::Look));
        lie_down();
        pool.pass_work_on(root, false);
        assert!(!desk.has_wake_up());
        pool.pass_work_on(root, true);
        assert_eq!(desk.take_wake_up(), Some(WakeUp::Look));
        for job in [brought, sitting.worker().find(None, None)] {
            // SAFETY: just taken out of a queue.
            unsafe { pool.run(job.expect("it was pushed"), 0) };
        }
    }

    /// Work comes when a thread that waits for it has looked for the last time, and still has its right, which goes to a thread in line.
    #[test]
    fn a_thread_is_called_just_before_it_puts_its_right_down() {
        for in_line in [false, true] {
            let pool = Pool::new(2, 0, Handlers::default(), true, false);
            let root = Root::isolated(1);
            // SAFETY: as above.
            let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
            let desk = sitting.worker().desk();
            pool.lie_down(desk, Some(root), false);
            pool.idle.settle();
            if in_line {
                pool.sleepers.lock().want(pool.seats[1].own_desk());
            }
            // SAFETY: it borrows nothing.
            pool.inject(unsafe { HeapJob::boxed(root, || ()) });
            pool.put_down_to_sleep(desk);
            assert_eq!(desk.take_wake_up(), Some(WakeUp::Look));
            let job = pool.brought.take(Some(root)).expect("it was brought");
            // SAFETY: just taken out of a queue.
            unsafe { pool.run(job, 0) };
            pool.sleepers
                .lock()
                .remove_wanting(pool.seats[1].own_desk());
        }
    }

    /// In a narrow pool whose threads all work, spawned jobs wake no thread, and do not look at the lists for one.
    #[test]
    fn spawns_in_a_narrow_pool_leave_the_lists_alone() {
        let pool = with_what_there_is(64);
        let calls = ThreadPool::of(Arc::clone(&pool));
        calls.set_active(2).unwrap();
        while pool.sleepers.lock().counts()[0] != 64 {
            thread::yield_now();
        }
        let (begun, done) = (Arc::new(Barrier::new(3)), Arc::new(Barrier::new(3)));
        for _ in 0..2 {
            let (begun, done) = (Arc::clone(&begun), Arc::clone(&done));
            calls.spawn(move || {
                begun.wait();
                let pool = Worker::current().unwrap().pool();
                let seen = || (pool.sleepers.times.load(Relaxed), pool.stats().wakes);
                let before = seen();
                let spawns = || (0..1000).for_each(|_| crate::spawn(|| ()));
                spawns();
                crate::isolate(spawns);
                assert_eq!(seen(), before);
                done.wait();
            });
        }
        // A thread that was woken in vain sleeps again.
        while pool.sleepers.lock().counts()[0] != 62 {
            thread::yield_now();
        }
        begun.wait();
        done.wait();
        calls.shutdown();
        assert_eq!(pool.stats().jobs, 2 + 4000);
    }
}

//! Waking: who is woken for what, and how a right goes from one thread to the next.
//!
//! A thread that has made work visible looks for sleepers, behind a full fence; one that falls asleep registers, and looks for work behind a full
//! fence ([`idle`](super::idle) has the proof). Rights have the same hand-shake: a waker that finds a sleeper and no free right notes that it
//! [missed](Pool::note_miss) one, and who puts a right down looks for such a note.

use super::desk::{Call, Desk};
use super::note;
use super::policy;
use super::pool::Pool;
use super::root::Root;
use super::sleepers::{Locked, Sleeper};
use crate::sync::{Ordering, fence, planted};

impl Pool {
    // For work.

    /// Work of `root` has become visible: wakes a sleeper if nobody is looking for work, or nobody who is may run it.
    pub(crate) fn notify(&self, root: Root) {
        let counts = self.idle.counts_after_push();
        if counts.asleep() > 0 && counts.searching() == 0 {
            self.wake_for(root);
        } else if self.sleepers.any_bound_to(root) && !planted!("bound") {
            // Those who search may be bound to other roots, and who waits for this one may be the only thread left for it.
            self.wake(|lists| lists.first_bound(root).map(Sleeper::Waiter));
        }
    }

    /// Work of `root` has become visible, for who was awake before: wakes a sleeper if they all fell asleep meanwhile.
    pub(crate) fn notify_if_all_sleep(&self, root: Root) {
        let counts = self.idle.counts_after_push();
        if counts.asleep() > 0 && counts.searching() == 0 {
            self.wake_for(root);
        }
    }

    /// Whether a thread sleeps that could run now.
    #[inline]
    pub(crate) fn can_wake(&self) -> bool {
        (self.idle.counts().asleep() > 0 || self.sleepers.any_bound()) && self.rights.any()
    }

    /// Wakes as many threads as is good for new work of `root`. False: there is none to be woken.
    #[cold]
    pub(crate) fn wake_for(&self, root: Root) -> bool {
        let asleep = self.idle.counts().asleep() as usize;
        let most = policy::first_wakes(asleep, self.workers);
        (0..most).take_while(|_| self.wake_one(root)).count() > 0
    }

    /// Wakes one thread that would run work of `root`. False: there is none.
    #[cold]
    pub(crate) fn wake_one(&self, root: Root) -> bool {
        // Any other thread might find something else first, and pass on a wake-up that is not for one that is bound.
        self.wake(|lists| {
            let bound = lists.first_bound(root).filter(|_| !planted!("bound"));
            let bound = bound.map(Sleeper::Waiter);
            bound.or_else(|| unbound(lists))
        })
    }

    /// A thread has found work, or was the last one that looked for some: wakes others, if there is more than those who look will find.
    pub(crate) fn call_others(&self, root: Root) {
        let counts = self.idle.counts();
        if counts.asleep() == 0 && !self.sleepers.any_bound() {
            return;
        }
        let searching = counts.searching() as usize;
        let loot = self.loot(policy::most_loot(searching));
        for _ in 0..policy::wakes(loot, searching) {
            if !self.wake_one(root) {
                return;
            }
        }
    }

    /// Wakes the one that `choose` chooses. False: it chose none, or there is no right for it.
    fn wake(&self, choose: impl for<'a> Fn(&Locked<'a>) -> Option<Sleeper<'a>>) -> bool {
        loop {
            if !self.rights.any() && !self.note_miss() {
                return false;
            }
            let mut lists = self.sleepers.lock();
            let desk = match choose(&lists) {
                None => return false,
                Some(Sleeper::Worker(number)) => {
                    lists.unpark(number);
                    self.call_to_search(number)
                }
                Some(Sleeper::Waiter(desk)) => {
                    let take = |lists: &mut Locked<'_>| self.take_locked(lists, desk.preferred());
                    if !self.call_to_help(&mut lists, desk, take) {
                        // A guest was faster.
                        continue;
                    }
                    desk
                }
            };
            drop(lists);
            self.outside.wakes.bump_shared();
            note::wake(desk);
            desk.ring();
            return true;
        }
    }

    /// Calls worker `number`, which was just taken off the list of those that sleep for want of work.
    fn call_to_search(&self, number: usize) -> &Desk {
        let desk = self.seats[number].worker();
        self.idle.sleep_to_search();
        desk.call(Call::Help(None));
        desk
    }

    /// Calls the thread at `desk`, which sleeps inside a wait, and gives it the right that `take` takes, unless it still has one. False: there is none.
    fn call_to_help(
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
        desk.call(Call::Help(number));
        true
    }

    /// There was work for a thread, and no right: the next one who puts a right down looks for such a thread. True: there is a free right after all.
    #[cold]
    pub(crate) fn note_miss(&self) -> bool {
        if !self.missed.load(Ordering::Relaxed) {
            self.missed.swap(true, Ordering::Relaxed);
        }
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
        // Who is not on the list yet gets the lock after us, and sees that the pool has stopped.
        loop {
            let mut lists = self.sleepers.lock();
            let Some(number) = lists.first_parked() else {
                return;
            };
            lists.unpark(number);
            let desk = self.call_to_search(number);
            drop(lists);
            self.outside.wakes.bump_shared();
            note::wake(desk);
            desk.ring();
        }
    }

    // For rights.

    /// Puts down right `number`, which the caller holds and uses no more.
    #[inline]
    pub(crate) fn put_down(&self, number: usize) {
        self.rights.put(number);
        self.after_put_down(number);
    }

    #[inline]
    pub(super) fn after_put_down(&self, number: usize) {
        // On x86 a locked instruction is a fence already.
        let is_fenced = !cfg!(filch_loom) && cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        if !is_fenced && !planted!("leave") {
            fence(Ordering::SeqCst);
        }
        if self.sleepers.any_wanting() {
            self.serve();
        }
        if self.missed.load(Ordering::Relaxed) && !planted!("lend") {
            self.make_up();
        }
        if !self.seats[number].mail.is_empty() {
            self.call_for_mail(number);
        }
    }

    /// Takes a right, if there is a free one and nobody waits for it.
    pub(crate) fn try_take(&self, preferred: Option<usize>) -> Option<usize> {
        if self.sleepers.any_wanting() {
            return None;
        }
        if let Some(number) = preferred
            && self.rights.take_this(number)
        {
            return Some(number);
        }
        // With the lists locked no right is on its way between those that are free and those that are held back.
        let any = self.rights.any();
        any.then(|| self.take_locked(&mut self.sleepers.lock(), preferred))?
    }

    /// Takes a free right: `preferred` if nobody has it, else the lowest. If `preferred` is held back, another one is held back instead.
    fn take_locked(&self, lists: &mut Locked<'_>, preferred: Option<usize>) -> Option<usize> {
        preferred
            .and_then(|number| self.take_this_locked(lists, number))
            .or_else(|| self.rights.take(None))
    }

    /// Takes right `number`, if nobody has it, and if there is a free one to be held back instead in case that is held back.
    fn take_this_locked(&self, lists: &mut Locked<'_>, number: usize) -> Option<usize> {
        if self.rights.take_this(number) {
            return Some(number);
        }
        if !lists.is_held_back(number) || planted!("exchange") {
            return None;
        }
        let other = self.rights.take(None)?;
        lists.exchange(number, other);
        Some(number)
    }

    /// Takes a right for the thread at `desk`; waits until there is one.
    pub(crate) fn take_right(&self, desk: &Desk) -> usize {
        if let Some(number) = self.try_take(desk.preferred()) {
            return number;
        }
        self.sleepers.lock().want(desk);
        self.serve();
        match desk.wait_for_call() {
            Call::GoOn(Some(number)) => number,
            other => unreachable!("a thread that wants a right was called to {other:?}"),
        }
    }

    /// Holds free rights back, if that is due, and gives the others to those who wait for one.
    #[cold]
    pub(super) fn serve(&self) {
        if !planted!("want") {
            fence(Ordering::SeqCst);
        }
        loop {
            let mut lists = self.sleepers.lock();
            while lists.has_surplus() {
                let Some(number) = self.rights.take_last() else {
                    return;
                };
                lists.keep_back(number);
            }
            let Some(desk) = lists.first_wanting() else {
                return;
            };
            let Some(number) = self.take_locked(&mut lists, desk.preferred()) else {
                return;
            };
            lists.serve();
            desk.call(Call::GoOn(Some(number)));
            drop(lists);
            desk.ring();
        }
    }

    /// A right was put down, and one was missed before: wakes a thread, if there is still something to do.
    #[cold]
    fn make_up(&self) {
        if !self.missed.swap(false, Ordering::Relaxed) {
            return;
        }
        // A waker that saw the old note has left no new one. It made its work visible before it looked, and the fence lets us see that.
        fence(Ordering::SeqCst);
        if !self.has_loot() {
            return;
        }
        // No more than there are rights for. A thread that runs anything comes first, and takes its right only when it has found something: if one
        // that is bound got that right meanwhile, perhaps the one that has just put it down, both would be woken for ever, each in vain.
        let mut free = self.rights.free();
        if self.wake(unbound) && !planted!("turns") {
            free = free.saturating_sub(1);
        }
        // What was missed may be for one that is bound alone. They take turns, for who looks in vain puts its right down again.
        let (roots, more) = self.sleepers.lock().bound_in_turn(free);
        if more {
            // For the next right that is put down. A thread that was woken above may find something else, and others what was meant for a bound one.
            self.missed.store(true, Ordering::Relaxed);
        }
        for root in roots {
            self.wake(|lists| lists.first_bound(root).map(Sleeper::Waiter));
        }
    }

    // For one thread.

    /// The thread at `desk` is about to sleep inside a wait, and may be called from now on.
    pub(crate) fn lie_down(&self, desk: &Desk, bound: Option<Root>, leaves: bool) {
        // First the count, for who takes the thread off the list counts it out.
        if bound.is_none() {
            self.idle.start_sleep();
        }
        self.sleepers.lock().lie_down(desk, bound, leaves);
    }

    /// The thread at `desk` sleeps now, and puts its right down, unless it has been called.
    pub(crate) fn sleep_without_right(&self, desk: &Desk) {
        let mut lists = self.sleepers.lock();
        let Some(waiter) = lists.waiter_at(desk) else {
            return;
        };
        waiter.holds = false;
        let Some(number) = desk.own.let_go() else {
            return;
        };
        desk.prefer(number);
        // With the lists locked, so that nobody calls this thread before its own right is free, and gives it another one.
        self.rights.put(number);
        drop(lists);
        self.after_put_down(number);
    }

    /// The thread at `desk` gets up by itself. If it has been called, that is what it was called for.
    pub(crate) fn get_up(&self, desk: &Desk) -> Option<Call> {
        let mut lists = self.sleepers.lock();
        if let Some(waiter) = lists.get_up(desk) {
            if waiter.bound.is_none() {
                self.idle.end_sleep();
            }
            return None;
        }
        desk.take_call()
    }

    /// The latch of the thread at `desk` is set, and that thread slept, or was about to.
    pub(crate) fn end_wait(&self, desk: &Desk) {
        let mut lists = self.sleepers.lock();
        let Some(waiter) = lists.get_up(desk) else {
            // It looks at its latch when it has registered; or it was called for something else.
            return;
        };
        if waiter.bound.is_none() {
            self.idle.end_sleep();
        }
        let number = match waiter.holds || waiter.leaves {
            true => None,
            false => {
                let first = !self.sleepers.any_wanting();
                let take = || self.take_locked(&mut lists, desk.preferred());
                let Some(number) = first.then(take).flatten() else {
                    lists.want(desk);
                    drop(lists);
                    return self.serve();
                };
                Some(number)
            }
        };
        desk.call(Call::GoOn(number));
        drop(lists);
        desk.ring();
    }

    /// There is mail for `number`. If no thread has that right, the worker of that number has to come.
    pub(crate) fn call_for_mail(&self, number: usize) {
        if !planted!("rouse") {
            fence(Ordering::SeqCst);
        }
        let desk = self.seats[number].worker();
        let mut lists = self.sleepers.lock();
        if !self.is_unused(&lists, number) {
            // The thread that has it looks when it puts it down.
            return;
        }
        // A worker without work takes the right when it is up. One that sleeps inside a wait gets it here.
        let called = match lists.unpark(number) {
            true => Some(self.call_to_search(number)),
            false => {
                let take = |lists: &mut Locked<'_>| self.take_this_locked(lists, number);
                let helps = self.call_to_help(&mut lists, desk, take);
                helps.then_some(desk)
            }
        };
        // Else it is awake, and looks before it sleeps; unless one of these is so.
        let called = match called {
            None if lists.is_held_back(number) && lists.waiter_at(desk).is_some() => {
                // It sleeps inside a wait, and there is no right that could be held back instead. It reads its mail when it has its turn.
                desk.prefer(number);
                self.get_in_line(&mut lists, desk);
                drop(lists);
                return self.serve();
            }
            None if self.works_elsewhere(&lists, number) => {
                // It may do so for long, and perhaps until this very mail is read.
                self.seats[number].mail.leave_to_anyone();
                self.stray_mail.store(true, Ordering::Relaxed);
                let reader = lists.first_parked().filter(|&at| lists.unpark(at));
                reader.map(|at| self.call_to_search(at))
            }
            called => called,
        };
        drop(lists);
        if let Some(desk) = called {
            self.outside.wakes.bump_shared();
            note::wake(desk);
            desk.ring();
        }
    }

    /// The thread at `desk`, which sleeps inside a wait, is to go on when it has got a right.
    fn get_in_line(&self, lists: &mut Locked<'_>, desk: &Desk) {
        if lists
            .get_up(desk)
            .is_some_and(|waiter| waiter.bound.is_none())
        {
            self.idle.end_sleep();
        }
        lists.want(desk);
    }

    /// Whether no thread has right `number`.
    fn is_unused(&self, lists: &Locked<'_>, number: usize) -> bool {
        let held_back = lists.is_held_back(number) && !planted!("held");
        held_back || self.rights.is_free(number)
    }

    /// Whether there is mail for `number`, and no thread that has that right.
    pub(crate) fn has_unread(&self, number: usize) -> bool {
        let mail = &self.seats[number].mail;
        !mail.is_empty() && self.is_unused(&self.sleepers.lock(), number)
    }

    /// Whether the worker of `number` works under another number, as far as can be seen.
    #[cold]
    fn works_elsewhere(&self, lists: &Locked<'_>, number: usize) -> bool {
        let desk = self.seats[number].worker();
        let mut others = (0..self.seats.len()).filter(|&other| other != number);
        others.any(|other| {
            std::ptr::eq(self.seats[other].at_work(), desk) && !self.is_unused(lists, other)
        })
    }
}

/// A thread that would run anything: first a worker without work, then a thread inside a wait.
fn unbound<'a>(lists: &Locked<'a>) -> Option<Sleeper<'a>> {
    let worker = lists.first_parked().map(Sleeper::Worker);
    worker.or_else(|| lists.first_free().map(Sleeper::Waiter))
}

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

    /// Brings a job in from a thread that is at no desk of this pool.
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

    /// Work of `root` has become visible: wakes a sleeper if no thread is looking for work, or none of those that look may run it.
    pub(crate) fn notify(&self, root: Root) {
        if !self.notify_if_all_sleep(root) && self.sleepers.any_bound_to(root) && !planted!("bound")
        {
            // The threads that search may be bound to other roots, and a thread that waits for this root may be the only one left for it.
            self.wake(Wanted::Bound(root));
        }
    }

    /// Work of `root` has become visible: wakes a sleeper if no thread is looking for work, and some sleep. Whether that was so. It is enough by itself where
    /// only threads that fell asleep meanwhile could have missed the work.
    pub(crate) fn notify_if_all_sleep(&self, root: Root) -> bool {
        let counts = self.idle.counts_after_push();
        let all_sleep = counts.asleep() > 0 && counts.searching() == 0;
        if all_sleep {
            self.wake_for(root);
        }
        all_sleep
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
        let most = policy::first_wakes(asleep, self.crew.threads());
        let Some(first) = self.wake(Wanted::BoundFirst(root)) else {
            return false;
        };
        // If the first thread has already seen its call, it runs, and wakes another one itself if that is of use. So only wake a second if it has not.
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
        self.wake(Wanted::BoundFirst(root)).is_some()
    }

    /// Wakes a worker that takes the place of the calling one, which was woken on its waker's processor. False: there is none. A thread inside a wait is none:
    /// it would run on top of that wait what the caller can run on an empty stack.
    pub(super) fn wake_substitute(&self) -> bool {
        self.call(Wanted::Idle)
            .inspect(|desk| {
                // Or two threads would send each other, while the waker waits for both.
                if !planted!("displace") {
                    desk.may_displace();
                }
                self.rouse(desk);
            })
            .is_some()
    }

    /// Whether a thread that is woken finds a right. If not, the next one that is put down makes up for it.
    pub(crate) fn has_right_for_one(&self) -> bool {
        self.rights.any() || self.note_miss()
    }

    /// Wakes a thread that is `wanted`, and gives its desk. None: there is no such thread, or no right for it.
    fn wake(&self, wanted: Wanted) -> Option<&Desk> {
        self.call(wanted).inspect(|desk| self.rouse(desk))
    }

    /// The thread at `desk`, which was just called, gets up.
    pub(super) fn rouse(&self, desk: &Desk) {
        self.outside.wakes.bump_shared();
        note::wake(desk);
        desk.ring();
    }

    /// Calls a thread that is `wanted`, and gives its desk; [`rouse`](Pool::rouse) has to follow. None: there is no such thread, or no right for it.
    fn call(&self, wanted: Wanted) -> Option<&Desk> {
        loop {
            if !self.has_right_for_one() {
                return None;
            }
            let mut lists = self.sleepers.lock();
            return Some(match wanted.first(&lists) {
                None => return None,
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
            });
        }
    }

    /// Calls worker `number`, which was just taken off the list of those that sleep for want of work.
    pub(super) fn call_to_search(&self, number: usize) -> &Desk {
        let desk = self.seats[number].worker();
        self.idle.sleep_to_search();
        desk.mark_woken(WakeUp::Help(None));
        desk
    }

    /// Calls the thread at `desk`, which sleeps inside a wait, and gives it the right that `take` takes, unless it still has one. False: there is none.
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

    /// There was work for a sleeper, and no right: the next thread that puts a right down looks for a sleeper. True: there is a free right after all.
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

    /// A right was put down, and one was missed before: wakes a thread, if there is still something to do.
    #[cold]
    pub(super) fn make_up(&self) {
        while self.missed.begin() {
            // A waker that saw the old note has left no new one. It made its work visible before it looked, and the fence lets us see that. The fence after our
            // right was put down is no help: another thread may have taken that right before the waker looked. For the same reason a thread that puts a right
            // down from here on sees that this one makes up, unless the count of free rights has that right in it.
            if !planted!("stale") {
                fence(Ordering::SeqCst);
            }
            let (roots, more) = match self.has_loot() {
                true => self.wake_for_what_was_missed(),
                false => (Vec::new(), false),
            };
            let again = self.missed.end(more);
            for root in roots {
                self.wake(Wanted::Bound(root));
            }
            // A right that was put down meanwhile is free, or its next holder sees the note.
            if !again || !self.note_miss() {
                return;
            }
        }
    }

    /// Wakes a thread that runs anything. Gives the roots of the bound ones that are to be woken as well, and whether there are more of those.
    fn wake_for_what_was_missed(&self) -> (Vec<Root>, bool) {
        // No more than there are rights for. A thread that runs anything comes first, and takes its right only when it has found something: if one
        // that is bound got that right meanwhile, perhaps the thread that has just put it down, both would be woken for ever, each in vain.
        let mut free = self.rights.free();
        if self.wake(Wanted::Unbound).is_some() && !planted!("turns") {
            free = free.saturating_sub(1);
        }
        // What was missed may be for a bound thread only. Bound threads take turns: one that looks in vain puts its right down again. If there are more, they are
        // for the next right that is put down. A thread that was woken above may find something else, and others what was meant for a bound one.
        // One for which there is nothing is left alone: it would take a right in vain, from a caller that could use it, and put it down for the next one.
        let in_queues = self.any_to_steal();
        let mut lists = self.sleepers.lock();
        self.brought
            .look(|has| lists.bound_in_turn(free, |root| in_queues || has(root)))
    }
}

/// Which thread may be woken.
#[derive(Clone, Copy)]
enum Wanted {
    /// One that runs work of this root only.
    Bound(Root),
    /// A worker without work.
    Idle,
    /// One that would run anything: first a worker without work, then a thread inside a wait.
    Unbound,
    /// Either, the former first: any other thread might find something else first, and pass on a wake-up that is not for one that is bound.
    BoundFirst(Root),
}

impl Wanted {
    /// The first such thread.
    fn first<'a>(self, lists: &Locked<'a>) -> Option<Sleeper<'a>> {
        let bound = |root| lists.first_bound(root).map(Sleeper::Waiter);
        match self {
            Wanted::Bound(root) => bound(root),
            Wanted::BoundFirst(root) if !planted!("bound") => {
                bound(root).or_else(|| Wanted::Unbound.first(lists))
            }
            Wanted::Idle => lists.first_parked().map(Sleeper::Worker),
            Wanted::Unbound | Wanted::BoundFirst(_) => {
                let free = || lists.first_free().map(Sleeper::Waiter);
                Wanted::Idle.first(lists).or_else(free)
            }
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::start::with_what_there_is;
    use crate::core::thread_pool::ThreadPool;
    use crate::sync::Arc;
    use std::sync::Barrier;
    use std::sync::atomic::Ordering::Relaxed;
    use std::thread;

    /// A thread inside a wait is no substitute: what a worker can run on an empty stack would run on top of that wait.
    #[test]
    fn a_thread_inside_a_wait_is_no_substitute() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        pool.rights.put(1);
        pool.lie_down(pool.seats[1].worker(), None, false);
        assert!(!pool.wake_substitute());
        assert!(pool.wake_one(Root::NONE));
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
                let pool = crate::core::worker::Worker::current().unwrap().pool();
                let seen = || (pool.sleepers.times.load(Relaxed), pool.stats().wakes);
                let before = seen();
                for _ in 0..1000 {
                    crate::spawn(|| ());
                }
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
        assert_eq!(pool.stats().jobs, 2 + 2000);
    }
}

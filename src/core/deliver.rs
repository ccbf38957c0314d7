//! Mail: which thread is woken for it.
//!
//! Mail is for one number. A thread that has that right looks for mail while it works and when it puts the right down. If no thread has it, the worker
//! of that number has to come, so that a broadcast runs on each thread. Wherever that worker is, it finds the mail:
//!
//! - It sleeps: then it is woken.
//! - It looks for work, or is about to sleep: it looks at its mail behind a fence when it has registered or has put its right down, so it sees the mail, or
//!   the thread that brings mail sees it sleep.
//! - It [stands in](super::stand_in) for a thread of another pool: then it is called there, and looks before it sleeps there.
//! - It works under another number, because a caller from outside had its own: where it looks for mail it looks at that of its own number, too, and takes its
//!   number in exchange for the one that it has ([`take_mail`](super::worker::Worker::take_mail)). So no other thread has to know where it works.

use super::pool::Pool;
use super::sleepers::Locked;
use crate::sync::{Ordering, fence, planted};

impl Pool {
    /// There is mail for `number`. If no thread has that right, the worker of that number has to come.
    pub(crate) fn call_for_mail(&self, number: usize) {
        if !planted!("rouse") {
            fence(Ordering::SeqCst);
        }
        let mut lists = self.sleepers.lock();
        let desk = match self.crew.is_callers() {
            // There is no worker. The mail is for the caller whose turn it is, who may sleep inside a wait.
            true => self.at_work(number),
            false => self.seats[number].own_desk(),
        };
        if !self.is_unused(number) {
            // The thread that has it looks when it puts it down.
            return;
        }
        // A worker that sleeps for want of work takes the right itself when it is awake. A worker that sleeps inside a wait gets the right here.
        let called = match lists.unpark(number) {
            true => Some(self.call_to_search(number)),
            false => {
                let take = |lists: &mut Locked<'_>| self.take_this_locked(lists, number);
                let helps = self.call_to_help(&mut lists, desk, take);
                helps.then_some(desk)
            }
        };
        // A worker that was not called here is awake, and looks at its mail while it works and before it sleeps. There is one exception.
        let called = match called {
            None if self.rights.is_held_back(number) && lists.waiter_at(desk).is_some() => {
                // The worker sleeps inside a wait, its right is held back, and no free right could be held back in exchange. So it waits in line, and reads its mail then.
                desk.prefer(number);
                return self.call_into_line(lists, desk);
            }
            called => called,
        };
        let away = called.is_none().then(|| lists.away(number)).flatten();
        let away = away.map(|desk| (Pool::of(desk).to_arc(), desk));
        drop(lists);
        if let Some((pool, desk)) = away {
            pool.end_wait(desk);
        }
        if let Some(desk) = called {
            self.rouse(desk);
        }
    }

    /// Whether no thread has right `number`. Without the lists locked this is a hint: another thread may take a right that is held back.
    pub(super) fn is_unused(&self, number: usize) -> bool {
        let held_back = self.rights.is_held_back(number) && !planted!("held");
        held_back || self.rights.is_free(number)
    }

    /// Whether there is mail for `number`, and no thread that has that right.
    pub(crate) fn has_unread(&self, number: usize) -> bool {
        let mail = &self.seats[number].mail;
        // In a child after `fork` the lists may be locked for ever, and no mail is for it.
        if mail.is_empty() || self.is_orphan() {
            return false;
        }
        let _locked = self.sleepers.lock();
        self.is_unused(number)
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::desk::{Desk, WakeUp};
    use crate::core::job::HeapJob;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::worker::Worker;
    use std::sync::atomic::Ordering;
    use std::thread;

    /// A pool of two whose worker 0 was given number 1, because a caller from outside had number 0, which is free or held back by now.
    fn with_a_worker_elsewhere(narrow: bool, then: impl FnOnce(&Pool, Worker<'_>)) {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let worker = sitting.worker();
        worker.put_right_down();
        let guest = pool.try_take(Some(0));
        pool.rights.put(1);
        let number = pool.take_right(worker.desk());
        assert_eq!((guest, number), (Some(0), 1));
        if narrow {
            pool.set_active(1);
        }
        pool.put_down(0);
        assert_eq!(pool.rights.is_held_back(0), narrow);
        then(&pool, worker);
        drop(sitting);
        pool.vacate(0);
    }

    /// Sends mail for number 0.
    fn mail(pool: &Pool) {
        // SAFETY: it borrows nothing.
        let share = unsafe { HeapJob::boxed(Root::NONE, || ()) };
        assert!(pool.seats[0].mail.push(share));
        pool.call_for_mail(0);
    }

    /// Worker 0 reads its mail, and has its own number. (It has looked for jobs so often that its mail is next, however many jobs there are.)
    fn assert_reads(pool: &Pool, worker: Worker<'_>, narrow: bool) {
        let job = worker.take_mail_or_injected(None).expect("there is mail");
        assert_eq!(worker.index(), 0);
        assert_eq!(pool.rights.is_held_back(1), narrow);
        assert_eq!(pool.rights.is_free(1), !narrow);
        // SAFETY: just taken out of a queue.
        unsafe { pool.run(job, 0) };
    }

    /// There is mail for its own number when it does not work yet.
    #[test]
    fn mail_for_a_worker_that_is_about_to_work_elsewhere_is_read_by_it() {
        for narrow in [false, true] {
            with_a_worker_elsewhere(narrow, |pool, worker| {
                mail(pool);
                worker.hold(1);
                assert_reads(pool, worker, narrow);
            });
        }
    }

    /// Worker 0 is under number 1, worker 1 under number 2, and a caller from outside has number 0: the mail for number 2 is worker 2's, which sleeps. Where
    /// worker 1 would read it, it would later run its own share of the same broadcast as well. In a circle each runs one share.
    #[test]
    fn mail_is_left_to_the_worker_at_the_end_of_a_chain() {
        for circle in [false, true] {
            let pool = Pool::new(3, 0, Handlers::default(), true, false);
            let [first, second, _] = [0, 1, 2].map(|number| pool.seats[number].own_desk());
            let held = if circle { 0 } else { 2 };
            pool.seats[1].sit_down(first);
            pool.seats[0].sit_down(pool.guest_desk(&pool.seats[0]));
            pool.seats[held].sit_down(second);
            pool.sleepers.lock().park(2);
            pool.idle.start_sleep();
            // SAFETY: all rights are born held, and the desk is for this thread alone.
            let sitting = unsafe { Worker::sit(second, held) };
            for seat in &pool.seats {
                // SAFETY: it borrows nothing.
                let share = unsafe { HeapJob::boxed(Root::NONE, || ()) };
                assert!(seat.mail.push(share));
            }
            let worker = sitting.worker();
            let job = worker.take_mail_or_injected(None);
            assert_eq!(job.is_some(), circle);
            if !circle {
                worker.put_right_down();
                let is_asleep = pool.sleepers.lock().unpark(2);
                assert!(!is_asleep, "it was called");
            }
            drop(sitting);
            // SAFETY: just taken out of a queue.
            job.inspect(|&job| unsafe { pool.run(job, 0) });
            (0..3).for_each(|number| pool.vacate(number));
        }
    }

    /// There is mail when it works already, and no other worker sleeps for want of work.
    #[test]
    fn mail_for_a_worker_that_works_elsewhere_is_read_by_it() {
        for narrow in [false, true] {
            with_a_worker_elsewhere(narrow, |pool, worker| {
                worker.hold(1);
                mail(pool);
                assert_reads(pool, worker, narrow);
            });
        }
    }

    /// Worker 1 of a pool of two sleeps at a desk of another pool, for which it stands in. Its number is free, or held back.
    fn with_a_worker_away(narrow: bool, then: impl FnOnce(&Pool, &Pool, &Desk)) {
        let pools = [2, 1].map(|threads| Pool::new(threads, 0, Handlers::default(), true, false));
        let [pool, other] = &pools;
        match narrow {
            true => pool.rights.hold_back(1),
            false => pool.rights.put(1),
        }
        let desk = other.seats[0].own_desk();
        pool.sleepers.lock().set_away(1, Some(desk));
        other.lie_down(desk, None, false);
        // SAFETY: it borrows nothing.
        let share = unsafe { HeapJob::boxed(Root::NONE, || ()) };
        assert!(pool.seats[1].mail.push(share));
        then(pool, other, desk);
        pool.sleepers.lock().set_away(1, None);
        let share = pool.seats[1].mail.take().expect("no thread took it");
        // SAFETY: just taken out of a queue.
        unsafe { pool.run(share, 1) };
    }

    #[test]
    fn a_worker_that_is_away_is_called_for_its_mail() {
        for narrow in [false, true] {
            with_a_worker_away(narrow, |pool, _, desk| {
                pool.call_for_mail(1);
                assert!(desk.has_wake_up());
            });
        }
    }

    /// Two pools may call each other's threads at the same time, so none keeps its lists locked meanwhile.
    #[test]
    fn the_lists_are_not_locked_while_a_thread_is_called_in_another_pool() {
        with_a_worker_away(false, |pool, other, desk| {
            let times = || other.sleepers.times.load(Ordering::Relaxed);
            thread::scope(|threads| {
                let locked = other.sleepers.lock();
                let before = times();
                threads.spawn(|| pool.call_for_mail(1));
                while times() == before {
                    thread::yield_now();
                }
                drop(pool.sleepers.lock());
                drop(locked);
            });
            assert!(desk.has_wake_up());
        });
    }

    /// Its right is held back, and another thread has the only other one. The worker sleeps inside a wait, and gets its own number in exchange, as soon as there is one.
    #[test]
    fn a_worker_whose_number_is_held_back_stands_in_line_for_its_mail() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let desk = pool.seats[1].own_desk();
        pool.rights.put(1);
        pool.set_active(1);
        pool.lie_down(desk, None, false);
        pool.sleepers.lock().waiter_at(desk).unwrap().holds = false;
        desk.prefer(0);
        // SAFETY: it borrows nothing.
        let share = unsafe { HeapJob::boxed(Root::NONE, || ()) };
        assert!(pool.seats[1].mail.push(share));
        pool.call_for_mail(1);
        assert!(pool.sleepers.any_wanting() && !desk.has_wake_up());
        pool.put_down(0);
        assert_eq!(desk.take_wake_up(), Some(WakeUp::GoOn(Some(1))));
        assert!(pool.rights.is_held_back(0) && pool.rights.is_in_use(1));
        let share = pool.seats[1].mail.take().expect("no thread took it");
        // SAFETY: just taken out of a queue.
        unsafe { pool.run(share, 1) };
    }
}

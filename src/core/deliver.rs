//! Mail: which thread is woken for it.
//!
//! Mail is for one number. The thread that has the right of that number looks for mail while it works, and when it puts the right down. If
//! no thread has it, the worker of that number is woken, so that a broadcast runs on each thread.

use super::note;
use super::pool::Pool;
use super::sleepers::Locked;
use crate::sync::{Ordering, fence, planted};
use std::ptr;

impl Pool {
    /// There is mail for `number`. If no thread has that right, the worker of that number has to come.
    pub(crate) fn call_for_mail(&self, number: usize) {
        if !planted!("rouse") {
            fence(Ordering::SeqCst);
        }
        let desk = self.seats[number].worker();
        let mut lists = self.sleepers.lock();
        if !self.is_unused(number) {
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
            None if self.rights.is_held_back(number) && lists.waiter_at(desk).is_some() => {
                // It sleeps inside a wait, and there is no right that could be held back instead. It reads its mail when it has its turn.
                desk.prefer(number);
                self.get_in_line(&mut lists, desk);
                drop(lists);
                return self.serve();
            }
            None if self.works_elsewhere(number) => {
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

    /// Whether no thread has right `number`. With the lists locked, none takes it from those that are held back; else a hint.
    fn is_unused(&self, number: usize) -> bool {
        let held_back = self.rights.is_held_back(number) && !planted!("held");
        held_back || self.rights.is_free(number)
    }

    /// Whether there is mail for `number`, and no thread that has that right.
    pub(crate) fn has_unread(&self, number: usize) -> bool {
        let mail = &self.seats[number].mail;
        if mail.is_empty() {
            return false;
        }
        let _locked = self.sleepers.lock();
        self.is_unused(number)
    }

    /// A number whose mail any worker may read, and whose right no thread has.
    #[cold]
    pub(crate) fn stray(&self) -> Option<usize> {
        let may_be_read = |&number: &usize| self.seats[number].mail.may_be_read();
        let strays = || (0..self.seats.len()).filter(may_be_read);
        if let Some(stray) = strays().find(|&number| self.has_unread(number)) {
            return Some(stray);
        }
        if strays().next().is_none() {
            // Searchers need not come here any more. A thread that leaves mail to any thread has the lists locked.
            let _locked = self.sleepers.lock();
            if strays().next().is_none() {
                self.stray_mail.store(false, Ordering::Relaxed);
            }
        }
        None
    }

    /// Whether the worker of `number` works under another number, as far as can be seen.
    #[cold]
    fn works_elsewhere(&self, number: usize) -> bool {
        let desk = self.seats[number].worker();
        desk.preferred().is_some_and(|at| {
            at != number && ptr::eq(self.seats[at].at_work(), desk) && !self.is_unused(at)
        })
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::job::HeapJob;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::worker::Worker;

    /// A worker that was given another number than its own, and does not work there yet when there is mail for its own.
    #[test]
    fn mail_for_a_worker_that_is_about_to_work_elsewhere_is_for_anyone() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].worker(), 0) };
        let worker = sitting.worker();
        worker.put_right_down();
        // A guest has number 0, and puts it down when the worker has taken the other one.
        let guest = pool.try_take(Some(0));
        pool.rights.put(1);
        let number = pool.take_right(worker.desk());
        assert_eq!((guest, number), (Some(0), 1));
        pool.put_down(0);
        // SAFETY: it borrows nothing.
        let share = unsafe { HeapJob::boxed(Root::NONE, || ()) };
        assert!(pool.seats[0].mail.push(share));
        pool.call_for_mail(0);
        worker.hold(number);
        assert_eq!(pool.stray(), Some(0));
        drop(sitting);
        pool.vacate(0);
    }

    /// The same in a narrow pool, where the worker's own number is held back meanwhile: no other thread may have that, so it takes its own.
    #[test]
    fn mail_for_a_number_that_was_held_back_is_read_by_its_worker() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].worker(), 0) };
        let worker = sitting.worker();
        worker.put_right_down();
        let guest = pool.try_take(Some(0));
        pool.rights.put(1);
        let number = pool.take_right(worker.desk());
        assert_eq!((guest, number), (Some(0), 1));
        pool.set_active(1);
        pool.put_down(0);
        assert!(pool.rights.is_held_back(0));
        // SAFETY: it borrows nothing.
        let share = unsafe { HeapJob::boxed(Root::NONE, || ()) };
        assert!(pool.seats[0].mail.push(share));
        pool.call_for_mail(0);
        worker.hold(number);
        assert_eq!(worker.index(), 0);
        assert!(pool.rights.is_held_back(1) && !pool.rights.is_held_back(0));
        drop(sitting);
        pool.vacate(0);
    }
}

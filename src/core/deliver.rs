//! Mail: which thread is called for it.
//!
//! Mail is for one number. A thread that has that right looks for mail while it works and when it puts the right down. If no thread has it, the worker
//! of that number has to come, so that a broadcast runs on each thread.

use super::note;
use super::pool::Pool;
use super::sleepers::Locked;
use crate::sync::{Ordering, fence, planted};

impl Pool {
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

    /// Whether no thread has right `number`.
    pub(super) fn is_unused(&self, lists: &Locked<'_>, number: usize) -> bool {
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

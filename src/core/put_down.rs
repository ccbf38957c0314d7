//! Putting a right down. After that, behind a fence, a thread checks four things: whether another one wants a right, whether a wake-up found no
//! right, whether a thread of another pool has to be called, and whether there is mail for the number.

use super::desk::Desk;
use super::pool::Pool;
use super::seat::Seat;
use crate::sync::{Ordering, compiler_fence, fence, planted};

impl Pool {
    /// Puts down right `number`, which the caller holds and uses no more.
    #[inline]
    pub(crate) fn put_down(&self, number: usize) {
        match self.seats.get(number) {
            Some(seat) => self.put_down_at(seat, number),
            None => self.put_spare_down(number),
        }
    }

    /// The same, where the seat of the right is at hand.
    #[inline]
    pub(super) fn put_down_at(&self, seat: &Seat, number: usize) {
        self.rights.put(number);
        self.after_put_down_at(seat, number);
    }

    pub(super) fn after_put_down(&self, number: usize) {
        self.after_put_down_at(&self.seats[number], number);
    }

    #[inline]
    fn after_put_down_at(&self, seat: &Seat, number: usize) {
        // On x86 a locked instruction is a fence already, for the processor; the compiler has to be told.
        let is_checked = cfg!(any(filch_loom, miri));
        let is_fenced = !is_checked && cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        if is_fenced {
            compiler_fence(Ordering::SeqCst);
        } else if !planted!("leave") {
            fence(Ordering::SeqCst);
        }
        if self.sleepers.any_wanting() {
            self.hand_out_rights();
        }
        if self.missed.any() && !planted!("lend") {
            self.make_up();
        }
        if self.sleepers.any_callers() {
            self.call_callers();
        }
        if !seat.mail.is_empty() {
            self.call_for_mail(number);
        }
    }

    /// The thread at `desk` is about to sleep: it puts its right down, unless it has been called.
    pub(crate) fn put_down_to_sleep(&self, desk: &Desk) {
        let mut lists = self.sleepers.lock();
        let Some(waiter) = lists.waiter_at(desk) else {
            return;
        };
        waiter.holds = false;
        let Some(number) = desk.own.let_go() else {
            return;
        };
        if number >= self.num_threads() {
            drop(lists);
            return self.put_spare_down(number);
        }
        desk.prefer(number);
        // With the lists locked, so that no thread calls this one before its own right is free, and gives it another right.
        self.rights.put(number);
        drop(lists);
        self.after_put_down(number);
    }
}

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

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::job::HeapJob;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::sync::Arc;

    fn pool(threads: usize) -> Arc<Pool> {
        Pool::new(threads, 0, Handlers::default(), true, false)
    }

    #[test]
    fn a_right_that_is_put_down_makes_a_pool_stuck_and_has_a_caller_called() {
        let ([stuck, sleeps], root) = ([1, 1].map(pool), Root::isolated(1));
        let desk = sleeps.seats[0].own_desk();
        stuck.sleepers.lock().add_caller(root, desk);
        sleeps.lie_down(desk, Some(root), false);
        // SAFETY: it borrows nothing.
        stuck.inject(unsafe { HeapJob::boxed(root, || ()) });
        assert!(!desk.has_wake_up());
        stuck.put_down(0);
        assert!(desk.has_wake_up());
        let job = stuck.brought.take(Some(root)).expect("no thread took it");
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { stuck.run(job, 0) };
        stuck.sleepers.lock().remove_caller(root, desk);
    }

    /// The right of a thread that falls asleep goes to the one that wants it. The sleeper asks for the same one again.
    #[test]
    fn a_thread_that_falls_asleep_gives_its_right_to_who_wants_one() {
        let pool = pool(2);
        let [sleeps, wants] = [0, 1].map(|number| pool.seats[number].own_desk());
        pool.sleepers.lock().want(wants);
        sleeps.own.hold(1);
        pool.lie_down(sleeps, None, false);
        pool.put_down_to_sleep(sleeps);
        assert!(wants.was_given_a_right() && !pool.rights.any());
        assert_eq!((sleeps.own.number(), sleeps.preferred()), (None, Some(1)));
        // One that was called keeps its right.
        sleeps.own.hold(0);
        pool.lie_down(sleeps, None, false);
        assert!(pool.get_up(sleeps).is_none());
        pool.put_down_to_sleep(sleeps);
        assert_eq!(sleeps.own.number(), Some(0));
    }

    /// Of a pool of 16 the first number to spare is 16.
    #[test]
    fn a_number_to_spare_comes_back_when_its_thread_falls_asleep() {
        for threads in [2, 16] {
            let pool = pool(threads);
            let take = || pool.take_spare(&mut pool.sleepers.lock());
            let (spare, desk) = (take().expect("it is there"), pool.seats[1].own_desk());
            assert!(spare >= 16 && take().is_none());
            desk.own.hold(spare);
            pool.lie_down(desk, None, false);
            pool.put_down_to_sleep(desk);
            assert_eq!((desk.own.number(), desk.preferred()), (None, Some(1)));
            assert_eq!((take(), pool.rights.free()), (Some(spare), 0));
            pool.put_down(spare);
        }
    }
}

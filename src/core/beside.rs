//! Running beside the holders of rights: what a thread does that goes on after a wait inside an isolated call, and finds no right.
//!
//! It may hold a lock for which all wait that have rights, and then no right is ever put down. So it stands in [line](super::turns) for some time only.
//! Then it takes a number to spare, and runs beside the holders of rights. It has no index meanwhile. It comes back in line as early as it can: when it
//! sleeps, when the isolated call or its job is done, when it looks for mail, or when it asks for its index.
//!
//! The numbers to spare are few. If all are taken the thread stays in line, and goes on with the first right, or the first such number, that is put down.

use super::desk::Desk;
use super::pool::Pool;
use super::sleepers::Locked;
use super::turns::right_in;
use super::worker::Worker;
use crate::sync::planted;
use std::time::Duration;

/// How long a thread stands in line before it goes on beside the holders of rights. A model knows no time.
const IN_LINE: Duration = match cfg!(any(filch_loom, filch_shuttle)) {
    true => Duration::ZERO,
    false => Duration::from_millis(20),
};

/// How long a thread stands in line to read mail. In a model, it does so until it has a right: each time that it gave up, it would begin anew.
const TO_READ: Duration = match cfg!(any(filch_loom, filch_shuttle)) {
    true => Duration::MAX,
    false => IN_LINE,
};

impl Pool {
    /// Takes a number that is no right of the pool, if there is one left. To [put it down](Pool::put_down) gives it back.
    pub(crate) fn take_spare(&self, _: &mut Locked<'_>) -> Option<usize> {
        self.rights.take_spare()
    }

    /// Takes a right for the thread at `desk`, which goes on after a wait inside an isolated call, or a number to spare. If it `has_mail`, which it can read with a right
    /// only, it is the next to get one: it may come often for that, each time for a short time.
    pub(crate) fn take_right_to_go_on(&self, desk: &Desk, has_mail: bool) -> usize {
        if planted!("spare") {
            return self.take_right(desk);
        }
        let come = |lists: &mut Locked<'_>| match has_mail {
            true => lists.want_first(desk),
            false => lists.want(desk),
        };
        let late = |lists: &mut Locked<'_>| {
            let spare = self.take_spare(lists);
            match spare {
                Some(_) => lists.remove_wanting(desk),
                None => lists.be_late(desk),
            }
            spare
        };
        let number = self.take_right_for(IN_LINE, desk, come, late);
        number.unwrap_or_else(|| right_in(desk.wait_for_wake_up()))
    }

    /// Takes a right for the thread at `desk`, which wants to read mail. `None`: there is none for some time. The thread may hold a lock for which all
    /// wait that have rights, and without a right it can read nothing. If it comes again, it is the next to get a right, since it has waited before.
    pub(super) fn take_right_to_read(&self, desk: &Desk) -> Option<usize> {
        let come = |lists: &mut Locked<'_>| lists.want_first(desk);
        let late = |lists: &mut Locked<'_>| {
            lists.remove_wanting(desk);
            None
        };
        self.take_right_for(TO_READ, desk, come, late)
    }

    /// Takes a right for the thread at `desk`. If none is free the thread gets in line, as `come` does it. If it is in line for too long, `late` says what it gets.
    fn take_right_for(
        &self,
        most: Duration,
        desk: &Desk,
        come: impl FnOnce(&mut Locked<'_>),
        late: impl FnOnce(&mut Locked<'_>) -> Option<usize>,
    ) -> Option<usize> {
        if let Some(number) = self.try_take(desk.preferred()) {
            return Some(number);
        }
        come(&mut self.sleepers.lock());
        self.hand_out_rights();
        if let Some(wake_up) = desk.wait_for_wake_up_for(most) {
            return Some(right_in(wake_up));
        }
        // With the lists locked it is either still in line, or has been called.
        let mut lists = self.sleepers.lock();
        match desk.take_wake_up() {
            Some(wake_up) => Some(right_in(wake_up)),
            None => late(&mut lists),
        }
    }

    /// Puts down a number to spare: a thread in line that is late goes on with it. If there is none, the pool may be stuck now.
    #[cold]
    pub(super) fn put_spare_down(&self, number: usize) {
        let mut lists = self.sleepers.lock();
        let late = lists.take_late().filter(|_| !planted!("late"));
        match late {
            Some(desk) => {
                self.wake_with(lists, desk, number);
            }
            None => {
                self.rights.hold_back(number);
                drop(lists);
            }
        }
        self.fence_and_call_callers();
    }
}

impl Worker<'_> {
    /// A thread that runs beside the holders of rights takes a right in exchange, if one is free.
    #[cold]
    pub(super) fn exchange_for_a_right(self) {
        let pool = self.pool();
        if !pool.is_orphan()
            && let Some(number) = pool.try_take(self.desk().preferred())
        {
            self.publish_all();
            self.clear_desk();
            self.put_right_down();
            self.hold(number);
        }
    }

    /// The same, when a job is over or a wait begins. Outside isolated calls the thread holds no lock then, and waits for a right.
    #[cold]
    pub(super) fn end_beside(self) {
        match self.is_isolated() {
            true => self.exchange_for_a_right(),
            false => self.wait_for_turn(),
        }
    }

    /// The index of this thread. None: it runs beside the holders of rights, and no right is free.
    #[inline]
    pub(super) fn user_index(self) -> Option<usize> {
        self.own().number()?;
        if self.seat().is_none() {
            self.exchange_for_a_right();
        }
        self.seat().map(|_| self.index())
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::deque::Worth;
    use crate::core::job::{HeapJob, StackJob};
    use crate::core::pool::Handlers;
    use crate::core::rights::SPARE;
    use crate::core::root::Root;
    use crate::sync::Arc;
    use std::{iter, thread};

    /// A pool of two whose rights are both in use.
    fn pool() -> Arc<Pool> {
        Pool::new(2, 0, Handlers::default(), true, false)
    }

    /// Takes the only number to spare.
    fn take_spare(pool: &Pool) -> usize {
        let spare = pool.take_spare(&mut pool.sleepers.lock());
        spare.expect("it is there")
    }

    /// So many rights are in use, the others are free, and the number to spare is back.
    #[track_caller]
    fn assert_in_use(pool: &Pool, used: usize) {
        assert_eq!(pool.rights.count_in_use(), used);
        assert_eq!(pool.rights.free() + used, pool.num_threads());
    }

    /// With which number a thread goes on that is late, if `gives` gives the first number, that to spare, or the right of another thread.
    fn goes_on_after(gives: impl FnOnce(&Pool, usize)) -> usize {
        let pool = pool();
        assert_eq!(SPARE, 1);
        let spare = take_spare(&pool);
        thread::scope(|threads| {
            let goes_on =
                threads.spawn(|| pool.take_right_to_go_on(pool.seats[1].own_desk(), false));
            while !pool.sleepers.lock().any_late() {
                thread::yield_now();
            }
            gives(&pool, spare);
            let number = goes_on.join().unwrap();
            assert!(!pool.sleepers.any_wanting() && !pool.sleepers.lock().any_late());
            pool.put_down(number);
            number
        })
    }

    #[test]
    fn a_thread_that_finds_no_number_goes_on_with_the_next_one() {
        let number = goes_on_after(|pool, spare| pool.put_down(spare));
        assert!(number >= pool().num_threads());
        let number = goes_on_after(|pool, spare| {
            pool.put_down(0);
            while pool.sleepers.any_wanting() {
                thread::yield_now();
            }
            pool.put_down(spare);
            assert_in_use(pool, 2);
        });
        assert_eq!(number, 0);
    }

    #[test]
    fn a_thread_that_wants_to_read_gives_up() {
        let pool = pool();
        let desk = pool.seats[1].own_desk();
        assert_eq!(pool.take_right_to_read(desk), None);
        assert!(!pool.sleepers.any_wanting());
        pool.put_down(0);
        assert_eq!(pool.take_right_to_read(desk), Some(0));
        assert_in_use(&pool, 2);
    }

    /// Worker 0 of a pool runs beside the holders of rights.
    fn beside(then: impl FnOnce(&Pool, Worker<'_>)) {
        let pool = pool();
        let spare = take_spare(&pool);
        // SAFETY: the right is this thread's until it is put down, and the desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let worker = sitting.worker();
        worker.own().let_go();
        worker.hold(spare);
        assert!(worker.seat().is_none() && worker.user_index().is_none());
        then(&pool, worker);
        assert_eq!(worker.user_index(), Some(0));
        assert_in_use(&pool, 2);
        drop(sitting);
    }

    #[test]
    fn a_thread_comes_back_when_its_isolated_call_is_over() {
        beside(|pool, worker| {
            let inside = || {
                pool.put_down(0);
                assert!(worker.seat().is_none());
            };
            worker.under(Root::isolated(1), inside).unwrap();
            assert!(worker.seat().is_some());
        });
    }

    #[test]
    fn a_thread_comes_back_when_it_has_mail() {
        beside(|pool, worker| {
            // SAFETY: it borrows nothing.
            let share = unsafe { HeapJob::boxed(Root::NONE, || ()) };
            assert!(pool.seats[0].mail.push(share));
            assert!(worker.take_mail().is_none());
            pool.put_down(0);
            let job = worker.take_mail().expect("there is mail");
            assert_eq!(worker.index(), 0);
            // SAFETY: just taken out of a queue.
            unsafe { pool.run(job, 0) };
        });
    }

    /// It asks for its index, and what it has offered is not lost.
    #[test]
    fn a_thread_comes_back_when_it_asks_for_its_index() {
        beside(|pool, worker| {
            // SAFETY: it borrows nothing.
            worker.spawn(unsafe { HeapJob::boxed(Root::NONE, || ()) });
            pool.put_down(0);
            assert_eq!(worker.user_index(), Some(0));
            let job = worker.find(None, None).expect("it was handed over");
            // SAFETY: just taken out of a queue.
            unsafe { pool.run(job, 0) };
        });
    }

    /// A right may become free just before the thread is in line.
    #[test]
    fn a_thread_gets_the_right_that_became_free_before_it_was_in_line() {
        let pool = pool();
        let desk = pool.seats[1].own_desk();
        let come = |lists: &mut Locked<'_>| {
            pool.rights.put(0);
            lists.want(desk);
        };
        let late = |_: &mut Locked<'_>| None;
        let number = pool.take_right_for(Duration::ZERO, desk, come, late);
        assert_eq!(number, Some(0));
        assert_in_use(&pool, 2);
    }

    /// A thread with a number to spare may be the last one that works for all.
    #[test]
    fn a_caller_is_called_when_a_number_to_spare_is_put_down() {
        let [stuck, sleeps] = [(); 2].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
        let (root, desk) = (Root::isolated(1), sleeps.seats[0].own_desk());
        let spare = take_spare(&stuck);
        stuck.put_down(0);
        stuck.sleepers.lock().add_caller(root, desk);
        sleeps.lie_down(desk, Some(root), false);
        // SAFETY: it borrows nothing.
        stuck.inject(unsafe { HeapJob::boxed(root, || ()) });
        assert!(!desk.has_wake_up());
        stuck.put_down(spare);
        assert!(desk.has_wake_up());
        let job = stuck.brought.take(Some(root)).expect("no thread took it");
        // SAFETY: just taken out of a queue.
        unsafe { stuck.run(job, 0) };
        stuck.sleepers.lock().remove_caller(root, desk);
    }

    /// What it has pushed is not for thieves yet. It is not left behind.
    #[test]
    fn a_thread_that_comes_back_leaves_nothing_private() {
        let jobs: Vec<_> = (0..10).map(|n| StackJob::new(n, |n: usize| n)).collect();
        beside(|pool, worker| {
            for job in &jobs {
                // SAFETY: they stay in place, and none is run.
                worker.push(unsafe { job.as_ref() }, Worth::Most);
            }
            assert!(worker.own().deque.has_private());
            pool.put_down(0);
            assert_eq!(worker.user_index(), Some(0));
            let found = iter::from_fn(|| worker.find(None, None));
            assert_eq!(found.count(), jobs.len());
        });
    }

    /// A thread that holds no number, such as one that is about to leave, takes none.
    #[test]
    fn a_thread_without_a_number_has_no_index() {
        let pool = pool();
        // SAFETY: the right is this thread's until it is put down, and the desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        sitting.worker().put_right_down();
        assert_eq!(sitting.worker().user_index(), None);
        assert_in_use(&pool, 1);
    }
}

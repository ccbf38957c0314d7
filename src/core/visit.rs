//! A thread from elsewhere that takes part in a pool: a [guest](super::guest), or a thread of another pool that [stands in](super::stand_in).

use super::event::Kind;
use super::pool::Pool;
use super::root::Root;
use super::seat::Seat;
use super::worker::{Sitting, Worker};
use crate::sync::{MutexGuard, planted};

/// The stay of a guest or of a thread that stands in. It ends when this is dropped.
pub(crate) struct Visit<'a> {
    pub(crate) worker: Worker<'a>,
    /// `None`: the visit has ended.
    sitting: Option<Sitting<'a>>,
    /// In a pool without threads: the turn.
    turn: Option<MutexGuard<'a, ()>>,
}

impl<'a> Visit<'a> {
    /// Sits down with right `number`, which this thread has just taken. Also says whether the seat of that right showed another desk until now.
    #[inline(always)]
    pub(super) fn sit_down(
        pool: &'a Pool,
        (seat, number): (&'a Seat, usize),
        turn: Option<MutexGuard<'a, ()>>,
    ) -> (Visit<'a>, bool) {
        let desk = pool.guest_desk(seat);
        let changes = seat.sit_down(desk);
        // SAFETY: the right and the desk were just taken, and are this thread's until `leave` gives them back. Visits on one thread are nested, frame in frame.
        let sitting = unsafe { Worker::sit(desk, number) };
        let worker = sitting.worker();
        worker.own().guest.set(true);
        worker.enter_new_root();
        worker.start_eager();
        desk.counters.guests.bump();
        desk.probe.note(Kind::Sit, || 0);
        let visit = Visit {
            worker,
            sitting: Some(sitting),
            turn,
        };
        (visit, changes)
    }

    /// Ends the visit, inlined. `drop` does the same by a call.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.leave();
        self.sitting = None;
        self.turn = None;
    }

    #[inline(always)]
    fn leave(&mut self) {
        let worker = self.worker;
        let pool = worker.pool();
        if pool.is_orphan() {
            // This process was forked during the visit, and this is the child. No thread of the pool runs here, and its locks may be held for ever, so nothing is touched.
            return;
        }
        if pool.crew.is_callers() && !planted!("alone") {
            run_what_is_left(worker);
        }
        worker.clear_desk();
        worker.desk().probe.note(Kind::Rise, || 0);
        worker.own().root.set(Root::NONE);
        worker.own().guest.set(false);
        worker.own().driver.leave_desk();
        let Some(number) = self.sitting.take().and_then(Sitting::rise) else {
            return pool.store_desk(worker.desk());
        };
        let Some(seat) = pool.seats.get(number) else {
            pool.store_desk(worker.desk());
            return pool.put_spare_down(number);
        };
        if !seat.leave_spare(worker.desk()) {
            pool.store_desk(worker.desk());
        }
        pool.put_down_at(seat, number);
    }

    /// A call, because only `visit_here` is short enough to care.
    #[inline(never)]
    fn end_by_drop(&mut self) {
        self.end();
    }
}

impl Drop for Visit<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.sitting.is_some() {
            self.end_by_drop();
        }
    }
}

/// Runs what the call spawned: in a pool without threads, no other thread will.
#[cold]
fn run_what_is_left(worker: Worker<'_>) {
    while let Some(job) = worker.find(None, None) {
        // SAFETY: just taken out of a queue.
        unsafe { worker.execute(job) };
    }
}

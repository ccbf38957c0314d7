//! Limits for the stack of one thread. Cuts are nested on the stack, and so are the jobs that the thread runs while it waits. From some
//! depth on, fewer cuts are made.

use super::lane::Lane;
use super::market::DEEP;
use super::restore::Restore;

/// How many cuts of pieces without a length, and jobs, may be nested where a piece is cut before it is folded.
const DEEPEST: usize = 32;

impl Lane<'_> {
    /// Whether pieces are cut for threads that wait. Two threads that wait for each other's pieces could take the next one each, on top of
    /// the last, for ever.
    pub(super) fn may_feed_waiters(&self) -> bool {
        self.worker.depth() < DEEP
    }

    /// Until the result is dropped, the thread is inside one more cut. Only cuts of pieces without a length count (`endless`): halves of a
    /// known length come to an end.
    pub(super) fn inside_cut(&self, endless: bool) -> Restore<'_, usize> {
        let cuts = &self.worker.own().driver.cuts;
        self.cut_at.set(self.gauge.busy.get());
        Restore::after(cuts, cuts.get() + usize::from(endless))
    }

    /// Whether so many cuts of pieces without a length, and jobs run during waits, are nested that no more should be made unasked.
    pub(super) fn is_deep(&self) -> bool {
        self.worker.own().driver.cuts.get() + self.worker.depth() >= DEEPEST
    }

    /// Whether another cut of a piece of unknown length has to wait, so that cuts do not fill the stack.
    ///
    /// Halves of a known length end after as many cuts as the length has bits. But a tree that is all trunk can be cut for ever, each time
    /// with nearly all of it still on one side. Then two threads each begin the next piece on top of the wait for the last. So beyond a few
    /// nested cuts and jobs, the time between cuts has to double with every eight more. A day's work is less than 300 deep, and a thread that
    /// waits for a piece waits a tenth of the time that went before.
    pub(super) fn is_too_deep(&self) -> bool {
        let depth = self.worker.own().driver.cuts.get() + self.worker.depth();
        let doublings = (depth / 8).min(48);
        let apart = self.call.grain.grain() * (1u64 << doublings) as f64;
        doublings > 0 && ((self.gauge.busy.get() - self.cut_at.get()) as f64) < apart
    }
}

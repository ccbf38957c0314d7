//! How deep the cuts of a thread may lie inside each other, and the jobs it runs while it waits: all of them are on its stack.

use super::lane::Lane;
use super::restore::Restore;

/// How many jobs may be on the stack, each inside a wait of the one before, where pieces are cut for threads that wait.
const DEEP: usize = 8;

/// How many cuts of what has no length, and jobs, may be inside each other where a piece is cut before it is folded.
const DEEPEST: usize = 32;

impl Lane<'_> {
    /// Whether pieces are cut for threads that wait. Two that wait for each other's pieces could take the next one each, on top of the last, for
    /// ever.
    pub(super) fn may_feed_waiters(&self) -> bool {
        self.worker.depth() < DEEP
    }

    /// Until what this gives is dropped, there is one more cut that others are inside of. Only cuts of what has no length count, which is
    /// `endless`: halves of a known one come to an end.
    pub(super) fn inside_cut(&self, endless: bool) -> Restore<'_, usize> {
        let cuts = &self.worker.own().cuts;
        self.cut_at.set(self.busy.get());
        Restore::after(cuts, cuts.get() + usize::from(endless))
    }

    /// Whether there are so many cuts of what has no length, and jobs inside each other's waits, that no more should be made unasked.
    pub(super) fn is_deep(&self) -> bool {
        self.worker.own().cuts.get() + self.worker.depth() >= DEEPEST
    }

    /// Whether another cut of a piece of unknown length has to wait, so that the cuts do not fill the stack.
    ///
    /// Halves of a known length end after as many cuts as it has bits. But a tree that is all trunk can be cut for ever, each time with most of
    /// it still on the left, or on the right, so that two threads each begin the next piece on top of the wait for the last. So beyond a few
    /// cuts, and jobs inside each other's waits, each eight more have to be twice as long apart: a day's work is less than 300 deep, and a
    /// thread that waits for a piece waits a tenth of the time that went before.
    pub(super) fn is_too_deep(&self) -> bool {
        let depth = self.worker.own().cuts.get() + self.worker.depth();
        let doublings = (depth / 8).min(48);
        let apart = self.run.grain.grain() * (1u64 << doublings) as f64;
        doublings > 0 && ((self.busy.get() - self.cut_at.get()) as f64) < apart
    }
}

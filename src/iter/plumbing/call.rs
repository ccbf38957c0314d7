//! One call of a parallel iterator: the state that all threads of the call share, and how their call site learns from it.

use super::grain::Grain;
use super::probe::CallProbe;
use super::site::Site;
use crate::core::clock;
use crate::core::worker::Worker;
use crate::sync::{AtomicU64, AtomicUsize, Ordering};

/// One call; it lives in the frame of the thread that makes it.
pub(super) struct Call {
    pub(super) site: Site,
    /// The cost of an item at this site the last time; 0 if unknown.
    pub(super) prior: f64,
    pub(super) grain: Grain,
    pub(super) threads: usize,
    /// The length of the whole input, or 0 if unknown.
    pub(super) total: usize,
    /// How many items there were the last time; 0 if unknown, or if the length says so.
    pub(super) likely: usize,
    /// Pieces are cut only when another thread asks.
    pub(super) expensive: bool,
    /// The least cost of a rest that is worth offering.
    pub(super) least_share: f64,
    /// The work done, as far as the threads have reported it.
    pub(super) busy: AtomicU64,
    /// The time spent on pieces that should have been expensive.
    pub(super) hunted: AtomicU64,
    /// How many items were folded, as far as the threads have reported it.
    pub(super) folded: AtomicUsize,
    pub(super) probe: CallProbe,
}

impl Call {
    pub(super) fn new(worker: Worker<'_>, site: Site, len: Option<usize>, expensive: bool) -> Call {
        // Where a test says where to cut, what is remembered does not.
        let rate = match worker.pool().test_hook.is_set() {
            true => 0.0,
            false => site.rate(),
        };
        Call {
            site,
            prior: rate,
            grain: Grain::get(),
            threads: worker.pool().num_threads(),
            total: len.unwrap_or(0),
            likely: match len {
                None if rate > 0.0 => site.items(),
                _ => 0,
            },
            expensive,
            least_share: Grain::get().least_share(),
            busy: AtomicU64::new(0),
            hunted: AtomicU64::new(0),
            folded: AtomicUsize::new(0),
            probe: CallProbe::new(worker, site, len, rate),
        }
    }

    /// If short calls at this site took longer when they were shared, this one is shared only if it turns out to be long.
    pub(super) fn plan_sharing(&mut self, now: u64) {
        let len = self.total.max(self.likely);
        if self.prior == 0.0 || self.threads == 1 || len == 0 {
            return;
        }
        let sharing = self.site.sharing();
        if let Some(alone) = sharing.stays_alone(len, self.prior, self.grain, now) {
            self.prior = alone.rate;
            self.least_share = alone.least_share;
        }
    }

    /// Remembers whether a short call, which began at `start`, took longer because it was shared. Its first thread folded `own` items, and all have reported.
    pub(super) fn learn_sharing(&self, start: u64, own: usize) {
        if self.threads == 1 || self.total.max(self.likely) == 0 {
            return;
        }
        let items = self.folded.load(Ordering::Relaxed);
        // Items without a known length are counted bit by bit, and the last block of a piece by its time: it is unknown whether that was all.
        let len = if self.total > 0 { self.total } else { items };
        let ticks = clock::ticks().saturating_sub(start);
        self.site
            .learn_sharing(|old| old.after(ticks, items, len, items > own, self.grain));
    }

    /// How often a piece of unknown weight is cut, if it has to be cut before it is folded and was taken by a thread that wanted work.
    pub(super) fn depth(&self) -> u32 {
        self.threads.ilog2() + 1
    }

    /// The same before anything was taken: into four times as many parts, so that parts of unequal cost are spread, unless the last call took too little
    /// for that. A search from the right folds all of a part to see its last items, so its parts are small in any case.
    pub(super) fn first_depth(&self, from_right: bool) -> u32 {
        let depth = self.depth();
        let expected = self.prior * self.likely as f64;
        if expected == 0.0 || from_right {
            return depth + 2;
        }
        let shares = (expected / self.grain.least_share()) as u64;
        let doublings = (shares >> (depth + 1)).checked_ilog2();
        depth + doublings.map_or(0, |doublings| (doublings + 1).min(2))
    }

    /// Remembers the cost of an item, over all threads. All of them have reported what they did.
    pub(super) fn learn(&self, worker: Worker<'_>) {
        // The forks that waited for the stolen pieces made those threads' reports visible.
        let folded = self.folded.load(Ordering::Relaxed);
        let busy = self.busy.load(Ordering::Relaxed);
        self.probe.end(worker, folded, busy);
        if folded > 0 {
            self.site.learn((busy as f64).max(0.5) / folded as f64);
            if self.total == 0 {
                self.site.count(folded);
            }
        }
    }
}

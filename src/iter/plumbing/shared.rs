//! What all threads that take part in one call share, and what their call site remembers of it.

use super::grain::Grain;
use super::probe::CallProbe;
use super::site::Site;
use crate::core::clock;
use crate::core::worker::Worker;
use crate::sync::{AtomicU64, AtomicUsize, Ordering};

/// One call, in whose frame it lives.
pub(super) struct Run {
    pub(super) site: Site,
    /// What an item cost at this site the last time; 0 if unknown.
    pub(super) prior: f64,
    pub(super) grain: Grain,
    pub(super) threads: usize,
    /// The length of the whole input, or 0 if unknown.
    pub(super) total: usize,
    /// How many items there were the last time; 0 if unknown, or if the length tells.
    pub(super) likely: usize,
    /// Pieces are cut only when somebody asks.
    pub(super) dear: bool,
    /// What a rest has to cost to be worth handing over.
    pub(super) share: f64,
    /// What was done, as far as the threads have shown it.
    pub(super) busy: AtomicU64,
    /// What was spent on pieces that should have been dear.
    pub(super) hunted: AtomicU64,
    /// How many items are in pieces that other threads took and finished.
    pub(super) folded: AtomicUsize,
    pub(super) probe: CallProbe,
}

impl Run {
    pub(super) fn new(worker: Worker<'_>, site: Site, len: Option<usize>, dear: bool) -> Run {
        Run {
            site,
            prior: site.rate(),
            grain: Grain::get(),
            threads: worker.pool().num_threads(),
            total: len.unwrap_or(0),
            likely: len.map_or_else(|| site.items(), |_| 0),
            dear,
            share: Grain::get().share(),
            busy: AtomicU64::new(0),
            hunted: AtomicU64::new(0),
            folded: AtomicUsize::new(0),
            probe: CallProbe::new(worker, site, len, site.rate()),
        }
    }

    /// Short work whose like took longer when it was shared is shared only if it turns out to be longer.
    pub(super) fn keep(&mut self, now: u64) {
        let len = self.total.max(self.likely);
        if self.prior == 0.0 || self.threads == 1 || len == 0 {
            return;
        }
        let sharing = self.site.sharing();
        if let Some(keep) = sharing.keeps(len, self.prior, self.grain, now) {
            self.prior = keep.rate;
            self.share = keep.share;
        }
    }

    /// Remembers whether a short call, begun at `start` and in which its first thread folded so many items, took longer for being shared.
    pub(super) fn compare(&self, start: u64, folded: usize) {
        if self.threads == 1 || self.total.max(self.likely) == 0 {
            return;
        }
        let taken = self.folded.load(Ordering::Relaxed);
        let items = folded + taken;
        // What has no length is counted by and by, and the last block of a piece by its time: nobody can tell whether that was all.
        let len = if self.total > 0 { self.total } else { items };
        let ticks = clock::ticks().saturating_sub(start);
        self.site
            .share(|old| old.after(ticks, items, len, taken > 0, self.grain));
    }

    /// How often a piece of unknown weight is cut, if it has to be cut before it is folded and was taken by a thread that wanted work.
    pub(super) fn depth(&self) -> u32 {
        self.threads.ilog2() + 1
    }

    /// Remembers what an item cost, over all threads; the first one folded so many. All have shown what they did.
    pub(super) fn learn(&self, worker: Worker<'_>, folded: usize) {
        // The forks that waited for pieces which were taken made theirs visible.
        let folded = folded + self.folded.load(Ordering::Relaxed);
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

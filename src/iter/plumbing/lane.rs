//! Who takes part in a run, and when a piece is worth cutting: the rules of [`grain`](super::grain), applied to what was measured here.

use super::force::forced;
use super::grain::{Grain, IMPATIENT, Site};
use super::piece::Piece;
use super::traits::Consumer;
use crate::core::clock;
use crate::core::worker::Worker;
use crate::sync::{AtomicU64, AtomicUsize, Ordering};
use std::cell::Cell;

/// What all threads that take part in one call share. Lives in the frame of the call.
pub(super) struct Run {
    pub(super) site: Site,
    /// What an item cost at this site the last time; 0 if unknown.
    pub(super) prior: f64,
    pub(super) grain: Grain,
    pub(super) threads: usize,
    /// The length of the whole input, or 0 if unknown.
    pub(super) total: usize,
    /// Pieces are cut only when somebody asks.
    pub(super) dear: bool,
    /// What the pieces that were taken by other threads cost.
    pub(super) busy: AtomicU64,
    pub(super) folded: AtomicUsize,
}

/// One thread's part in a run.
pub(super) struct Lane<'r> {
    pub(super) worker: Worker<'r>,
    pub(super) run: &'r Run,
    /// The last reading of the clock.
    pub(super) mark: Cell<u64>,
    /// The rate of the last block; 0 before the first.
    pub(super) rate: Cell<f64>,
    /// What is remembered, halved at each block that shows less: a memory that turns out wrong must not rule the whole run.
    pub(super) prior: Cell<f64>,
    /// The size of the last block.
    pub(super) last: Cell<usize>,
    pub(super) busy: Cell<u64>,
    pub(super) folded: Cell<usize>,
}

impl Run {
    #[inline]
    pub(super) fn new(
        worker: Worker<'_>,
        site: Site,
        prior: f64,
        grain: Grain,
        len: Option<usize>,
        dear: bool,
    ) -> Run {
        Run {
            site,
            prior,
            grain,
            threads: worker.pool().num_threads(),
            total: len.unwrap_or(0),
            dear,
            busy: AtomicU64::new(0),
            folded: AtomicUsize::new(0),
        }
    }

    /// Drives a piece that was taken as a job, on this thread.
    pub(super) fn taken<R>(&self, rates: (f64, f64), drive: impl FnOnce(&Lane<'_>) -> R) -> R {
        let worker = Worker::current().expect("jobs run on seats");
        worker.seat().counters.pieces.bump();
        let lane = Lane::new(worker, self, rates);
        let before = worker.own().driving.replace(forced(worker).is_none());
        let result = drive(&lane);
        worker.own().driving.set(before);
        self.busy.fetch_add(lane.busy.get(), Ordering::Relaxed);
        self.folded.fetch_add(lane.folded.get(), Ordering::Relaxed);
        result
    }

    /// Remembers what an item cost, over all threads.
    #[inline]
    pub(super) fn learn(&self, root: &Lane<'_>) {
        let (mut busy, mut folded) = (root.busy.get(), root.folded.get());
        // Both are 0 unless pieces were taken; the forks that waited for those made them visible.
        folded += self.folded.load(Ordering::Relaxed);
        busy += self.busy.load(Ordering::Relaxed);
        if folded > 0 {
            self.site.learn((busy as f64).max(0.5) / folded as f64);
        }
    }
}

impl<'r> Lane<'r> {
    #[inline]
    pub(super) fn new(worker: Worker<'r>, run: &'r Run, (rate, prior): (f64, f64)) -> Lane<'r> {
        Lane {
            worker,
            run,
            mark: Cell::new(clock::ticks()),
            rate: Cell::new(rate),
            prior: Cell::new(prior),
            last: Cell::new(0),
            busy: Cell::new(0),
            folded: Cell::new(0),
        }
    }

    /// What an item costs, to our best knowledge; 0 if there is none.
    #[inline]
    pub(super) fn best_rate(&self) -> f64 {
        self.rate.get().max(self.prior.get())
    }

    /// What a thread that takes a piece begins with.
    pub(super) fn rates(&self) -> (f64, f64) {
        (self.rate.get(), self.prior.get())
    }

    /// Whether what was measured agrees with what is remembered.
    #[inline]
    pub(super) fn is_trusted(&self) -> bool {
        let prior = self.prior.get();
        prior > 0.0 && self.last.get() > 0 && self.rate.get() <= 2.0 * prior
    }

    /// Whether a rest of `rest` items should be cut in two now, if a cut costs each item `extra` nanoseconds.
    #[inline]
    pub(super) fn wants_cut(&self, rest: usize, min_len: usize, extra: u32) -> bool {
        let run = self.run;
        if rest / 2 < min_len {
            return false;
        }
        if let Some(cut) = forced(self.worker) {
            return cut;
        }
        if run.threads == 1 {
            return false;
        }
        let rate = self.best_rate();
        if rate == 0.0 {
            // A site that was never run.
            return !run.dear && self.wants_blind_cut(rest);
        }
        let cost = rest as f64 * rate;
        if !run.grain.is_shareable(cost) || !run.grain.repays(rate, extra) {
            return false;
        }
        let dear = run.grain.is_dear(rate, extra);
        if rest < usize::MAX && run.grain.is_large(cost) && !run.dear && !dear {
            return true;
        }
        self.is_wanted(dear && run.grain.is_worth_waking(cost))
    }

    /// Whether to cut where nothing is known about the cost: like rayon, once. Without a length, one offer at a time.
    pub(super) fn wants_blind_cut(&self, rest: usize) -> bool {
        if rest == usize::MAX {
            return self.offers_nothing();
        }
        rest >= 2 * (self.run.total / (4 * self.run.threads)).max(1)
    }

    /// Whether somebody would take a piece now: a thread looks for work and finds nothing here, or one sleeps and should be woken, because
    /// the rest alone is `worth_waking` or we have been alone for so long.
    pub(super) fn is_wanted(&self, worth_waking: bool) -> bool {
        let counts = self.worker.pool().idle.counts();
        if counts.searching() > 0 {
            return self.offers_nothing();
        }
        counts.asleep() > 0 && (self.is_out_of_patience() || worth_waking && self.offers_nothing())
    }

    pub(super) fn is_out_of_patience(&self) -> bool {
        let own = self.worker.own();
        let grain = self.run.grain;
        grain.is_out_of_patience(own.debt.get(), own.patience.get())
    }

    pub(super) fn offers_nothing(&self) -> bool {
        let deque = &self.worker.own().deque;
        deque.is_public_empty() && !deque.has_private()
    }

    /// Half of `rest` items is about to be offered: wakes somebody for it if nobody is awake and it is worth it.
    pub(super) fn offer(&self, rest: Option<usize>) {
        let (worker, run) = (self.worker, self.run);
        worker.seat().counters.offered.bump();
        let counts = worker.pool().idle.counts();
        if counts.searching() > 0 || counts.asleep() == 0 {
            return;
        }
        let rate = self.best_rate();
        let cost = rest.map_or(f64::MAX, |rest| rest as f64 * rate);
        let worth_it = rate == 0.0 || run.grain.is_worth_waking(cost);
        if !worth_it && !self.is_out_of_patience() {
            return;
        }
        let own = worker.own();
        own.debt.set(0);
        if !worth_it {
            // In vain, until somebody takes something.
            own.patience.set((own.patience.get() * 2).min(IMPATIENT));
        }
        worker.pool().wake_one(own.root.get());
    }

    /// The look between blocks: `block` items were folded since the last one.
    #[inline]
    pub(super) fn look(&self, block: usize) {
        let now = clock::ticks();
        let spent = now.saturating_sub(self.mark.replace(now));
        let rate = self.run.grain.rate(spent, block);
        self.rate.set(rate);
        let prior = self.prior.get();
        if rate < prior {
            self.prior.set(rate.max(0.5 * prior));
        }
        self.count(block, spent);
        self.worker.serve();
    }

    /// `block` items were folded, which is so little that it was not timed.
    #[inline]
    pub(super) fn assume(&self, block: usize, rate: f64) {
        self.count(block, (block as f64 * rate) as u64);
    }

    #[inline]
    pub(super) fn count(&self, block: usize, spent: u64) {
        self.last.set(block);
        self.busy.set(self.busy.get() + spent);
        self.folded.set(self.folded.get() + block);
        let debt = &self.worker.own().debt;
        debt.set(debt.get() + spent);
    }

    /// Time went by in which nothing was folded here.
    pub(super) fn after_wait(&self) {
        self.worker.seat().counters.taken.bump();
        let own = self.worker.own();
        own.debt.set(0);
        own.patience.set(1);
        self.mark.set(clock::ticks());
    }

    /// Folds all of a piece that will not be cut any more.
    pub(super) fn fold_rest<Pc, C>(&self, piece: Pc, folder: C::Folder) -> C::Folder
    where
        Pc: Piece<C>,
        C: Consumer<Pc::Item>,
    {
        let len = piece.len().unwrap_or(1).max(1);
        let folder = piece.fold_all(folder);
        self.look(len);
        folder
    }
}

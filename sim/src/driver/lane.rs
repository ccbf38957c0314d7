//! One thread's part in a loop, as `src/iter/plumbing/lane.rs` has it, around what the crate itself measures.

use crate::gauge::{Gauge, Seen};
use crate::grain::{Grain, Hidden, aligned};
use crate::work::Loop;
use std::sync::Arc;

pub(crate) use crate::gauge::Block;

/// What all threads that take part in one loop share.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) items: Arc<Loop>,
    /// What an item cost the last time; 0 if unknown.
    pub(crate) prior: f64,
    /// What was done, as far as the threads have shown it.
    pub(crate) busy: u64,
    /// How many items were folded, as far as the threads have shown it.
    pub(crate) folded: usize,
    /// What was spent on pieces that should have been expensive.
    pub(crate) hunted: u64,
}

impl Run {
    pub(crate) fn new(items: Arc<Loop>) -> Run {
        let prior = items.remembered();
        Run {
            items,
            prior,
            busy: 0,
            folded: 0,
            hunted: 0,
        }
    }
}

/// One thread's part in a run.
#[derive(Debug)]
pub(crate) struct Lane {
    /// Which run, by number.
    pub(crate) run: usize,
    gauge: Gauge,
}

impl Lane {
    pub(crate) fn new(run: usize, rates: (f64, f64)) -> Lane {
        Lane {
            run,
            gauge: Gauge::new(rates),
        }
    }

    /// What an item costs, to the thread's best knowledge; 0 if there is none.
    pub(crate) fn best_rate(&self) -> f64 {
        self.gauge.best_rate()
    }

    /// What an offer is judged by.
    pub(crate) fn rate_of_offer(&self) -> f64 {
        self.gauge.rate_of_offer()
    }

    /// Whether what is left may hold expensive items that were not seen yet.
    pub(crate) fn is_suspicious(&self, run: &Run, grain: Grain, rest: usize) -> bool {
        grain.is_suspicious(rest, (self.best_rate(), run.prior), self.hidden(run))
    }

    /// Whether a few items are the end of the loop and should be expensive.
    pub(crate) fn ends_expensive(&self, run: &Run, grain: Grain, rest: usize) -> bool {
        grain.ends_expensive(rest, (self.best_rate(), run.prior), self.hidden(run))
    }

    /// What of the remembered cost was not seen yet.
    fn hidden(&self, run: &Run) -> Hidden {
        let items = run.items.items();
        Hidden {
            all: run.prior * items as f64,
            seen: run.busy + run.hunted + self.gauge.unseen(),
            items: items.saturating_sub(run.folded + self.gauge.unseen_items()),
        }
    }

    /// What a thread that takes a piece of `len` items begins with.
    pub(crate) fn rates(&self, run: &Run, grain: Grain, len: usize) -> (f64, f64) {
        let prior = match self.is_suspicious(run, grain, len) {
            true => run.prior,
            false => self.gauge.prior.get(),
        };
        (self.gauge.rate.get(), prior)
    }

    /// What to fold next, of `rest` items; whether thieves would find something (`offered`), or there are none, and whether the rest is `suspicious`.
    pub(crate) fn next_block(
        &self,
        grain: Grain,
        rest: usize,
        halved: &mut bool,
        [offered, suspicious]: [bool; 2],
    ) -> Block {
        let see = |_| Seen {
            offered,
            suspicious,
        };
        self.gauge.next_block(grain, Some(rest), halved, see)
    }

    /// Where a rest of `rest` items is cut.
    pub(crate) fn middle(&self, rest: usize) -> usize {
        aligned(self.gauge.folded.get(), rest / 2)
    }

    /// A block was folded, and `spent` nanoseconds after the last look, of which reading the clock takes `reading`. What counts as time that was spent.
    pub(crate) fn after_block(
        &mut self,
        run: &mut Run,
        grain: Grain,
        block: Block,
        (spent, reading): (u64, u64),
    ) -> u64 {
        let Block { items, look } = block;
        let spent = match look {
            true => {
                self.gauge.look(grain, items, spent);
                spent.saturating_sub(reading)
            }
            false => self.gauge.guess(items),
        };
        if self.gauge.count(grain, items, spent) {
            self.show(run);
        }
        spent
    }

    /// Shows the others what this thread has done.
    pub(crate) fn show(&mut self, run: &mut Run) {
        let (busy, folded) = self.gauge.show();
        run.busy += busy;
        run.folded += folded;
    }
}

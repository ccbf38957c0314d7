//! One thread's part in a loop, as `src/iter/plumbing/lane.rs` has it: what it has measured, and how much it folds before it looks again.

use crate::grain::{Grain, LINE, Stand, aligned};
use crate::work::Loop;
use std::sync::Arc;

/// What all threads that take part in one loop share.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) items: Arc<Loop>,
    /// What an item cost the last time; 0 if unknown.
    pub(crate) prior: f64,
    /// What was done, as far as the threads have shown it.
    pub(crate) busy: u64,
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
            hunted: 0,
        }
    }
}

/// One thread's part in a run.
#[derive(Debug)]
pub(crate) struct Lane {
    /// Which run, by number.
    pub(crate) run: usize,
    pub(crate) rate: f64,
    pub(crate) prior: f64,
    pub(crate) last: usize,
    pub(crate) doubt: bool,
    pub(crate) busy: u64,
    pub(crate) shown: u64,
    pub(crate) folded: usize,
}

/// What a thread sees beside its own lane when it decides how much to fold.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    /// Thieves would find something here, or there are none.
    pub(crate) offered: bool,
    pub(crate) suspicious: bool,
}

impl Lane {
    pub(crate) fn new(run: usize, (rate, prior): (f64, f64)) -> Lane {
        Lane {
            run,
            rate,
            prior,
            last: 0,
            doubt: false,
            busy: 0,
            shown: 0,
            folded: 0,
        }
    }

    /// What an item costs, to the thread's best knowledge; 0 if there is none.
    pub(crate) fn best_rate(&self) -> f64 {
        self.rate.max(self.prior)
    }

    /// Whether what is left may hold expensive items that were not seen yet.
    pub(crate) fn is_suspicious(&self, run: &Run, grain: Grain, rest: usize) -> bool {
        let seen = run.busy + run.hunted + (self.busy - self.shown);
        let all = run.prior * run.items.items() as f64;
        grain.is_suspicious(rest, (self.best_rate(), run.prior), all, seen)
    }

    /// What a thread that takes a piece of `len` items begins with.
    pub(crate) fn rates(&self, run: &Run, grain: Grain, len: usize) -> (f64, f64) {
        let prior = match self.is_suspicious(run, grain, len) {
            true => run.prior,
            false => self.prior,
        };
        (self.rate, prior)
    }

    /// How many of `rest` items to fold next. `halved` says whether there was a look since this stretch was begun.
    pub(crate) fn next_block(
        &self,
        grain: Grain,
        rest: usize,
        halved: &mut bool,
        seen: Seen,
    ) -> usize {
        let looked = std::mem::replace(halved, self.last != 0);
        let cold = self.doubt && !grain.is_too_little_to_tell(self.busy);
        if self.last == 0 || cold {
            return 1;
        }
        let stand = Stand {
            last: self.last,
            trusted: self.is_trusted() && !self.doubt,
            halved: looked,
            offered: seen.offered,
            cautious: seen.suspicious,
        };
        let items = grain.block(rest, self.best_rate(), stand);
        let to_line = match self.folded % LINE {
            0 => items,
            over if items >= 4 * LINE => LINE - over + items,
            _ => items,
        };
        aligned(self.folded, to_line).clamp(1, rest)
    }

    /// Whether what was measured agrees with what is remembered.
    fn is_trusted(&self) -> bool {
        self.prior > 0.0 && self.last > 0 && self.rate <= 2.0 * self.prior
    }

    /// `items` were folded in `spent` nanoseconds, of which reading the clock took `reading`.
    pub(crate) fn look(
        &mut self,
        run: &mut Run,
        grain: Grain,
        items: usize,
        spent: u64,
        reading: u64,
    ) {
        let prior = self.prior;
        let (least, most) = (grain.rate(spent, items), grain.most(spent, items));
        let mut rate = match self.best_rate() {
            0.0 => least,
            known => known.clamp(least, most),
        };
        let excuse = grain.is_too_little_to_tell(self.busy + spent)
            || self.last == 0 && grain.may_be_cold(spent);
        self.doubt = excuse && prior > 0.0 && rate > 2.0 * prior;
        if self.doubt {
            rate = prior;
        }
        self.rate = rate;
        if most < prior {
            self.prior = most.max(0.5 * prior);
        }
        self.last = items;
        self.busy += spent.saturating_sub(reading);
        self.folded += items;
        if self.busy - self.shown > grain.patience() as u64 {
            self.show(run);
        }
    }

    /// Shows the others what this thread has done.
    pub(crate) fn show(&mut self, run: &mut Run) {
        run.busy += self.busy - self.shown;
        self.shown = self.busy;
    }
}

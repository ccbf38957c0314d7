//! What one thread has measured of a run, and how much it folds before it looks at the clock again.
//!
//! No threads and no clock in here, so that a simulation measures and folds by the very same rules.

use super::grain::{Grain, LINE, Stand, aligned};
use std::cell::Cell;

/// How much to fold, and whether to look at the clock after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) items: usize,
    pub(super) look: bool,
}

/// What a thread sees beside what it has measured when it decides how much to fold.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// There is something for thieves to take, or there are none.
    pub(super) offered: bool,
    /// The rest may hold expensive items that were not seen yet.
    pub(super) suspicious: bool,
}

/// What one thread has measured of a run. Times are in ticks.
#[derive(Debug)]
pub(super) struct Gauge {
    /// The rate of the last block; 0 before the first.
    pub(super) rate: Cell<f64>,
    /// What is remembered, halved at each block that shows less: a memory that turns out wrong must not rule the whole run.
    pub(super) prior: Cell<f64>,
    /// The size of the last block.
    pub(super) last: Cell<usize>,
    /// The last items took longer than expected, but that may be because they were the first, or mean nothing yet.
    doubt: Cell<bool>,
    pub(super) busy: Cell<u64>,
    /// How much of that the others know.
    shown: Cell<u64>,
    pub(super) folded: Cell<usize>,
    /// The piece does not stop where it is asked to: what it weighs are not its items, but the bytes of its lines, say.
    pub(super) uneven: Cell<bool>,
}

impl Gauge {
    /// Begins with what is known: the rate of the last block, and what is remembered.
    #[inline]
    pub(super) fn new((rate, prior): (f64, f64)) -> Gauge {
        Gauge {
            rate: Cell::new(rate),
            prior: Cell::new(prior),
            last: Cell::new(0),
            doubt: Cell::new(false),
            busy: Cell::new(0),
            shown: Cell::new(0),
            folded: Cell::new(0),
            uneven: Cell::new(false),
        }
    }

    /// What an item costs, to our best knowledge; 0 if there is none.
    #[inline]
    pub(super) fn best_rate(&self) -> f64 {
        self.rate.get().max(self.prior.get())
    }

    /// Whether what was measured agrees with what is remembered.
    fn is_trusted(&self) -> bool {
        let prior = self.prior.get();
        prior > 0.0 && self.last.get() > 0 && self.rate.get() <= 2.0 * prior
    }

    /// What an offer is judged by. What is remembered wakes no thread for a piece that was taken, until this thread has folded some of it.
    #[inline]
    pub(super) fn rate_of_offer(&self) -> f64 {
        match self.last.get() {
            0 if self.rate.get() > 0.0 => self.rate.get(),
            _ => self.best_rate(),
        }
    }

    /// How long this thread was busy, as far as the others do not know of it.
    #[inline]
    pub(super) fn unseen(&self) -> u64 {
        self.busy.get() - self.shown.get()
    }

    /// The same, of which they learn now.
    pub(super) fn show(&self) -> u64 {
        let unseen = self.unseen();
        self.shown.set(self.busy.get());
        unseen
    }

    /// What to fold next, of `len` items. `halved` says whether there was a look since this stretch was begun.
    #[inline]
    pub(super) fn next_block(
        &self,
        grain: Grain,
        len: Option<usize>,
        halved: &mut bool,
        see: impl FnOnce(usize) -> Seen,
    ) -> Block {
        let rate = self.best_rate();
        let last = self.last.get();
        let looked = std::mem::replace(halved, last != 0);
        let doubt = self.doubt.get();
        let cold = doubt && !grain.is_too_little_to_tell(self.busy.get());
        if last == 0 || cold {
            // Nothing was measured yet: one item tells whether what we remember still holds.
            return Block {
                items: 1,
                look: true,
            };
        }
        let mut stand = Stand {
            last,
            halved: looked,
            ..Stand::default()
        };
        let Some(rest) = len else {
            let items = grain.block(usize::MAX, rate, stand);
            return Block { items, look: true };
        };
        let seen = see(rest);
        stand.trusted = self.is_trusted() && !doubt;
        stand.offered = seen.offered;
        stand.cautious = seen.suspicious;
        let items = grain.block(rest, rate, stand);
        let folded = self.folded.get();
        if items >= 4 * LINE && !folded.is_multiple_of(LINE) && !self.uneven.get() {
            // Only to where memory is read fast.
            *halved = looked;
            let items = LINE - folded % LINE;
            return Block { items, look: false };
        }
        let items = aligned(folded, items);
        Block { items, look: true }
    }

    /// `items` took `spent` ticks since the last look.
    #[inline]
    pub(super) fn look(&self, grain: Grain, items: usize, spent: u64) {
        let prior = self.prior.get();
        // A short block says next to nothing: then what is known stands, as far as the block allows it.
        let (least, most) = (grain.rate(spent, items), grain.most(spent, items));
        let mut rate = match self.best_rate() {
            0.0 => least,
            known => known.clamp(least, most),
        };
        let excuse = grain.is_too_little_to_tell(self.busy.get() + spent)
            || self.last.get() == 0 && grain.may_be_cold(spent);
        let doubt = excuse && prior > 0.0 && rate > 2.0 * prior;
        self.doubt.set(doubt);
        if doubt {
            rate = prior;
        }
        self.rate.set(rate);
        if most < prior {
            self.prior.set(most.max(0.5 * prior));
        }
        self.last.set(items);
    }

    /// What `items` take that are folded without a look.
    pub(super) fn guess(&self, items: usize) -> u64 {
        (items as f64 * self.best_rate()) as u64
    }

    /// `items` were folded, in `spent` ticks. Whether the others should learn of it.
    #[inline]
    pub(super) fn count(&self, grain: Grain, items: usize, spent: u64) -> bool {
        self.busy.set(self.busy.get() + spent);
        self.folded.set(self.folded.get().saturating_add(items));
        self.unseen() > grain.patience() as u64
    }
}

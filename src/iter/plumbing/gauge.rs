//! What one thread has measured of a call, and how much it folds before it looks at the clock again.
//!
//! No threads and no clock in here, so that a simulation can use the same rules.

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

/// What one thread has measured of a call. Times are in ticks.
#[derive(Debug, Default)]
pub(super) struct Gauge {
    /// The rate of the last block; 0 before the first.
    pub(super) rate: Cell<f64>,
    /// What is remembered, halved at each block that shows less: a memory that turns out wrong must not rule the whole call.
    pub(super) prior: Cell<f64>,
    /// The size of the last block.
    pub(super) last: Cell<usize>,
    /// The last items took longer than expected, but that may be because they were the first, or mean nothing yet.
    doubt: Cell<bool>,
    pub(super) busy: Cell<u64>,
    pub(super) folded: Cell<usize>,
    /// How much of these two the others know.
    shown: Cell<(u64, usize)>,
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
            ..Gauge::default()
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
        self.busy.get() - self.shown.get().0
    }

    /// How many items this thread has folded, as far as the others do not know of it.
    #[inline]
    pub(super) fn unseen_items(&self) -> usize {
        self.folded.get() - self.shown.get().1
    }

    /// Both, of which they learn now.
    pub(super) fn show(&self) -> (u64, usize) {
        let unseen = (self.unseen(), self.unseen_items());
        self.shown.set((self.busy.get(), self.folded.get()));
        unseen
    }

    /// What to fold next, of `len` items. `looked` says whether there was a look since the driver began with this part; this sets it.
    #[inline]
    pub(super) fn next_block(
        &self,
        grain: Grain,
        len: Option<usize>,
        looked: &mut bool,
        see: impl FnOnce(usize) -> Seen,
    ) -> Block {
        let rate = self.best_rate();
        let last = self.last.get();
        let before = std::mem::replace(looked, last != 0);
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
            looked: before,
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
            *looked = before;
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
        let (least, most) = (
            grain.least_rate(spent, items),
            grain.greatest_rate(spent, items),
        );
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Where thieves have something else to take.
    fn next(gauge: &Gauge, rest: usize, looked: &mut bool) -> (usize, bool) {
        let see = |_| Seen {
            offered: true,
            suspicious: false,
        };
        let block = gauge.next_block(Grain::of_nanoseconds(), Some(rest), looked, see);
        (block.items, block.look)
    }

    #[test]
    fn the_first_block_is_an_item() {
        let (gauge, mut looked) = (Gauge::new((1.0, 1.0)), false);
        assert_eq!(next(&gauge, 1000, &mut looked), (1, true));
        assert!(!looked);
        gauge.last.set(1);
        assert!(next(&gauge, 1000, &mut looked).0 > 1 && looked);
    }

    #[test]
    fn what_was_measured_is_trusted_if_it_agrees_with_what_is_remembered() {
        let trusted = |rate, prior, last| {
            let gauge = Gauge::new((rate, prior));
            gauge.last.set(last);
            gauge.is_trusted()
        };
        assert!(trusted(20.0, 10.0, 1) && trusted(1.0, 10.0, 1));
        assert!(!trusted(20.1, 10.0, 1) && !trusted(5.0, 10.0, 0) && !trusted(0.0, 0.0, 1));
    }

    #[test]
    fn an_offer_is_judged_by_what_was_measured_until_the_piece_is_begun() {
        assert_eq!(Gauge::new((0.0, 10.0)).rate_of_offer(), 10.0);
        let gauge = Gauge::new((3.0, 10.0));
        assert_eq!(gauge.rate_of_offer(), 3.0);
        gauge.last.set(1);
        assert_eq!(gauge.rate_of_offer(), 10.0);
        assert_eq!(gauge.guess(7), 70);
    }

    #[test]
    fn the_others_learn_of_what_is_more_than_patience() {
        let (grain, gauge) = (Grain::of_nanoseconds(), Gauge::new((0.0, 0.0)));
        assert!(!gauge.count(grain, 5, 1000));
        assert_eq!(
            (gauge.unseen(), gauge.show(), gauge.unseen()),
            (1000, (1000, 5), 0)
        );
        assert!(!gauge.count(grain, 5, 60_000));
        assert!(gauge.count(grain, 5, 1));
        assert_eq!((gauge.folded.get(), gauge.show()), (15, (60_001, 10)));
    }

    #[test]
    fn a_long_block_begins_at_a_line() {
        let gauge = |rate, folded| {
            let gauge = Gauge::new((rate, rate));
            gauge.last.set(1000);
            gauge.busy.set(1_000_000);
            gauge.folded.set(folded);
            gauge
        };
        for begun in [false, true] {
            for (rate, folded, block) in [
                (1.0, 21, (11, false)),
                (1.0, 32, (10_000, true)),
                (10_000.0 / 64.0, 21, (11, false)),
                (10_000.0 / 30.0, 21, (30, true)),
            ] {
                let mut looked = begun;
                assert_eq!(next(&gauge(rate, folded), 100_000, &mut looked), block);
                // A block up to a line is no look.
                assert_eq!(looked, begun || block.1);
            }
        }
        // Not where a piece does not stop where it is asked to.
        let gauge = gauge(1.0, 21);
        gauge.uneven.set(true);
        assert!(next(&gauge, 100_000, &mut false).1);
    }

    /// A gauge that has looked once, after so much before.
    fn looked(prior: f64, (last, busy): (usize, u64), items: usize, spent: u64) -> Gauge {
        let gauge = Gauge::new((0.0, prior));
        gauge.last.set(last);
        gauge.busy.set(busy);
        gauge.look(Grain::of_nanoseconds(), items, spent);
        gauge.busy.set(busy + spent);
        gauge
    }

    #[test]
    fn what_took_long_is_doubted_if_it_was_cold_or_too_little_to_tell() {
        let doubts = |gauge: Gauge| gauge.doubt.get().then(|| gauge.rate.get());
        assert_eq!(doubts(looked(10.0, (0, 0), 1, 40_000)), Some(10.0));
        assert_eq!(doubts(looked(10.0, (0, 0), 1, 50_001)), None);
        assert_eq!(doubts(looked(10.0, (1, 0), 1, 40_000)), None);
        assert_eq!(doubts(looked(10.0, (1, 1), 1, 4_998)), Some(10.0));
        assert_eq!(doubts(looked(10.0, (1, 1), 1, 4_999)), None);
        // Nothing is remembered; or no more than twice that was seen.
        assert_eq!(doubts(looked(0.0, (0, 0), 1, 1_000)), None);
        assert_eq!(doubts(looked(350.0, (0, 0), 1, 1_000)), None);
        assert_eq!(doubts(looked(10.0, (0, 0), 1, 315)), None);
    }

    #[test]
    fn what_is_doubted_is_looked_at_again_soon() {
        let enough = looked(10.0, (0, 0), 1, 40_000);
        assert_eq!(next(&enough, 10_000, &mut false), (1, true));
        let too_little = looked(10.0, (1, 0), 1, 1_000);
        assert_eq!(next(&too_little, 10_000, &mut false), (4, true));
        let sure = looked(10.0, (1, 0), 1, 10);
        assert_eq!(next(&sure, 10_000, &mut false), (992, true));
    }

    #[test]
    fn a_memory_that_is_too_high_wanes() {
        let grain = Grain::of_nanoseconds();
        let gauge = looked(100.0, (1, 0), 10, 900);
        assert_eq!(gauge.prior.get(), 90.0);
        gauge.look(grain, 10, 100);
        assert_eq!(gauge.prior.get(), 45.0);
    }
}

//! One thread's part in a call: what it has measured, and how much it folds before it looks again.

use super::call::Call;
use super::force::{forced_block, is_forced};
use super::gauge::{Block, Gauge, Seen};
use super::market::Market;
use super::probe::{At, Before, LaneProbe};
use super::restore::Restore;
use super::site::Site;
use super::unseen::owe_looks;
use crate::core::clock;
use crate::core::meter;
use crate::core::worker::Worker;
use crate::sync::Ordering;
use std::cell::Cell;

/// The last `items` of a fold that is not over took `spent` ticks: they turned out expensive. There were so many items `before` them.
pub(super) struct Expensive {
    pub(super) before: Before,
    pub(super) items: usize,
    pub(super) spent: u64,
}

/// Into how many pieces for each thread a call is cut if they are folded whole, and into how many a piece that another thread took.
const PIECES: usize = 4;
const PIECES_OF_TAKEN: usize = 2;

/// One thread's part in a call.
pub(super) struct Lane<'r> {
    pub(super) worker: Worker<'r>,
    pub(super) call: &'r Call,
    /// A test says where to cut, or the thread is metered; see [`is_forced`].
    pub(super) forced: bool,
    /// The last reading of the clock.
    pub(super) mark: Cell<u64>,
    pub(super) gauge: Gauge,
    /// It woke a thread, which took time.
    pub(super) woke: Cell<bool>,
    /// Its next offer lies where others find it, also if this thread answers no request for long.
    pub(super) shows_offer: Cell<bool>,
    /// How long it had been busy at the last cut.
    pub(super) cut_at: Cell<u64>,
    /// The fewest items that a piece has if it is folded whole.
    least: Cell<usize>,
    #[cfg_attr(not(feature = "trace"), allow(dead_code))]
    pub(super) probe: LaneProbe,
}

impl Lane<'_> {
    /// Does a call that begins on this thread, by `drive`, and remembers what it cost.
    pub(super) fn begin(
        worker: Worker<'_>,
        site: Site,
        len: Option<usize>,
        expensive: bool,
        drive: &mut dyn FnMut(&Lane<'_>),
    ) {
        let mut call = Call::new(worker, site, len, expensive);
        let _metered = meter::begin_loop();
        let start = clock::ticks();
        call.plan_sharing(start);
        let lane = Lane::new(worker, &call, (0.0, call.prior));
        let driving = Restore::after(&worker.own().driver.driving, !is_forced(worker));
        worker.own().driver.read_at.set(start);
        drive(&lane);
        drop(driving);
        lane.end();
        if !lane.woke.get() {
            call.learn_sharing(start, lane.gauge.folded.get());
        }
    }

    /// Goes on with `len` items that turned out expensive, or more, after some of them.
    pub(super) fn go_on(
        worker: Worker<'_>,
        (site, prior): (Site, f64),
        len: Option<usize>,
        Expensive { items, spent, .. }: Expensive,
        drive: &mut dyn FnMut(&Lane<'_>),
    ) {
        let call = Call::new(worker, site, len, false);
        let lane = Lane::new(worker, &call, (call.grain.least_rate(spent, items), prior));
        lane.gauge.last.set(items);
        lane.note_unplaced();
        lane.count(items, spent);
        drive(&lane);
        lane.end();
    }

    /// Begins a piece of `call`, of `len` items, that was taken as a job, on this thread.
    #[inline(never)]
    pub(super) fn enter(
        call: &Call,
        (len, at): (Option<usize>, At),
        rates: (f64, f64),
    ) -> Lane<'_> {
        let worker = Worker::current().expect("jobs run at desks");
        worker.desk().counters.pieces.bump();
        let lane = Lane::new(worker, call, rates);
        // Until the job ends, which then restores it.
        worker.own().driver.driving.set(!is_forced(worker));
        worker.own().driver.read_at.set(lane.mark.get());
        let least = len.unwrap_or_default() / (PIECES_OF_TAKEN * call.threads);
        lane.least.set(least);
        lane.note_piece(len, at);
        lane
    }

    /// Ends what [`enter`](Lane::enter) began.
    #[inline(never)]
    pub(super) fn leave(&self) {
        self.note_end();
        self.show();
    }

    /// Ends the part of the thread that began the call.
    fn end(&self) {
        self.show();
        self.note_rest();
        self.call.learn(self.worker);
    }
}

impl<'r> Lane<'r> {
    #[inline]
    pub(super) fn new(worker: Worker<'r>, call: &'r Call, rates: (f64, f64)) -> Lane<'r> {
        let mark = clock::ticks();
        Lane {
            worker,
            call,
            forced: is_forced(worker),
            mark: Cell::new(mark),
            gauge: Gauge::new(rates),
            woke: Cell::new(false),
            shows_offer: Cell::new(false),
            cut_at: Cell::new(0),
            least: Cell::new(call.total / (PIECES * call.threads)),
            probe: LaneProbe::new(call, mark),
        }
    }

    /// The fewest items that a part of a piece should have, if pieces are folded `whole`. Such pieces are not cut by what their items seem to cost: what it
    /// takes to begin a piece would be taken for a cost of its items, so they would be cut ever finer.
    pub(super) fn least(&self, whole: bool) -> usize {
        match whole && !self.forced {
            true => self.least.get(),
            false => 1,
        }
    }

    /// Whether this thread has seen no item of the call yet, or a test says what happens. What has to be cut is then on offer, whatever is remembered:
    /// the first item may wait for one that another thread has to take.
    pub(super) fn is_new(&self) -> bool {
        self.forced || self.gauge.last.get() == 0
    }

    /// Whether `len` items may be folded in parts of their own without a look: they are a block by what was measured, which also holds for them if
    /// they are not many more than those were.
    pub(super) fn may_fold_parts(&self, len: usize) -> bool {
        !self.is_new()
            && len <= self.gauge.last.get().saturating_mul(4)
            && self
                .call
                .grain
                .is_a_block(len as f64 * self.gauge.best_rate())
    }

    /// What a thread that takes a piece of `len` items begins with.
    pub(super) fn rates(&self, len: Option<usize>) -> (f64, f64) {
        let prior = match len {
            Some(len) if self.is_suspicious(len) => self.call.prior,
            _ => self.gauge.prior.get(),
        };
        (self.gauge.rate.get(), prior)
    }

    /// Shows the others what this thread has done.
    pub(super) fn show(&self) {
        let (busy, folded) = self.gauge.show();
        self.call.busy.fetch_add(busy, Ordering::Relaxed);
        self.call.folded.fetch_add(folded, Ordering::Relaxed);
    }

    /// What to fold next, of `len` items. `looked` says whether there was a look since the driver began with this part; this sets it.
    pub(super) fn next_block(&self, len: Option<usize>, looked: &mut bool) -> Block {
        if self.forced
            && let Some(items) = forced_block(self.worker, len.unwrap_or(2).max(1))
        {
            return Block { items, look: true };
        }
        self.gauge
            .next_block(self.call.grain, len, looked, |rest| Seen {
                offered: self.call.threads == 1 || !self.offers_nothing(),
                suspicious: self.is_suspicious(rest),
            })
    }

    /// A block was folded, and `rest` of the `len` items are left.
    pub(super) fn after_block(&self, block: Block, len: Option<usize>, rest: Option<usize>) {
        if len.is_none() && rest == Some(0) {
            return self.look_at_end(block.items);
        }
        // A piece that weighs other things than items may fold more than it was asked to.
        let items = match (len, rest) {
            (Some(len), Some(rest)) => len.saturating_sub(rest).max(1),
            _ => block.items,
        };
        if items > block.items {
            self.gauge.uneven.set(true);
        }
        if block.look {
            self.look(items);
        } else {
            self.count(items, self.gauge.guess(items));
        }
    }

    /// A piece of unknown length ended before `most` items were folded; how long before, is not known. So that says nothing of what an item
    /// costs: if it did, a row of short pieces would make items look ever cheaper, and blocks grow without bound.
    fn look_at_end(&self, most: usize) {
        let now = clock::ticks();
        let spent = now.saturating_sub(self.mark.replace(now));
        let likely = (spent as f64 / self.gauge.best_rate()) as usize;
        self.count(likely.min(most), spent.saturating_sub(clock::reading()));
        self.worker.answer_if_asked();
    }

    /// `items` were folded since the last look.
    pub(super) fn look(&self, items: usize) {
        let now = clock::ticks();
        let spent = now.saturating_sub(self.mark.replace(now));
        self.worker.desk().probe.block(spent);
        let grain = self.call.grain;
        self.gauge.look(grain, items, spent);
        if spent as f64 >= grain.grain() {
            owe_looks(self.worker, spent);
        }
        self.count(items, spent.saturating_sub(clock::reading()));
        self.worker.answer_if_asked();
    }

    /// `items` were folded, in `spent` ticks.
    pub(super) fn count(&self, items: usize, spent: u64) {
        self.note_items(items);
        meter::block(items);
        let is_much = self.gauge.count(self.call.grain, items, spent);
        let debt = &self.worker.own().driver.debt;
        debt.set(debt.get() + spent);
        if is_much {
            self.show();
        }
    }

    /// What was offered came back, or was `taken`. Either way this thread may have waited, or run something else; and what it folded before, it
    /// has looked at, but for a line of memory at most.
    pub(super) fn after_fork(&self, taken: bool) {
        let counters = &self.worker.desk().counters;
        self.mark.set(clock::ticks());
        self.note_back(taken);
        if !taken {
            counters.kept.bump();
            return;
        }
        counters.taken.bump();
        let own = self.worker.own();
        own.driver.debt.set(0);
        own.driver.patience.set(1);
    }
}

//! Whether the rest of a piece is worth cutting now, and whether a thread would take a part of it. The rules of [`grain`](super::grain) and
//! of [`market`] are applied here to what a lane has measured and sees.

use super::force::forced;
use super::grain::{Hidden, LINE, is_blind_cut};
use super::lane::Lane;
use super::market::{self, Market};
use super::reason::Reason;
use crate::core::deque::Worth;
use crate::sync::Ordering;

/// The longest piece that a search from the right folds whole, from its left, because a test says so.
const LONGEST_FORCED: usize = 64;

impl Lane<'_> {
    /// See [`Grain::is_suspicious`].
    pub(super) fn is_suspicious(&self, rest: usize) -> bool {
        let call = self.call;
        call.threads > 1
            && call
                .grain
                .is_suspicious(rest, self.seen_and_remembered(), self.hidden())
    }

    /// What an item costs, by what was seen of the call and by what is remembered.
    fn seen_and_remembered(&self) -> (f64, f64) {
        (self.gauge.best_rate(), self.call.prior)
    }

    /// What of the remembered cost was not seen yet.
    fn hidden(&self) -> Hidden {
        let call = self.call;
        let others = call.busy.load(Ordering::Relaxed) + call.hunted.load(Ordering::Relaxed);
        Hidden {
            all: call.prior * call.total as f64,
            seen: others + self.gauge.unseen(),
            items: call.total.saturating_sub(self.all_folded()),
        }
    }

    /// Cuts a few items, in which what was not seen yet should be, if this thread offers nothing. It does so although no thread asks: one that is busy now may
    /// be free soon, and this one answers no request while it is in an expensive item.
    fn expects_much(&self, rest: usize, extra: u32) -> bool {
        let call = self.call;
        let much = rest < LINE
            && !call.expensive
            && call
                .grain
                .ends_expensive(rest, self.seen_and_remembered(), self.hidden())
            && call.grain.repays(call.prior, extra)
            && self.offers_nothing();
        self.shows_offer.set(much);
        much
    }

    /// How many items of the call were folded, as far as this thread knows.
    fn all_folded(&self) -> usize {
        let others = self.call.folded.load(Ordering::Relaxed);
        others.saturating_add(self.gauge.unseen_items())
    }

    /// Cuts a suspicious rest if a thread wants work, although what is known of it would not pay for that. What the hunt costs is counted as if
    /// it had been found, so that it ends. A thread that takes the half learns how little else is left.
    fn hunts(&self, rest: usize, extra: u32) -> bool {
        let call = self.call;
        let wanted = !call.expensive
            && rest >= 4 * LINE
            && self.is_suspicious(rest)
            && call.grain.repays(call.prior, extra)
            && self.is_wanted(false).is_cut();
        if wanted {
            call.hunted
                .fetch_add(call.grain.least_share() as u64, Ordering::Relaxed);
            self.show();
        }
        wanted
    }

    /// How many items may be left of a piece without a length: as many as the last call had more than this one so far, or as many again as this thread has
    /// folded, if that is more.
    fn likely_rest(&self) -> usize {
        let left = self.call.likely.saturating_sub(self.all_folded());
        left.max(self.gauge.folded.get())
    }

    /// Whether a rest of `rest` items should be cut in two now, if a cut costs each item `extra` nanoseconds.
    pub(super) fn wants_cut(&self, rest: usize, min_len: usize, extra: u32) -> bool {
        self.note_reason(self.judge(rest, min_len, extra)).is_cut()
    }

    /// The reason, if the bound on the length of parts gives it, or a test does.
    #[inline]
    fn given(&self, rest: usize, min_len: usize) -> Option<Reason> {
        if rest / 2 < min_len {
            return Some(Reason::MinLen);
        }
        let cut = self.forced.then(|| forced(self.worker)).flatten()?;
        // What has no end could be cut for ever.
        Some(match cut && !(rest == usize::MAX && self.is_too_deep()) {
            true => Reason::Forced,
            false => Reason::ForcedWhole,
        })
    }

    fn judge(&self, rest: usize, min_len: usize, extra: u32) -> Reason {
        let call = self.call;
        if let Some(reason) = self.given(rest, min_len) {
            return reason;
        }
        if call.threads == 1 {
            return Reason::OneThread;
        }
        if rest == usize::MAX && self.is_too_deep() {
            return Reason::TooDeep;
        }
        let rate = self.gauge.best_rate();
        if rate == 0.0 {
            // A site that was never run.
            return match (call.expensive, self.wants_blind_cut(rest)) {
                (true, _) => Reason::CutTooExpensive,
                (_, true) => Reason::Blind,
                (_, false) if rest == usize::MAX => Reason::AlreadyOffering,
                (_, false) => Reason::TooLittle,
            };
        }
        if rest == usize::MAX {
            return match call.grain.repays(rate, extra) {
                true => self.judge_likely(rate),
                false => Reason::CutTooExpensive,
            };
        }
        let cost = rest as f64 * rate;
        if cost < call.least_share || !call.grain.repays(rate, extra) {
            return match self.expects_much(rest, extra) || self.hunts(rest, extra) {
                true => Reason::Hunt,
                false if cost >= call.least_share => Reason::CutTooExpensive,
                false => self.too_little(cost),
            };
        }
        let expensive = call.grain.is_expensive(rate, extra);
        if call.grain.is_large(cost) && !call.expensive && !expensive {
            return Reason::Large;
        }
        self.is_wanted(expensive && call.grain.is_worth_waking(cost))
    }

    /// As [`wants_cut`](Self::wants_cut), for what is cut now or never. Where nothing is known of the cost, it is cut as well if a split is expensive.
    pub(super) fn wants_only_cut(&self, rest: usize, min_len: usize) -> bool {
        let reason = self.judge(rest, min_len, 0);
        let unknown = self.gauge.best_rate() == 0.0 && self.call.threads > 1 && !self.forced;
        let blind =
            !reason.is_cut() && unknown && rest / 2 >= min_len && self.wants_blind_cut(rest);
        let reason = if blind { Reason::Blind } else { reason };
        self.note_reason(reason).is_cut()
    }

    /// Why what costs so little is not cut.
    #[inline]
    fn too_little(&self, cost: f64) -> Reason {
        match cost < self.call.grain.least_share() {
            true => Reason::TooLittle,
            false => Reason::SharingLost,
        }
    }

    /// Whether a rest without a length should be cut. If nothing is remembered, it may be anything, so a thread has to ask.
    fn judge_likely(&self, rate: f64) -> Reason {
        let grain = self.call.grain;
        if self.call.likely == 0 {
            return self.is_wanted(false);
        }
        let cost = self.likely_rest() as f64 * rate;
        if cost < self.call.least_share {
            return self.too_little(cost);
        }
        self.is_wanted(grain.is_worth_waking(cost))
    }

    /// Whether a piece of `len` items is to be cut although no thread asked, because only cuts lead to its right end, and what is not cut is folded
    /// from the left.
    pub(super) fn wants_less(&self, len: usize, min_len: usize) -> bool {
        self.note_reason(self.judge_less(len, min_len)).is_cut()
    }

    fn judge_less(&self, len: usize, min_len: usize) -> Reason {
        if let Some(reason) = self.given(len, min_len) {
            return match reason {
                // A test's search, too, is to come to its end.
                Reason::ForcedWhole if len > LONGEST_FORCED => Reason::Large,
                reason => reason,
            };
        }
        // A piece may be a part of what was folded before it, which is little to fold in vain. If it takes long to begin one, as with a state that is
        // expensive to make, the items only seem expensive, and pieces would become ever smaller.
        if len / 2 < self.gauge.folded.get() / 8 {
            return Reason::TooLittle;
        }
        match self.gauge.best_rate() {
            // Something small to measure; of few items, pieces for all threads.
            0.0 if len > 64 || self.wants_blind_cut(len) => Reason::Blind,
            rate if rate > 0.0 && self.call.grain.is_large(len as f64 * rate) => Reason::Large,
            _ => Reason::TooLittle,
        }
    }

    /// Whether to cut where nothing is known about the cost: like rayon, once. Without a length, one offer at a time.
    pub(super) fn wants_blind_cut(&self, rest: usize) -> bool {
        if rest == usize::MAX {
            return self.offers_nothing();
        }
        is_blind_cut(rest, self.call.total, self.call.threads)
    }

    fn is_wanted(&self, worth_waking: bool) -> Reason {
        market::is_wanted(self, worth_waking)
    }

    /// A half of `len` items is about to be offered: wakes a thread for it if none is awake and the two halves are worth it.
    pub(super) fn offer(&self, len: Option<usize>) -> Worth {
        let (worker, call) = (self.worker, self.call);
        worker.desk().counters.offered.bump();
        self.note_cut(len);
        let own = worker.own();
        let (comer, much) = market::comer(self, || {
            let rate = self.gauge.rate_of_offer();
            let cost = match len {
                Some(len) => 2.0 * len as f64 * rate,
                None if call.likely > 0 => self.likely_rest() as f64 * rate,
                None => f64::MAX,
            };
            rate == 0.0 || call.grain.is_worth_waking(cost)
        });
        if comer.ends_being_alone() {
            own.driver.debt.set(0);
        }
        if comer.is_relied_on() {
            own.relies.set(true);
        }
        if comer.is_woken() {
            let patience = &own.driver.patience;
            patience.set(comer.patience(patience.get()));
            if worker.pool().wake_for(own.root.get()) {
                self.woke.set(true);
            }
        }
        match much {
            true => Worth::Much,
            false => Worth::Little,
        }
    }
}

impl Market for Lane<'_> {
    #[inline]
    fn is_searched(&self) -> bool {
        self.worker.pool().idle.counts().searching() > 0
    }

    #[inline]
    fn is_hungry(&self) -> bool {
        let root = self.worker.own().root.get();
        self.may_feed_waiters() && self.worker.pool().idle.is_hungry(root)
    }

    #[inline]
    fn can_wake(&self) -> bool {
        self.worker.pool().can_wake()
    }

    #[inline]
    fn offers_nothing(&self) -> bool {
        let deque = &self.worker.own().deque;
        deque.is_public_empty() && !deque.has_private()
    }

    #[inline]
    fn is_out_of_patience(&self) -> bool {
        let own = self.worker.own();
        let grain = self.call.grain;
        grain.is_out_of_patience(own.driver.debt.get(), own.driver.patience.get())
    }
}

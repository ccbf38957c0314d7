//! Whether a rest of a loop is cut now, and whether a sleeper is woken for it, as `src/iter/plumbing/demand.rs` has it, around the crate's own rules.

use super::Machine;
use crate::grain::{LINE, is_blind_cut};
use crate::market::{self, DEEP, Market};

/// What one thread sees of the others.
struct Sees<'a>(&'a Machine<'a>, usize);

impl Market for Sees<'_> {
    fn is_searched(&self) -> bool {
        self.0.searching > 0
    }

    fn is_hungry(&self) -> bool {
        self.0.threads[self.1].depth < DEEP as u32 && self.0.hungry > 0
    }

    fn can_wake(&self) -> bool {
        self.0.can_wake()
    }

    fn offers_nothing(&self) -> bool {
        self.0.offers_nothing(self.1)
    }

    fn is_out_of_patience(&self) -> bool {
        let thread = &self.0.threads[self.1];
        self.0
            .grain
            .is_out_of_patience(thread.debt, thread.patience)
    }
}

impl Machine<'_> {
    pub(super) fn is_suspicious(&self, lane: usize, rest: usize) -> bool {
        let lane = &self.lanes[lane];
        self.workers > 1 && lane.is_suspicious(&self.runs[lane.run], self.grain, rest)
    }

    /// Whether a rest of `rest` items is to be cut in two.
    pub(super) fn wants_cut(&mut self, who: usize, at: usize, rest: usize) -> bool {
        if rest < 2 || self.workers == 1 {
            return false;
        }
        let lane = &self.lanes[at];
        let rate = lane.best_rate();
        if rate == 0.0 {
            let total = self.runs[lane.run].items.items();
            return is_blind_cut(rest, total, self.workers);
        }
        let cost = rest as f64 * rate;
        if cost < self.grain.least_share() {
            return self.expects_much(who, at, rest) || self.hunts(who, at, rest);
        }
        self.grain.is_large(cost) || self.is_wanted(who)
    }

    /// Cuts a few items, in which what was not seen yet should be, if the thread offers nothing, although no thread asks.
    fn expects_much(&mut self, who: usize, at: usize, rest: usize) -> bool {
        let lane = &self.lanes[at];
        let run = &self.runs[lane.run];
        let much = lane.ends_expensive(run, self.grain, rest) && self.offers_nothing(who);
        self.threads[who].shows_offer = much;
        much
    }

    /// Cuts a suspicious rest if a thread wants work, although what is known of it would not pay for that.
    fn hunts(&mut self, who: usize, at: usize, rest: usize) -> bool {
        let wanted = rest >= 4 * LINE && self.is_suspicious(at, rest) && self.is_wanted(who);
        if wanted {
            let lane = &mut self.lanes[at];
            let run = &mut self.runs[lane.run];
            run.hunted += self.grain.least_share() as u64;
            lane.show(run);
        }
        wanted
    }

    /// Whether a thread would take a piece now.
    fn is_wanted(&self, who: usize) -> bool {
        market::is_wanted(&Sees(self, who), false).is_cut()
    }

    pub(super) fn offers_nothing(&self, who: usize) -> bool {
        let thread = &self.threads[who];
        thread.public.is_empty() && thread.private.is_empty()
    }

    /// A half of `len` items is about to be offered: wakes sleepers for it, if no thread looks for work and the two halves are worth it. Whether they
    /// are.
    pub(super) fn offer(&mut self, who: usize, at: usize, len: usize) -> bool {
        let lane = &self.lanes[at];
        let rate = lane.rate_of_offer();
        let cost = 2.0 * len as f64 * rate;
        let much = rate == 0.0 || self.grain.is_worth_waking(cost);
        let (comer, loud) = market::comer(&Sees(self, who), || much);
        let thread = &mut self.threads[who];
        if comer.ends_being_alone() {
            thread.debt = 0;
        }
        thread.relies |= comer.is_relied_on();
        thread.patience = comer.patience(thread.patience);
        if comer.is_woken() {
            self.wake_first();
        }
        loud
    }
}

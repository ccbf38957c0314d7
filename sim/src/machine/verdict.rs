//! Whether a rest of a loop is cut now, and whether a sleeper is woken for it, as `src/iter/plumbing/demand.rs` has it.

use super::Machine;
use crate::grain::{IMPATIENT, LINE};

/// On how many jobs, each inside the wait of the one before, pieces are cut for threads that wait.
const DEEP: u32 = 8;

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
            // Nothing is known: like rayon, once.
            let total = self.runs[lane.run].items.items();
            return rest >= 2 * (total / (4 * self.workers)).max(1);
        }
        let cost = rest as f64 * rate;
        if cost < self.grain.share() {
            return self.hunts(who, at, rest);
        }
        self.grain.is_large(cost) || self.is_wanted(who, false)
    }

    /// Cuts a suspicious rest if a thread wants work, although what is known of it would not pay for that.
    fn hunts(&mut self, who: usize, at: usize, rest: usize) -> bool {
        let wanted = rest >= 4 * LINE && self.is_suspicious(at, rest) && self.is_wanted(who, false);
        if wanted {
            let run = self.lanes[at].run;
            self.runs[run].hunted += self.grain.share() as u64;
        }
        wanted
    }

    /// Whether a thread would take a piece now.
    fn is_wanted(&self, who: usize, worth_waking: bool) -> bool {
        let can_wake = self.can_wake();
        let waits = self.threads[who].depth < DEEP && self.hungry > 0;
        let bored = can_wake && self.is_out_of_patience(who);
        if self.searching > 0 || waits {
            return bored || self.offers_nothing(who);
        }
        bored || worth_waking && can_wake && self.offers_nothing(who)
    }

    fn is_out_of_patience(&self, who: usize) -> bool {
        let thread = &self.threads[who];
        self.grain.is_out_of_patience(thread.debt, thread.patience)
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
        let loud = rate == 0.0 || self.grain.is_worth_waking(cost);
        if !self.can_wake() {
            self.threads[who].relies = true;
            return loud;
        }
        if self.searching > 0 && self.offers_nothing(who) {
            self.threads[who].relies = true;
            self.threads[who].debt = 0;
            return loud;
        }
        let worth_it = self.searching == 0 && loud;
        if !worth_it && !self.is_out_of_patience(who) {
            return loud;
        }
        let thread = &mut self.threads[who];
        thread.debt = 0;
        if !worth_it {
            // In vain, until a thread takes something.
            thread.patience = (thread.patience * 2).min(IMPATIENT);
        }
        thread.relies = true;
        self.wake_first();
        loud
    }
}

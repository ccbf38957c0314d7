//! Pushes, pops and steals: the split deque.

use super::thread::{Place, State, Thread, Worth};
use super::{For, Machine};
use crate::choices::Loud;
use crate::core::policy;

/// How many jobs are private at most.
const CAPACITY: usize = 256;

impl Machine<'_> {
    /// A fork offers a job.
    pub(super) fn push(&mut self, who: usize, job: usize, worth: Worth) {
        self.pay(For::Handing, self.costs.fork);
        let thread = &mut self.threads[who];
        thread.private.push_back(job);
        if thread.asked || self.choices.public || thread.private.len() >= CAPACITY {
            self.answer(who, worth);
        }
    }

    /// Makes the oldest private job public, because it is asked for or a descent begins.
    fn answer(&mut self, who: usize, worth: Worth) {
        let eager = self.choices.eager_pushes(self.workers);
        let thread = &mut self.threads[who];
        thread.asked = false;
        if thread.public.is_empty() && thread.private.len() == 1 {
            thread.eager = eager;
        }
        let promoted = self.promote(who, worth != Worth::Little);
        let thread = &mut self.threads[who];
        if thread.eager > 0 || !promoted {
            thread.eager = thread.eager.saturating_sub(1);
            thread.asked = true;
        }
        if !promoted {
            return;
        }
        if worth == Worth::Most {
            self.notify();
        } else if std::mem::take(&mut self.threads[who].relies) && self.all_sleep() {
            // Those it relied on fell asleep.
            self.wake_first();
        }
    }

    /// Makes all private jobs public.
    pub(super) fn publish_all(&mut self, who: usize) {
        let mut any = false;
        while self.promote(who, true) {
            any = true;
        }
        if any {
            self.notify();
        }
    }

    fn promote(&mut self, who: usize, loud: bool) -> bool {
        let thread = &mut self.threads[who];
        let Some(job) = thread.private.pop_front() else {
            return false;
        };
        if loud || thread.public.is_empty() {
            thread.loud = loud;
        }
        thread.public.push_back(job);
        self.jobs[job].place = Place::Public;
        self.public += 1;
        self.outcome.promotions += 1;
        self.pay(For::Handing, self.costs.promote);
        true
    }

    /// Serves a thief's request, at a look between blocks.
    pub(super) fn serve(&mut self, who: usize) {
        let thread = &self.threads[who];
        if thread.asked && !thread.private.is_empty() {
            self.answer(who, Worth::Most);
        }
    }

    /// The fork's end: takes its job back, if no other thread has it.
    pub(super) fn take_back(&mut self, who: usize, job: usize) -> bool {
        let thread = &mut self.threads[who];
        if self.jobs[job].place == Place::Private {
            let newest = thread.private.pop_back();
            assert_eq!(newest, Some(job), "a frame took another frame's job");
            if thread.asked {
                self.answer(who, Worth::Most);
            }
            return true;
        }
        assert!(thread.private.is_empty(), "an older job was private");
        if self.jobs[job].place != Place::Public {
            return false;
        }
        let newest = thread.public.pop_back();
        assert_eq!(newest, Some(job), "a frame took another frame's job");
        thread.asked |= thread.public.is_empty();
        self.public -= 1;
        self.pay(For::Handing, self.costs.regain);
        true
    }

    /// The first pushes of what begins are public.
    pub(super) fn start_eager(&mut self, who: usize) {
        self.threads[who].eager = self.choices.eager_pushes(self.workers);
        self.threads[who].asked = true;
    }

    /// Where the thief would find something now: with whom, or outside.
    pub(super) fn loot(&mut self, thief: usize) -> Option<Option<usize>> {
        if self.public == 0 {
            return None;
        }
        let random = self.random();
        let threads = &self.threads;
        let has = |at: usize| at != thief && !threads[at].public.is_empty();
        match self.choices.victim(threads.len(), thief, random, has) {
            Some(victim) => Some(Some(victim)),
            None if self.injected.is_empty() => None,
            None => Some(None),
        }
    }

    /// Takes the oldest job of `victim`, or from outside.
    pub(super) fn steal(&mut self, thief: usize, victim: Option<usize>) -> Option<usize> {
        let job = match victim {
            None => self.injected.pop_front(),
            Some(at) => {
                let victim = &mut self.threads[at];
                let job = victim.public.pop_front();
                victim.asked |= victim.public.is_empty();
                job
            }
        };
        let Some(job) = job else {
            self.outcome.failed += 1;
            return None;
        };
        self.public -= 1;
        self.outcome.steals += 1;
        self.jobs[job].place = Place::Taken;
        self.jobs[job].thief = Some(thief);
        Some(job)
    }

    /// In how many queues there is work worth waking a sleeper for, as far as a thread looks that has just found work, while `searching` others look.
    pub(super) fn worthy(&self, searching: usize) -> usize {
        if self.public == 0 {
            return 0;
        }
        let any = self.choices.loud == Loud::Any;
        let loud = |thread: &&Thread| (any || thread.loud) && !thread.public.is_empty();
        let outside = match self.choices.requests {
            true => self.injected.len(),
            false => usize::from(!self.injected.is_empty()),
        };
        let works = |thread: &&Thread| {
            use State::{GoesOn, Robbing, Running};
            matches!(thread.state, Running | GoesOn | Robbing { .. })
        };
        // From anywhere; that need not be by chance.
        let first = self.now as usize % self.threads.len();
        let (before, after) = self.threads.split_at(first);
        let visited = after.iter().chain(before).filter(works);
        let visits = policy::loot_visits(searching);
        visited.take(visits).filter(loud).count() + outside
    }
}

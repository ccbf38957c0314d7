//! Wake-ups, and how a right goes from one thread to the next.

use super::thread::{Frame, Place, State};
use super::{For, Machine};
use crate::choices::Ahead;
use crate::work::below;

impl Machine<'_> {
    /// Work has become visible: wakes sleepers if no thread looks for work.
    pub(super) fn notify(&mut self) {
        if self.all_sleep() {
            self.wake_first();
        } else if self.caller_lies {
            // Those who look may be bound to other calls.
            self.wake_one(true);
        }
    }

    /// Whether threads sleep, and none looks for work.
    pub(super) fn all_sleep(&self) -> bool {
        self.asleep() > 0 && self.searching == 0
    }

    /// Whether a thread sleeps that could run now.
    pub(super) fn can_wake(&self) -> bool {
        (self.asleep() > 0 || self.caller_lies) && self.rights > 0
    }

    /// Wakes as many as is good for new work of the call.
    pub(super) fn wake_first(&mut self) {
        let first = self.choices.first_wakes(self.asleep(), self.workers);
        self.wake(first, true);
    }

    /// Wakes so many, of the call's own threads first if the work is `ours`.
    pub(super) fn wake(&mut self, count: usize, ours: bool) {
        for _ in 0..count {
            if !self.wake_one(ours) {
                return;
            }
        }
    }

    fn wake_one(&mut self, ours: bool) -> bool {
        if self.rights == 0 {
            self.missed = true;
            return false;
        }
        if ours && self.caller_lies {
            self.caller_lies = false;
            self.call_waiter(self.workers);
        } else if let Some(who) = self.parked.pop_first() {
            self.call(who);
        } else if let Some(who) = self.lying.pop_first() {
            self.call_waiter(who);
        } else {
            return false;
        }
        true
    }

    fn call_waiter(&mut self, who: usize) {
        self.rights -= 1;
        self.call(who);
    }

    fn call(&mut self, who: usize) {
        self.searching += 1;
        self.outcome.wakes += 1;
        self.ring(who, State::Called);
    }

    /// The thread will get up after a while.
    fn ring(&mut self, who: usize, state: State) {
        self.pay(For::Waking, self.costs.wake);
        let (least, most) = self.costs.arrival;
        let random = self.random();
        let way = least + below(most - least + 1, random);
        self.threads[who].state = state;
        self.schedule(self.now + self.spent + way, who);
    }

    /// A job is done: its owner, if it sleeps in its wait for it, goes on as soon as there is a right.
    pub(super) fn wake_owner(&mut self, job: usize) {
        let mut next = Some(job);
        while let Some(job) = next {
            if !self.end_wait(job) || self.choices.ahead == Ahead::Owner {
                return;
            }
            next = self.ends_next(self.jobs[job].owner);
        }
    }

    /// Wakes the owner of a job, if it sleeps in its wait for it.
    fn end_wait(&mut self, job: usize) -> bool {
        let owner = self.jobs[job].owner;
        let Some(thread) = self.threads.get(owner) else {
            return false;
        };
        let waits = matches!(thread.stack.last(), Some(&Frame::Wait { job: at, .. }) if at == job);
        if !waits || thread.state != State::Asleep {
            return false;
        }
        if owner < self.workers {
            self.lying.remove(&owner);
        } else {
            self.caller_lies = false;
        }
        if self.rights > 0 {
            self.rights -= 1;
            self.ring(owner, State::GoesOn);
        } else {
            self.threads[owner].state = State::WaitsForRight;
            self.waits_for_right.push_back(owner);
        }
        true
    }

    /// What a thread that waits ends next, if it has nothing to do before.
    fn ends_next(&self, who: usize) -> Option<usize> {
        let stack = &self.threads[who].stack;
        for frame in stack.iter().rev().skip(1) {
            match *frame {
                Frame::EndJob { job } => return Some(job),
                Frame::EndLane { .. } => {}
                Frame::AfterHalf { job, .. } | Frame::AfterLeft { job }
                    if self.jobs[job].place == Place::Done => {}
                _ => return None,
            }
        }
        None
    }

    /// Puts a right down. A thread that waits for one gets it; if one was missed before, a sleeper is woken.
    pub(super) fn put_right(&mut self) {
        if let Some(who) = self.waits_for_right.pop_front() {
            return self.ring(who, State::GoesOn);
        }
        self.rights += 1;
        if std::mem::take(&mut self.missed) && self.public > 0 {
            self.wake_one(true);
        }
    }
}

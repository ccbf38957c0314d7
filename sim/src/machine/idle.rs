//! Search and sleep.

use super::thread::{Frame, Place, State};
use super::{For, Machine};
use crate::choices::Pass;
use crate::core::policy::Next;
use crate::costs::GROUP;

impl Machine<'_> {
    pub(super) fn turn(&mut self, who: usize) {
        match self.threads[who].state {
            State::Running => self.run(who),
            State::Looking => self.look(who),
            State::Robbing { victim, counted } => self.rob(who, victim, counted),
            State::Called => self.called(who),
            State::GoesOn => {
                self.pay(For::Waking, self.costs.rise);
                self.forget_looks(who);
                self.set(who, State::Running);
            }
            state => panic!("thread {who} has a turn, but it is {state:?}"),
        }
    }

    /// The thread's next turn is in this state, after what it has paid for.
    fn set(&mut self, who: usize, state: State) {
        self.threads[who].state = state;
        self.go_on(who);
    }

    /// A thread has nothing left on its stack.
    pub(super) fn idle(&mut self, who: usize) {
        if who >= self.workers {
            self.put_right();
            self.threads[who].state = State::Gone;
            return;
        }
        // Its right is in hand still, so nothing keeps it from taking what there is.
        match self.loot(who).filter(|_| self.waits_for_right.is_empty()) {
            Some(victim) => self.go_for(who, victim, false),
            None => self.search(who),
        }
    }

    /// A worker puts its right down and looks for work, if so many may.
    fn search(&mut self, who: usize) {
        self.put_right();
        let threads = self.workers as u32;
        let may = self
            .choices
            .may_search(self.searching, self.awake(), threads);
        self.searching += 1;
        if may {
            self.start_looking(who);
        } else {
            self.fall_asleep(who);
        }
    }

    fn start_looking(&mut self, who: usize) {
        self.forget_looks(who);
        self.pay_for_look();
        self.set(who, State::Looking);
    }

    pub(super) fn forget_looks(&mut self, who: usize) {
        self.threads[who].looks = 0;
        self.threads[who].since = self.now + self.spent;
    }

    fn pay_for_look(&mut self) {
        let seats = self.workers as u64;
        self.pay(
            For::Searching,
            self.costs.look + seats * self.costs.look_seat,
        );
    }

    /// The end of a searcher's look.
    fn look(&mut self, who: usize) {
        if let Some(victim) = self.loot(who) {
            if self.rights == 0 || !self.waits_for_right.is_empty() {
                // As many work as may.
                return self.fall_asleep(who);
            }
            self.rights -= 1;
            return self.go_for(who, victim, true);
        }
        if !self.backs_off(who) {
            self.fall_asleep(who);
        }
    }

    /// With a right in hand, goes to take what it saw; `counted` as a searcher until it has.
    pub(super) fn go_for(&mut self, who: usize, victim: Option<usize>, counted: bool) {
        self.pay_for_steal(who, victim);
        self.set(who, State::Robbing { victim, counted });
    }

    fn pay_for_steal(&mut self, who: usize, victim: Option<usize>) {
        let near = victim.is_some_and(|at| at / GROUP == who / GROUP);
        let costs = self.costs;
        let cost = if near {
            costs.steal_near
        } else {
            costs.steal_far
        };
        self.pay(For::Handing, cost);
    }

    /// One turn of the back-off. False: it is time to sleep.
    pub(super) fn backs_off(&mut self, who: usize) -> bool {
        let thread = &mut self.threads[who];
        let spent = self.now - thread.since;
        let waits = !thread.stack.is_empty();
        let next = self.choices.after_look(thread.looks, spent, waits);
        thread.looks += 1;
        let pause = match next {
            Next::Spin(times) => u64::from(times) * self.costs.pause,
            Next::Yield => self.costs.give_way,
            Next::Sleep => return false,
        };
        self.pay(For::Searching, pause);
        self.pay_for_look();
        self.go_on(who);
        true
    }

    /// The end of an attempt to take what was seen.
    fn rob(&mut self, who: usize, victim: Option<usize>, counted: bool) {
        let mut job = self.steal(who, victim);
        if job.is_none()
            && let Some(other) = self.loot(who)
        {
            self.pay_for_steal(who, other);
            job = self.steal(who, other);
        }
        let waits = !self.threads[who].stack.is_empty();
        if let Some(job) = job {
            if counted {
                self.end_search(true);
            }
            self.execute(who, job);
            self.set(who, State::Running);
        } else if waits {
            if counted {
                self.end_search(false);
            }
            self.set(who, State::Running);
        } else if counted {
            self.put_right();
            self.threads[who].state = State::Looking;
            if !self.backs_off(who) {
                self.fall_asleep(who);
            }
        } else {
            self.search(who);
        }
    }

    /// A searcher has found something, or ends its search without. In the first case, and if it was the last one, it wakes others for what the other
    /// searchers leave.
    fn end_search(&mut self, found: bool) {
        self.searching -= 1;
        let found = found && self.choices.pass == Pass::Shipped;
        let may_wake = self.asleep() > 0 || self.caller_lies;
        if may_wake && (found || self.searching == 0) {
            let searching = self.searching as usize;
            self.wake(self.choices.wakes(self.worthy(searching), searching), false);
        }
    }

    /// A searcher registers as a sleeper, looks once more, and sleeps.
    fn fall_asleep(&mut self, who: usize) {
        self.pay_for_look();
        if self.loot(who).is_some() {
            if self.rights > 0 {
                return self.start_looking(who);
            }
            self.missed = true;
        }
        self.searching -= 1;
        self.parked.insert(who);
        self.sleep(who);
    }

    fn sleep(&mut self, who: usize) {
        self.pay(For::Waking, self.costs.park);
        self.outcome.parks += 1;
        self.threads[who].state = State::Asleep;
    }

    /// A thread sleeps inside a wait, without its right.
    pub(super) fn sleep_in_wait(&mut self, who: usize) {
        self.be_hungry(who, false);
        if who < self.workers {
            self.lying.insert(who);
        } else {
            self.caller_lies = true;
        }
        self.sleep(who);
        self.put_right();
    }

    pub(super) fn be_hungry(&mut self, who: usize, hungry: bool) {
        let before = std::mem::replace(&mut self.threads[who].hungry, hungry);
        self.hungry = self.hungry + u32::from(hungry) - u32::from(before);
    }

    /// A thread that was called to look for work gets up.
    fn called(&mut self, who: usize) {
        self.pay(For::Waking, self.costs.rise);
        let Some(&Frame::Wait { job, .. }) = self.threads[who].stack.last() else {
            return self.start_looking(who);
        };
        // It was given a right.
        self.forget_looks(who);
        if self.jobs[job].place == Place::Done {
            self.end_search(false);
        } else if let Some(victim) = self.loot(who) {
            return self.go_for(who, victim, true);
        } else {
            self.end_search(false);
        }
        self.set(who, State::Running);
    }
}

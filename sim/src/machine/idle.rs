//! Search, sleep, wake-ups, and rights to run.

use super::thread::{Frame, Place, State};
use super::{For, Machine};
use crate::core::policy::Next;
use crate::costs::GROUP;
use crate::work::below;

impl Machine<'_> {
    pub(super) fn turn(&mut self, who: usize) {
        match self.threads[who].state {
            State::Running => self.run(who),
            State::Looking => self.look(who),
            State::Robbing { victim, last } => self.rob(who, victim, last),
            State::Called => self.called(who),
            State::GoesOn => {
                self.pay(For::Waking, self.costs.rise);
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
        self.put_right();
        if who >= self.workers {
            self.threads[who].state = State::Gone;
            return;
        }
        if self.choices.may_search(self.searching, self.awake()) {
            self.searching += 1;
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
        let words = self.workers.div_ceil(16) as u64;
        self.pay(
            For::Searching,
            self.costs.look + words * self.costs.look_word,
        );
    }

    /// The end of a look of a searcher.
    fn look(&mut self, who: usize) {
        if self.takes_up_work(who) {
            self.searching -= 1;
            let last = self.searching == 0;
            self.threads[who].state.note_last(last);
            return;
        }
        if !self.backs_off(who) {
            self.searching -= 1;
            self.fall_asleep(who);
        }
    }

    /// Goes for work that it sees, if there is a right to run it.
    fn takes_up_work(&mut self, who: usize) -> bool {
        if self.rights == 0 {
            return false;
        }
        let Some(victim) = self.loot(who) else {
            return false;
        };
        self.rights -= 1;
        self.go_for(who, victim, false);
        true
    }

    pub(super) fn go_for(&mut self, who: usize, victim: Option<usize>, last: bool) {
        self.pay_for_steal(who, victim);
        self.set(who, State::Robbing { victim, last });
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
        let next = self.choices.after_look(thread.looks, spent);
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
    fn rob(&mut self, who: usize, victim: Option<usize>, last: bool) {
        let mut job = self.steal(who, victim);
        if job.is_none()
            && let Some(other) = self.loot(who)
        {
            self.pay_for_steal(who, other);
            job = self.steal(who, other);
        }
        if let Some(job) = job {
            if last {
                self.pass_on();
            }
            self.execute(who, job);
            self.set(who, State::Running);
        } else if self.threads[who].stack.is_empty() {
            self.put_right();
            self.searching += 1;
            self.threads[who].state = State::Looking;
            if !self.backs_off(who) {
                self.searching -= 1;
                self.fall_asleep(who);
            }
        } else {
            self.set(who, State::Running);
        }
    }

    /// The last searcher found something, or goes: it wakes others for what is left.
    fn pass_on(&mut self) {
        let worthy = self.worthy();
        self.wake(self.choices.wakes(worthy));
    }

    /// A worker registers as a sleeper, looks once more, and sleeps.
    fn fall_asleep(&mut self, who: usize) {
        if self.takes_up_work(who) {
            let last = self.searching == 0;
            self.threads[who].state.note_last(last);
            return;
        }
        self.sleep(who);
    }

    fn sleep(&mut self, who: usize) {
        self.pay(For::Waking, self.costs.park);
        self.outcome.parks += 1;
        self.threads[who].state = State::Asleep;
        self.sleepers.push(who);
    }

    /// A thread sleeps inside a wait, without its right.
    pub(super) fn sleep_in_wait(&mut self, who: usize) {
        self.be_hungry(who, false);
        self.put_right();
        self.sleep(who);
    }

    pub(super) fn be_hungry(&mut self, who: usize, hungry: bool) {
        let before = std::mem::replace(&mut self.threads[who].hungry, hungry);
        self.hungry = self.hungry + u32::from(hungry) - u32::from(before);
    }

    /// Work has become visible: wakes sleepers if no thread looks for work.
    pub(super) fn notify(&mut self) {
        if self.searching == 0 {
            self.wake_first();
        }
    }

    pub(super) fn wake_first(&mut self) -> bool {
        let asleep = self.sleepers.len();
        let first = self.choices.first_wakes(asleep, self.workers);
        self.wake(first.min(asleep));
        asleep > 0
    }

    fn wake(&mut self, count: usize) {
        for _ in 0..count {
            let Some(who) = self.sleepers.pop() else {
                return;
            };
            self.searching += 1;
            self.outcome.wakes += 1;
            self.ring(who, State::Called);
        }
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

    /// A thread that was called gets up, as a searcher.
    fn called(&mut self, who: usize) {
        self.pay(For::Waking, self.costs.rise);
        let Some(&Frame::Wait { job, .. }) = self.threads[who].stack.last() else {
            return self.start_looking(who);
        };
        self.searching -= 1;
        let last = self.searching == 0;
        if self.jobs[job].place == Place::Done {
            if last {
                self.pass_on();
            }
            return self.want_right(who);
        }
        if self.rights == 0 {
            return self.sleep(who);
        }
        if self.takes_up_work(who) {
            self.threads[who].state.note_last(last);
            return;
        }
        self.rights -= 1;
        self.forget_looks(who);
        self.set(who, State::Running);
    }

    /// A thread that is awake goes on as soon as there is a right.
    fn want_right(&mut self, who: usize) {
        if self.rights > 0 {
            self.rights -= 1;
            return self.set(who, State::Running);
        }
        self.threads[who].state = State::WaitsForRight;
        self.waits_for_right.push_back(who);
    }

    /// A job is done: its owner, if it sleeps in its wait for it, goes on as soon as there is a right.
    pub(super) fn wake_owner(&mut self, job: usize) {
        let owner = self.jobs[job].owner;
        let Some(thread) = self.threads.get(owner) else {
            return;
        };
        let waits = matches!(thread.stack.last(), Some(&Frame::Wait { job: at, .. }) if at == job);
        if !waits || thread.state != State::Asleep {
            return;
        }
        self.sleepers.retain(|&who| who != owner);
        if self.rights > 0 {
            self.rights -= 1;
            self.ring(owner, State::GoesOn);
        } else {
            self.threads[owner].state = State::WaitsForRight;
            self.waits_for_right.push_back(owner);
        }
    }

    /// Puts a right down, or hands it to a thread that waits for one.
    fn put_right(&mut self) {
        match self.waits_for_right.pop_front() {
            Some(who) => self.ring(who, State::GoesOn),
            None => self.rights += 1,
        }
    }
}

impl State {
    fn note_last(&mut self, is_last: bool) {
        if let State::Robbing { last, .. } = self {
            *last = is_last;
        }
    }
}

//! What a thread with work does next.

use super::thread::{Frame, Place, What, Worth};
use super::{For, Machine};
use crate::choices::Loud;
use crate::driver::{Block, Lane, Run};
use crate::work::{Loop, Step};
use std::sync::Arc;

/// A part of a loop: its lane, its items, whether there was a look since it was begun, the block that was folded just now, and the time since the last look.
type Stretch = (usize, (usize, usize), bool, (Option<Block>, u64));

impl Machine<'_> {
    /// Does what is on the stack until that takes time.
    pub(super) fn run(&mut self, who: usize) {
        loop {
            if self.spent > 0 {
                return self.go_on(who);
            }
            let Some(frame) = self.threads[who].stack.pop() else {
                return self.idle(who);
            };
            match frame {
                Frame::Steps { part, at } => self.step(who, part, at),
                Frame::Drive {
                    lane,
                    from,
                    to,
                    halved,
                    block,
                    spent,
                } => self.drive(who, (lane, (from, to), halved, (block, spent))),
                Frame::AfterHalf { lane, job, halved } => {
                    let What::Half { from, to, .. } = self.jobs[job].what else {
                        unreachable!("a half is a half");
                    };
                    if self.take_back(who, job) {
                        self.put_drive(who, lane, (from, to), (halved, 0));
                    } else {
                        let lane_of = &mut self.lanes[lane];
                        lane_of.show(&mut self.runs[lane_of.run]);
                        self.start_wait(who, job, Some(lane));
                    }
                }
                Frame::EndLane { lane } => {
                    let lane = &mut self.lanes[lane];
                    lane.show(&mut self.runs[lane.run]);
                }
                Frame::Node { tree, node } => {
                    let (cost, children) = tree.expand(node);
                    if let Some((left, right)) = children {
                        self.put(who, Frame::Fork { tree, left, right });
                    }
                    self.pay_for_work(cost);
                }
                Frame::Fork { tree, left, right } => {
                    let node = right;
                    let job = self.new_job(who, What::Branch { tree, node });
                    self.put(who, Frame::AfterLeft { job });
                    self.put(who, Frame::Node { tree, node: left });
                    self.push(who, job, Worth::Most);
                }
                Frame::AfterLeft { job } => {
                    let right = match self.jobs[job].what {
                        What::Branch { tree, node } => Frame::Node { tree, node },
                        What::Side { part } => Frame::Steps { part, at: 0 },
                        other => unreachable!("{other:?} is no branch"),
                    };
                    if self.take_back(who, job) {
                        self.put(who, right);
                    } else {
                        self.start_wait(who, job, None);
                    }
                }
                Frame::Wait { job, lane } => {
                    if !self.wait(who, job, lane) {
                        return;
                    }
                }
                Frame::EndJob { job } => {
                    self.threads[who].depth -= 1;
                    self.forget_looks(who);
                    self.jobs[job].place = Place::Done;
                    self.wake_owner(job);
                }
                Frame::Answer { at } => {
                    self.answers += self.now - at;
                }
            }
        }
    }

    fn put(&mut self, who: usize, frame: Frame) {
        self.threads[who].stack.push(frame);
    }

    fn put_drive(
        &mut self,
        who: usize,
        lane: usize,
        (from, to): (usize, usize),
        (halved, spent): (bool, u64),
    ) {
        let drive = Frame::Drive {
            lane,
            from,
            to,
            halved,
            block: None,
            spent,
        };
        self.put(who, drive);
    }

    fn pay_for_work(&mut self, cost: u64) {
        let crowded = self.workers - self.rights > 1;
        let crowd = if crowded { self.costs.crowd } else { 0 };
        self.pay(For::Work, cost * (100 + crowd) / 100);
    }

    /// The next step of a call or of a fork's side, or its end.
    fn step(&mut self, who: usize, part: usize, at: usize) {
        let is_call = part < self.calls.len();
        let Some(step) = self.parts[part].get(at) else {
            if is_call {
                self.outcome.time = self.now;
            }
            return;
        };
        self.put(who, Frame::Steps { part, at: at + 1 });
        match step {
            Step::Serial(cost) => self.pay_for_work(*cost),
            Step::Loop(items) => self.begin_loop(who, items.clone()),
            Step::Tree(tree) => {
                self.start_eager(who);
                let (tree, node) = (*tree, tree.root());
                self.put(who, Frame::Node { tree, node });
            }
            Step::Fork(sides) => {
                if is_call {
                    self.start_eager(who);
                }
                let part = self.parts.len();
                self.parts.extend(sides.iter().map(|side| &side[..]));
                let job = self.new_job(who, What::Side { part: part + 1 });
                self.put(who, Frame::AfterLeft { job });
                self.put(who, Frame::Steps { part, at: 0 });
                self.push(who, job, Worth::Most);
            }
        }
    }

    fn begin_loop(&mut self, who: usize, items: Arc<Loop>) {
        self.start_eager(who);
        let (len, run) = (items.items(), self.runs.len());
        let run_of_all = Run::new(items);
        let rates = (0.0, run_of_all.prior);
        self.runs.push(run_of_all);
        self.begin_lane(who, run, (0, len), rates);
    }

    fn begin_lane(&mut self, who: usize, run: usize, items: (usize, usize), rates: (f64, f64)) {
        let lane = self.lanes.len();
        self.lanes.push(Lane::new(run, rates));
        self.put(who, Frame::EndLane { lane });
        self.put_drive(who, lane, items, (false, 0));
    }

    /// Begins a job that was taken from another thread.
    pub(super) fn execute(&mut self, who: usize, job: usize) {
        self.be_hungry(who, false);
        self.threads[who].depth += 1;
        self.start_eager(who);
        self.put(who, Frame::EndJob { job });
        match self.jobs[job].what {
            What::Half {
                run,
                from,
                to,
                rates,
            } => self.begin_lane(who, run, (from, to), rates),
            What::Branch { tree, node } => self.put(who, Frame::Node { tree, node }),
            What::Side { part } => self.put(who, Frame::Steps { part, at: 0 }),
            What::Call(part) => {
                let at = self.calls[part].0;
                self.put(who, Frame::Answer { at });
                self.put(who, Frame::Steps { part, at: 0 });
            }
        }
    }

    /// One turn of a fold: a look after the last block, then a cut or the next block.
    fn drive(&mut self, who: usize, (at, (from, to), mut halved, (block, mut spent)): Stretch) {
        if let Some(block) = block {
            let lane = &mut self.lanes[at];
            let run = &mut self.runs[lane.run];
            let times = (spent, self.costs.clock);
            self.threads[who].debt += lane.after_block(run, self.grain, block, times);
            if block.look {
                spent = 0;
                self.serve(who);
            }
        }
        let rest = to - from;
        if rest == 0 {
            return;
        }
        if self.wants_cut(who, at, rest) {
            return self.cut(who, at, (from, to), (halved, spent));
        }
        let offered = self.workers == 1 || !self.offers_nothing(who);
        let seen = [offered, self.is_suspicious(at, rest)];
        let mut block = self.lanes[at].next_block(self.grain, rest, &mut halved, seen);
        block.items = block.items.min(rest);
        let to_fold = (from, from + block.items);
        if block.items < rest {
            self.note_split(from, block.items);
        }
        let cost = self.runs[self.lanes[at].run]
            .items
            .cost(to_fold.0, to_fold.1);
        let before = self.spent;
        self.pay_for_work(cost);
        self.outcome.unseen = self.outcome.unseen.max(self.spent - before);
        if block.look {
            self.pay(For::Handing, self.costs.clock);
        }
        let drive = Frame::Drive {
            lane: at,
            from: to_fold.1,
            to,
            halved,
            block: Some(block),
            spent: spent + (self.spent - before),
        };
        self.put(who, drive);
    }

    /// Offers the right half, and goes on with the left one.
    fn cut(
        &mut self,
        who: usize,
        at: usize,
        (from, to): (usize, usize),
        (halved, spent): (bool, u64),
    ) {
        let middle = from + self.lanes[at].middle(to - from);
        let much = self.offer(who, at, to - middle) && self.choices.loud != Loud::Joins;
        let worth = if much { Worth::Much } else { Worth::Little };
        let lane = &self.lanes[at];
        let run = lane.run;
        let half = What::Half {
            run,
            from: middle,
            to,
            rates: lane.rates(&self.runs[run], self.grain, to - middle),
        };
        let job = self.new_job(who, half);
        self.outcome.cuts += 1;
        self.note_split(from, middle - from);
        self.pay(For::Handing, self.costs.cut);
        let lane = at;
        self.put(who, Frame::AfterHalf { lane, job, halved });
        self.put_drive(who, lane, (from, middle), (false, spent));
        self.push(who, job, worth);
        if std::mem::take(&mut self.threads[who].shows_offer) {
            let lane = &mut self.lanes[at];
            lane.show(&mut self.runs[run]);
            self.publish_all(who);
        }
    }

    fn start_wait(&mut self, who: usize, job: usize, lane: Option<usize>) {
        self.forget_looks(who);
        self.put(who, Frame::Wait { job, lane });
    }

    /// One turn of a wait: helps, the thread that has the job first, or backs off. False: the turn is over.
    fn wait(&mut self, who: usize, job: usize, lane: Option<usize>) -> bool {
        if self.jobs[job].place == Place::Done {
            self.be_hungry(who, false);
            self.pay(For::Handing, self.costs.reduce);
            if lane.is_some() {
                self.threads[who].debt = 0;
                self.threads[who].patience = 1;
            }
            return true;
        }
        self.put(who, Frame::Wait { job, lane });
        let thief = self.jobs[job].thief;
        let has = |at: &usize| !self.threads[*at].public.is_empty();
        let victim = match thief.filter(has) {
            Some(thief) => Some(Some(thief)),
            None => self.loot(who),
        };
        match victim {
            Some(victim) => self.go_for(who, victim, false),
            None => {
                self.be_hungry(who, true);
                if !self.backs_off(who) {
                    self.sleep_in_wait(who);
                }
            }
        }
        false
    }
}

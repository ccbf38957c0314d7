//! What one thread did in a job or a visit, as steps: serial code, loops, and forks.

use super::Seen;
use super::density::Work;
use super::forks::{Fork, Place};
use super::what::What;
use crate::work::Step;
use std::sync::Arc;

/// Steps, while they are collected.
pub(super) struct Strand {
    steps: Vec<Step>,
    /// Forks of which the left side goes on, the outer before the inner.
    open: Vec<Open>,
}

struct Open {
    until: u64,
    before: Vec<Step>,
    right: Vec<Step>,
}

impl Strand {
    fn new() -> Strand {
        Strand {
            steps: Vec::new(),
            open: Vec::new(),
        }
    }

    pub(super) fn put(steps: &mut Vec<Step>, step: Step) {
        match (steps.last_mut(), step) {
            (_, Step::Serial(0)) => {}
            (Some(Step::Serial(before)), Step::Serial(more)) => *before += more,
            (_, step) => steps.push(step),
        }
    }

    fn fork(&mut self, until: u64, right: Vec<Step>) {
        let before = std::mem::take(&mut self.steps);
        self.open.push(Open {
            until,
            before,
            right,
        });
    }

    /// Ends the forks, from the innermost, that were over by then.
    fn close(&mut self, now: u64) {
        while let Some(Open {
            before, mut right, ..
        }) = self.open.pop_if(|open| open.until <= now)
        {
            let mut left = std::mem::replace(&mut self.steps, before);
            if left.is_empty() || right.is_empty() {
                self.steps.append(&mut left);
                self.steps.append(&mut right);
            } else {
                self.steps.push(Step::Fork(Arc::new([left, right])));
            }
        }
    }
}

impl Work<'_> {
    /// The steps of what a thread did in a node.
    pub(super) fn steps(&self, of: Place, seen: &mut Seen) -> Vec<Step> {
        let mut strand = Strand::new();
        match self.node(of).what {
            What::Call { .. } => self.put_call(of, &mut strand, seen),
            _ => self.follow(of, &mut strand, seen),
        }
        strand.close(u64::MAX);
        strand.steps
    }

    fn follow(&self, of: Place, strand: &mut Strand, seen: &mut Seen) {
        let node = self.node(of);
        let mut forks = self.forks.inside(of);
        let mut now = node.from;
        for &inner in &node.inside {
            let inner = (of.0, inner);
            let child = self.node(inner);
            self.go_to(child.from, &mut now, &mut forks, strand, seen);
            match child.what {
                What::Call { .. } => self.put_call(inner, strand, seen),
                What::Wait(_) => strand.close(child.to),
                _ if child.is_apart() => {}
                _ => self.follow(inner, strand, seen),
            }
            now = child.to;
        }
        self.go_to(node.to, &mut now, &mut forks, strand, seen);
    }

    /// Serial code, and what was offered in it.
    fn go_to(
        &self,
        to: u64,
        now: &mut u64,
        forks: &mut &[Fork],
        strand: &mut Strand,
        seen: &mut Seen,
    ) {
        while let Some((fork, rest)) = forks.split_first()
            && fork.at <= to
        {
            *forks = rest;
            self.serial(fork.at, now, strand, seen);
            strand.close(fork.at);
            seen.forks += 1;
            let right = self.steps(fork.job, seen);
            strand.fork(fork.until, right);
        }
        self.serial(to, now, strand, seen);
    }

    fn serial(&self, to: u64, now: &mut u64, strand: &mut Strand, seen: &mut Seen) {
        let ns = self.ns(to.saturating_sub(*now));
        seen.serial += ns;
        Strand::put(&mut strand.steps, Step::Serial(ns));
        *now = to.max(*now);
    }

    fn put_call(&self, of: Place, strand: &mut Strand, seen: &mut Seen) {
        let call = self.call(of);
        seen.loops += 1;
        seen.items += call.items.items();
        seen.nested += call.nested;
        seen.left_out += self.ns(call.left_out);
        let whole = match self.node(of).what {
            What::Call { site, .. } => self.whole.contains(&site),
            _ => false,
        };
        match (call.items.items(), whole) {
            (0, _) => {}
            (_, true) => Strand::put(&mut strand.steps, Step::Serial(call.items.work())),
            (_, false) => strand.steps.push(Step::Loop(Arc::new(call.items))),
        }
    }
}

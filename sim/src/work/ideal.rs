//! The least time that any machine needs for a workload: its work divided by the workers, or its longest chain.

use super::{Caller, Step, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Step {
    /// What it costs on one processor.
    pub(super) fn work(&self) -> u64 {
        self.work_and_chain().0
    }

    /// The same, and its longest chain.
    fn work_and_chain(&self) -> (u64, u64) {
        match self {
            Step::Serial(work) => (*work, *work),
            Step::Loop(items) => (items.work(), items.longest()),
            Step::Tree(tree) => tree.work_and_span(tree.root()),
            Step::Fork(sides) => {
                let [left, right] = sides.each_ref().map(|side| {
                    let steps = side.iter().map(Step::work_and_chain);
                    steps.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
                });
                (left.0 + right.0, left.1.max(right.1))
            }
        }
    }

    /// The least time on `workers` processors: its work divided by them, or its longest chain.
    fn least(&self, workers: u64) -> u64 {
        let (work, chain) = self.work_and_chain();
        work.div_ceil(workers).max(chain)
    }
}

impl Workload {
    /// What all of it costs on one processor, in nanoseconds.
    pub fn work(&self) -> u64 {
        let steps = self.calls.iter().flat_map(|(_, steps)| steps);
        steps.map(Step::work).sum()
    }

    /// The longest chain of what has to be done one after the other, in nanoseconds.
    pub fn chain(&self) -> u64 {
        let steps = self.calls.iter().flat_map(|(_, steps)| steps);
        steps.map(|step| step.work_and_chain().1).sum()
    }

    /// What the time is compared with, in nanoseconds: for one call the least that it can take; for requests the mean time of an answer where the
    /// first that comes is served by the first worker that is free, at no cost.
    pub fn ideal(&self, workers: usize) -> f64 {
        if self.caller != Caller::Outside {
            let steps = self.calls.iter().flat_map(|(_, steps)| steps);
            return steps.map(|step| step.least(workers as u64)).sum::<u64>() as f64;
        }
        let jobs = self.calls.iter().map(|(at, steps)| {
            let work: u64 = steps.iter().map(Step::work).sum();
            (*at, work)
        });
        first_come(workers, jobs)
    }
}

/// The mean time until an answer, with one queue for all.
pub(super) fn first_come(workers: usize, jobs: impl Iterator<Item = (u64, u64)>) -> f64 {
    let mut free: BinaryHeap<Reverse<u64>> = (0..workers).map(|_| Reverse(0)).collect();
    let (mut sum, mut count) = (0, 0);
    for (at, work) in jobs {
        let Reverse(from) = free.pop().expect("there are workers");
        let end = from.max(at) + work;
        free.push(Reverse(end));
        sum += end - at;
        count += 1;
    }
    sum as f64 / f64::from(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::hash;

    /// Jobs that come by chance, and take long by chance, wait as long as Erlang's formula says.
    #[test]
    fn one_queue_for_all_is_as_erlang_says() {
        let uniform = |n: u64| (hash(n) >> 11) as f64 / (1u64 << 53) as f64;
        let exponential = |mean: f64, n: u64| -mean * (1.0 - uniform(n)).ln();
        let (workers, load, mean) = (8, 0.8, 1e5);
        let mut now = 0.0;
        let jobs = (0..400_000).map(|n| {
            now += exponential(mean / load / workers as f64, 2 * n);
            (now as u64, exponential(mean, 2 * n + 1) as u64)
        });
        let seen = first_come(workers, jobs) / mean;
        let offered = load * workers as f64;
        let mut blocked = 1.0;
        for n in 1..=workers {
            blocked = offered * blocked / (n as f64 + offered * blocked);
        }
        let waits = blocked / (1.0 - load * (1.0 - blocked));
        let expected = 1.0 + waits / (workers as f64 * (1.0 - load));
        assert!((seen / expected - 1.0).abs() < 0.03, "{seen}, {expected}");
    }
}

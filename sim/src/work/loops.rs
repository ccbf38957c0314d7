//! A loop: what each item costs.

use super::{below, hash};
use crate::memory;

/// The items of a parallel loop.
#[derive(Clone, Debug)]
pub struct Loop {
    density: Density,
    longest: u64,
    /// What the crate remembers an item to cost, in nanoseconds; 0, if it is the first call.
    remembered: f64,
}

/// What the items before one cost together, in nanoseconds.
#[derive(Clone, Debug)]
enum Density {
    /// Of each item.
    Each(Vec<u64>),
    /// Of the first item of each run, and of the end: the items between cost the same.
    Runs(Vec<(usize, u64)>),
}

impl Loop {
    /// A loop of `items` items, of which `cost` tells the cost in nanoseconds. It was run before.
    pub fn new(items: usize, cost: impl Fn(usize) -> u64) -> Loop {
        let mut before = Vec::with_capacity(items + 1);
        let (mut sum, mut longest) = (0, 0);
        before.push(0);
        for at in 0..items {
            let cost = cost(at).max(1);
            sum += cost;
            longest = longest.max(cost);
            before.push(sum);
        }
        Loop {
            density: Density::Each(before),
            longest,
            remembered: memory::rate_after(0.0, sum as f64 / items as f64).map_or(0.0, f64::from),
        }
    }

    /// A loop of runs of so many items, which take so many nanoseconds together and cost the same. `remembered` is what the crate remembers an item to cost; 0, if
    /// nothing.
    pub fn of_runs(runs: impl IntoIterator<Item = (usize, u64)>, remembered: f64) -> Loop {
        let mut before = vec![(0, 0)];
        let (mut at, mut sum, mut longest) = (0, 0, 0);
        for (items, cost) in runs.into_iter().filter(|&(items, _)| items > 0) {
            at += items;
            sum += cost;
            longest = longest.max(cost.div_ceil(items as u64));
            before.push((at, sum));
        }
        Loop {
            density: Density::Runs(before),
            longest,
            remembered,
        }
    }

    /// A loop whose items cost `work` together, each in proportion to its weight.
    pub fn weighed(items: usize, work: u64, weight: impl Fn(usize) -> u64) -> Loop {
        let all: u64 = (0..items).map(&weight).sum();
        let share = |at| u128::from(work) * u128::from(weight(at)) / u128::from(all);
        Loop::new(items, |at| share(at) as u64)
    }

    /// The same, at its first call.
    #[must_use]
    pub fn cold(self) -> Loop {
        self.remembering(0.0)
    }

    /// The same, where the crate remembers that an item costs so much; 0, if nothing.
    #[must_use]
    pub(crate) fn remembering(self, remembered: f64) -> Loop {
        Loop { remembered, ..self }
    }

    /// How many items there are.
    pub fn items(&self) -> usize {
        match &self.density {
            Density::Each(before) => before.len() - 1,
            Density::Runs(before) => before.last().map_or(0, |&(items, _)| items),
        }
    }

    /// What the items before this one cost together.
    fn before(&self, at: usize) -> u64 {
        let runs = match &self.density {
            Density::Each(before) => return before[at],
            Density::Runs(before) => before,
        };
        let run = runs.partition_point(|&(first, _)| first <= at) - 1;
        let (first, cost) = runs[run];
        let Some(&(end, all)) = runs.get(run + 1) else {
            return cost;
        };
        let part = u128::from(all - cost) * (at - first) as u128 / (end - first) as u128;
        cost + part as u64
    }

    /// What the items of a range cost together.
    pub fn cost(&self, from: usize, to: usize) -> u64 {
        self.before(to) - self.before(from)
    }

    /// What all of them cost.
    pub fn work(&self) -> u64 {
        self.before(self.items())
    }

    /// What the most expensive one costs.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// What the crate remembers an item to cost, after some calls; 0 if there was none.
    pub(crate) fn remembered(&self) -> f64 {
        self.remembered
    }

    // Shapes; `work` is the cost of all items in nanoseconds.

    /// All items cost the same.
    pub fn flat(items: usize, work: u64) -> Loop {
        Loop::weighed(items, work, |_| 1)
    }

    /// The first hundredth of the items has nearly all of the cost: an item there costs 10,000 times as much.
    pub fn first(items: usize, work: u64) -> Loop {
        Loop::weighed(items, work, |at| if at < items / 100 { 10_000 } else { 1 })
    }

    /// The last hundredth has.
    pub fn last(items: usize, work: u64) -> Loop {
        let begin = items - items / 100;
        Loop::weighed(items, work, |at| if at >= begin { 10_000 } else { 1 })
    }

    /// The cost of item i is in proportion to 1 / (i + 100): no item is so long that it alone rules how long the loop takes.
    pub fn falling(items: usize, work: u64) -> Loop {
        Loop::weighed(items, work, |at| (1 << 40) / (at as u64 + 100))
    }

    /// Each item costs 1, 2, 4, ... or 512, by chance.
    pub fn random(items: usize, work: u64) -> Loop {
        Loop::weighed(items, work, |at| 1 << below(10, hash(at as u64)))
    }
}

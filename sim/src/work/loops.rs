//! A loop: what each item costs.

use super::{below, hash};

/// The items of a parallel loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What the items before this one cost together, in nanoseconds.
    before: Vec<u64>,
    longest: u64,
    /// Nothing is remembered of the loop's cost: it is the first call.
    cold: bool,
}

impl Loop {
    /// A loop of `items` items, of which `cost` tells the cost in nanoseconds.
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
        let cold = false;
        Loop {
            before,
            longest,
            cold,
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
        Loop { cold: true, ..self }
    }

    /// How many items there are.
    pub fn items(&self) -> usize {
        self.before.len() - 1
    }

    /// What the items of a range cost together.
    pub fn cost(&self, from: usize, to: usize) -> u64 {
        self.before[to] - self.before[from]
    }

    /// What all of them cost.
    pub fn work(&self) -> u64 {
        self.before[self.items()]
    }

    /// What the most expensive one costs.
    pub fn longest(&self) -> u64 {
        self.longest
    }

    /// What the crate remembers an item to cost, after some calls; 0 if there was none.
    pub(crate) fn remembered(&self) -> f64 {
        match self.cold {
            true => 0.0,
            false => self.work() as f64 / self.items() as f64,
        }
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

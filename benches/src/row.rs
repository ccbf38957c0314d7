//! A row of a table that a benchmark prints: contenders for one task, which take turns.

use crate::measure::{Contender, Pair, Patience, Pools, choose_calls, take_turns};
use std::time::Duration;

/// One row: named contenders for one task.
pub struct Row<'a> {
    name: String,
    contenders: Vec<Contender<'a>>,
}

impl<'a> Row<'a> {
    /// A row by this name, without contenders.
    pub fn new(name: impl Into<String>) -> Self {
        Row {
            name: name.into(),
            contenders: Vec::new(),
        }
    }

    /// One contender more. The first one is what the others are divided by.
    pub fn with<R>(mut self, name: &'static str, run: impl FnMut() -> R + 'a) -> Self {
        self.contenders.push(Contender::timed(name, run));
        self
    }

    /// Measures and prints the row, if its name has one of the program's arguments in it, or there are none.
    pub fn run(mut self) {
        let wanted: Vec<String> = std::env::args()
            .skip(1)
            .filter(|a| !a.starts_with('-'))
            .collect();
        if !wanted.is_empty() && !wanted.iter().any(|part| self.name.contains(part.as_str())) {
            return;
        }
        let patience = Patience::of(Duration::from_secs(1));
        choose_calls(&mut self.contenders, &patience);
        take_turns(&mut self.contenders, Pools::Awake, &patience);
        println!("{}", self.name);
        for contender in &self.contenders {
            let (name, time) = (contender.name, Pair::of(&contender.samples));
            let ratio = contender.over(&self.contenders[0]);
            println!(
                "  {name:<24} min {:>12.0} ns {:>6.2}   median {:>12.0} ns {:>6.2}",
                time.min, ratio.min, time.median, ratio.median
            );
        }
    }
}

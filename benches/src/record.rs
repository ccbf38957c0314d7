//! Measures contests as the report does, and makes points of what was read.

use std::time::Duration;

use crate::{
    case::{Contest, Unit},
    machine,
    measure::{Contender, Pair, Patience, Pools, choose_calls, take_turns},
    point::Point,
};

/// Measures one contest after another, on one machine on one day.
pub struct Recorder {
    /// The text of a lock file, which has the versions of the contenders.
    lock: &'static str,
    patience: Patience,
    machine: String,
    cores: usize,
    date: String,
}

impl Recorder {
    pub fn new(lock: &'static str, threads: usize, quick: bool) -> Recorder {
        let cores = machine::cores();
        Recorder {
            lock,
            patience: Patience {
                batch: Duration::from_micros(if quick { 50 } else { 200 }),
                budget: Duration::from_millis(if quick { 50 } else { 1_000 }),
                least_rounds: if quick { 3 } else { 11 },
                repeat_disturbed: threads <= cores,
            },
            machine: machine::processor(),
            cores,
            date: machine::date(),
        }
    }

    /// The greatest length of an input.
    pub fn longest(quick: bool) -> usize {
        if quick { 100_000 } else { 10_000_000 }
    }

    /// Measures a contest of this family.
    pub fn record(&self, family: &str, mut contest: Contest<'_>) -> Vec<Point> {
        self.measure(&mut contest);
        let base = &contest.contenders[0].samples;
        let point = |contender: &Contender<'_>| Point {
            machine: self.machine.clone(),
            cores: self.cores,
            date: self.date.clone(),
            family: family.to_string(),
            case: contest.name.to_string(),
            n: contest.n,
            threads: contest.threads,
            contender: contender.name.to_string(),
            version: machine::version(self.lock, contender.name),
            unit: unit(contest.unit).to_string(),
            reading: Pair::of(&contender.samples),
            ratio: Pair::compare(&contender.samples, base, |own, base| own / base),
        };
        contest.contenders.iter().map(point).collect()
    }

    fn measure(&self, contest: &mut Contest<'_>) {
        let mut patience = Patience {
            repeat_disturbed: self.patience.repeat_disturbed && contest.threads <= self.cores,
            ..self.patience
        };
        if contest.unit != Unit::Nanoseconds {
            // Nearly the same each time.
            patience.budget = Duration::ZERO;
            patience.least_rounds = 5;
        } else if contest.pools == Pools::Awake {
            choose_calls(&mut contest.contenders, &patience);
        }
        take_turns(&mut contest.contenders, contest.pools, &patience);
    }
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Nanoseconds => "ns",
        Unit::Allocations => "allocations",
        Unit::Bytes => "bytes",
    }
}

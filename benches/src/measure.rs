//! The clock, and contenders that take turns.

use std::{
    hint::black_box,
    thread,
    time::{Duration, Instant},
};

use crate::scheduler::{self, Load};

const MOST_ROUNDS: usize = 1_000;

/// How long to go on.
#[derive(Clone, Copy)]
pub struct Patience {
    /// The least time that a batch of one contender lasts.
    pub batch: Duration,
    /// The time that all contenders may take together, if `least_rounds` allow it.
    pub budget: Duration,
    pub least_rounds: usize,
    /// Repeats a batch that had to wait for a processor; of use if there are as many of them as threads.
    pub repeat_disturbed: bool,
}

impl Patience {
    /// For a row of a table that takes about so long.
    pub fn of(budget: Duration) -> Patience {
        Patience {
            batch: Duration::from_micros(200),
            budget,
            least_rounds: 11,
            repeat_disturbed: false,
        }
    }
}

/// Whether the pools have been idle for long when a batch begins.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Pools {
    /// For as long as the threads of the contender before need to stop looking for work. A batch is many calls.
    #[default]
    Awake,
    /// For so long that every thread sleeps. A batch is one call.
    Asleep,
}

/// Finds for each contender a number of calls that lasts long enough for the clock.
pub fn choose_calls(contenders: &mut [Contender<'_>], patience: &Patience) {
    for contender in contenders {
        contender.choose_calls(patience.batch);
    }
}

/// Takes samples of all contenders, in turns, and returns the share of the machine that others used meanwhile, if that is known.
pub fn take_turns(
    contenders: &mut [Contender<'_>],
    pools: Pools,
    patience: &Patience,
) -> Option<f64> {
    let before = Load::now();
    let pause = Duration::from_micros(match pools {
        Pools::Awake => 500,
        Pools::Asleep => 5_000,
    });
    let count = contenders.len();
    let start = Instant::now();
    for round in 0..MOST_ROUNDS {
        if round >= patience.least_rounds && start.elapsed() > patience.budget {
            break;
        }
        for turn in 0..count {
            // Forwards and backwards, each contender first by turns.
            let turn = if round % 2 == 0 {
                turn
            } else {
                count - 1 - turn
            };
            let turn = (turn + round / 2) % count;
            contenders[turn].take_sample(pause, patience.repeat_disturbed);
        }
    }
    Some(Load::now()?.of_others_since(&before?))
}

/// One way to compute a result.
pub struct Contender<'a> {
    pub name: &'static str,
    /// Reads the meter over so many calls.
    batch: Box<dyn FnMut(u64) -> f64 + 'a>,
    calls: u64,
    /// Readings a call, one a round.
    pub samples: Vec<f64>,
}

impl<'a> Contender<'a> {
    pub fn new(name: &'static str, batch: impl FnMut(u64) -> f64 + 'a) -> Self {
        Contender {
            name,
            batch: Box::new(batch),
            calls: 1,
            samples: Vec::new(),
        }
    }

    /// Takes one sample; some more if others disturb it and that matters.
    fn take_sample(&mut self, pause: Duration, repeat_disturbed: bool) {
        const TRIES: usize = 4;
        let mut sample = || {
            thread::sleep(pause);
            if self.calls > 1 {
                (self.batch)(self.calls / 8 + 1);
            }
            scheduler::disturbed(|| (self.batch)(self.calls))
        };
        let (mut reading, mut disturbed) = sample();
        for _ in 1..TRIES {
            if !(disturbed && repeat_disturbed) {
                break;
            }
            (reading, disturbed) = sample();
        }
        self.samples.push(reading / self.calls as f64);
    }

    /// One that is read by the time it takes.
    pub fn timed<R>(name: &'static str, mut f: impl FnMut() -> R + 'a) -> Self {
        Contender::new(name, move |calls| {
            let start = Instant::now();
            for _ in 0..calls {
                black_box(f());
            }
            start.elapsed().as_nanos() as f64
        })
    }

    /// Its times over those of another.
    pub fn over(&self, base: &Contender<'_>) -> Pair {
        Pair::compare(&self.samples, &base.samples, |own, base| own / base)
    }

    /// Reads the meter over so many calls, outside the turns.
    pub fn read(&mut self, calls: u64) -> f64 {
        (self.batch)(calls)
    }

    /// Finds a number of calls that lasts for `batch` at least, and more than
    /// one of calls that a warm-up makes a difference to.
    fn choose_calls(&mut self, batch: Duration) {
        const SHORT: f64 = 1e6;
        let batch = batch.as_nanos() as f64;
        (self.batch)(1);
        let mut calls = 1;
        loop {
            let time = (self.batch)(calls).max(1.0);
            if time >= batch / 2.0 {
                let call = time / calls as f64;
                self.calls = ((batch / call).ceil() as u64).max(if call < SHORT { 4 } else { 1 });
                return;
            }
            calls *= 2;
        }
    }
}

/// A minimum and a median, in whatever was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub min: f64,
    pub median: f64,
}

impl Pair {
    /// Best over best, and the median over rounds, of `f(own, base)`.
    pub fn compare(own: &[f64], base: &[f64], f: impl Fn(f64, f64) -> f64) -> Pair {
        let rounds = own.iter().zip(base);
        Pair {
            min: f(min(own), min(base)),
            median: median(rounds.map(|(&own, &base)| f(own, base)).collect()),
        }
    }

    pub fn of(samples: &[f64]) -> Pair {
        Pair {
            min: min(samples),
            median: median(samples.to_vec()),
        }
    }
}

/// The median; NaN of nothing.
pub fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The least; infinity of nothing.
pub fn min(samples: &[f64]) -> f64 {
    samples.iter().copied().fold(f64::INFINITY, f64::min)
}

//! The pools, the clock, and contenders that take turns.

use std::{
    hint::black_box,
    thread,
    time::{Duration, Instant},
};

use crate::{
    allocations,
    common::{chili_pool, inputs::Spin, ours, rayon},
    report::Format,
    scheduler::{self, Load},
};

const MOST_ROUNDS: usize = 1_000;

/// Everything that rows share: the pools, the selection, the patience.
pub struct Bench {
    pub threads: usize,
    pub spin: Spin,
    pub chili: chili::ThreadPool,
    pub ours: filch::ThreadPool,
    pub rayon: ::rayon::ThreadPool,
    /// Parts of the names of the rows to run; none means all.
    pub rows: Vec<String>,
    pub format: Format,
    /// The least time that a batch of one contender lasts.
    batch: Duration,
    /// The time that one row may take, if `least_rounds` allow it.
    budget: Duration,
    least_rounds: usize,
    processors: usize,
}

impl Bench {
    pub fn new(threads: usize, rows: Vec<String>, quick: bool, format: Format) -> Self {
        ours::set_global(threads);
        rayon::set_global(threads);
        Bench {
            threads,
            spin: Spin::calibrate(),
            chili: chili_pool(threads),
            ours: ours::pool(threads),
            rayon: rayon::pool(threads),
            rows,
            format,
            batch: Duration::from_micros(if quick { 100 } else { 200 }),
            budget: Duration::from_millis(if quick { 60 } else { 1_000 }),
            least_rounds: if quick { 5 } else { 15 },
            processors: thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// The share of the machine that the threads of a pool leave to others.
    pub fn spare(&self) -> f64 {
        1.0 - self.threads.min(self.processors) as f64 / self.processors as f64
    }

    /// Takes samples of all contenders, in turns, and returns the share of the
    /// machine that others used meanwhile, if that is known.
    pub fn measure(
        &self,
        contenders: &mut [Contender<'_>],
        meter: Meter,
        asleep: bool,
    ) -> Option<f64> {
        let before = Load::now();
        // Long enough for the threads of the contender before to stop looking
        // for work.
        let pause = Duration::from_micros(if asleep { 5_000 } else { 500 });
        for contender in contenders.iter_mut() {
            if meter == Meter::Time && !asleep {
                contender.choose_calls(self.batch);
            }
        }
        let count = contenders.len();
        let start = Instant::now();
        for round in 0..MOST_ROUNDS {
            if round >= self.least_rounds && start.elapsed() > self.budget {
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
                contenders[turn].take_sample(pause, self.threads <= self.processors);
            }
        }
        Some(Load::now()?.of_others_since(&before?))
    }
}

/// Where a contender is called from.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// A thread outside the (global) pool.
    Outside,
    /// A thread of a pool, by `install`.
    Inside,
}

impl Place {
    pub const BOTH: [Place; 2] = [Place::Outside, Place::Inside];
}

/// What is read off a batch.
#[derive(Clone, Copy, PartialEq)]
pub enum Meter {
    /// Nanoseconds.
    Time,
    Allocations,
    /// Bytes asked of the allocator for each byte of the result.
    Bytes(u64),
}

impl Meter {
    /// The reading for `calls` calls together.
    pub fn read<R>(self, calls: u64, mut f: impl FnMut() -> R) -> f64 {
        let mut all = || {
            for _ in 0..calls {
                black_box(f());
            }
        };
        match self {
            Meter::Time => {
                let start = Instant::now();
                all();
                start.elapsed().as_nanos() as f64
            }
            Meter::Allocations => allocations::during(all).0 as f64,
            Meter::Bytes(result) => allocations::during(all).1 as f64 / result as f64,
        }
    }
}

/// One way to compute the result of a row.
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

    /// Takes one sample; some more if others disturb it and `quiet` is asked for.
    fn take_sample(&mut self, pause: Duration, quiet: bool) {
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
            if !(disturbed && quiet) {
                break;
            }
            (reading, disturbed) = sample();
        }
        self.samples.push(reading / self.calls as f64);
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

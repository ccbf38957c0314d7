//! The pools, and what is read off a batch.

use std::{
    hint::black_box,
    thread,
    time::{Duration, Instant},
};

use suite::{
    allocations, chili_pool,
    inputs::Spin,
    measure::{Contender, Patience, Pools, choose_calls, take_turns},
    ours, rayon,
};

use crate::report::Format;

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
    patience: Patience,
    processors: usize,
}

impl Bench {
    pub fn new(threads: usize, rows: Vec<String>, quick: bool, format: Format) -> Self {
        ours::set_global(threads);
        rayon::set_global(threads);
        let processors = thread::available_parallelism().map_or(1, usize::from);
        Bench {
            threads,
            spin: Spin::calibrate(),
            chili: chili_pool(threads),
            ours: ours::pool(threads),
            rayon: rayon::pool(threads),
            rows,
            format,
            patience: Patience {
                batch: Duration::from_micros(if quick { 100 } else { 200 }),
                budget: Duration::from_millis(if quick { 60 } else { 1_000 }),
                least_rounds: if quick { 5 } else { 15 },
                repeat_disturbed: threads <= processors,
            },
            processors,
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
        pools: Pools,
    ) -> Option<f64> {
        if meter == Meter::Time && pools == Pools::Awake {
            choose_calls(contenders, &self.patience);
        }
        take_turns(contenders, pools, &self.patience)
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
            Meter::Allocations => allocations::during(all).calls as f64,
            Meter::Bytes(result) => allocations::during(all).bytes as f64 / result as f64,
        }
    }
}

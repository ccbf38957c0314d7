//! Workloads on the crate itself: items that take as long as they are said to.

use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use sim::{Node, Step, Tree};
use std::hint::black_box;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often each is run before it counts, and then.
const WARM: usize = 8;
const RUNS: usize = 25;

/// How long the pool rests before each run: until all its threads sleep.
const REST: Duration = Duration::from_millis(2);

/// Something that takes a given time.
pub struct Work {
    /// How many turns of its loop take a nanosecond.
    turns: f64,
}

impl Work {
    /// Finds out how fast this machine is.
    pub fn measure() -> Work {
        let turns = 1_000_000;
        let time = || {
            let start = Instant::now();
            spin(turns);
            start.elapsed().as_nanos() as f64
        };
        let least = (0..50).map(|_| time()).fold(f64::MAX, f64::min);
        Work {
            turns: turns as f64 / least,
        }
    }

    /// Takes so many nanoseconds.
    pub fn take(&self, ns: u64) {
        spin((ns as f64 * self.turns) as u64);
    }
}

fn spin(turns: u64) {
    let mut x = 1u64;
    for _ in 0..turns {
        x = black_box(x ^ (x << 7));
    }
}

/// Runs steps again and again, on a pool of `threads`: the median and the fastest run, in nanoseconds.
pub fn run(work: &Work, steps: &[Step], threads: usize) -> [u64; 2] {
    let pool = pool(threads);
    let mut times = pool.install(|| {
        let time = |_| {
            sleep(REST);
            let start = Instant::now();
            steps.iter().for_each(|step| once(work, step));
            start.elapsed().as_nanos() as u64
        };
        (0..WARM + RUNS).map(time).collect::<Vec<_>>()
    });
    let times = &mut times[WARM..];
    times.sort_unstable();
    [times[RUNS / 2], times[0]]
}

pub fn pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().expect("threads can be had")
}

fn once(work: &Work, step: &Step) {
    match step {
        Step::Serial(ns) => work.take(*ns),
        Step::Loop(items) => (0..items.items())
            .into_par_iter()
            .for_each(|at| work.take(items.cost(at, at + 1))),
        Step::Tree(tree) => visit(work, *tree, tree.root()),
        Step::Fork(sides) => {
            let [left, right] = sides
                .each_ref()
                .map(|side| || side.iter().for_each(|step| once(work, step)));
            filch::join(left, right);
        }
    }
}

fn visit(work: &Work, tree: Tree, node: Node) {
    let (cost, children) = tree.expand(node);
    work.take(cost);
    if let Some((left, right)) = children {
        filch::join(|| visit(work, tree, left), || visit(work, tree, right));
    }
}

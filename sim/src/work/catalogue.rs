//! The workloads by name.

use super::{Loop, Step, Tree, below, hash};
use std::sync::Arc;

/// Something to simulate: calls, and when they are made.
#[derive(Clone, Debug)]
pub struct Workload {
    /// When, and what.
    pub calls: Vec<(u64, Vec<Step>)>,
    /// Which threads make them.
    pub caller: Caller,
}

/// The thread that makes a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Caller {
    /// One from outside, which takes part: it has one of the rights to run, and there is a worker more than rights are left.
    Guest,
    /// A worker.
    Worker,
    /// One from outside, which does not: calls are requests, independent of each other, and workers run them.
    Outside,
}

/// How much work the large calls have, in nanoseconds: about what takes a screenful of a photograph, or 3 ms on 64 workers.
const WORK: u64 = 200_000_000;
const ITEMS: usize = 100_000;

/// The irregular ones, of which each should take at most 1.3 of the ideal.
pub const IRREGULAR: [&str; 6] = [
    "first 1 %",
    "last 1 %",
    "1/i",
    "random",
    "tree",
    "quicksort",
];

/// All names, in the order of the table.
pub fn names() -> Vec<&'static str> {
    let mut names = vec!["flat", "flat, first call"];
    names.extend(IRREGULAR);
    names.extend(["regions 50 us", "regions 1 ms", "server"]);
    names
}

/// The workload of this name, for so many workers.
///
/// # Panics
///
/// If there is none.
pub fn named(name: &str, workers: usize) -> Workload {
    sized(name, workers, 1)
}

/// As [`named`], with so many `times` the work in the large calls. The others are as they are.
///
/// # Panics
///
/// If there is none of this name.
pub fn sized(name: &str, workers: usize, times: u64) -> Workload {
    let (work, items) = (times * WORK, times as usize * ITEMS);
    let step = match name {
        "flat" => whole(Loop::flat(items, work)),
        "flat, first call" => whole(Loop::flat(items, work).cold()),
        "first 1 %" => whole(Loop::first(items, work)),
        "last 1 %" => whole(Loop::last(items, work)),
        "1/i" => whole(Loop::falling(items, work)),
        "random" => whole(Loop::random(items, work)),
        "tree" => Step::Tree(Tree::Random(work / 1000)),
        "quicksort" => Step::Tree(Tree::Quicksort(times * 8_000_000)),
        "regions 50 us" => return regions(400, 50_000, 50_000),
        "regions 1 ms" => return regions(60, 1_000_000, 200_000),
        "server" => return server(workers),
        _ => panic!("there is no workload named {name:?}"),
    };
    Workload::call(vec![step])
}

impl Workload {
    /// One call, made at once.
    pub fn call(steps: Vec<Step>) -> Workload {
        Workload {
            calls: vec![(0, steps)],
            caller: Caller::Guest,
        }
    }
}

fn whole(items: Loop) -> Step {
    Step::Loop(Arc::new(items))
}

/// Loops of 1,000 items with serial stretches between.
fn regions(count: usize, work: u64, serial: u64) -> Workload {
    let region = Arc::new(Loop::flat(1000, work));
    let both = |_| [Step::Serial(serial), Step::Loop(region.clone())];
    Workload::call((0..count).flat_map(both).collect())
}

/// Requests of 100 to 300 us each, that keep half of the workers busy.
fn server(workers: usize) -> Workload {
    let apart = 200_000 * 2 / workers as u64;
    let mut at = 0;
    let request = |n| {
        at += below(2 * apart, hash(2 * n));
        let work = 100_000 + below(200_001, hash(2 * n + 1));
        (at, vec![Step::Serial(work)])
    };
    Workload {
        calls: (0..200 + 60 * workers as u64).map(request).collect(),
        caller: Caller::Outside,
    }
}

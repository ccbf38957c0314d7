//! A real thread beside the simulator: by the same clock, the same blocks and cuts, item for item.

use super::{alone, pool};
use crate::core::clock::told;
use crate::core::worker::Worker;
use crate::iter::plumbing::{Producer, UnindexedConsumer, bridge_producer_consumer};
use crate::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// As in `sim/tests/splits.rs`.
const ITEMS: usize = 10_000;
const WORK: u64 = 3_000_000;

thread_local! {
    /// Where what was left was split, as in the simulator's file.
    static SPLITS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Items that take their time, from this one on.
struct Items<'a>(&'a [u64], usize);

impl<'a> Producer for Items<'a> {
    type Item = &'a u64;
    type IntoIter = std::slice::Iter<'a, u64>;

    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }

    fn split_at(self, index: usize) -> (Self, Self) {
        SPLITS.with_borrow_mut(|splits| splits.push(format!("{}+{index}", self.1)));
        let (left, right) = self.0.split_at(index);
        (Items(left, self.1), Items(right, self.1 + index))
    }
}

struct Loop<'a>(&'a [u64]);

impl<'a> ParallelIterator for Loop<'a> {
    type Item = &'a u64;

    fn drive_unindexed<C: UnindexedConsumer<&'a u64>>(self, consumer: C) -> C::Result {
        bridge_producer_consumer(self.0.len(), Items(self.0, 0), consumer)
    }
}

/// How this thread splits a loop, and how often it offers a part. Each `N` is a site of its own, of which nothing is remembered at its first call.
fn splits<const N: usize>(costs: &[u64]) -> (String, u64) {
    let worker = Worker::current().expect("in a pool");
    let before = worker.pool().stats().offered;
    told::with(|| {
        Loop(costs).for_each(|&cost| {
            std::hint::black_box(N);
            told::go_on(cost);
        })
    });
    (
        SPLITS.take().join(" "),
        worker.pool().stats().offered - before,
    )
}

/// The same, while another thread of the pool looks for work, as far as one can see, and takes none: it is at work.
fn beside_a_thief<const N: usize>(costs: &[u64]) -> (String, u64) {
    let (begun, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let wait = |flag: &AtomicBool| {
        while !flag.load(Relaxed) {
            std::thread::yield_now();
        }
    };
    let owner = || {
        wait(&begun);
        let pool = Worker::current().expect("in a pool").pool();
        pool.idle.start_search();
        let splits = splits::<N>(costs);
        pool.idle.end_search();
        done.store(true, Relaxed);
        splits
    };
    let other = || {
        begun.store(true, Relaxed);
        wait(&done);
    };
    pool(2).join(owner, other).0
}

/// For each line of the file, the one or the other.
fn run<const N: usize>(costs: &[u64], thief: bool) -> (String, u64) {
    match thief {
        true => beside_a_thief::<N>(costs),
        false => pool(1).install(|| splits::<N>(costs)),
    }
}

type Run = fn(&[u64], bool) -> (String, u64);
const RUNS: [Run; 8] = [
    run::<0>, run::<1>, run::<2>, run::<3>, run::<4>, run::<5>, run::<6>, run::<7>,
];

/// The costs of a loop of this shape.
fn costs(shape: &str) -> Vec<u64> {
    let weight = |at: usize| match shape {
        "flat" => 1,
        "first 1 %" => [1, 10_000][usize::from(at < ITEMS / 100)],
        "last 1 %" => [1, 10_000][usize::from(at >= ITEMS - ITEMS / 100)],
        "1/i" => (1 << 40) / (at as u64 + 100),
        _ => panic!("{shape} is not known"),
    };
    let all: u64 = (0..ITEMS).map(weight).sum();
    let share = |at| u128::from(WORK) * u128::from(weight(at)) / u128::from(all);
    (0..ITEMS).map(|at| (share(at) as u64).max(1)).collect()
}

#[test]
fn a_thread_splits_as_the_simulator_does() {
    let _alone = alone();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sim/tests/splits.tsv");
    let Ok(recorded) = std::fs::read_to_string(path) else {
        eprintln!("skipped: {path}, which is not in what is published");
        return;
    };
    assert_eq!(recorded.lines().count(), 1 + RUNS.len());
    for (line, run) in recorded.lines().skip(1).zip(RUNS) {
        let columns: Vec<_> = line.split('\t').collect();
        let [shape, thief, cuts, wanted] = columns[..] else {
            panic!("four columns: {line}")
        };
        let (splits, offered) = run(&costs(shape), thief == "true");
        assert_eq!(splits, wanted, "{shape}, thief: {thief}");
        assert_eq!(offered.to_string(), cuts, "{shape}, thief: {thief}");
    }
}

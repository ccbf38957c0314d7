//! Tests: a real thread beside the simulator: by the same clock, the same blocks and cuts, item for item.

use super::{alone, pool};
use crate::core::clock::mock;
use crate::core::worker::Worker;
use crate::iter::plumbing::{Producer, UnindexedConsumer, bridge_producer_consumer};
use crate::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// As in `sim/tests/splits.rs`.
const WORK: u64 = 3_000_000;
const CHEAPER: u64 = 8;

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

/// How this thread splits a loop, and how often it offers a part. Each `N` is a site of its own, of which nothing is remembered at its first call, and that call
/// at the next.
fn splits<const N: usize>(costs: &[u64]) -> (String, u64) {
    let worker = Worker::current().expect("in a pool");
    let before = worker.pool().stats().offered;
    mock::with(0, || {
        Loop(costs).for_each(|&cost| {
            std::hint::black_box(N);
            mock::go_on(cost);
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

/// The one or the other.
fn run<const N: usize>(costs: &[u64], thief: bool) -> (String, u64) {
    match thief {
        true => beside_a_thief::<N>(costs),
        false => pool(1).install(|| splits::<N>(costs)),
    }
}

type Run = fn(&[u64], bool) -> (String, u64);
/// For each loop of the file, alone and beside a thief.
const RUNS: [Run; 20] = [
    run::<0>, run::<1>, run::<2>, run::<3>, run::<4>, run::<5>, run::<6>, run::<7>, run::<8>,
    run::<9>, run::<10>, run::<11>, run::<12>, run::<13>, run::<14>, run::<15>, run::<16>,
    run::<17>, run::<18>, run::<19>,
];
/// How often each is called.
const CALLS: usize = 4;

/// How many items a loop of this shape has, and the weight of each.
fn shape(name: &str) -> (usize, fn(usize, usize) -> u64) {
    let flat = |_, _| 1;
    match name {
        "flat" => (10_000, flat),
        "first 1 %" => (10_000, |at, len| [1, 10_000][usize::from(at < len / 100)]),
        "last 1 %" => (10_000, |at, len| {
            [1, 10_000][usize::from(at >= len - len / 100)]
        }),
        "last two" => (10_000, |at, len| [1, 300_000][usize::from(at >= len - 2)]),
        "1/i" => (10_000, |at, _| (1 << 40) / (at as u64 + 100)),
        "in turns" => (10_007, |at, _| [1, 40][at / 700 % 2]),
        "uneven" => (4_099, |at, _| 1 << (at * at % 11)),
        "few" => (37, flat),
        "three" => (3, |at, _| [1, 5, 2][at]),
        "two" => (2, flat),
        _ => panic!("{name} is not known"),
    }
}

/// What each item costs, at the first call or a later one.
fn costs(name: &str, call: usize) -> Vec<u64> {
    let (len, weight) = shape(name);
    let work = if call < CALLS / 2 {
        WORK
    } else {
        WORK / CHEAPER
    };
    let all: u64 = (0..len).map(|at| weight(at, len)).sum();
    let share = |at| u128::from(work) * u128::from(weight(at, len)) / u128::from(all);
    (0..len).map(|at| (share(at) as u64).max(1)).collect()
}

#[test]
fn a_thread_splits_as_the_simulator_does() {
    let _alone = alone();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sim/tests/splits.tsv");
    let Ok(recorded) = std::fs::read_to_string(path) else {
        eprintln!("skipped: {path}, which is not in what is published");
        return;
    };
    let lines: Vec<_> = recorded.lines().skip(1).collect();
    assert_eq!(lines.len(), CALLS * RUNS.len());
    for (lines, run) in lines.chunks(CALLS).zip(RUNS) {
        for (at, line) in lines.iter().enumerate() {
            let columns: Vec<_> = line.split('\t').collect();
            let [shape, thief, call, cuts, wanted] = columns[..] else {
                panic!("five columns: {line}")
            };
            assert_eq!(call, at.to_string());
            let (splits, offered) = run(&costs(shape, at), thief == "true");
            let case = format!("{shape}, thief: {thief}, call {call}");
            assert_eq!(splits, wanted, "{case}");
            assert_eq!(offered.to_string(), cuts, "{case}");
        }
    }
}

//! Work that makes work, tasks that wait for each other, items that stream through stages.

use super::*;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// About a microsecond of work: a chain of steps of 0.6 ns.
fn work(seed: u64) -> u64 {
    (0..1700).fold(seed, |a, b| black_box(a ^ b).rotate_left(3))
}

pub const CASES: &[Case] = &[
    Case {
        name: "for_each_spawn",
        of: "{n} items, each of which adds up to two",
        measure: |n| {
            let run = || {
                let sum = AtomicU64::new(0);
                algo::for_each_spawn([1usize], |i, list| {
                    sum.fetch_add(i as u64, Relaxed);
                    let more = [2 * i, 2 * i + 1].into_iter().filter(|&i| i < n);
                    more.for_each(|i| list.spawn(i));
                });
                sum.into_inner()
            };
            measure_for(THREADS, run).1
        },
    },
    Case {
        name: "for_each_spawn_by_level",
        of: "{n} items in as many levels as a balanced tree has",
        measure: |n| {
            let run = || {
                let sum = AtomicU64::new(0);
                algo::for_each_spawn_by_level([(0, 1usize)], |i, list| {
                    sum.fetch_add(i as u64, Relaxed);
                    let level = list.level() + 1;
                    let more = [2 * i, 2 * i + 1].into_iter().filter(|&i| i < n);
                    more.for_each(|i| list.spawn(level, i));
                });
                sum.into_inner()
            };
            measure_for(THREADS, run).1
        },
    },
    Case {
        name: "TaskGraph",
        of: "a hundredth of {n} tasks of 1 µs, in rows of 100 that wait for each other",
        measure: |n| {
            let sum = AtomicU64::new(0);
            let graph = || {
                let mut graph = algo::TaskGraph::new();
                let mut tasks = Vec::new();
                for i in 0..n / 100 {
                    let sum = &sum;
                    let task = graph.task(move || {
                        sum.fetch_add(work(i as u64), Relaxed);
                    });
                    if i >= 100 {
                        graph.after(task, tasks[i - 100]);
                    }
                    tasks.push(task);
                }
                graph
            };
            // To describe the tasks does not count.
            let mut graphs = vec![graph(), graph()];
            let run = || graphs.pop().expect("one for each of two runs").run();
            measure_for(THREADS, run).1
        },
    },
    Case {
        name: "pipeline",
        of: "a hundredth of {n} items, through a stage of 3 µs and an end of 0.1 µs",
        measure: |n| {
            let run = || {
                let mut sum = 0;
                algo::pipeline(0..n as u64 / 100)
                    .stage(THREADS, |i| work(work(work(i))))
                    .for_each(|i| sum ^= i);
                sum
            };
            measure_for(THREADS, run).1
        },
    },
];

//! The crate never changes which processors a thread may run on.

use crate::support::{Flag, alone};
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::Duration;

/// The processors that the threads of this process may run on; one set, if it is the same for all.
fn allowed() -> BTreeSet<String> {
    let tasks = fs::read_dir("/proc/self/task").expect("the threads of this process");
    // A thread that ends meanwhile has no status any more.
    let status = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("status")).ok());
    status
        .filter_map(|status| {
            let mut lines = status.lines();
            lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:").map(String::from))
        })
        .collect()
}

/// Two halves that are long enough for a sleeper to be woken.
fn work() {
    filch::join(
        || thread::sleep(Duration::from_millis(1)),
        || thread::sleep(Duration::from_millis(1)),
    );
}

#[test]
fn no_thread_is_narrowed_while_it_is_woken() {
    alone(2, 60, || {
        let done = Flag::new();
        let all = allowed();
        assert_eq!(all.len(), 1, "{all:?}");
        thread::scope(|threads| {
            threads.spawn(|| {
                let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
                for _ in 0..200 {
                    // Until all sleep.
                    thread::sleep(Duration::from_millis(2));
                    work();
                    pool.install(work);
                }
                done.set();
            });
            while !done.is_set() {
                assert_eq!(allowed(), all);
            }
        });
        assert!(filch::stats().wakes > 0);
    });
}

/// A child process has the pools of its parent, but not their threads; those are its parent's.
#[test]
fn a_child_that_drops_a_pool_leaves_its_parents_threads_alone() {
    alone(2, 60, || {
        let all = allowed();
        for _ in 0..20 {
            let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            pool.install(|| (0..1000u32).into_par_iter().sum::<u32>());
            // Until both sleep.
            thread::sleep(Duration::from_millis(20));
            super::fork::in_child(move || drop(pool));
            assert_eq!(allowed(), all);
        }
    });
}

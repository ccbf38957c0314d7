//! In the pools of unit tests work really moves between threads. Without that, they would prove little.

use super::{merge_in_place, select_nth_unstable};
use crate::core::Cuts;
use crate::slice::ParallelSliceMut;
use crate::{ThreadPool, ThreadPoolBuilder, iter::*};
use std::thread;
use std::time::Duration;

/// Runs `work` in a pool that cuts everywhere, until `taken` is more than none.
fn until_taken(work: impl Fn() + Send + Sync + 'static, taken: fn(&ThreadPool) -> u64) {
    let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.force_cuts(Cuts::Always);
    pool.force_leaves(Cuts::Always);
    let runner = thread::spawn(move || {
        while taken(&pool) == 0 {
            pool.install(&work);
        }
    });
    for _ in 0..240_000 {
        if runner.is_finished() {
            return runner.join().unwrap();
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("nothing was taken");
}

#[test]
fn pieces_of_loops_are_taken() {
    let work = || assert_eq!((0..10_000u64).into_par_iter().sum::<u64>(), 49_995_000);
    until_taken(work, |pool| pool.stats().pieces);
}

#[test]
fn jobs_of_sorts_merges_and_selections_are_stolen() {
    fn stolen(pool: &ThreadPool) -> u64 {
        let stats = pool.stats();
        // Without pieces of loops, such as that which reverses a run.
        stats
            .steals
            .saturating_sub(stats.failed_steals + stats.pieces)
    }
    let texts = || -> Vec<String> { (0..100).map(|i| format!("{:02}", i * 37 % 100)).collect() };
    let sorts: [fn(&mut [String]); 3] = [
        |v| v.par_sort(),
        |v| v.par_sort_unstable(),
        |v| {
            v[..50].sort();
            v[50..].sort();
            merge_in_place(v, 50);
        },
    ];
    for sort in sorts {
        let sorted = move || {
            let mut v = texts();
            sort(&mut v);
            assert!(v.is_sorted());
        };
        until_taken(sorted, stolen);
    }
    let selected = move || assert_eq!(select_nth_unstable(&mut texts(), 40).1, "40");
    until_taken(selected, stolen);
}

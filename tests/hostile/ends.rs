//! Processes and threads that end while the pool works.

use crate::child::{child, work};
use filch::ThreadPoolBuilder;
use std::sync::Arc;
use std::time::{Duration, Instant};

// 38
#[test]
fn the_process_ends_while_jobs_run() {
    let start = Instant::now();
    child(4, || {
        for _ in 0..16 {
            filch::spawn(|| {
                loop {
                    std::hint::spin_loop();
                }
            });
        }
        std::process::exit(0);
    })
    .is_well();
    assert!(start.elapsed() < Duration::from_secs(50));
}

#[test]
fn the_main_thread_ends_while_a_scope_waits() {
    child(2, || {
        std::thread::spawn(|| {
            filch::scope(|s| {
                s.spawn(|_| std::thread::sleep(Duration::from_secs(100)));
            });
        });
        std::thread::sleep(Duration::from_millis(50));
    })
    .is_well();
}

// 35
#[test]
fn a_pool_that_its_own_thread_drops() {
    child(2, || {
        for _ in 0..200 {
            let pool = Arc::new(ThreadPoolBuilder::new().num_threads(2).build().unwrap());
            let share = Arc::clone(&pool);
            let (sender, receiver) = std::sync::mpsc::channel();
            pool.spawn(move || {
                share.install(work);
                drop(share);
                sender.send(()).unwrap();
            });
            drop(pool);
            receiver.recv().unwrap();
        }
    })
    .is_well();
}

#[test]
fn a_tangle_of_three_pools() {
    child(2, || {
        let pools: Vec<_> = (1..=3)
            .map(|threads| {
                ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap()
            })
            .collect();
        fn descend(pools: &[filch::ThreadPool], depth: usize) -> u64 {
            if depth == 0 {
                return 1;
            }
            let (left, right) = (&pools[depth % 3], &pools[(depth + 1) % 3]);
            let (a, b) = filch::join(
                || left.install(|| descend(pools, depth - 1)),
                || right.install(|| descend(pools, depth - 1)),
            );
            a + b
        }
        // A thread that waits helps, so the depth of the stack grows with the number of calls that are open; rayon's overflows at 10.
        assert_eq!(descend(&pools, 8), 1 << 8);
    })
    .is_well();
}

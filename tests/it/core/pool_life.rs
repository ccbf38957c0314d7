//! How pools end, and how many of them there can be.

use crate::support::{Flag, Meeting, PATIENCE, alone, within};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

fn new_pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

/// What was spawned before a pool is dropped still runs.
#[test]
fn jobs_outlive_the_handle() {
    within(60, || {
        for n in [1, 2, 8] {
            let (sender, receiver) = mpsc::channel();
            let pool = new_pool(n);
            for i in 0..200 {
                let sender = sender.clone();
                pool.spawn(move || {
                    let inner = sender.clone();
                    filch::spawn(move || inner.send(i).unwrap());
                });
            }
            drop((pool, sender));
            let mut all: Vec<i32> = receiver.iter().collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..200), "{n} threads");
        }
    });
}

/// Dropping a pool does not wait for its jobs.
#[test]
fn dropping_does_not_wait() {
    within(60, || {
        let pool = new_pool(1);
        let (go, went) = (Arc::new(Flag::new()), Arc::new(Flag::new()));
        let (wait, set) = (go.clone(), went.clone());
        pool.spawn(move || {
            wait.wait();
            set.set();
        });
        drop(pool);
        go.set();
        went.wait();
    });
}

/// The last handle dies on a thread of the pool itself.
#[test]
fn dropped_by_its_own_thread() {
    within(60, || {
        for n in [1, 2, 8] {
            for _ in 0..50 {
                let (sender, receiver) = mpsc::channel();
                let pool = Arc::new(new_pool(n));
                let inner = pool.clone();
                pool.spawn(move || {
                    assert_eq!(
                        inner.install(|| (0..100).into_par_iter().sum::<u32>()),
                        4950
                    );
                    drop(inner);
                    sender.send(()).unwrap();
                });
                drop(pool);
                receiver.recv_timeout(PATIENCE).unwrap();
            }
        }
    });
}

/// The last handle goes while a job is inside: it still has all the pool's threads.
#[test]
fn dropped_while_a_job_is_inside() {
    within(60, || {
        for n in [2, 4] {
            let pool = new_pool(n);
            let (inside, dropped) = (Arc::new(Flag::new()), Arc::new(Flag::new()));
            let (begins, goes_on) = (inside.clone(), dropped.clone());
            let (sender, receiver) = mpsc::channel();
            pool.spawn(move || {
                begins.set();
                goes_on.wait();
                // Each half waits for the other one to begin.
                let meeting = Meeting::of(2);
                filch::join(|| meeting.attend(), || meeting.attend());
                let all = filch::broadcast(|context| context.index());
                sender.send(all.len()).unwrap();
            });
            inside.wait();
            drop(pool);
            dropped.set();
            assert_eq!(receiver.recv_timeout(PATIENCE), Ok(n));
        }
    });
}

/// One drops its share while another is inside.
#[test]
fn dropped_by_one_while_another_is_inside() {
    within(60, || {
        for _ in 0..100 {
            let pool = Arc::new(new_pool(2));
            let inside = Arc::new(Flag::new());
            let (inner, set) = (pool.clone(), inside.clone());
            let caller = thread::spawn(move || {
                let sum = inner.install(|| {
                    set.set();
                    (0..1000).into_par_iter().sum::<u32>()
                });
                drop(inner);
                sum
            });
            inside.wait();
            drop(pool);
            assert_eq!(caller.join().unwrap(), 499_500);
        }
    });
}

/// Every thread of a dropped pool ends, busy or idle or never used.
#[test]
fn threads_end() {
    within(60, || {
        for used in [false, true] {
            for n in [1, 2, 8] {
                let (sender, receiver) = mpsc::channel();
                let sender = Mutex::new(sender);
                let pool = ThreadPoolBuilder::new()
                    .num_threads(n)
                    .exit_handler(move |i| sender.lock().unwrap().send(i).unwrap())
                    .build()
                    .unwrap();
                if used {
                    pool.install(|| (0..1000).into_par_iter().for_each(|_| ()));
                }
                drop(pool);
                let mut all: Vec<usize> = (0..n)
                    .map(|_| receiver.recv_timeout(PATIENCE).unwrap())
                    .collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..n));
            }
        }
    });
}

/// Very many pools, used and dropped, leave nothing behind.
#[test]
fn ten_thousand_pools() {
    const POOLS: usize = 10_000;
    /// After these the allocator has all it needs.
    const FIRST: usize = 2_000;
    alone(1, 100, || {
        let mut before = usage();
        for i in 0..POOLS {
            if i == FIRST {
                before.kib = usage().kib;
            }
            let pool = new_pool(1 + i % 3);
            if i % 2 == 0 {
                assert_eq!(pool.install(|| filch::join(|| 1, || 2)), (1, 2));
            }
            if i % 5 == 0 {
                pool.spawn(|| ());
            }
        }
        // Dropping does not wait, so the last threads may take a moment.
        let mut after = usage();
        for _ in 0..1000 {
            if after.threads == before.threads {
                break;
            }
            thread::sleep(std::time::Duration::from_millis(10));
            after = usage();
        }
        assert_eq!(after.threads, before.threads, "threads left");
        let grown = after.kib.saturating_sub(before.kib);
        assert!(grown < 4 << 10, "{} pools left {grown} KiB", POOLS - FIRST);
        assert!(after.files <= before.files, "files left open");
    });
}

/// What the process has now.
struct Usage {
    threads: usize,
    kib: usize,
    files: usize,
}

/// From the kernel where it tells; elsewhere nothing, and the test is one of endurance only.
fn usage() -> Usage {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|rest| rest.split_whitespace().next());
        number.map_or(0, |n| n.parse().unwrap())
    };
    Usage {
        threads: field("Threads:"),
        kib: field("VmRSS:"),
        files: std::fs::read_dir("/proc/self/fd").map_or(0, |files| files.count()),
    }
}

/// Many pools at the same time.
#[test]
fn a_hundred_pools_at_once() {
    within(60, || {
        let pools: Vec<ThreadPool> = (0..100).map(|i| new_pool(1 + i % 3)).collect();
        let sums: Vec<u32> = pools
            .iter()
            .map(|p| p.install(|| (0..100).into_par_iter().sum()))
            .collect();
        assert_eq!(sums, [4950; 100]);
    });
}

/// One calls the other, through all of them.
#[test]
fn a_tower_of_pools() {
    fn climb(pools: &[ThreadPool]) -> usize {
        match pools {
            [] => 0,
            [first, rest @ ..] => first.install(|| filch::join(|| climb(rest), || 1)).0 + 1,
        }
    }
    let height = within(60, || {
        climb(&(0..50).map(|i| new_pool(1 + i % 2)).collect::<Vec<_>>())
    });
    assert_eq!(height, 50);
}

//! A pool of n threads runs n threads at a time, callers from outside among them; and one that sleeps inside a wait leaves its right to another.

use crate::support::{Flag, alone, cases, within};
use filch::ThreadPoolBuilder;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::thread;

/// Without it, the worker whose place the caller has would stay asleep, and this would hang.
#[test]
fn a_caller_that_waits_leaves_its_right_to_another_thread() {
    alone(2, 60, || {
        for _ in 0..100 {
            let taken = Arc::new(Flag::new());
            let (sender, receiver) = mpsc::channel();
            let other = thread::spawn({
                let taken = Arc::clone(&taken);
                move || {
                    taken.wait();
                    filch::spawn(move || sender.send(7).unwrap());
                }
            });
            let (_, received) = filch::join(|| taken.wait(), {
                let taken = &taken;
                move || {
                    taken.set();
                    receiver.recv()
                }
            });
            assert_eq!(received, Ok(7));
            other.join().unwrap();
        }
    });
}

fn fork(depth: usize, leaf: &(dyn Fn() + Sync)) {
    match depth {
        0 => leaf(),
        _ => _ = filch::join(|| fork(depth - 1, leaf), || fork(depth - 1, leaf)),
    }
}

/// Any number of callers, of which few can take part at a time: no two threads have one index, and all callers come to their end.
#[test]
fn no_two_threads_have_one_index() {
    alone(3, 120, || {
        let here: Vec<_> = (0..3).map(|_| AtomicBool::new(false)).collect();
        let leaves = AtomicUsize::new(0);
        let rounds = cases(30) as usize;
        let leaf = || {
            let index = filch::current_thread_index().unwrap();
            assert!(
                !here[index].swap(true, SeqCst),
                "two threads with one index"
            );
            for _ in 0..20 {
                thread::yield_now();
            }
            leaves.fetch_add(1, Relaxed);
            here[index].store(false, SeqCst);
        };
        thread::scope(|s| {
            for _ in 0..12 {
                s.spawn(|| (0..rounds).for_each(|_| fork(4, &leaf)));
            }
        });
        assert_eq!(leaves.into_inner(), 12 * rounds * 16);
        let stats = filch::stats();
        assert!(stats.guests > 0 && stats.jobs > 0, "{stats:?}");
    });
}

/// Users keep things by index; so in a pool without callers from outside a thread has one for life, across waits as well.
#[test]
fn a_thread_of_a_pool_of_its_own_keeps_its_index() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let of_threads = pool.broadcast(|context| (thread::current().id(), context.index()));
        let check = || {
            let index = filch::current_thread_index().unwrap();
            assert!(of_threads.contains(&(thread::current().id(), index)));
        };
        let leaf = || {
            check();
            thread::yield_now();
        };
        pool.install(|| {
            for _ in 0..200 {
                fork(6, &leaf);
                check();
            }
        });
    });
}

//! Threads that wait and may run only what descends from their own call: they leave other work where it is, however much there is.

use crate::support::{Flag, alone, within};
use filch::ThreadPoolBuilder;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

const JOBS: usize = 200_000;

/// A job for each of `JOBS`, which counts itself.
fn counted(ran: &Arc<AtomicUsize>) -> impl FnOnce() + Send + 'static {
    let ran = ran.clone();
    move || _ = ran.fetch_add(1, SeqCst)
}

fn until_all_ran(ran: &AtomicUsize) {
    while ran.load(SeqCst) < JOBS {
        thread::sleep(Duration::from_millis(1));
    }
}

/// A guest waits for the right half of its join, which the pool's other thread runs, while jobs come in from outside.
#[test]
fn a_guest_leaves_what_comes_from_outside() {
    alone(2, 300, || {
        let (taken, go) = (Flag::new(), Flag::new());
        let ran = Arc::new(AtomicUsize::new(0));
        // Until the pool is there and has nothing to do: else it lets no guest in.
        while filch::stats().guests == 0 || filch::load().asleep < 2 {
            filch::join(|| (), || ());
            thread::sleep(Duration::from_millis(1));
        }
        let before = filch::stats();
        thread::scope(|threads| {
            threads.spawn(|| {
                taken.wait();
                for _ in 0..JOBS {
                    filch::spawn(counted(&ran));
                }
                go.set();
            });
            filch::join(
                || taken.wait(),
                || {
                    taken.set();
                    go.wait();
                },
            );
        });
        until_all_ran(&ran);
        let after = filch::stats() - before;
        assert!(after.guests >= 1, "{after}");
        assert!(after.handed_back < 100, "{after}");
    });
}

/// An isolated thread of a pool waits likewise.
#[test]
fn an_isolated_thread_leaves_what_comes_from_outside() {
    within(300, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (taken, go) = (Flag::new(), Flag::new());
        let ran = Arc::new(AtomicUsize::new(0));
        thread::scope(|threads| {
            threads.spawn(|| {
                taken.wait();
                for _ in 0..JOBS {
                    pool.spawn(counted(&ran));
                }
                go.set();
            });
            pool.install(|| {
                filch::isolate(|| {
                    filch::join(
                        || taken.wait(),
                        || {
                            taken.set();
                            go.wait();
                        },
                    )
                })
            });
        });
        until_all_ran(&ran);
        let stats = pool.stats();
        assert!(stats.handed_back < 100, "{stats}");
    });
}

/// What an isolated thread spawned before, and must not run now, is moved out of its way once, and not looked at again.
#[test]
fn an_isolated_thread_moves_what_it_spawned_before_once() {
    within(300, || {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        let (here, there) = (pool(1).unwrap(), pool(1).unwrap());
        let ran = Arc::new(AtomicUsize::new(0));
        here.install(|| {
            (0..JOBS).for_each(|_| filch::spawn(counted(&ran)));
            filch::isolate(|| {
                for _ in 0..20 {
                    there.install(|| thread::sleep(Duration::from_millis(5)));
                }
            });
            assert_eq!(ran.load(SeqCst), 0);
        });
        until_all_ran(&ran);
        let stats = here.stats();
        assert_eq!(stats.handed_back, JOBS as u64, "{stats}");
    });
}

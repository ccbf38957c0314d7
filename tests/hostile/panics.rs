//! Panics where it hurts: in payloads, in handlers, in destructors during unwinding.

use crate::child::{child, work};
use filch::ThreadPoolBuilder;
use filch::ext::*;
use filch::prelude::*;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// A payload whose destructor panics, unless it is defused.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a payload that panics when it is dropped");
    }
}

/// How many guards there were, and how many are gone.
static MADE: AtomicUsize = AtomicUsize::new(0);
static DROPPED: AtomicUsize = AtomicUsize::new(0);

/// What is said of a guard that is dropped once more.
const TWICE: &str = "dropped twice";

/// Something whose destructor panics, if its number is 3.
struct Guard {
    number: u32,
    live: bool,
}

impl Guard {
    fn new(number: u32) -> Guard {
        MADE.fetch_add(1, SeqCst);
        Guard { number, live: true }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if !std::mem::take(&mut self.live) {
            eprintln!("{TWICE}: {}", self.number);
        }
        DROPPED.fetch_add(1, SeqCst);
        if self.number == 3 {
            panic!("a destructor that panics");
        }
    }
}

// 5: the library drops the payload of the second panic; that may panic in its turn.
#[test]
fn payloads_that_panic_when_dropped() {
    child(3, || {
        for round in 0..100 {
            let both = catch_unwind(|| {
                filch::join(|| panic_any(Bomb), || panic_any(Bomb));
            });
            // The payload that comes out is ours to drop, and a bomb.
            std::mem::forget(both.expect_err("both sides panicked"));
            let scope = catch_unwind(|| {
                filch::scope(|s| {
                    for _ in 0..10 {
                        s.spawn(|_| panic_any(Bomb));
                    }
                });
            });
            std::mem::forget(scope.expect_err("all jobs panicked"));
            let items = catch_unwind(|| {
                (0..1000).into_par_iter().with_max_len(1).for_each(|i| {
                    if i % 7 == round % 7 {
                        panic_any(Bomb);
                    }
                });
            });
            std::mem::forget(items.expect_err("some items panicked"));
        }
        work();
    })
    .is_well();
}

// 226: what a scope's own closure returned is dropped, because a job has panicked, and panics in its turn.
#[test]
fn results_of_scopes_that_panic_when_dropped() {
    child(3, || {
        for _ in 0..100 {
            let scope = catch_unwind(|| {
                filch::scope(|s| {
                    s.spawn(|_| panic_any("the job that panicked"));
                    Bomb
                })
            });
            let payload = scope.err().expect("a job panicked");
            assert_eq!(payload.downcast_ref(), Some(&"the job that panicked"));
        }
        work();
    })
    .is_well();
}

// 226: all shares of a broadcast panic; or only one does, and the results of the others panic when they are dropped.
#[test]
fn shares_of_a_broadcast_that_panic_when_dropped() {
    child(3, || {
        for _ in 0..100 {
            let payloads = catch_unwind(|| filch::broadcast::<_, ()>(|_| panic_any(Bomb)));
            std::mem::forget(payloads.expect_err("all shares panicked"));
            let results = catch_unwind(|| {
                filch::broadcast(|context| match context.index() {
                    1 => panic_any("the only share that panicked"),
                    _ => Bomb,
                })
            });
            let payload = results.err().expect("one share panicked");
            assert_eq!(
                payload.downcast_ref(),
                Some(&"the only share that panicked")
            );
        }
        work();
    })
    .is_well();
}

// 261: nobody asked for the item that panicked.
#[test]
fn an_ordered_iterator_that_is_dropped_drops_the_payload_of_a_panic_quietly() {
    child(3, || {
        for round in 0..50 {
            let items = (0..10).into_par_iter().map(|_| panic_any(Bomb));
            let items: BackgroundIter<()> = items.into_ordered_iter(3);
            // Mostly the panic has come by then; if not, the thread in the background drops its payload.
            if round % 2 == 0 {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            drop(items);
        }
        work();
    })
    .is_well();
}

// 7
#[test]
fn a_spawned_panic_that_nobody_handles_aborts() {
    child(2, || {
        filch::spawn(|| panic!("this has no handler"));
        std::thread::sleep(std::time::Duration::from_secs(50));
    })
    .is_abort("this has no handler");
}

#[test]
fn a_handler_that_panics_aborts() {
    child(2, || {
        let pool = ThreadPoolBuilder::new()
            .panic_handler(|_| panic!("the handler panics"))
            .build()
            .unwrap();
        pool.spawn(|| panic!("the job panics"));
        std::thread::sleep(std::time::Duration::from_secs(50));
    })
    .is_abort("aborting");
}

// 8
#[test]
fn a_start_handler_that_panics_aborts() {
    child(2, || {
        let _pool = ThreadPoolBuilder::new()
            .start_handler(|_| panic!("at the start"))
            .build();
        std::thread::sleep(std::time::Duration::from_secs(50));
    })
    .is_abort("aborting");
}

#[test]
fn an_exit_handler_that_panics_aborts() {
    child(2, || {
        drop(
            ThreadPoolBuilder::new()
                .exit_handler(|_| panic!("at the end"))
                .build()
                .unwrap(),
        );
        std::thread::sleep(std::time::Duration::from_secs(50));
    })
    .is_abort("aborting");
}

// 53: a destructor that panics while another panic unwinds ends the process; nothing is dropped twice before.
#[test]
fn a_destructor_that_panics_while_unwinding_ends_the_process() {
    let end = child(2, || {
        let result = catch_unwind(|| {
            (0..1000u32)
                .into_par_iter()
                .map(|i| {
                    assert!(i < 990, "an item panics");
                    Guard::new(i)
                })
                .collect::<Vec<_>>()
        });
        assert!(result.is_err());
        // All else was dropped, too.
        assert_eq!(MADE.load(SeqCst), DROPPED.load(SeqCst));
    });
    assert!(!end.errors.contains(TWICE), "{end:?}");
    // Whether the destructor runs while the panic unwinds or after it was caught is not promised.
    if !end.status.success() {
        end.is_abort("an item panics");
        end.is_abort("a destructor that panics");
    }
}

// A destructor that panics without another panic is a panic like any other.
#[test]
fn destructors_that_panic_alone() {
    let end = child(3, || {
        for _ in 0..50 {
            let items: Vec<_> = (0..100).map(Guard::new).collect();
            let result = catch_unwind(AssertUnwindSafe(|| items.into_par_iter().for_each(drop)));
            assert!(result.is_err());
        }
        assert_eq!(MADE.load(SeqCst), 5000);
        assert_eq!(DROPPED.load(SeqCst), 5000);
        work();
    });
    assert!(!end.errors.contains(TWICE), "{end:?}");
    end.is_well();
}

// 9
#[test]
fn a_pool_survives_a_thousand_panics() {
    child(4, || {
        std::panic::set_hook(Box::new(|_| ()));
        for round in 0..1000u32 {
            let result = catch_unwind(|| {
                (0..100u32)
                    .into_par_iter()
                    .for_each(|i| assert_ne!(i, round % 100));
            });
            assert!(result.is_err());
        }
        work();
    })
    .is_well();
}

/// What is asked for and cannot be is told with the caller's line.
#[test]
fn a_bad_argument_is_told_with_the_line_that_has_it() {
    static FILES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let run = child(1, || {
        std::panic::set_hook(Box::new(|info| {
            let file = info.location().map(|at| at.file().to_owned());
            FILES.lock().unwrap().extend(file);
        }));
        let calls: [fn(); 9] = [
            || _ = vec![0; 3].par_drain(2..9),
            || _ = vec![0; 3].par_drain(..).chunks(0),
            || _ = VecDeque::from([0; 3]).par_drain(4..),
            || _ = "abc".to_owned().par_drain(2..9),
            || (0..9).into_par_iter().with_ordered_iter(0, |_| ()),
            || _ = (0..9).into_par_iter().into_ordered_iter(0),
            || limited_scope(0, |_| ()),
            || _ = JobQueue::current().limit(0),
            || _ = JobQueue::current().at_once(0),
        ];
        for (number, call) in calls.into_iter().enumerate() {
            assert!(catch_unwind(call).is_err(), "{number}");
        }
        let files = FILES.lock().unwrap();
        assert_eq!(files.as_slice(), [file!(); 9]);
    });
    run.is_well();
}

/// Where a half is given away, and where it runs, frames of other threads' work lie on the stack.
#[test]
fn a_method_of_follow_that_panics() {
    child(1, || {
        struct No;
        impl filch::Follow for No {
            fn leave(&self) -> u64 {
                0
            }
            fn arrive(&self, _: u64) {
                panic!("no");
            }
            fn done(&self, _: u64) {}
        }
        let pool = ThreadPoolBuilder::new().num_threads(2).follow(No);
        pool.build().unwrap().install(|| ());
    })
    .is_abort("a method of `Follow` panicked");
}

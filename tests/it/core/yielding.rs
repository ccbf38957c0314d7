//! `yield_now`, `yield_local`, and what is known of pending work.

use crate::support::{Flag, PATIENCE, caught, planted, within};
use filch::prelude::*;
use filch::{ThreadPoolBuilder, Yield, spawn, yield_local, yield_now};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, mpsc};

#[test]
fn outside_there_is_nothing_to_yield_to() {
    assert_eq!(yield_now(), None);
    assert_eq!(yield_local(), None);
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.yield_now(), None);
    assert_eq!(pool.yield_local(), None);
    assert_eq!(pool.current_thread_has_pending_tasks(), None);
}

#[test]
fn yields_run_one_job_each() {
    within(30, || {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for give in [yield_now, yield_local] {
            let runs = Arc::new(AtomicUsize::new(0));
            let counted = runs.clone();
            pool.install(|| {
                assert_eq!(give(), Some(Yield::Idle));
                assert_eq!(pool.current_thread_has_pending_tasks(), Some(false));
                for n in 1..4 {
                    let runs = counted.clone();
                    spawn(move || _ = runs.fetch_add(n, SeqCst));
                }
                assert_eq!(pool.current_thread_has_pending_tasks(), Some(true));
                // The newest first.
                for sum in [3, 5, 6] {
                    assert_eq!(give(), Some(Yield::Executed));
                    assert_eq!(counted.load(SeqCst), sum);
                }
                assert_eq!(pool.current_thread_has_pending_tasks(), Some(false));
                assert_eq!(give(), Some(Yield::Idle));
            });
        }
    });
}

/// The methods of a pool see its own threads only.
#[test]
fn methods() {
    within(30, || {
        let one = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let other = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        one.install(|| {
            assert_eq!(one.yield_now(), Some(Yield::Idle));
            assert_eq!(one.yield_local(), Some(Yield::Idle));
            assert_eq!(one.current_thread_has_pending_tasks(), Some(false));
            assert_eq!(other.yield_now(), None);
            assert_eq!(other.yield_local(), None);
            assert_eq!(other.current_thread_has_pending_tasks(), None);
        });
    });
}

/// A thread may wait for its own jobs if it gives way.
#[test]
fn waiting_by_yielding() {
    for give in [yield_now, yield_local] {
        for n in [1, 2, 8] {
            within(30, move || {
                let pool = ThreadPoolBuilder::new().num_threads(n).build().unwrap();
                pool.install(|| {
                    let done = Arc::new(Flag::new());
                    let set = done.clone();
                    spawn(move || spawn(move || set.set()));
                    while !done.is_set() {
                        assert!(give().is_some());
                    }
                });
            });
        }
    }
}

/// `yield_now` also takes what came from outside; `yield_local` need not.
#[test]
fn jobs_from_outside() {
    within(30, || {
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(1).build().unwrap());
        let (begun, beginning) = mpsc::channel();
        let inner = pool.clone();
        let busy = std::thread::spawn(move || {
            inner.install(|| {
                let done = Arc::new(Flag::new());
                begun.send(done.clone()).unwrap();
                while !done.is_set() {
                    yield_now();
                }
            });
        });
        let done = beginning.recv_timeout(PATIENCE).unwrap();
        pool.spawn(move || done.set());
        busy.join().unwrap();
    });
}

/// After a parallel call, and after one that panicked, a thread has as little to do as before.
#[test]
fn calls_leave_nothing_behind() {
    for n in [1, 2, 8] {
        within(30, move || {
            let pool = ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            pool.install(|| {
                let check = || assert_eq!(pool.current_thread_has_pending_tasks(), Some(false));
                for round in 0..100 {
                    (0..200).into_par_iter().with_max_len(1).for_each(|_| ());
                    check();
                    let found = (0..2000).into_par_iter().find_any(|x| *x == round);
                    assert_eq!(found, Some(round));
                    check();
                    let panics = (0..64).into_par_iter().with_max_len(1);
                    let outcome = caught(|| {
                        panics.for_each(|x| {
                            if x == round % 64 {
                                planted(x)
                            }
                        })
                    });
                    assert!(outcome.is_err());
                    check();
                    let outcome = caught(|| filch::join(|| planted(1), || filch::join(|| 1, || 2)));
                    assert_eq!(outcome, Err::<((), _), _>(1));
                    check();
                    filch::scope(|s| (0..9).for_each(|_| s.spawn(|_| ())));
                    check();
                }
            });
        });
    }
}

//! Panics in `join`: both sides run, both are waited for, the left payload wins, and everything
//! is dropped once.

use crate::support::{Flag, Ledger, Place, Planted, caught, planted, within};
use filch::{ThreadPool, ThreadPoolBuilder, join};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

fn new_pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

#[test]
fn left() {
    for place in Place::all() {
        let ledger = Ledger::new(2);
        let outcome = place.run(|| {
            let capture = ledger.token(0);
            caught(|| {
                join(
                    move || {
                        if capture.id() == 0 {
                            planted(1)
                        }
                    },
                    || ledger.token(1),
                )
            })
        });
        assert_eq!(outcome.err(), Some(1), "{place:?}");
        assert_eq!(ledger.made(1), 1, "{place:?}: the right side did not run");
        ledger.assert_all_gone();
    }
}

#[test]
fn right() {
    for place in Place::all() {
        let ledger = Ledger::new(2);
        let outcome = place.run(|| {
            let capture = ledger.token(0);
            caught(|| {
                join(
                    || ledger.token(1),
                    move || {
                        if capture.id() == 0 {
                            planted(2)
                        }
                    },
                )
            })
        });
        assert_eq!(outcome.err(), Some(2), "{place:?}");
        assert_eq!(ledger.made(1), 1, "{place:?}: the left side did not run");
        ledger.assert_all_gone();
    }
}

/// A payload that is counted.
struct Payload {
    id: usize,
    _token: crate::support::Token,
}

#[test]
fn both() {
    for place in Place::all() {
        for _ in 0..20 {
            let ledger = Ledger::new(2);
            let raise = |id| -> () {
                let _token = ledger.token(id);
                resume_unwind(Box::new(Payload { id, _token }))
            };
            let payload = place.run(|| {
                let outcome = catch_unwind(AssertUnwindSafe(|| join(|| raise(0), || raise(1))));
                outcome
                    .err()
                    .map(|payload| payload.downcast::<Payload>().unwrap())
            });
            let payload = payload.expect("a panic");
            assert_eq!(payload.id, 0, "{place:?}");
            assert_eq!((ledger.made(0), ledger.made(1)), (1, 1), "{place:?}");
            assert_eq!((ledger.live(0), ledger.live(1)), (1, 0), "{place:?}");
            drop(payload);
            ledger.assert_all_gone();
        }
    }
}

/// The payload that arrives is the very box that was thrown.
#[test]
fn payloads_are_not_wrapped() {
    for place in Place::all() {
        for side in 0..2 {
            let payload = Box::new(Planted(5));
            let address = (&raw const *payload).addr();
            let outcome = place.run(|| {
                let raise = move || -> () { resume_unwind(payload) };
                let run = || match side {
                    0 => join(raise, || ()),
                    _ => join(|| (), raise),
                };
                catch_unwind(AssertUnwindSafe(run))
            });
            let payload = outcome.unwrap_err().downcast::<Planted>().unwrap();
            assert_eq!((&raw const *payload).addr(), address, "{place:?}");
        }
    }
}

/// Sets a flag when it is dropped, by unwinding for one.
struct OnDrop<'a>(&'a Flag);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// The left side panics while a thief runs the right one, which borrows the frame of the join:
/// the join waits for it.
#[test]
fn left_while_right_is_stolen() {
    within(60, || {
        let pool = new_pool(2);
        for _ in 0..30 {
            let (begun, unwinding) = (Flag::new(), Flag::new());
            let done = AtomicBool::new(false);
            let outcome = pool.install(|| {
                caught(|| {
                    join(
                        || {
                            let _guard = OnDrop(&unwinding);
                            begun.wait();
                            planted(1)
                        },
                        || {
                            begun.set();
                            unwinding.wait();
                            thread::sleep(Duration::from_millis(2));
                            done.store(true, SeqCst);
                        },
                    )
                })
            });
            assert_eq!(outcome.err(), Some(1));
            assert!(
                done.into_inner(),
                "the join did not wait for the right side"
            );
        }
    });
}

/// The right side panics on a thief; the left one goes on to its end, and the thief lives.
#[test]
fn right_while_stolen() {
    within(60, || {
        let pool = new_pool(2);
        for _ in 0..30 {
            let unwinding = Flag::new();
            let done = AtomicBool::new(false);
            let outcome = pool.install(|| {
                caught(|| {
                    join(
                        || {
                            unwinding.wait();
                            done.store(true, SeqCst);
                        },
                        || {
                            let _guard = OnDrop(&unwinding);
                            planted(2)
                        },
                    )
                })
            });
            assert_eq!(outcome.err(), Some(2));
            assert!(done.into_inner());
        }
    });
}

#[test]
fn both_while_right_is_stolen() {
    within(60, || {
        let pool = new_pool(2);
        for _ in 0..30 {
            let (left, right) = (Flag::new(), Flag::new());
            let outcome = pool.install(|| {
                caught(|| {
                    join(
                        || {
                            let _guard = OnDrop(&left);
                            right.wait();
                            planted(1)
                        },
                        || {
                            right.set();
                            left.wait();
                            planted(2)
                        },
                    )
                })
            });
            assert_eq!(outcome, Err::<((), ()), _>(1));
        }
    });
}

/// A panic deep down passes all joins above it, which all run their other sides.
#[test]
fn through_many_joins() {
    fn descend(depth: usize, others: &AtomicUsize) {
        if depth == 0 {
            planted(9);
        }
        let other = || {
            others.fetch_add(1, SeqCst);
        };
        match depth % 2 {
            0 => join(|| descend(depth - 1, others), other),
            _ => join(other, || descend(depth - 1, others)),
        };
    }
    for place in Place::all() {
        for _ in 0..20 {
            let others = AtomicUsize::new(0);
            assert_eq!(place.run(|| caught(|| descend(100, &others))), Err(9));
            assert_eq!(others.into_inner(), 100, "{place:?}");
        }
    }
}

/// A panic at each leaf of a tree in turn; every other leaf runs.
#[test]
fn at_every_leaf() {
    fn tree(leaves: std::ops::Range<usize>, leaf: &(dyn Fn(usize) + Sync)) {
        match leaves.len() {
            1 => leaf(leaves.start),
            n => {
                let middle = leaves.start + n / 2;
                join(
                    || tree(leaves.start..middle, leaf),
                    || tree(middle..leaves.end, leaf),
                );
            }
        }
    }
    for place in Place::all() {
        for at in 0..64 {
            let runs = AtomicUsize::new(0);
            let leaf = |i: usize| {
                runs.fetch_add(1, SeqCst);
                if i == at {
                    planted(at);
                }
            };
            assert_eq!(place.run(|| caught(|| tree(0..64, &leaf))), Err(at));
            assert_eq!(runs.into_inner(), 64, "{place:?}");
        }
    }
}

/// A join in a destructor, while its thread unwinds.
#[test]
fn join_during_unwinding() {
    struct Joins<'a>(&'a AtomicUsize);

    impl Drop for Joins<'_> {
        fn drop(&mut self) {
            let (a, b) = join(thread::panicking, || 20);
            self.0.fetch_add(b + usize::from(a), SeqCst);
        }
    }

    for place in Place::all() {
        let sum = AtomicUsize::new(0);
        let outcome = place.run(|| {
            caught(|| {
                let _joins = Joins(&sum);
                join(|| planted(4), || ());
            })
        });
        assert_eq!(outcome, Err(4));
        assert!([20, 21].contains(&sum.into_inner()), "{place:?}");
    }
}

/// The real thing, with a message and a hook.
#[test]
fn an_ordinary_panic() {
    for place in Place::all() {
        let outcome = place
            .run(|| catch_unwind(|| join(|| [1, 2, 3].len(), || "seven".parse::<u32>().unwrap())));
        let payload = outcome.unwrap_err();
        let message = payload.downcast_ref::<String>().unwrap();
        assert!(message.contains("ParseIntError"), "{message}");
    }
}

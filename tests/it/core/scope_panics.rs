//! Panics in scopes: all other jobs still run, then one payload comes out.

use crate::support::{Ledger, Place, caught, planted};
use filch::{in_place_scope, in_place_scope_fifo, scope, scope_fifo};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const JOBS: usize = 64;

/// A panic in each job in turn, and (with `at == JOBS`) in the body after all are spawned.
macro_rules! one_panic_in {
    ($($name:ident: $scope:ident, $spawn:ident;)*) => {$(
        #[test]
        fn $name() {
            for place in Place::all() {
                for at in 0..=JOBS {
                    let ledger = Ledger::new(JOBS);
                    let runs = AtomicUsize::new(0);
                    let outcome = place.run(|| {
                        caught(|| {
                            $scope(|s| {
                                for token in ledger.tokens() {
                                    let runs = &runs;
                                    s.$spawn(move |_| {
                                        runs.fetch_add(1, Relaxed);
                                        if token.id() == at {
                                            planted(at);
                                        }
                                    });
                                }
                                if at == JOBS {
                                    planted(at);
                                }
                            })
                        })
                    });
                    assert_eq!(outcome, Err(at), "{place:?}");
                    assert_eq!(runs.into_inner(), JOBS, "{place:?}");
                    ledger.assert_all_gone();
                }
            }
        }
    )*};
}

one_panic_in! {
    lifo: scope, spawn;
    fifo: scope_fifo, spawn_fifo;
    lifo_in_place: in_place_scope, spawn;
    fifo_in_place: in_place_scope_fifo, spawn_fifo;
}

#[test]
fn one_of_a_thousand() {
    for place in Place::all() {
        let runs = AtomicUsize::new(0);
        let outcome = place.run(|| {
            caught(|| {
                scope(|s| {
                    for i in 0..1000 {
                        let runs = &runs;
                        s.spawn(move |_| {
                            runs.fetch_add(1, Relaxed);
                            if i == 321 {
                                planted(i);
                            }
                        });
                    }
                })
            })
        });
        assert_eq!((outcome, runs.into_inner()), (Err(321), 1000), "{place:?}");
    }
}

/// All panic: one payload comes out, the others are dropped.
#[test]
fn all_of_them() {
    for place in Place::all() {
        let ledger = Ledger::new(100);
        let outcome = place.run(|| {
            let thrown = std::panic::AssertUnwindSafe(|| {
                scope(|s| {
                    for token in ledger.tokens() {
                        s.spawn(move |_| std::panic::resume_unwind(Box::new(token)));
                    }
                });
            });
            std::panic::catch_unwind(thrown)
        });
        let payload = outcome.expect_err("a panic");
        assert!(payload.is::<crate::support::Token>());
        assert_eq!(
            (0..100).map(|id| ledger.live(id)).sum::<isize>(),
            1,
            "{place:?}"
        );
        drop(payload);
        ledger.assert_all_gone();
    }
}

/// A panic in a job that a job spawned, and in a scope within a scope.
#[test]
fn deeper() {
    for place in Place::all() {
        let runs = AtomicUsize::new(0);
        let run = || {
            runs.fetch_add(1, Relaxed);
        };
        let outcome = place.run(|| {
            caught(|| {
                scope(|s| {
                    s.spawn(|s| {
                        s.spawn(|_| planted(5));
                        s.spawn(|_| run());
                    });
                    s.spawn(|_| {
                        let inner = caught(|| {
                            scope(|s| {
                                s.spawn(|_| planted(6));
                                s.spawn(|_| run());
                            });
                        });
                        assert_eq!(inner, Err(6));
                        run();
                    });
                });
            })
        });
        assert_eq!((outcome, runs.into_inner()), (Err(5), 3), "{place:?}");
    }
}

/// The scope ends only when all jobs have, also when its body panics: they borrow the frame.
#[test]
fn jobs_are_waited_for() {
    for place in Place::all() {
        let done = AtomicUsize::new(0);
        let outcome = place.run(|| {
            caught(|| {
                scope(|s| {
                    for _ in 0..20 {
                        s.spawn(|_| {
                            std::thread::sleep(std::time::Duration::from_micros(200));
                            done.fetch_add(1, Relaxed);
                        });
                    }
                    planted(3)
                })
            })
        });
        assert_eq!(
            (outcome, done.into_inner()),
            (Err::<(), _>(3), 20),
            "{place:?}"
        );
    }
}

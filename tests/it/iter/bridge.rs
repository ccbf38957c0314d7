//! `par_bridge`: iterators of std, shared by many threads.

use crate::support::{
    Flag, Ledger, PATIENCE, Place, alone, cases, caught, costly, ints, oracle, planted, within,
};
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Instant;

#[test]
fn every_item_once() {
    oracle(
        ints(),
        |v| {
            let mut all: Vec<_> = v
                .iter()
                .enumerate()
                .par_bridge()
                .map(|(i, x)| (i, costly(*x)))
                .collect();
            all.sort_unstable();
            all
        },
        |v| v.iter().copied().enumerate().collect(),
    );
}

#[test]
fn ends() {
    oracle(
        ints(),
        |v| {
            let v = || v.iter().copied().par_bridge();
            let text = v().map(i64::from).sum::<i64>();
            (
                text,
                v().count(),
                v().any(|x| x == 99),
                v().min(),
                v().filter(|x| x % 2 == 0).count(),
            )
        },
        |v| {
            let even = v.iter().filter(|x| **x % 2 == 0).count();
            let sum = v.iter().copied().map(i64::from).sum();
            (sum, v.len(), v.contains(&99), v.iter().copied().min(), even)
        },
    );
}

/// An endless source is left when no more items are wanted.
#[test]
fn endless() {
    for place in Place::all() {
        let found = within(60, move || {
            place.run(|| (0u64..).par_bridge().find_any(|x| *x == 1000))
        });
        assert_eq!(found, Some(1000), "{place:?}");
    }
}

/// The source is not asked again after its end.
#[test]
fn not_beyond_the_end() {
    struct Strict(std::ops::Range<usize>, bool);

    impl Iterator for Strict {
        type Item = usize;

        fn next(&mut self) -> Option<usize> {
            assert!(!self.1, "asked after the end");
            let next = self.0.next();
            self.1 = next.is_none();
            next
        }
    }

    for place in Place::all() {
        let sum = place.run(|| Strict(0..500, false).par_bridge().sum::<usize>());
        assert_eq!(sum, 499 * 250, "{place:?}");
    }
}

#[test]
fn a_source_that_panics() {
    for place in Place::all() {
        for at in [0, 1, 30, 499] {
            let ledger = Ledger::new(500);
            let taken = AtomicUsize::new(0);
            let outcome = within(60, {
                move || {
                    place.run(|| {
                        let source = ledger.tokens().into_iter().inspect(move |t| {
                            if t.id() == at {
                                planted(at);
                            }
                        });
                        caught(|| {
                            source.par_bridge().for_each(|t| {
                                assert!(t.id() < at);
                                taken.fetch_add(1, Relaxed);
                            });
                        })
                    })
                }
            });
            assert_eq!(outcome, Err(at), "{place:?}");
            ledger.assert_all_gone();
        }
    }
}

/// What comes before the panic of the source is not lost.
#[test]
fn items_before_a_panic_of_the_source_are_consumed() {
    for place in Place::all() {
        let taken = AtomicUsize::new(0);
        let source = (0..100).inspect(|x| {
            if *x == 60 {
                planted(*x)
            }
        });
        let outcome = place.run(|| {
            caught(|| {
                source.par_bridge().for_each(|_| {
                    taken.fetch_add(1, Relaxed);
                })
            })
        });
        assert_eq!((outcome, taken.into_inner()), (Err(60), 60), "{place:?}");
    }
}

/// The source itself uses the pool for each item.
#[test]
fn a_source_that_calls_the_pool() {
    for place in Place::all() {
        let sum = within(60, move || {
            place.run(|| {
                let source = (0..200u64).map(|n| (0..n).into_par_iter().sum::<u64>());
                source.par_bridge().sum::<u64>()
            })
        });
        assert_eq!(
            sum,
            (0..200).map(|n: u64| (0..n).sum::<u64>()).sum::<u64>(),
            "{place:?}"
        );
    }
}

/// Items whose work asks for more items of other bridges.
#[test]
fn bridges_within_bridges() {
    for place in Place::all() {
        let sum = within(60, move || {
            place.run(|| {
                let inner = |n: u64| (0..n).par_bridge().map(|x| x * 2).sum::<u64>();
                (0..100u64).par_bridge().map(inner).sum::<u64>()
            })
        });
        assert_eq!(
            sum,
            (0..100u64).map(|n| n * n.saturating_sub(1)).sum::<u64>(),
            "{place:?}"
        );
    }
}

/// Items that wait, by joins and by yields, so that their thread does other work meanwhile, among it parts of their own run and of others.
#[test]
fn items_that_wait() {
    let run = |item: fn(u64) -> u64| (0..200u64).par_bridge().map(item).sum::<u64>();
    let joining: fn(u64) -> u64 = |x| (0..x % 40).into_par_iter().map(|y| x + y).sum();
    let yielding: fn(u64) -> u64 = |x| {
        filch::yield_now();
        x
    };
    let sums = [joining, yielding].map(|item| (0..200).map(item).sum::<u64>());
    for place in Place::all() {
        within(60, move || {
            for _ in 0..cases(6) {
                let both = || filch::join(|| run(joining), || run(yielding));
                let (one, other) = std::thread::scope(|scope| {
                    let other = scope.spawn(move || place.run(both));
                    (place.run(both), other.join().unwrap())
                });
                assert_eq!((one, other), (sums.into(), sums.into()), "{place:?}");
            }
        });
    }
}

/// The second item does not come before the first was worked on: no thread may wait for a batch.
#[test]
fn a_source_that_waits_for_the_answer_to_its_first_item() {
    fn check() {
        let (ask, questions) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        let asker = std::thread::spawn(move || {
            for n in 0..100 {
                ask.send(n).unwrap();
                assert_eq!(answers.recv_timeout(PATIENCE), Ok(n));
            }
        });
        questions
            .into_iter()
            .par_bridge()
            .for_each(|n| answer.send(n).unwrap());
        asker.join().unwrap();
    }
    for place in Place::all().filter(|p| *p != Place::Outside) {
        within(60, move || place.run(check));
    }
    alone(2, 60, || {
        check();
    });
}

/// Two threads can be at work on two items of a source that has no third.
#[test]
fn two_items_at_once() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (first, second) = (Flag::new(), Flag::new());
        pool.install(|| {
            [(&first, &second), (&second, &first)]
                .into_iter()
                .par_bridge()
                .for_each(|(mine, yours)| {
                    mine.set();
                    yours.wait();
                });
        });
    });
}

/// What is fetched can be taken before the next item is asked for, also after many quick ones.
#[test]
fn a_source_that_waits_for_all_it_yielded() {
    for threads in [2, 3, 8] {
        let done = within(60, move || {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let done = AtomicUsize::new(0);
            let source = (0..2000).inspect(|n| {
                let start = Instant::now();
                while n % 199 == 198 && done.load(Relaxed) < *n {
                    assert!(start.elapsed() < PATIENCE, "item {n} waits for ever");
                    std::thread::yield_now();
                }
            });
            // Shared from the start, whatever is remembered of this place.
            pool.install(|| {
                source.par_bridge().for_each(|n| {
                    std::hint::black_box(costly(n as i32));
                    if n % 16 == 0 {
                        std::thread::yield_now();
                    }
                    done.fetch_add(1, Relaxed);
                });
            });
            done.into_inner()
        });
        assert_eq!(done, 2000, "{threads} threads");
    }
}

/// A fold that panics or is full leaves items in a store: none is lost, none is folded twice.
#[test]
fn an_end_amid_a_batch() {
    for place in Place::all() {
        for at in [0, 40, 700, 1999] {
            let ledger = Ledger::new(2000);
            let outcome = within(60, move || {
                place.run(|| {
                    caught(|| {
                        ledger.tokens().into_iter().par_bridge().for_each(|t| {
                            std::hint::black_box(costly(t.id() as i32));
                            if t.id() == at {
                                planted(at);
                            }
                        });
                    })
                })
            });
            assert_eq!(outcome, Err(at), "{place:?}");
            ledger.assert_all_gone();

            let ledger = Ledger::new(2000);
            let found = within(60, move || {
                place.run(|| {
                    let items = ledger.tokens().into_iter().par_bridge();
                    items
                        .inspect(|t| {
                            std::hint::black_box(costly(t.id() as i32));
                        })
                        .find_any(|t| t.id() == at)
                        .map(|t| t.id())
                })
            });
            assert_eq!(found, Some(at), "{place:?}");
            ledger.assert_all_gone();
        }
    }
}

/// Threads leave while items are cheap, and are replaced when they are not.
#[test]
fn costs_that_change() {
    for place in Place::all() {
        let items = within(60, move || {
            place.run(|| {
                let cost = |n: u32| if (n / 3000).is_multiple_of(2) { 1 } else { 400 };
                let items = (0..12_000u32).par_bridge().map(|n| {
                    for _ in 0..cost(n) {
                        std::hint::black_box(n);
                    }
                    n
                });
                let mut items: Vec<u32> = items.collect();
                items.sort_unstable();
                items
            })
        });
        assert!(items.into_iter().eq(0..12_000), "{place:?}");
    }
}

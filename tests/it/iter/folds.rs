//! `fold`: identities and how they are used.

use crate::support::{Flag, Place, costly, ints, oracle, within};
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

#[test]
fn folds_count_everything() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .fold(|| 0i64, |sum, &x| sum + i64::from(costly(x)))
                .sum::<i64>()
        },
        |v| v.iter().map(|&x| i64::from(x)).sum(),
    );
    oracle(
        ints(),
        |v| {
            let pairs = v.par_iter().flat_map(|&x| [x, 1]);
            pairs
                .fold(|| 0i64, |sum, x| sum + i64::from(x))
                .sum::<i64>()
        },
        |v| v.iter().map(|&x| i64::from(x) + 1).sum(),
    );
}

/// Every fold that was begun gives a result, and every result began with an identity.
#[test]
fn one_identity_a_fold() {
    for place in Place::all() {
        let identities = AtomicUsize::new(0);
        let folds = place.run(|| {
            (0..10_000)
                .into_par_iter()
                .map(costly)
                .fold(|| identities.fetch_add(1, Relaxed), |id, _| id)
                .collect::<Vec<_>>()
        });
        let mut ids = folds.clone();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(
            ids.len(),
            folds.len(),
            "{place:?}: an identity was used twice"
        );
        assert_eq!(identities.into_inner(), folds.len(), "{place:?}");
    }
}

/// A fold of a fold.
#[test]
fn nested_folds() {
    oracle(
        ints(),
        |v| {
            let chains = v.par_iter().fold(Vec::new, |mut all, &x| {
                all.push(costly(x));
                all
            });
            let joined = chains.fold(Vec::new, |mut all: Vec<i32>, more| {
                all.extend(more);
                all
            });
            joined.collect::<Vec<_>>().concat()
        },
        |v| v.clone(),
    );
}

/// A search behind a fold gets the first accumulator soon, and stops the fold.
#[test]
fn a_search_stops_a_fold() {
    for place in Place::all() {
        let seen = AtomicUsize::new(0);
        let numbers = || {
            (0..1_000_000u32).into_par_iter().inspect(|_| {
                seen.fetch_add(1, Relaxed);
            })
        };
        let sums = || numbers().fold(|| 0u64, |sum, x| sum + u64::from(x));
        let counts = || numbers().try_fold(|| 0u32, |n, _| n.checked_add(1));
        place.run(|| {
            assert!(sums().find_any(|_| true).is_some());
            assert!(sums().map(Some).find_first(|_| true).is_some());
            assert!(!sums().all(|_| false));
            assert!(sums().try_for_each(Err).is_err());
            assert_eq!(sums().take_any(1).count(), 1);
            assert!(counts().find_any(Option::is_some).is_some());
        });
        assert!(seen.into_inner() < 1_000_000);
    }
}

/// If its items take long, it gets the first accumulator after few of them, and few more are made. The system may stop the thread that has found something before it
/// says so; so with several threads one try of some has to show the latter.
#[test]
fn a_search_soon_gets_an_accumulator_of_expensive_items() {
    for place in Place::all() {
        let search = || {
            let (made, first) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
            let slow = |_| {
                made.fetch_add(1, Relaxed);
                thread::sleep(Duration::from_millis(1));
            };
            let hit = place.run(|| {
                let items = (0..600usize).into_par_iter().map(slow);
                let counts = items.fold(|| 0, |n, ()| n + 1);
                counts.any(|n| {
                    first.fetch_min(n, Relaxed);
                    true
                })
            });
            assert!(hit);
            let first = first.into_inner();
            assert!(first <= 16, "{place:?}: {first}");
            made.into_inner()
        };
        let tries = if place == Place::Pool(1) { 1 } else { 20 };
        let mut made = iter::repeat_with(search).take(tries);
        assert!(made.any(|made| made <= 16), "{place:?}");
    }
}

/// The accumulators that a search gets have seen everything between them, each item once, in order.
#[test]
fn a_search_in_vain_sees_everything() {
    for place in Place::all() {
        let seen = Mutex::new(Vec::new());
        place.run(|| {
            let lists = (0..5_000).into_par_iter().fold(Vec::new, |mut list, x| {
                list.push(x);
                list
            });
            assert!(
                lists
                    .find_any(|list| {
                        seen.lock().unwrap().push(list.clone());
                        false
                    })
                    .is_none()
            );
        });
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        assert!(seen.concat().into_iter().eq(0..5_000));
    }
}

/// A least length of the pieces is one of what is folded, in front of a search too.
#[test]
fn a_search_leaves_the_least_length_alone() {
    for place in Place::all() {
        for least in [1, 2, 100, 3_000] {
            let long_enough = || {
                (0..10_000)
                    .into_par_iter()
                    .with_min_len(least)
                    .filter(|_| true)
                    .fold(|| 0, |count, _| count + 1)
                    .all(|count| count >= least)
            };
            assert!(place.run(long_enough), "{least}");
        }
    }
}

/// Two items that are folded by two threads, where the second waits for what the fold of the first came to.
fn second_waits_for_the_first(
    drive: impl Fn(&(dyn Fn(usize) -> usize + Sync), &(dyn Fn(usize) + Sync)) + Sync,
) {
    let (begun, shown) = (Flag::new(), Flag::new());
    let fold = |at| {
        if at == 0 {
            begun.wait();
        } else {
            begun.set();
            shown.wait();
        }
        at
    };
    let show = |accumulated| {
        if accumulated == 0 {
            shown.set();
        }
    };
    let pool = ThreadPoolBuilder::new().num_threads(2).build();
    pool.expect("threads").install(|| drive(&fold, &show));
}

/// A fold whose right part another thread has is over when its own items are: its accumulator goes on at once, not when the other thread is done.
#[test]
fn an_accumulator_does_not_wait_for_the_right_part() {
    second_waits_for_the_first(|fold, show| {
        let two = (0..2).into_par_iter();
        two.fold(|| 1, |_, at| fold(at)).for_each(show);
    });
    second_waits_for_the_first(|fold, show| {
        let two = (0..1).into_par_iter().filter(|_| true).chain(1..2);
        two.fold(|| 1, |_, at| fold(at)).for_each(show);
    });
}

/// A thread that waits inside `isolate` lays down its offers for others. They come back, so the fold goes on.
#[test]
fn items_that_wait_isolated_share_a_fold() {
    let [two, other] = [2, 1].map(|threads| {
        let pool = filch::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads")
    });
    let (held, free) = (Mutex::new(()), Barrier::new(2));
    let folds = AtomicUsize::new(0);
    let guard = held.lock();
    two.in_place_scope(|scope| {
        // The second thread is busy all the time.
        scope.spawn(|_| {
            free.wait();
            drop(held.lock());
        });
        free.wait();
        two.install(|| {
            for _ in 0..20 {
                let items = (0..64u64).into_par_iter().fold(
                    || {
                        folds.fetch_add(1, Relaxed);
                        0
                    },
                    |sum, i| {
                        filch::isolate(|| {
                            other.install(|| std::thread::sleep(Duration::from_micros(300)))
                        });
                        sum + i
                    },
                );
                assert_eq!(items.sum::<u64>(), 64 * 63 / 2);
            }
        });
        drop(guard);
    });
    assert_eq!(folds.into_inner(), 20);
}

/// What a thread has folded is handed on before it waits for a part that another thread has taken: that part may wait for it.
#[test]
fn a_fold_ends_before_its_thread_waits_for_another() {
    within(30, || {
        let (taken, ended) = (Flag::new(), Flag::new());
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            let folds = (0..2).into_par_iter().fold(
                || (),
                |(), item| {
                    if item == 0 {
                        taken.wait();
                    } else {
                        taken.set();
                        ended.wait();
                    }
                },
            );
            folds.for_each(|()| ended.set());
        });
    });
}

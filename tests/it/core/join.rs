//! `join` and `join_context`.

use crate::support::{Dice, Flag, Ledger, Meeting, Place, alone, pool, same_everywhere, within};
use filch::{ThreadPoolBuilder, join, join_context};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

#[test]
fn results_come_back_on_their_sides() {
    same_everywhere(|| join(|| 1, || "two"), || (1, "two"));
    same_everywhere(|| join(|| (), || vec![1, 2]), || ((), vec![1, 2]));
    same_everywhere(
        || join(|| join(|| 1, || 2), || join(|| join(|| 3, || 4), || 5)),
        || ((1, 2), ((3, 4), 5)),
    );
}

fn fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    a + b
}

#[test]
fn fine_recursion() {
    same_everywhere(|| fib(20), || 6765);
}

fn sort(v: &mut [u64]) {
    if v.len() < 2 {
        return;
    }
    let pivot = v.len() - 1;
    let mut small = 0;
    for i in 0..pivot {
        if v[i] < v[pivot] {
            v.swap(i, small);
            small += 1;
        }
    }
    v.swap(small, pivot);
    let (left, right) = v.split_at_mut(small);
    join(|| sort(left), || sort(&mut right[1..]));
}

#[test]
fn quicksort() {
    for seed in 0..10 {
        let mut dice = Dice::new(seed);
        let v: Vec<u64> = (0..3000).map(|_| dice.roll()).collect();
        same_everywhere(
            || {
                let mut v = v.clone();
                sort(&mut v);
                v
            },
            || {
                let mut v = v.clone();
                v.sort_unstable();
                v
            },
        );
    }
}

/// A lopsided tree of joins, deep on the left and then on the right.
#[test]
fn deep_recursion() {
    fn left(n: u32) -> u32 {
        if n == 0 {
            0
        } else {
            join(|| left(n - 1), || 1).0 + 1
        }
    }
    fn right(n: u32) -> u32 {
        if n == 0 {
            0
        } else {
            join(|| 1, || right(n - 1)).1 + 1
        }
    }
    for threads in [1, 2, 8] {
        let depths = within(60, move || {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .stack_size(64 << 20)
                .build()
                .unwrap();
            pool.install(|| (left(10_000), right(10_000)))
        });
        assert_eq!(depths, (10_000, 10_000));
    }
}

/// Jobs that cannot be told apart by what they hold: each join runs its own two, once, before it returns.
#[test]
fn closures_without_size() {
    static RUNS: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
    let mut joins = 0;
    for place in Place::all() {
        place.run(|| {
            for _ in 0..1000 {
                join(
                    || {
                        join(
                            || RUNS[0].fetch_add(1, Relaxed),
                            || RUNS[1].fetch_add(1, Relaxed),
                        )
                    },
                    || RUNS[2].fetch_add(1, Relaxed),
                );
                joins += 1;
                let runs = [0, 1, 2].map(|i| RUNS[i].load(Relaxed));
                assert_eq!(runs, [joins; 3], "{place:?}");
            }
        });
    }
}

/// A thousand jobs of one frame, one after the other in the same place, each with a capture of its own. Another thread takes a third of them. In
/// another third something newer lies in the queue when the left side is done.
#[test]
fn jobs_at_one_address() {
    const ROUNDS: usize = 999;
    static SPAWNED: AtomicUsize = AtomicUsize::new(0);
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let runs: Vec<AtomicUsize> = (0..ROUNDS).map(|_| AtomicUsize::new(0)).collect();
        let taken = pool.install(|| {
            let here = thread::current().id();
            let mut taken = 0;
            for (id, runs) in runs.iter().enumerate() {
                let begun = Flag::new();
                let left = || match id % 3 {
                    0 => begun.wait(),
                    1 => filch::spawn(|| _ = SPAWNED.fetch_add(1, Relaxed)),
                    _ => {}
                };
                let right = || {
                    runs.fetch_add(1, Relaxed);
                    begun.set();
                    (id, thread::current().id())
                };
                let ((), (ran, there)) = join(left, right);
                assert_eq!((ran, runs.load(Relaxed)), (id, 1));
                taken += usize::from(there != here);
            }
            taken
        });
        pool.shutdown();
        assert!(runs.iter().all(|runs| runs.load(Relaxed) == 1));
        assert_eq!(SPAWNED.load(Relaxed), ROUNDS / 3);
        assert!(taken >= ROUNDS / 3, "{taken} were taken");
    });
}

/// Captures and results are dropped exactly once, stolen or not.
#[test]
fn drops() {
    for place in Place::all() {
        for _ in 0..200 {
            let ledger = Ledger::new(4);
            let (a, b) = place.run(|| {
                let (capture_a, capture_b) = (ledger.token(0), ledger.token(1));
                join(
                    move || ledger.token(2 + capture_a.id()),
                    move || ledger.token(2 + capture_b.id()),
                )
            });
            assert_eq!([0, 1, 2, 3].map(|id| ledger.live(id)), [0, 0, 1, 1]);
            drop((a, b));
            ledger.assert_all_gone();
        }
    }
}

/// Each of many small jobs runs once, whichever thread takes it.
#[test]
fn every_job_once() {
    fn each(runs: &[AtomicUsize]) {
        match runs {
            [] => {}
            [run] => {
                run.fetch_add(1, Relaxed);
            }
            _ => {
                let (a, b) = runs.split_at(runs.len() / 2);
                join(|| each(a), || each(b));
            }
        }
    }
    for place in Place::all() {
        let runs: Vec<AtomicUsize> = (0..50_000).map(|_| AtomicUsize::new(0)).collect();
        place.run(|| each(&runs));
        assert!(runs.iter().all(|r| r.load(Relaxed) == 1), "{place:?}");
    }
}

#[test]
fn both_sides_can_run_at_once() {
    within(30, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for _ in 0..50 {
            let both = Meeting::of(2);
            pool.install(|| join(|| both.attend(), || both.attend()));
        }
    });
}

/// The inner left side waits for the inner right one while the outer right one is there to take.
fn receive_and_send() {
    for _ in 0..50 {
        let (sender, receiver) = mpsc::channel();
        let ((received, ()), three) = join(
            move || join(move || receiver.recv(), || sender.send(7).unwrap()),
            || 3,
        );
        assert_eq!((received, three), (Ok(7), 3));
    }
}

#[test]
fn a_left_side_that_waits_for_its_right_side() {
    within(30, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(receive_and_send);
    });
}

#[test]
fn a_left_side_that_waits_for_its_right_side_from_outside() {
    alone(2, 30, || {
        receive_and_send();
    });
}

/// The same with an outer side that is long, so that only one thread is left for the inner ones
/// until it has been done.
#[test]
fn a_left_side_that_waits_while_the_thief_is_busy() {
    within(30, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for _ in 0..20 {
            let (sender, receiver) = mpsc::channel();
            let stolen = Flag::new();
            pool.install(|| {
                join(
                    || {
                        stolen.wait();
                        join(
                            move || receiver.recv().unwrap(),
                            || sender.send(()).unwrap(),
                        )
                    },
                    || {
                        stolen.set();
                        thread::sleep(std::time::Duration::from_millis(2));
                    },
                )
            });
        }
    });
}

#[test]
fn context_tells_of_migration() {
    within(30, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            // Stolen: the left side waits until the right one runs.
            let begun = Flag::new();
            let (a, b) = join_context(
                |context| {
                    begun.wait();
                    context.migrated()
                },
                |context| {
                    begun.set();
                    context.migrated()
                },
            );
            assert_eq!((a, b), (false, true));
        });
    });
    // There is no other thread that could steal.
    let sides = pool(1).install(|| join_context(|c| c.migrated(), |c| c.migrated()));
    assert_eq!(sides, (false, false));
}

/// A call from outside counts as a migration.
#[test]
fn context_of_a_call_from_outside() {
    assert_eq!(filch::current_thread_index(), None);
    let (left, _) = join_context(|c| c.migrated(), |c| c.migrated());
    assert!(left);
}

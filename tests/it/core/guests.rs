//! Callers of the global pool that are not of it, many at once.

use crate::support::{Dice, Place, alone, caught, planted, same_everywhere, within};
use filch::prelude::*;
use filch::{join, scope, scope_fifo, spawn};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::thread;

fn fib(n: u32) -> u32 {
    if n < 2 {
        return n;
    }
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    a + b
}

/// One caller's work of all kinds, with random sizes.
fn work(seed: u64) {
    let mut dice = Dice::new(seed);
    for _ in 0..6 {
        let n = dice.below(3000) as u64;
        assert_eq!(
            (0..n).into_par_iter().sum::<u64>(),
            n * n.saturating_sub(1) / 2
        );
        assert_eq!(fib(10), 55);

        let count = AtomicUsize::new(0);
        let add = || _ = count.fetch_add(1, SeqCst);
        scope(|s| (0..n % 50).for_each(|_| s.spawn(|_| add())));
        scope_fifo(|s| (0..n % 50).for_each(|_| s.spawn_fifo(|_| add())));
        assert_eq!(count.into_inner() as u64, n % 50 * 2);

        let mut v: Vec<u64> = (0..n).map(|_| dice.roll()).collect();
        let mut w = v.clone();
        v.par_sort();
        w.par_sort_unstable();
        assert!(v.is_sorted());
        assert_eq!(v, w);
        let even: Vec<u64> = v.par_iter().copied().filter(|x| x % 2 == 0).collect();
        assert!(even.iter().eq(v.iter().filter(|x| **x % 2 == 0)));
        let text = (0..n % 100)
            .into_par_iter()
            .map(|x| x.to_string())
            .reduce(String::new, |a, b| a + &b);
        assert_eq!(
            text,
            (0..n % 100).map(|x| x.to_string()).collect::<String>()
        );

        let at = n as usize % 7;
        let outcome = caught(|| {
            (0..8usize).into_par_iter().with_max_len(1).for_each(|x| {
                if x == at {
                    planted(at)
                }
            })
        });
        assert_eq!(outcome, Err(at));
    }
}

fn sixty_four_callers() {
    thread::scope(|threads| {
        for seed in 0..64 {
            threads.spawn(move || work(seed));
        }
    });
}

#[test]
fn sixty_four_at_once() {
    within(100, sixty_four_callers);
}

#[test]
fn sixty_four_at_once_in_pools_of_all_sizes() {
    for threads in [1, 2, 3, 8] {
        alone(threads, 100, || {
            sixty_four_callers();
        });
    }
}

/// Guests beside free jobs, broadcasts and pools that come and go.
#[test]
fn beside_other_work() {
    alone(3, 100, || {
        let (sender, receiver) = mpsc::channel();
        thread::scope(|threads| {
            for seed in 0..16 {
                threads.spawn(move || work(seed));
            }
            for _ in 0..4 {
                let sender = sender.clone();
                threads.spawn(move || {
                    for i in 0..200 {
                        let sender = sender.clone();
                        spawn(move || {
                            assert_eq!(fib(6), 8);
                            sender.send(i).unwrap();
                        });
                    }
                });
            }
            threads.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(filch::broadcast(|c| c.index()), [0, 1, 2]);
                    let pool = filch::ThreadPoolBuilder::new()
                        .num_threads(2)
                        .build()
                        .unwrap();
                    assert_eq!(pool.install(|| fib(8)), 21);
                }
            });
        });
        drop(sender);
        assert_eq!(receiver.iter().count(), 800);
    });
}

/// A caller from outside runs nothing but its own call, also while it waits: it may hold locks
/// and borrows that other jobs want.
#[test]
fn a_guest_runs_nothing_of_others() {
    thread_local!(static CALL: Cell<usize> = const { Cell::new(0) });

    fn job(call: usize) {
        let here = CALL.get();
        assert!(
            here == 0 || here == call,
            "the caller of {here} runs a job of {call}"
        );
        std::hint::black_box(fib(5));
    }

    fn calls(call: usize) {
        for _ in 0..20 {
            (0..40).into_par_iter().for_each(|_| job(call));
            join(|| job(call), || join(|| job(call), || job(call)));
            scope(|s| (0..10).for_each(|_| s.spawn(move |_| job(call))));
            spawn(|| job(usize::MAX));
        }
    }

    for threads in [1, 2, 4] {
        alone(threads, 60, || {
            thread::scope(|threads| {
                for call in 1..=16 {
                    threads.spawn(move || {
                        CALL.set(call);
                        calls(call);
                    });
                }
            });
        });
    }
}

/// A caller may keep what is borrowed on its own thread, because no other caller's work comes there.
#[test]
fn a_guest_with_a_borrow() {
    use std::cell::RefCell;
    thread_local!(static NAME: RefCell<String> = RefCell::default());
    within(60, || {
        thread::scope(|threads| {
            for i in 0..16 {
                threads.spawn(move || {
                    NAME.with_borrow_mut(|name| {
                        name.push_str("caller");
                        assert_eq!((0..500).into_par_iter().sum::<u32>(), 124_750, "{i}");
                    });
                    // Others may look at the name of whichever thread they are on.
                    let count = (0..50)
                        .into_par_iter()
                        .map(|_| NAME.with_borrow(String::len));
                    assert!(count.all(|len| len == 0 || len == 6));
                });
            }
        });
    });
}

/// Calls one after the other, with a rest between so that threads go to sleep.
#[test]
fn with_rests() {
    for round in 0..40 {
        if round % 4 == 0 {
            thread::sleep(std::time::Duration::from_millis(4));
        }
        same_everywhere(|| fib(8), || 21);
        same_everywhere(
            || (0..5000u64).into_par_iter().map(|x| x ^ round).count(),
            || 5000,
        );
    }
}

/// Threads come and go, each with one call.
#[test]
fn one_call_a_thread() {
    within(60, || {
        for i in 0..300u64 {
            let caller = thread::spawn(move || (0..i).into_par_iter().sum::<u64>());
            assert_eq!(caller.join().unwrap(), i * i.saturating_sub(1) / 2);
        }
    });
}

/// A guest of the global pool goes on into an explicit pool and back.
#[test]
fn a_guest_that_installs() {
    for place in Place::all().filter(|p| *p != Place::Outside) {
        within(60, move || {
            for _ in 0..50 {
                let (a, b) = join(
                    || place.run(|| fib(6)),
                    || place.run(|| join(|| fib(5), || 1)),
                );
                assert_eq!((a, b), (8, (5, 1)));
            }
        });
    }
}

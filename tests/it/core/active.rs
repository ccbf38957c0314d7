//! Pools that are told to run on fewer threads than they have, and on more again.

use crate::support::{Dice, alone, within};
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder, ext, join};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;

fn new_pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

/// Until all threads of the pool sleep, none of them has a right that it has yet to put down.
fn settle(pool: &ThreadPool) {
    while pool.load().asleep as usize != pool.current_num_threads() {
        thread::yield_now();
    }
}

/// How many closures run at a time, and how many did at most.
#[derive(Default)]
struct Crowd {
    here: AtomicUsize,
    most: AtomicUsize,
}

impl Crowd {
    fn visit(&self, inside: impl FnOnce()) {
        let here = self.here.fetch_add(1, SeqCst) + 1;
        self.most.fetch_max(here, SeqCst);
        inside();
        self.here.fetch_sub(1, SeqCst);
    }
}

fn fib(n: u32) -> u32 {
    if n < 2 {
        return n;
    }
    let (a, b) = join(|| fib(n - 1), || fib(n - 2));
    a + b
}

#[test]
fn senseless_widths_are_errors_and_change_nothing() {
    for n in [1, 2, 5] {
        let pool = new_pool(n);
        pool.set_active(1).unwrap();
        for asked in [0, n + 1, usize::MAX] {
            let error = pool.set_active(asked).unwrap_err().to_string();
            assert!(error.contains(&format!("{asked} active")), "{error}");
            assert!(error.contains(&format!("1 to {n}")), "{error}");
            assert_eq!((pool.active(), pool.current_num_threads()), (1, n));
        }
    }
}

/// A pool at rest that is made narrow runs no more at a time than it was told, whatever runs; and all of it.
#[test]
fn no_more_run_than_are_active() {
    within(120, || {
        for n in [1, 2, 3, 8, 40] {
            let pool = new_pool(n);
            for active in [1, 2, n - n / 3, n] {
                let active = active.min(n);
                settle(&pool);
                pool.set_active(active).unwrap();
                let (crowd, items) = (Crowd::default(), AtomicUsize::new(0));
                pool.force_cuts(Cuts::Random(n as u32));
                pool.scope(|s| {
                    for _ in 0..100 {
                        s.spawn(|_| {
                            crowd.visit(thread::yield_now);
                            (0..64).into_par_iter().for_each(|_| {
                                crowd.visit(|| _ = items.fetch_add(1, SeqCst));
                            });
                        });
                    }
                });
                assert_eq!(items.into_inner(), 6400);
                let most = crowd.most.into_inner();
                assert!(most <= active, "{most} at a time, of {active} in {n}");
                assert_eq!(pool.active(), active);
            }
        }
    });
}

/// A broadcast reaches every thread, each under its own number, in a pool that is narrow and busy for ever; from outside and from inside.
#[test]
fn broadcast_in_a_narrow_pool_runs_once_on_each_thread() {
    thread_local! {
        static RUNS: Cell<usize> = const { Cell::new(0) };
    }
    fn again(over: Arc<AtomicBool>) {
        if !over.load(SeqCst) {
            filch::spawn(move || again(over));
        }
    }
    within(120, || {
        for n in [1, 2, 3, 8] {
            let pool = new_pool(n);
            let homes = pool.broadcast(|_| thread::current().id());
            for (active, busy) in [(1, false), (1, true), (n.div_ceil(2), true)] {
                pool.set_active(active).unwrap();
                let over = Arc::new(AtomicBool::new(!busy));
                for _ in 0..active {
                    let over = Arc::clone(&over);
                    pool.spawn(move || again(over));
                }
                let share = |context: filch::BroadcastContext<'_>| {
                    assert_eq!(context.num_threads(), n);
                    RUNS.set(RUNS.get() + 1);
                    (thread::current().id(), RUNS.get())
                };
                let before = pool.broadcast(|_| RUNS.get());
                let runs = pool.broadcast(share);
                let inside = pool.install(|| filch::broadcast(share));
                over.store(true, SeqCst);
                for (number, home) in homes.iter().enumerate() {
                    assert_eq!(runs[number], (*home, before[number] + 1));
                    assert_eq!(inside[number], (*home, before[number] + 2));
                }
                let (sender, receiver) = mpsc::channel();
                pool.spawn_broadcast(move |context| sender.send(context.index()).unwrap());
                let mut all: Vec<usize> = receiver.iter().collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..n));
            }
        }
    });
}

/// The width changes all the time, by jobs and from outside, under work of all kinds; results are as ever, and a thread keeps its number.
#[test]
fn width_changes_under_work() {
    thread_local! {
        static NUMBER: Cell<Option<usize>> = const { Cell::new(None) };
    }
    within(240, || {
        for n in [2, 3, 8] {
            let pool = new_pool(n);
            pool.broadcast(|context| NUMBER.set(Some(context.index())));
            let keeps = || assert_eq!(filch::current_thread_index(), NUMBER.get());
            pool.force_cuts(Cuts::Random(7 * n as u32));
            let over = AtomicBool::new(false);
            thread::scope(|threads| {
                for seed in 0..2 {
                    let (pool, over) = (&pool, &over);
                    threads.spawn(move || {
                        let mut dice = Dice::new(seed);
                        while !over.load(SeqCst) {
                            pool.set_active(1 + dice.below(n)).unwrap();
                            thread::yield_now();
                        }
                    });
                }
                for seed in 2..60 {
                    let ran = AtomicUsize::new(0);
                    let mut dice = Dice::new(seed);
                    let (width, len) = (1 + dice.below(n), dice.below(3000));
                    let sum = pool.install(|| {
                        pool.set_active(width).unwrap();
                        filch::scope(|s| {
                            for _ in 0..50 {
                                s.spawn(|_| {
                                    keeps();
                                    assert_eq!(fib(9), 34);
                                    ran.fetch_add(1, SeqCst);
                                    keeps();
                                });
                            }
                            (0..len).into_par_iter().inspect(|_| keeps()).sum::<usize>()
                        })
                    });
                    assert_eq!(sum, len * len.saturating_sub(1) / 2);
                    assert_eq!(ran.into_inner(), 50);
                    assert_eq!(pool.broadcast(|context| context.index()).len(), n);
                }
                over.store(true, SeqCst);
            });
            // What was said last holds: as many as that can run at a time, and they are woken for it.
            settle(&pool);
            pool.set_active(n).unwrap();
            let all = Barrier::new(n);
            pool.scope(|s| (0..n).for_each(|_| s.spawn(|_| _ = all.wait())));
            pool.shutdown();
        }
    });
}

/// Threads that sleep are woken when the pool grows: for jobs that were spawned before, and for work that no thread has made public.
#[test]
fn growing_wakes_threads_for_what_is_there() {
    fn seen_by(n: u32, others: &AtomicUsize, me: Option<usize>) {
        if n == 0 {
            others.fetch_add((filch::current_thread_index() != me).into(), SeqCst);
            return;
        }
        join(|| seen_by(n - 1, others, me), || seen_by(n - 1, others, me));
    }
    within(60, || {
        for n in [2, 5] {
            let pool = new_pool(n);
            for _ in 0..20 {
                settle(&pool);
                pool.set_active(1).unwrap();
                pool.install(|| {
                    let all = Barrier::new(n);
                    filch::scope(|s| {
                        (1..n).for_each(|_| s.spawn(|_| _ = all.wait()));
                        pool.set_active(n).unwrap();
                        all.wait();
                    });
                });
                settle(&pool);
                pool.set_active(1).unwrap();
                pool.install(|| {
                    let (others, me) = (AtomicUsize::new(0), filch::current_thread_index());
                    // Many joins, so that what comes next is private.
                    assert_eq!(fib(12), 144);
                    pool.set_active(n).unwrap();
                    while others.load(SeqCst) == 0 {
                        seen_by(10, &others, me);
                    }
                });
            }
        }
    });
}

/// Callers from outside that take part count as threads that run.
#[test]
fn callers_from_outside_count() {
    within(120, || {
        for (n, active) in [(2, 1), (4, 1), (4, 3)] {
            let pool = ThreadPoolBuilder::new()
                .num_threads(n)
                .guests(true)
                .build()
                .unwrap();
            settle(&pool);
            pool.set_active(active).unwrap();
            let (crowd, jobs) = (Crowd::default(), AtomicUsize::new(0));
            thread::scope(|threads| {
                for _ in 0..4 {
                    threads.spawn(|| {
                        for _ in 0..20 {
                            pool.in_place_scope(|s| {
                                for _ in 0..10 {
                                    s.spawn(|_| {
                                        crowd.visit(|| _ = jobs.fetch_add(1, SeqCst));
                                    });
                                }
                            });
                        }
                    });
                }
            });
            assert_eq!(jobs.into_inner(), 800);
            assert!(crowd.most.into_inner() <= active);
            let indices = pool.broadcast(|context| context.index());
            assert!(indices.into_iter().eq(0..n));
        }
    });
}

/// A narrow pool that is dropped runs what is queued; and its threads end all at once, for an exit handler may wait for the others.
#[test]
fn narrow_pool_ends_with_all_its_threads() {
    within(120, || {
        for n in [1, 2, 3, 8] {
            for busy in [false, true] {
                let (all, ran) = (Arc::new(Barrier::new(n)), Arc::new(AtomicUsize::new(0)));
                let pool = ThreadPoolBuilder::new()
                    .num_threads(n)
                    .exit_handler(move |_| _ = all.wait())
                    .build()
                    .unwrap();
                if !busy {
                    settle(&pool);
                }
                pool.set_active(1).unwrap();
                for _ in 0..100 {
                    let ran = Arc::clone(&ran);
                    pool.spawn(move || _ = ran.fetch_add(1, SeqCst));
                }
                pool.shutdown();
                assert_eq!(ran.load(SeqCst), 100);
            }
        }
    });
}

/// The thread that a pool was built around counts as one that runs, and makes room while it waits.
#[test]
fn pool_around_a_thread_becomes_narrow() {
    for n in [1, 2, 4] {
        within(60, move || {
            let pool = ThreadPoolBuilder::new()
                .num_threads(n)
                .use_current_thread()
                .build()
                .unwrap();
            pool.set_active(1).unwrap();
            let sum = pool.install(|| (0..1000u32).into_par_iter().sum::<u32>());
            assert_eq!(sum, 499_500);
            let (sender, receiver) = mpsc::channel();
            pool.scope(|s| s.spawn(|_| sender.send(1).unwrap()));
            assert_eq!(receiver.recv(), Ok(1));
            let indices = pool.broadcast(|context| context.index());
            assert!(indices.into_iter().eq(0..n));
            pool.set_active(n).unwrap();
            let all = Barrier::new(n);
            pool.scope(|s| (0..n).for_each(|_| s.spawn(|_| _ = all.wait())));
        });
    }
}

/// The global pool, to which there is no handle: narrowed before it is built, from outside, by its own jobs, but not by those of another pool.
#[test]
fn the_global_pool_can_be_narrowed() {
    alone(4, 120, || {
        assert_eq!(
            ext::set_active(5).unwrap_err(),
            new_pool(4).set_active(5).unwrap_err()
        );
        ext::set_active(2).unwrap();
        assert_eq!((ext::active(), filch::current_num_threads()), (2, 4));
        let crowd = Crowd::default();
        let run = || {
            filch::scope(|s| {
                for _ in 0..200 {
                    s.spawn(|_| crowd.visit(thread::yield_now));
                }
            });
            (0..1000).into_par_iter().for_each(|_| crowd.visit(|| ()));
        };
        // Threads that were just born may not have put their rights down.
        while filch::load().asleep != 4 {
            thread::yield_now();
        }
        thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(run);
            }
        });
        let most = crowd.most.swap(0, SeqCst);
        assert!((1..=2).contains(&most), "{most} at a time");
        // By a job: of this pool, and of another one.
        join(|| ext::set_active(3).unwrap(), || ());
        new_pool(2).install(|| {
            ext::set_active(1).unwrap();
            assert_eq!(ext::active(), 1);
            assert!(ext::set_active(3).is_err());
        });
        assert_eq!(ext::active(), 3);
        ext::set_active(1).unwrap();
        run();
        ext::set_active(4).unwrap();
        let all = Barrier::new(4);
        filch::scope(|s| (0..4).for_each(|_| s.spawn(|_| _ = all.wait())));
        let indices = filch::broadcast(|context| context.index());
        assert!(indices.into_iter().eq(0..4));
    });
}

/// Handlers of threads that end say something, and so do jobs that bring the pool back to life: every thread ends all the same.
#[test]
fn a_pool_that_stops_is_not_narrowed() {
    within(120, || {
        for n in [1, 2, 5] {
            for _ in 0..20 {
                let (sender, receiver) = mpsc::channel();
                let sender = std::sync::Mutex::new(sender);
                let pool = ThreadPoolBuilder::new()
                    .num_threads(n)
                    .exit_handler(move |_| {
                        ext::set_active(1).unwrap();
                        let sender = sender.lock().unwrap().clone();
                        filch::spawn(move || {
                            ext::set_active(1).unwrap();
                            filch::scope(|s| (0..4).for_each(|_| s.spawn(|_| _ = fib(8))));
                            sender.send(ext::active()).unwrap();
                        });
                    })
                    .build()
                    .unwrap();
                pool.set_active(n.div_ceil(2)).unwrap();
                pool.install(|| assert_eq!(fib(10), 55));
                pool.shutdown();
                assert!(receiver.iter().eq(std::iter::repeat_n(n, n)));
            }
        }
    });
}

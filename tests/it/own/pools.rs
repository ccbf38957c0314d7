//! Shutting down, missing threads, blocking.

use crate::support::{cases, caught, planted, within};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::cell::Cell;
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier, mpsc};
use std::thread::sleep;
use std::time::Duration;

#[test]
fn shutdown_waits_for_what_was_spawned_and_for_the_threads() {
    within(60, || {
        for threads in [1, 2, 8] {
            let ended = Arc::new(AtomicUsize::new(0));
            let ran = Arc::new(AtomicUsize::new(0));
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .exit_handler({
                    let ended = Arc::clone(&ended);
                    move |_| {
                        ended.fetch_add(1, Relaxed);
                    }
                })
                .build()
                .unwrap();
            for _ in 0..100 {
                let ran = Arc::clone(&ran);
                pool.spawn(move || {
                    let again = Arc::clone(&ran);
                    filch::spawn(move || {
                        again.fetch_add(1, Relaxed);
                    });
                    ran.fetch_add(1, Relaxed);
                });
            }
            pool.shutdown();
            assert_eq!((ran.load(Relaxed), ended.load(Relaxed)), (200, threads));
        }
    });
}

#[test]
fn nothing_is_missing_here() {
    assert_eq!(filch::missing_threads(), 0);
}

#[test]
fn blocking_shows_what_is_pending() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        // Deeper than what a call makes public of itself, so that without `blocking` no thread could send.
        fn descend(
            depth: u32,
            receiver: &std::sync::Mutex<std::sync::mpsc::Receiver<u32>>,
            sender: &std::sync::mpsc::Sender<u32>,
        ) -> u32 {
            if depth == 0 {
                return filch::blocking(|| {
                    (0..20)
                        .map(|_| receiver.lock().unwrap().recv().unwrap())
                        .sum()
                });
            }
            let mine = sender.clone();
            filch::join(
                || descend(depth - 1, receiver, sender),
                move || mine.send(1).unwrap(),
            )
            .0
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        let receiver = std::sync::Mutex::new(receiver);
        let sender = std::sync::Mutex::new(sender);
        assert_eq!(
            pool.install(|| {
                let sender = sender.lock().unwrap().clone();
                descend(20, &receiver, &sender)
            }),
            20
        );
    });
}

#[test]
fn items_that_wait_for_a_slow_pool_do_not_fill_the_stack() {
    thread_local!(static NESTED: Cell<usize> = const { Cell::new(0) });
    within(60, || {
        for threads in [1, 2] {
            let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
            let (here, there) = (pool(threads).unwrap(), pool(1).unwrap());
            let deepest = AtomicUsize::new(0);
            here.install(|| {
                (0..400).into_par_iter().with_max_len(1).for_each(|_: u32| {
                    let nested = NESTED.get() + 1;
                    NESTED.set(nested);
                    deepest.fetch_max(nested, Relaxed);
                    there.install(|| sleep(Duration::from_millis(2)));
                    NESTED.set(nested - 1);
                });
            });
            // It was 67 and more where waits were as patient at any depth.
            let deepest = deepest.into_inner();
            assert!(deepest < 50, "{deepest} items on one stack");
        }
    });
}

#[test]
fn a_deep_wait_for_another_pool_takes_its_share_of_a_broadcast() {
    within(60, || {
        let pool = || ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (here, there) = (pool(), pool());
        let shares = AtomicUsize::new(0);
        here.install(|| {
            (0..60).into_par_iter().with_max_len(1).for_each(|_: u32| {
                there.install(|| {
                    here.broadcast(|_| shares.fetch_add(1, Relaxed));
                });
            });
        });
        assert_eq!(shares.into_inner(), 60);
    });
}

/// The only thread of a pool waits for the end of another pool, whose last job needs that thread.
#[test]
fn a_thread_that_waits_for_the_end_of_another_pool_helps_its_own() {
    within(60, || {
        for threads in [1, 2] {
            let here = Arc::new(ThreadPoolBuilder::new().num_threads(1).build().unwrap());
            let calls = Arc::clone(&here);
            here.install(move || {
                let ended = Arc::new(AtomicUsize::new(0));
                let (ends, back) = (Arc::clone(&ended), Arc::clone(&calls));
                let there = ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .exit_handler(move |_| {
                        back.install(|| ends.fetch_add(1, Relaxed));
                    });
                let there = there.build().unwrap();
                there.spawn(move || calls.install(|| sleep(Duration::from_millis(2))));
                there.shutdown();
                assert_eq!(ended.load(Relaxed), threads);
            });
        }
    });
}

#[test]
fn a_thread_that_waits_for_the_end_of_a_scoped_pool_helps_its_own() {
    within(60, || {
        for panics in [false, true] {
            let here = Arc::new(ThreadPoolBuilder::new().num_threads(1).build().unwrap());
            let calls = Arc::clone(&here);
            let built = caught(|| {
                here.install(|| {
                    let there = ThreadPoolBuilder::new().num_threads(2);
                    there.build_scoped(
                        |thread| thread.run(),
                        |there| {
                            there.spawn(move || {
                                sleep(Duration::from_millis(2));
                                calls.install(|| ());
                            });
                            if panics {
                                planted(1);
                            }
                        },
                    )
                })
            });
            assert_eq!(built.map(Result::unwrap).err(), panics.then_some(1));
        }
    });
}

fn new_pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().unwrap()
}

/// How a thread of the first pool, inside an isolated call, asks something of the second one; each way gives 3.
const CALLS: [fn(&ThreadPool, &ThreadPool) -> usize; 5] = [
    |_, there| there.install(|| 3),
    |_, there| {
        let done = AtomicUsize::new(0);
        there.in_place_scope(|s| {
            for _ in 0..3 {
                s.spawn(|_| _ = done.fetch_add(1, Relaxed));
            }
        });
        done.into_inner()
    },
    |here, there| there.install(|| here.install(|| there.install(|| here.install(|| 3)))),
    |_, there| there.spawn_handle(|| 3).join().unwrap(),
    |here, there| {
        let calls = |_| here.install(|| (0..3).into_par_iter().count()) / 3;
        let items = (0..3).into_par_iter().with_max_len(1);
        there.install(|| items.map(calls).sum())
    },
];

/// All threads of two pools are inside isolated calls or jobs with handles, and call the other pool. No thread may begin one of these calls on top of what it
/// does, so the thread that calls does it.
#[test]
fn isolated_calls_between_two_pools_in_both_directions() {
    within(60, || {
        for (threads, call) in [[1, 1], [3, 2]]
            .iter()
            .flat_map(|&n| CALLS.map(|call| (n, call)))
        {
            for has_handle in [false, true] {
                let pools: Arc<[_; 2]> = Arc::new(threads.map(new_pool));
                let all_inside = Arc::new(Barrier::new(threads[0] + threads[1]));
                let (sender, results) = mpsc::channel();
                for (at, pool) in pools.iter().enumerate() {
                    for _ in 0..threads[at] {
                        let (pools, all_inside) = (Arc::clone(&pools), Arc::clone(&all_inside));
                        let sender = sender.clone();
                        let work = move || {
                            all_inside.wait();
                            sender.send(call(&pools[at], &pools[1 - at])).unwrap();
                        };
                        match has_handle {
                            true => drop(pool.spawn_handle(work)),
                            false => pool.spawn(|| filch::isolate(work)),
                        }
                    }
                }
                drop(sender);
                assert!(
                    results
                        .iter()
                        .eq(iter::repeat_n(3, threads[0] + threads[1]))
                );
            }
        }
    });
}

/// Isolated calls in one direction all run on the threads of the pool that is called, however those come and go.
#[test]
fn isolated_calls_in_one_direction_run_where_they_are_sent() {
    within(60, || {
        for threads in [1, 2, 8] {
            let (pool, called) = (new_pool(threads), new_pool(1));
            let own = called.install(|| std::thread::current().id());
            pool.broadcast(|_| {
                filch::isolate(|| {
                    for _ in 0..cases(600) {
                        assert_eq!(called.install(|| std::thread::current().id()), own);
                    }
                });
            });
        }
    });
}

/// Two threads inside isolated calls wait for another pool, and there is one right for both. They leave it to a caller whose work neither may run.
#[test]
fn threads_that_wait_elsewhere_leave_a_narrow_pool_to_its_callers() {
    within(60, || {
        let (here, there, caller) = (Arc::new(new_pool(2)), Arc::new(new_pool(2)), new_pool(1));
        here.set_active(1).unwrap();
        for round in 0..300 {
            let (ready, are_ready) = mpsc::channel();
            let (done, are_done) = mpsc::channel();
            let go_on = [(); 2].map(|()| {
                let (go_on, may_go_on) = mpsc::channel();
                let (there, ready, done) = (Arc::clone(&there), ready.clone(), done.clone());
                here.spawn(move || {
                    filch::isolate(move || {
                        ready.send(()).unwrap();
                        there.install(move || may_go_on.recv().unwrap());
                    });
                    done.send(()).unwrap();
                });
                go_on
            });
            (0..2).for_each(|_| are_ready.recv().unwrap());
            // They have lain down, or are about to.
            sleep(Duration::from_micros(round * 7 % 500));
            let release = || go_on.iter().for_each(|it| it.send(()).unwrap());
            caller.install(|| filch::isolate(|| here.install(release)));
            (0..2).for_each(|_| are_done.recv().unwrap());
        }
    });
}

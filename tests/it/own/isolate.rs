//! `isolate`: a thread that waits inside it runs nothing from outside meanwhile.

use crate::support::{Flag, Muster, PATIENCE, cases, within};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// A thread that holds a lock across a parallel call picks up a job that wants the same lock, and waits for itself: shown with `try_lock`,
/// so that the test ends.
fn collisions(threads: usize, inner: impl Fn(&AtomicUsize) + Sync) -> usize {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    let holders: Vec<Mutex<()>> = (0..threads).map(|_| Mutex::new(())).collect();
    let collisions = AtomicUsize::new(0);
    let work = AtomicUsize::new(0);
    pool.scope(|s| {
        for _ in 0..64 {
            s.spawn(|_| {
                // One lock a thread: if it is held already, this very thread holds it, further down its stack.
                let index = filch::current_thread_index().unwrap();
                match holders[index].try_lock() {
                    Ok(_held) => inner(&work),
                    Err(_) => {
                        collisions.fetch_add(1, Relaxed);
                    }
                }
            });
        }
    });
    collisions.into_inner()
}

fn parallel_part(work: &AtomicUsize) {
    (0..8).into_par_iter().with_max_len(1).for_each(|_| {
        thread::sleep(Duration::from_micros(300));
        work.fetch_add(1, Relaxed);
    });
}

#[test]
fn a_lock_across_a_parallel_call_deadlocks_without_it() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (lock, begun, tried) = (Mutex::new(()), Flag::new(), Flag::new());
        let collided = AtomicBool::new(false);
        pool.scope(|s| {
            let _held = lock.try_lock().unwrap();
            filch::join(
                || {
                    begun.wait();
                    // No thread can run this but the caller, which waits for the right half and holds the lock.
                    s.spawn(|_| {
                        collided.store(lock.try_lock().is_err(), SeqCst);
                        tried.set();
                    });
                },
                || {
                    begun.set();
                    tried.wait();
                },
            );
        });
        assert!(collided.into_inner());
    });
}

#[test]
fn it_cures_the_deadlock() {
    within(60, || {
        for threads in [1, 2, 3, 8] {
            for _ in 0..cases(2) {
                let found = collisions(threads, |work| filch::isolate(|| parallel_part(work)));
                assert_eq!(found, 0, "{threads} threads");
            }
        }
    });
}

#[test]
fn it_cures_the_deadlock_with_joins_and_scopes() {
    within(60, || {
        let sleep = || thread::sleep(Duration::from_micros(200));
        for _ in 0..10 {
            let found = collisions(3, |_| {
                filch::isolate(|| {
                    filch::join(sleep, sleep);
                    filch::scope(|s| (0..4).for_each(|_| s.spawn(move |_| sleep())));
                });
            });
            assert_eq!(found, 0);
        }
    });
}

#[test]
fn work_inside_uses_all_threads() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let muster = Muster::of(4);
        pool.install(|| {
            filch::isolate(|| {
                (0..64).into_par_iter().for_each(|_| {
                    thread::sleep(Duration::from_millis(1));
                    muster.stay(Duration::from_millis(100));
                });
            });
        });
        assert_eq!(muster.seen(), 4);
    });
}

#[test]
fn the_result_and_the_panic_come_out() {
    assert_eq!(filch::isolate(|| filch::join(|| 1, || 2)), (1, 2));
    let panic =
        std::panic::catch_unwind(|| filch::isolate(|| filch::join(|| (), || panic!("out"))));
    assert_eq!(panic.unwrap_err().downcast_ref::<&str>(), Some(&"out"));
}

/// What an isolated thread waits for in another pool waits there itself, and must not begin a job on top that wants the isolated thread.
#[track_caller]
fn nothing_foreign_on_top_of(call: impl FnOnce(&ThreadPool, &(dyn Fn() + Sync)) + Send + 'static) {
    within(60, || {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        let (here, there, third) = (pool(1).unwrap(), pool(1).unwrap(), pool(1).unwrap());
        let here = Arc::new(here);
        let (began, queued) = (AtomicBool::new(false), AtomicBool::new(false));
        let until = |flag: &AtomicBool| {
            while !flag.load(SeqCst) {
                thread::yield_now();
            }
        };
        let wait_there = || {
            began.store(true, SeqCst);
            until(&queued);
            third.install(|| thread::sleep(Duration::from_millis(50)));
        };
        thread::scope(|s| {
            s.spawn(|| here.install(|| filch::isolate(|| call(&there, &wait_there))));
            until(&began);
            let (sender, receiver) = mpsc::channel();
            let back = Arc::clone(&here);
            there.spawn(move || sender.send(back.install(|| 7)).unwrap());
            queued.store(true, SeqCst);
            assert_eq!(receiver.recv(), Ok(7));
        });
    });
}

#[test]
fn it_holds_in_pools_that_are_called_from_inside() {
    nothing_foreign_on_top_of(|there, wait| there.install(wait));
    nothing_foreign_on_top_of(|there, wait| there.scope(|s| s.spawn(|_| wait())));
    nothing_foreign_on_top_of(|there, wait| there.in_place_scope(|s| s.spawn(|_| wait())));
    nothing_foreign_on_top_of(|there, wait| {
        there.broadcast(|_| wait());
    });
}

/// Until a thread of the pool that `what` shows sleeps inside a wait. False: it did not for `most`. On a busy machine it takes a while.
fn comes_to_sleep_in_a_wait(what: &dyn Debug, most: Duration) -> bool {
    let sleeps = || format!("{what:?}").contains("in_waits: 1");
    let end = Instant::now() + most;
    while !sleeps() && Instant::now() < end {
        thread::yield_now();
    }
    sleeps()
}

/// A waiter that is bound to isolated work and asleep is woken for such work that comes from outside its pool.
#[test]
fn its_work_wakes_sleepers_in_other_pools() {
    within(60, || {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        let (here, there, third) = (pool(1).unwrap(), pool(1).unwrap(), pool(1).unwrap());
        let (sender, receiver) = mpsc::channel();
        let receiver = Mutex::new(receiver);
        let wait = || receiver.lock().unwrap().recv().unwrap();
        here.install(|| {
            filch::isolate(|| {
                there.in_place_scope(|s| {
                    s.spawn(|_| third.install(wait));
                    assert!(comes_to_sleep_in_a_wait(&there, PATIENCE));
                    s.spawn(|_| sender.send(()).unwrap());
                });
            });
        });
    });
}

#[test]
fn its_work_comes_back_from_another_pool_to_the_only_thread() {
    within(60, || {
        let pool = || ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (here, there) = (pool(), pool());
        let back = || filch::join(|| 3, || 4);
        let sum = here.install(|| filch::isolate(|| there.install(|| here.install(back))));
        assert_eq!(sum, (3, 4));
    });
}

#[test]
fn jobs_that_are_spawned_inside_are_found_inside() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            filch::isolate(|| {
                let (sender, receiver) = mpsc::channel();
                let fifo = sender.clone();
                filch::spawn_fifo(move || fifo.send(1).unwrap());
                filch::spawn(move || sender.send(2).unwrap());
                while filch::yield_now() == Some(filch::Yield::Executed) {}
                assert_eq!(receiver.try_iter().sum::<i32>(), 3);
            });
        });
    });
}

/// A thread that holds a lock keeps its right between two jobs of an isolated call. A thread that wants a right, and then the lock, would keep both waiting.
#[test]
fn a_lock_holder_gives_its_right_to_no_thread_that_wants_the_lock() {
    within(60, || {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        let (here, other) = (pool(2).unwrap(), pool(1).unwrap());
        let lock = Mutex::new(0);
        for _ in 0..20 {
            let (go, may_go) = mpsc::channel();
            let (inside, is_inside) = mpsc::channel();
            let (begun, has_begun) = mpsc::channel();
            let (here, other, lock) = (&here, &other, &lock);
            here.set_active(2).unwrap();
            let wants = move || {
                here.install(move || {
                    inside.send(()).unwrap();
                    other.install(move || may_go.recv().unwrap());
                    *lock.lock().unwrap() += 1;
                });
            };
            let holds = move || {
                here.install(move || {
                    begun.send(()).unwrap();
                    is_inside.recv().unwrap();
                    assert!(comes_to_sleep_in_a_wait(here, PATIENCE));
                    // Its own right is the only one from now on.
                    here.set_active(1).unwrap();
                    let mut held = lock.lock().unwrap();
                    filch::isolate(|| {
                        filch::scope(|s| {
                            s.spawn(move |_| {
                                go.send(()).unwrap();
                                // Time for the other thread to stand in line.
                                thread::sleep(Duration::from_millis(5));
                            });
                            s.spawn(|_| ());
                        });
                    });
                    *held += 1;
                });
            };
            thread::scope(|s| {
                s.spawn(holds);
                // Else the one might run on top of the other.
                has_begun.recv().unwrap();
                s.spawn(wants);
            });
        }
        assert_eq!(*lock.lock().unwrap(), 40);
    });
}

/// What is spawned into an outer scope from inside `isolate` descends from the scope: its caller, which sleeps in its wait, has to be woken.
#[test]
fn a_job_for_the_outer_scope_wakes_whoever_waits_for_that() {
    crate::support::alone(2, 120, || {
        // Whether the caller is let in, or has to block outside, is a matter of luck.
        let mut slept = false;
        for _ in 0..20 {
            let (begun, asleep) = (Flag::new(), AtomicBool::new(false));
            filch::in_place_scope(|s| {
                s.spawn(|s| {
                    begun.set();
                    // The caller is a guest that sleeps, and no other thread is free.
                    asleep.store(comes_to_sleep_in_a_wait(s, Duration::from_secs(1)), SeqCst);
                    filch::isolate(|| {
                        let (send, receive) = mpsc::channel();
                        s.spawn(move |_| send.send(7).unwrap());
                        assert_eq!(receive.recv(), Ok(7));
                    });
                });
                begun.wait();
            });
            slept |= asleep.into_inner();
            if slept {
                break;
            }
        }
        assert!(slept, "the caller never slept inside the pool");
    });
}

/// The exception is a share of a broadcast. While it waits in there, the thread may hold the lock all the same.
#[track_caller]
fn no_foreign_work_on_top_of_a_share(
    broadcast: impl Fn(&ThreadPool, &(dyn Fn() + Sync)) + Send + Sync + 'static,
) {
    within(60, move || {
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(3).build().unwrap());
        let here = || filch::current_thread_index().unwrap();
        for _ in 0..10 {
            let (lock, begun) = (&Mutex::new(()), &Flag::new());
            let isolated = Arc::new(AtomicUsize::new(usize::MAX));
            let (collided, done) = (&Arc::new(AtomicBool::new(false)), &Arc::new(Flag::new()));
            let share = || {
                if here() != isolated.load(SeqCst) {
                    return;
                }
                begun.set();
                // Its right half is stolen, so this thread waits, with the lock held.
                let stolen = Flag::new();
                let right = || {
                    stolen.set();
                    let (isolated, collided) = (Arc::clone(&isolated), Arc::clone(collided));
                    let (pool, done) = (Arc::clone(&pool), Arc::clone(done));
                    // A job from outside, of no call.
                    let outside = thread::spawn(move || {
                        pool.spawn(move || {
                            collided.store(here() == isolated.load(SeqCst), SeqCst);
                            done.set();
                        });
                    });
                    outside.join().unwrap();
                    thread::sleep(Duration::from_millis(5));
                };
                filch::join(|| stolen.wait(), right);
            };
            let (pool, broadcast) = (&pool, &broadcast);
            // Ends after the broadcast, for which no thread of the pool waits.
            thread::scope(|threads| {
                let share = &share;
                pool.install(|| {
                    let held = lock.lock().unwrap();
                    isolated.store(here(), SeqCst);
                    let stolen = Flag::new();
                    let right = || {
                        stolen.set();
                        // From outside, so that the shares are no part of the isolated call.
                        threads.spawn(move || broadcast(pool, share));
                        begun.wait();
                    };
                    filch::isolate(|| filch::join(|| stolen.wait(), right));
                    isolated.store(usize::MAX, SeqCst);
                    drop(held);
                });
            });
            done.wait();
            assert!(!collided.load(SeqCst));
        }
    });
}

#[test]
fn no_foreign_work_begins_on_top_of_a_share_of_a_broadcast() {
    no_foreign_work_on_top_of_a_share(|pool, share| {
        pool.broadcast(|_| share());
    });
}

/// Its shares have the root of the scope, which is that of all sorts of work.
#[test]
fn no_foreign_work_begins_on_top_of_a_scope_s_share_of_a_broadcast() {
    no_foreign_work_on_top_of_a_share(|pool, share| {
        pool.scope(|s| s.spawn_broadcast(|_, _| share()));
    });
}

/// Runs `f` while a thread of `pool` yields in a job with a handle.
pub(super) fn while_it_yields(pool: &ThreadPool, f: impl FnOnce()) {
    let (begun, done) = (Arc::new(Flag::new()), Arc::new(AtomicBool::new(false)));
    let (begins, is_done) = (Arc::clone(&begun), Arc::clone(&done));
    let yielding = pool.spawn_handle(move || {
        begins.set();
        while !is_done.load(SeqCst) {
            filch::yield_now();
        }
    });
    begun.wait();
    f();
    done.store(true, SeqCst);
    yielding.join().unwrap();
}

/// A job of an isolated call may run on a thread that yields inside a job with a handle. What it sends back is still work of the call.
#[test]
fn what_a_yielding_thread_sends_back_is_still_work_of_the_call() {
    within(60, || {
        let [here, there] = [(); 2].map(|()| ThreadPoolBuilder::new().num_threads(1).build());
        let (here, there) = (here.unwrap(), there.unwrap());
        while_it_yields(&there, || {
            let back = || there.install(|| here.install(|| 1));
            assert_eq!(here.install(|| filch::isolate(back)), 1);
        });
    });
}

/// A thread that waits inside a job does its share of a broadcast that an isolated call makes. While it waits in the share, it runs nothing else of that call:
/// here a `join` of the job.
#[test]
fn no_other_work_of_its_call_begins_on_top_of_a_share_of_a_broadcast() {
    within(60, || {
        let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
        let (caller, other) = (pool(1).unwrap(), Arc::new(pool(2).unwrap()));
        let shared = pool(1).unwrap();
        let [begun, brought, over] = [(); 3].map(|()| Arc::new(Flag::new()));
        let (begins, ends, there) = (Arc::clone(&begun), Arc::clone(&over), Arc::clone(&other));
        let job = shared.spawn_handle(move || {
            begins.set();
            there.install(|| ends.wait());
            7
        });
        begun.wait();
        let share = || {
            other.install(|| {
                brought.wait();
                thread::sleep(Duration::from_millis(20));
            });
            over.set();
        };
        let join = || {
            brought.set();
            shared.install(|| job.join().unwrap())
        };
        let both = || filch::join(|| shared.broadcast(|_| share()), join);
        assert_eq!(caller.install(|| filch::isolate(both)).1, 7);
    });
}

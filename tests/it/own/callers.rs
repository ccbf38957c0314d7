//! Threads inside isolated calls that wait for a pool whose threads wait, and do their part there themselves.

use crate::support::{Flag, within};
use filch::ext::JobHandle;
use filch::{ThreadPool, ThreadPoolBuilder, isolate, join};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;
use std::time::Duration;

fn pool() -> ThreadPool {
    pool_of(1)
}

fn pool_of(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().unwrap()
}

/// Runs `f` with a pool whose `size` threads wait, each inside an isolated call, until `done` is set.
fn with_a_stuck_pool(size: usize, done: &Flag, f: impl FnOnce(&Arc<ThreadPool>)) {
    with_waiting_threads(size, size, done, f);
}

/// Runs `f` with a pool of `size` threads of which `waiting` wait, each inside an isolated call, until `done` is set.
fn with_waiting_threads(
    size: usize,
    waiting: usize,
    done: &Flag,
    f: impl FnOnce(&Arc<ThreadPool>),
) {
    let (stuck, other) = (Arc::new(pool_of(size)), pool_of(waiting));
    let inside = Barrier::new(waiting + 1);
    let wait = || {
        inside.wait();
        done.wait();
    };
    let get_stuck = || stuck.install(|| isolate(|| other.install(wait)));
    thread::scope(|threads| {
        for _ in 0..waiting {
            threads.spawn(get_stuck);
        }
        inside.wait();
        f(&stuck);
    });
}

/// What that pool leaves to this thread is seen from a wait on top of the one for it, too.
#[test]
fn a_wait_on_top_of_the_one_for_a_stuck_pool() {
    within(60, || {
        let (here, third, done) = (pool(), pool(), Flag::new());
        with_a_stuck_pool(1, &done, |stuck| {
            let left = || stuck.install(|| done.set());
            // Runs on top of the wait for `stuck`.
            let right = || third.install(|| done.wait());
            here.install(|| isolate(|| join(left, right)));
        });
    });
}

/// A thread around which that pool was built is one of its workers, but does none of its work while it is outside.
#[test]
fn a_stuck_pool_around_a_thread_that_is_outside() {
    within(60, || {
        let builder = ThreadPoolBuilder::new().num_threads(2).use_current_thread();
        let (around, other, here) = (builder.build().unwrap(), pool(), pool());
        let (inside, done) = (Barrier::new(2), Flag::new());
        let wait = || {
            inside.wait();
            done.wait();
        };
        thread::scope(|threads| {
            // Its other thread waits.
            threads.spawn(|| around.install(|| isolate(|| other.install(wait))));
            inside.wait();
            let set = || here.install(|| isolate(|| around.install(|| done.set())));
            threads.spawn(set).join().unwrap();
        });
    });
}

/// As on top of the wait for a stuck pool, inside a job with a handle, where the wait is a loop that yields: it never sleeps, so nobody calls it.
#[test]
fn a_loop_that_yields_on_top_of_the_wait_for_a_stuck_pool() {
    within(60, || {
        let (here, done) = (pool(), Arc::new(Flag::new()));
        with_a_stuck_pool(1, &done, |stuck| {
            let (stuck, done) = (Arc::clone(stuck), Arc::clone(&done));
            let job = here.spawn_handle(move || {
                let left = || stuck.install(|| done.set());
                let right = || poll(&done);
                join(left, right);
            });
            job.join().unwrap();
        });
    });
}

/// A thread that stands in runs such a loop until the share of a broadcast in its own pool is done, which only this thread can do.
#[test]
fn a_loop_that_yields_away_from_its_own_pool_reads_the_mail_there() {
    within(60, || {
        let (here, done) = (pool(), Flag::new());
        with_a_stuck_pool(1, &done, |stuck| {
            let [begun, shared] = [(); 2].map(|()| Arc::new(Flag::new()));
            let job = here.spawn_handle({
                let (stuck, begun, shared) =
                    (Arc::clone(stuck), Arc::clone(&begun), Arc::clone(&shared));
                move || {
                    stuck.install(|| {
                        begun.set();
                        poll(&shared);
                    });
                }
            });
            begun.wait();
            here.broadcast(|_| shared.set());
            job.join().unwrap();
            done.set();
        });
    });
}

/// Yields until `done` is set.
fn poll(done: &Flag) {
    while !done.is_set() {
        filch::yield_now();
    }
}

/// A thread stands in for one stuck pool, and waits there for what another one leaves to it.
#[test]
fn a_wait_where_a_thread_stands_in() {
    within(60, || {
        let (here, third, done) = (pool(), pool(), Flag::new());
        with_a_stuck_pool(1, &done, |outer| {
            with_a_stuck_pool(1, &done, |inner| {
                for pool in [inner, outer] {
                    while !format!("{pool:?}").contains("free_rights: 1") {
                        thread::yield_now();
                    }
                }
                let left = || outer.install(|| done.set());
                let right = || inner.install(|| third.install(|| done.wait()));
                here.install(|| isolate(|| join(left, right)));
            });
        });
    });
}

/// Two threads wait for a stuck pool of two, and what the first one does there waits for what the second one does there.
#[test]
fn parts_that_wait_for_each_other_are_done_side_by_side() {
    within(60, || {
        let (done, [begun, sent]) = (Flag::new(), [(); 2].map(|()| Flag::new()));
        let (first, second) = (pool(), pool());
        with_a_stuck_pool(2, &done, |stuck| {
            let receive = || {
                begun.set();
                sent.wait();
            };
            thread::scope(|threads| {
                threads.spawn(|| first.install(|| isolate(|| stuck.install(receive))));
                begun.wait();
                second.install(|| isolate(|| stuck.install(|| sent.set())));
            });
            done.set();
        });
    });
}

/// Whether a thread of `pool` sleeps inside a wait.
fn sleeps_in_wait(pool: &ThreadPool) -> bool {
    format!("{pool:?}").contains("in_waits: 1")
}

/// Two threads wait for a pool when it becomes stuck. The first to be called has no right in its own pool, and gets none before the other has done its part.
#[test]
fn a_caller_that_has_to_wait_for_a_right_keeps_no_other_from_being_called() {
    within(60, || {
        let (stuck, other, second) = (pool(), pool(), pool());
        let first = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        first.set_active(1).unwrap();
        let [begun, may_wait, taken, done] = [(); 4].map(|()| Flag::new());
        thread::scope(|threads| {
            threads.spawn(|| {
                stuck.install(|| {
                    begun.set();
                    may_wait.wait();
                    isolate(|| other.install(|| done.wait()));
                });
            });
            begun.wait();
            threads.spawn(|| first.install(|| isolate(|| stuck.install(|| ()))));
            while !sleeps_in_wait(&first) {
                thread::yield_now();
            }
            threads.spawn(|| {
                first.install(|| {
                    taken.set();
                    done.wait();
                });
            });
            taken.wait();
            threads.spawn(|| second.install(|| isolate(|| stuck.install(|| done.set()))));
            while !sleeps_in_wait(&second) {
                thread::yield_now();
            }
            may_wait.set();
        });
    });
}

/// A job joins itself in a call to a stuck pool, which its thread runs there, at another desk than that where the job began.
#[test]
fn a_job_that_joins_itself_where_its_thread_stands_in() {
    within(60, || {
        let (here, done) = (pool(), Flag::new());
        with_a_stuck_pool(1, &done, |stuck| {
            let (give, own) = mpsc::channel::<JobHandle<()>>();
            let (tell, told) = mpsc::channel();
            let stuck = Arc::clone(stuck);
            let job = here.spawn_handle(move || {
                stuck.install(move || {
                    let own = own.recv().unwrap();
                    let outcome = catch_unwind(AssertUnwindSafe(|| own.join().unwrap()));
                    let text = outcome.map_err(|payload| payload.downcast::<&str>().unwrap());
                    tell.send(text).unwrap();
                });
            });
            give.send(job).unwrap();
            let told = told.recv();
            done.set();
            let text = told.unwrap().expect_err("it cannot be done");
            assert!(text.contains("joined by what runs on top of it"), "{text}");
        });
    });
}

/// The only thread of a pool holds a lock inside an isolated call while it waits for another pool. A thread stands in under its right meanwhile, and wants that lock.
/// With `calls`, that thread is inside an isolated call or a job with a handle.
#[track_caller]
fn a_holder_goes_on(calls: impl FnOnce(&ThreadPool, Box<dyn FnOnce() + Send>) + Send + 'static) {
    within(60, move || {
        let (here, other, elsewhere) = (Arc::new(pool()), pool(), pool());
        let (lock, [held, wanted]) = (
            Arc::new(Mutex::new(())),
            [(); 2].map(|()| Arc::new(Flag::new())),
        );
        thread::scope(|threads| {
            threads.spawn(|| {
                here.install(|| {
                    isolate(|| {
                        let guard = lock.lock().unwrap();
                        other.install(|| {
                            held.set();
                            wanted.wait();
                        });
                        // It has an index only if no other thread has that.
                        assert_eq!(filch::current_thread_index(), None);
                        // Its work is found, and its waits end, as with a right.
                        assert_eq!(join(|| here.install(|| 1), || other.install(|| 2)), (1, 2));
                        drop(guard);
                    });
                });
                here.install(|| assert_eq!(filch::current_thread_index(), Some(0)));
            });
            held.wait();
            let (stuck, lock, wanted) = (Arc::clone(&here), Arc::clone(&lock), Arc::clone(&wanted));
            let wants = move || {
                stuck.install(|| {
                    wanted.set();
                    drop(lock.lock().unwrap());
                    assert_eq!(filch::current_thread_index(), Some(0));
                });
            };
            calls(&elsewhere, Box::new(wants));
        });
    });
}

#[test]
fn who_stands_in_keeps_no_lock_holder_from_going_on() {
    a_holder_goes_on(|pool, wants| pool.install(|| isolate(wants)));
    a_holder_goes_on(|pool, wants| pool.spawn_handle(wants).join().unwrap());
}

/// The same of a caller that stands in for another pool when its right is taken: it needs that again when it comes back.
#[test]
fn who_stood_in_elsewhere_with_a_lock_goes_on() {
    within(60, || {
        let (here, elsewhere, done) = (pool(), pool(), Flag::new());
        with_a_stuck_pool(1, &done, |stuck| {
            let (lock, [held, wanted]) = (Mutex::new(()), [(); 2].map(|()| Flag::new()));
            let call = || {
                held.set();
                wanted.wait();
            };
            thread::scope(|threads| {
                threads.spawn(|| {
                    here.install(|| {
                        isolate(|| {
                            let guard = lock.lock().unwrap();
                            stuck.install(call);
                            drop(guard);
                        });
                    });
                });
                held.wait();
                elsewhere.install(|| {
                    isolate(|| {
                        here.install(|| {
                            wanted.set();
                            drop(lock.lock().unwrap());
                        });
                    });
                });
            });
            done.set();
        });
    });
}

/// The same of more threads than there are numbers to spare. The last one holds the lock that all want which stand in, and the others come first.
#[test]
fn one_lock_holder_more_than_numbers_to_spare_goes_on() {
    within(60, || {
        const HOLDERS: usize = 17;
        let wide = || ThreadPoolBuilder::new().num_threads(HOLDERS).build();
        let [here, other, elsewhere] = [(); 3].map(|()| wide().unwrap());
        let lock = Mutex::new(());
        let (held, wanted) = (Barrier::new(HOLDERS + 1), Barrier::new(HOLDERS + 1));
        let (may_go_on, [may_end, goes_on]) = (
            [(); HOLDERS].map(|()| Flag::new()),
            [(); 2].map(|()| Flag::new()),
        );
        let gone_on = Barrier::new(HOLDERS);
        let wants = || {
            wanted.wait();
            drop(lock.lock().unwrap());
        };
        thread::scope(|threads| {
            for number in 0..HOLDERS {
                let [here, other] = [&here, &other];
                let is_last = number == HOLDERS - 1;
                let (lock, held, gone_on) = (&lock, &held, &gone_on);
                let (may_go_on, may_end, goes_on) = (&may_go_on[number], &may_end, &goes_on);
                threads.spawn(move || {
                    here.install(|| {
                        isolate(|| {
                            let guard = is_last.then(|| lock.lock().unwrap());
                            other.install(|| {
                                held.wait();
                                may_go_on.wait();
                                if is_last {
                                    goes_on.set();
                                }
                            });
                            if !is_last {
                                gone_on.wait();
                                may_end.wait();
                            }
                            drop(guard);
                        });
                    });
                });
            }
            held.wait();
            for _ in 0..HOLDERS {
                threads.spawn(|| elsewhere.install(|| isolate(|| here.install(wants))));
            }
            wanted.wait();
            let (last, first) = may_go_on.split_last().unwrap();
            first.iter().for_each(Flag::set);
            gone_on.wait();
            last.set();
            goes_on.wait();
            // By now it finds no number, or it soon will.
            thread::sleep(Duration::from_millis(60));
            may_end.set();
        });
    });
}

/// A thread holds a lock in an isolated call and waits. Its number is held back, because the pool is narrow, and the one thread that may run wants the lock.
/// A broadcast calls the holder for its share. It has no right for that, and goes on all the same when its wait is over.
#[test]
fn a_lock_holder_that_a_broadcast_calls_in_a_narrow_pool_goes_on() {
    within(60, || {
        let [here, other] = [2, 1].map(pool_of);
        here.set_active(1).unwrap();
        let lock = Mutex::new(());
        let [held, wanted, may_go_on] = [(); 3].map(|()| Flag::new());
        thread::scope(|threads| {
            threads.spawn(|| {
                here.install(|| {
                    isolate(|| {
                        let guard = lock.lock().unwrap();
                        held.set();
                        other.install(|| may_go_on.wait());
                        drop(guard);
                    });
                });
            });
            held.wait();
            threads.spawn(|| {
                here.install(|| {
                    wanted.set();
                    drop(lock.lock().unwrap());
                });
            });
            // The holder sleeps by now, or the other thread would not run.
            wanted.wait();
            let all = threads.spawn(|| here.broadcast(|context| context.index()));
            thread::sleep(Duration::from_millis(60));
            may_go_on.set();
            assert_eq!(all.join().unwrap(), [0, 1]);
        });
    });
}

/// A lock holder waits for another pool, which sends back a part of the work. A thread that stands in has the holder's right and wants the lock. No other thread
/// can do the part, so the holder does it without a right.
#[test]
fn a_lock_holder_without_a_right_does_what_comes_back() {
    within(60, || {
        let [here, other, elsewhere] = [(); 3].map(|()| pool());
        let lock = Mutex::new(());
        let [held, wanted] = [(); 2].map(|()| Flag::new());
        thread::scope(|threads| {
            threads.spawn(|| {
                here.install(|| {
                    isolate(|| {
                        let guard = lock.lock().unwrap();
                        let back = || {
                            held.set();
                            wanted.wait();
                            thread::sleep(Duration::from_millis(20));
                            here.install(|| 1)
                        };
                        assert_eq!(other.install(back), 1);
                        drop(guard);
                    });
                });
            });
            held.wait();
            let wants = || {
                wanted.set();
                drop(lock.lock().unwrap());
            };
            elsewhere.install(|| isolate(|| here.install(wants)));
        });
    });
}

/// Work of a call comes back while two of its threads sleep, one of them with the lock that the only thread with a right wants. The other one is called. Its own wait
/// ends before it has looked, and it leaves. So the one with the lock has to be called.
#[test]
fn a_thread_that_was_called_and_leaves_has_the_lock_holder_called() {
    within(60, || {
        let (here, back, elsewhere) = (pool_of(3), pool(), pool());
        let (lock, [wanted, comes, ends]) = (Mutex::new(()), [(); 3].map(|()| Flag::new()));
        let asleep = |threads: usize| {
            let text = format!("in_waits: {threads}");
            while !format!("{here:?}").contains(&text) {
                thread::yield_now();
            }
        };
        let hold = || {
            let guard = lock.lock().unwrap();
            let both = Barrier::new(2);
            let sends_back = || {
                both.wait();
                back.install(|| {
                    comes.wait();
                    here.install(|| ());
                });
            };
            let leaves = || {
                both.wait();
                elsewhere.install(|| ends.wait());
            };
            join(sends_back, leaves);
            drop(guard);
        };
        thread::scope(|threads| {
            threads.spawn(|| {
                // The one with the highest number is called last.
                here.broadcast(|context| {
                    if context.index() == 2 {
                        isolate(hold);
                    }
                });
            });
            asleep(2);
            here.set_active(1).unwrap();
            threads.spawn(|| {
                here.install(|| {
                    wanted.set();
                    drop(lock.lock().unwrap());
                });
            });
            wanted.wait();
            comes.set();
            asleep(1);
            ends.set();
        });
    });
}

/// The same in a narrow pool, where the holder waits for jobs of a scope. The thread that would do them does another job first, which wants the lock.
#[test]
fn a_lock_holder_without_a_right_does_the_jobs_of_its_scope() {
    within(60, || {
        let [here, other] = [3, 1].map(pool_of);
        let lock = Mutex::new(());
        let [started, spawns, asleep, wants] = [(); 4].map(|()| Flag::new());
        let count = AtomicUsize::new(0);
        let jobs = || {
            let guard = lock.lock().unwrap();
            filch::scope(|s| {
                s.spawn(|s| {
                    started.set();
                    spawns.wait();
                    (0..300).for_each(|_| s.spawn(|_| _ = count.fetch_add(1, SeqCst)));
                });
                started.wait();
            });
            drop(guard);
        };
        thread::scope(|threads| {
            threads.spawn(|| here.install(|| isolate(jobs)));
            started.wait();
            threads.spawn(|| {
                here.install(|| {
                    other.install(|| {
                        asleep.set();
                        wants.wait();
                    });
                    drop(lock.lock().unwrap());
                });
            });
            asleep.wait();
            thread::sleep(Duration::from_millis(20));
            here.set_active(1).unwrap();
            wants.set();
            thread::sleep(Duration::from_millis(20));
            spawns.set();
        });
        assert_eq!(count.into_inner(), 300);
    });
}

/// A thread that waits in an isolated call gets a right to read its mail, although its number is held back and other threads take turns with the only right.
#[test]
fn mail_is_read_in_a_narrow_pool_whose_threads_take_turns() {
    within(60, || {
        let [here, other] = [3, 1].map(pool_of);
        let [asleep, ends] = [(); 2].map(|()| Flag::new());
        let over = AtomicBool::new(false);
        let slice = || thread::sleep(Duration::from_millis(60));
        let waits = || {
            other.install(|| {
                asleep.set();
                ends.wait();
            });
        };
        let begun = Barrier::new(3);
        thread::scope(|threads| {
            threads.spawn(|| here.install(|| isolate(waits)));
            asleep.wait();
            for _ in 0..2 {
                threads.spawn(|| {
                    here.install(|| {
                        begun.wait();
                        while !over.load(SeqCst) {
                            slice();
                            filch::yield_now();
                        }
                    });
                });
            }
            begun.wait();
            here.set_active(1).unwrap();
            // Now one of the two is always in line for the right.
            (0..5).for_each(|_| slice());
            let indices = here.broadcast(|context| {
                slice();
                context.index()
            });
            assert_eq!(indices, [0, 1, 2]);
            over.store(true, SeqCst);
            ends.set();
        });
    });
}

/// Two threads of an isolated call wait for a pool. Two of its three threads wait for `done`, and the third one does the part of the first caller, in which it waits as well. So the
/// second caller does its own part there, `part`, while the first one sleeps.
fn with_a_caller_asleep(part: impl Fn() + Send + Sync) {
    let (here, elsewhere) = (pool_of(2), pool());
    let [begun, done, taken] = [(); 3].map(|()| Flag::new());
    let pause = |millis| thread::sleep(Duration::from_millis(millis));
    let of_the_first = || {
        begun.set();
        isolate(|| elsewhere.install(|| done.wait()));
    };
    let of_the_second = || {
        pause(300);
        part();
        done.set();
    };
    with_waiting_threads(3, 2, &done, |stuck| {
        let first = || {
            taken.wait();
            stuck.install(of_the_first);
        };
        let second = || {
            taken.set();
            begun.wait();
            pause(50);
            stuck.install(of_the_second);
        };
        here.install(|| isolate(|| _ = join(first, second)));
    });
}

/// A thread that does its part in a stuck pool spawns a job there, and blocks for it.
#[test]
fn what_is_spawned_before_a_thread_blocks_in_a_stuck_pool_is_left_to_other_callers() {
    within(60, || {
        with_a_caller_asleep(|| {
            let flag = Arc::new(Flag::new());
            let set = Arc::clone(&flag);
            filch::spawn(move || set.set());
            filch::blocking(|| flag.wait());
        });
    });
}

/// The same, where the thread hands the job over because it looks for one below it, which blocks.
#[test]
fn what_is_handed_over_in_a_stuck_pool_is_left_to_other_callers() {
    within(60, || {
        with_a_caller_asleep(|| {
            let third = pool();
            let [flag, over] = [(); 2].map(|()| Arc::new(Flag::new()));
            filch::scope(|s| {
                let (wait, end, set) = (Arc::clone(&flag), Arc::clone(&over), Arc::clone(&flag));
                isolate(|| {
                    filch::spawn(move || {
                        filch::blocking(|| wait.wait());
                        end.set();
                    });
                    s.spawn(move |_| set.set());
                    third.install(|| over.wait());
                });
            });
        });
    });
}

//! A thread inside an isolated call holds a lock, and all other threads of its pool want that lock. It does the work of another pool, and that work calls its own pool: what
//! comes home there is left to the thread with the lock.

use super::sub_roots::{pool, while_they_wait, with_a_lock};
use crate::support::{Flag, alone, within};
use filch::ext::ParallelOrdered;
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder, isolate, join};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

/// Runs `f` in a pool, as [`with_a_lock`] does, and with another pool, whose only thread waits.
fn with_a_stuck_pool(f: impl FnOnce(&ThreadPool, &ThreadPool) + Send + 'static) {
    within(60, || {
        let there = pool(1);
        while_they_wait(&[&there], || with_a_lock(|here| f(here, &there)));
    });
}

#[test]
fn work_comes_home() {
    with_a_stuck_pool(|here, there| assert_eq!(there.install(|| here.install(|| 1)), 1));
}

/// What came home leaves again, and its parts come home.
#[test]
fn work_comes_home_again_and_again() {
    fn count(here: &ThreadPool, there: &ThreadPool, deep: usize) -> usize {
        if deep == 0 {
            return 1;
        }
        let inner = || there.install(|| here.install(|| count(here, there, deep - 1)));
        let (left, right) = join(inner, inner);
        left + right
    }
    with_a_stuck_pool(|here, there| assert_eq!(count(here, there, 3), 8));
}

/// The thread has gone through two pools.
#[test]
fn work_comes_home_from_afar() {
    within(60, || {
        let (there, further) = (pool(1), pool(1));
        while_they_wait(&[&there, &further], || {
            with_a_lock(|here| {
                let home = || here.install(|| there.install(|| further.install(|| 1)));
                assert_eq!(there.install(|| further.install(home)), 1);
            });
        });
    });
}

/// The thread waits elsewhere for items that a third pool computes in the background. They come home, and one waits there for another one.
#[test]
fn items_come_home() {
    within(60, || {
        let (there, computes, further) = (pool(1), pool(2), Arc::new(pool(1)));
        while_they_wait(&[&there], || {
            with_a_lock(|here| {
                let [begun, flag] = [(); 2].map(|()| Arc::new(Flag::new()));
                let here = Arc::clone(here);
                let item = move |n| match n {
                    0 => here.install(|| {
                        begun.set();
                        further.install(|| flag.wait());
                    }),
                    _ => {
                        begun.wait();
                        here.install(|| flag.set());
                    }
                };
                there.install(|| {
                    let items = (0..2).into_par_iter().with_max_len(1).map(item);
                    let items = computes.install(|| items.into_ordered_iter(4));
                    assert_eq!(items.count(), 2);
                });
            });
        });
    });
}

/// A job that is spawned, and that no thread waits for but the scope.
#[test]
fn spawned_work_comes_home() {
    with_a_stuck_pool(|here, there| {
        let done = AtomicUsize::new(0);
        there.install(|| {
            here.scope(|s| (0..10).for_each(|_| s.spawn(|_| _ = done.fetch_add(1, Relaxed))))
        });
        assert_eq!(done.into_inner(), 10);
    });
}

/// The thread with the lock runs a job of a scope. In the other tests it runs a call from outside.
#[test]
fn work_comes_home_to_a_worker() {
    within(60, || {
        let (here, there) = (pool(2), pool(1));
        let (lock, held, wants) = (Mutex::new(()), Flag::new(), Flag::new());
        let holds = || {
            isolate(|| {
                let _guard = lock.lock().unwrap();
                held.set();
                wants.wait();
                assert_eq!(there.install(|| here.install(|| 1)), 1);
            });
        };
        while_they_wait(&[&there], || {
            here.scope(|s| {
                s.spawn(|_| holds());
                filch::blocking(|| {
                    held.wait();
                    wants.set();
                    drop(lock.lock().unwrap());
                });
            });
        });
    });
}

/// What comes home panics.
#[test]
fn a_panic_comes_home() {
    with_a_stuck_pool(|here, there| {
        let home = || here.install(|| std::panic::resume_unwind(Box::new(7)));
        let call = std::panic::AssertUnwindSafe(|| there.install(home));
        let panic = std::panic::catch_unwind(call).expect_err("it panics");
        assert_eq!(panic.downcast_ref(), Some(&7));
        assert_eq!(there.install(|| here.install(|| 1)), 1);
    });
}

/// A pool of one thread. `f` runs in a call inside of which it is stuck at first; when `go` is set, its thread wants the lock, and sets `wants` before that.
fn with_a_pool_that_wants<R: Send>(
    f: impl FnOnce(&ThreadPool, &Mutex<()>, &Flag, &Flag) -> R + Send,
) -> R {
    let (middle, elsewhere, lock) = (pool(1), pool(1), Mutex::new(()));
    let (go, wants, begun) = (Flag::new(), Flag::new(), Flag::new());
    let wait = || {
        begun.set();
        go.wait();
    };
    thread::scope(|threads| {
        threads.spawn(|| {
            middle.install(|| {
                isolate(|| elsewhere.install(wait));
                wants.set();
                drop(lock.lock().unwrap());
            })
        });
        begun.wait();
        f(&middle, &lock, &go, &wants)
    })
}

/// A thread that has gone home sends work to another pool that it left, where all others want another lock that it holds.
#[test]
fn work_comes_home_from_home() {
    within(60, || {
        let further = pool(1);
        while_they_wait(&[&further], || {
            with_a_pool_that_wants(|there, lock, go, wants| {
                with_a_lock(|here| {
                    let in_there = || {
                        isolate(|| {
                            let _guard = lock.lock().unwrap();
                            go.set();
                            further.install(|| {
                                wants.wait();
                                here.install(|| there.install(|| 1))
                            })
                        })
                    };
                    assert_eq!(there.install(in_there), 1);
                });
            });
        });
    });
}

/// A thread that has gone home to a pool of which it is no worker sleeps there, and there is mail for it in its own pool.
#[test]
fn mail_reaches_a_thread_that_has_gone_home() {
    within(60, || {
        let (here, further, third) = (pool(1), pool(1), pool(1));
        let (begun, flag) = (Flag::new(), Flag::new());
        while_they_wait(&[&further], || {
            with_a_pool_that_wants(|there, lock, go, wants| {
                thread::scope(|threads| {
                    threads.spawn(|| {
                        begun.wait();
                        // The thread is to sleep by then.
                        thread::sleep(Duration::from_millis(100));
                        here.broadcast(|_| flag.set());
                    });
                    let at_home = || {
                        begun.set();
                        third.install(|| flag.wait());
                    };
                    let in_there = || {
                        isolate(|| {
                            let _guard = lock.lock().unwrap();
                            go.set();
                            further.install(|| {
                                wants.wait();
                                there.install(at_home);
                            });
                        });
                    };
                    here.install(|| isolate(|| there.install(in_there)));
                });
            });
        });
    });
}

/// A thread has gone home, and sleeps there. Meanwhile another pool gets stuck, for which it waits where it stands in.
#[test]
fn a_wait_at_home() {
    within(60, || {
        let (there, stuck, third) = (pool(1), pool(1), pool(1));
        let (at_home, elsewhere, busy, done) = (Flag::new(), pool(1), Flag::new(), Flag::new());
        while_they_wait(&[&there], || {
            thread::scope(|threads| {
                threads.spawn(|| {
                    stuck.install(|| {
                        busy.set();
                        at_home.wait();
                        // As above.
                        thread::sleep(Duration::from_millis(50));
                        isolate(|| elsewhere.install(|| done.wait()));
                    })
                });
                busy.wait();
                with_a_lock(|here| {
                    let left = || stuck.install(|| done.set());
                    let right = || {
                        here.install(|| {
                            at_home.set();
                            third.install(|| done.wait());
                        })
                    };
                    there.install(|| join(left, right));
                });
            });
        });
    });
}

/// The only thread of its pool is that around which it was built.
#[test]
fn work_comes_home_to_the_thread_that_built_the_pool() {
    within(60, || {
        let there = pool(1);
        while_they_wait(&[&there], || {
            let work = || {
                let builder = ThreadPoolBuilder::new().num_threads(1);
                let here = builder.use_current_thread().build().unwrap();
                let call = || there.install(|| here.install(|| 1));
                assert_eq!(here.install(|| isolate(call)), 1);
            };
            thread::scope(|threads| _ = threads.spawn(work));
        });
    });
}

/// Runs a call of the global pool that holds a lock inside `isolate`, on this thread. The `others` want that lock, and work of the call comes home meanwhile.
fn work_comes_home_to_the_global_pool(others: usize) {
    let (me, done) = (thread::current().id(), AtomicBool::new(false));
    let (lock, want) = (Arc::new(Mutex::new(())), Arc::new(Barrier::new(others + 1)));
    let wants = || {
        let (lock, want) = (Arc::clone(&lock), Arc::clone(&want));
        move || {
            want.wait();
            drop(lock.lock().unwrap());
        }
    };
    let call = || {
        if thread::current().id() != me {
            // The pool is about to begin, and lets no guest in yet.
            return;
        }
        let _guard = lock.lock().unwrap();
        // On a thread outside: these jobs are no part of the call.
        let spawn = || (0..others).for_each(|_| filch::spawn(wants()));
        thread::scope(|threads| _ = threads.spawn(spawn));
        let (there, third, flag) = (pool(1), pool(1), Flag::new());
        while_they_wait(&[&there], || {
            filch::scope(|s| {
                there.install(|| {
                    want.wait();
                    third.install(|| {
                        s.spawn(|_| flag.set());
                        flag.wait();
                    });
                });
            });
        });
        done.store(true, Relaxed);
    };
    while !done.load(Relaxed) {
        isolate(call);
    }
}

/// No thread of the pool has gone through another one: the caller is a thread from outside.
#[test]
fn work_comes_home_to_a_guest_of_the_global_pool() {
    alone(2, 60, || work_comes_home_to_the_global_pool(2));
}

#[test]
fn work_comes_home_to_the_only_guest_of_a_narrow_global_pool() {
    alone(1, 60, || work_comes_home_to_the_global_pool(1));
}

#[test]
fn work_comes_home_to_the_thread_that_built_the_global_pool() {
    alone(1, 60, || {
        let builder = ThreadPoolBuilder::new().num_threads(3);
        builder.use_current_thread().build_global().unwrap();
        work_comes_home_to_the_global_pool(2);
    });
}

/// Hands out items to the thread `slow`, until another thread has come for one. That thread makes `call`, and then there are no more.
struct Source<F> {
    slow: thread::ThreadId,
    another: Arc<Flag>,
    call: F,
}

impl<F: Fn()> Iterator for Source<F> {
    type Item = ();

    fn next(&mut self) -> Option<()> {
        let millis = |n| thread::sleep(Duration::from_millis(n));
        if thread::current().id() == self.slow {
            millis(1);
            return (!self.another.is_set()).then_some(());
        }
        self.another.set();
        millis(30);
        (self.call)();
        None
    }
}

/// Runs `f`, which may make a thread stand in in that pool: it is stuck until its second thread is let go, by the flag.
fn with_a_pool_that_gets_free(f: impl FnOnce(&ThreadPool, &Flag)) {
    let (there, elsewhere) = (pool(2), pool(2));
    let (free, end, inside) = (Flag::new(), Flag::new(), Barrier::new(3));
    let wait_for = |flag: &Flag| {
        let wait = || {
            inside.wait();
            flag.wait();
        };
        there.install(|| isolate(|| elsewhere.install(wait)));
    };
    thread::scope(|threads| {
        threads.spawn(|| wait_for(&free));
        threads.spawn(|| wait_for(&end));
        inside.wait();
        f(&there, &free);
        end.set();
    });
}

/// This thread naps, while the thread that was let go has the source and makes `call`.
fn naps_during(call: impl Fn() + Send, free: &Flag) {
    let (slow, another) = (thread::current().id(), Arc::new(Flag::new()));
    free.set();
    let source = Source {
        slow,
        another,
        call,
    };
    let items = source.par_bridge();
    items.for_each(|()| thread::sleep(Duration::from_millis(2)));
}

/// No lock is held: a broadcast needs this very thread.
#[test]
fn a_thread_that_waits_for_the_source_of_a_bridge_reads_its_mail_at_home() {
    within(60, || {
        with_a_pool_that_gets_free(|there, free| {
            let here = pool(1);
            let broadcast = || _ = here.broadcast(|_| ());
            here.install(|| isolate(|| there.install(|| naps_during(broadcast, free))));
        });
    });
}

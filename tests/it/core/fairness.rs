//! Work without an end keeps no other work from its turn.

use crate::support::{Flag, within};
use filch::{Scope, ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

fn new_pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

/// A job that spawns itself until the flag is set.
fn spawn_until(stop: Arc<Flag>, stopped: Arc<Flag>) {
    filch::spawn(move || match stop.is_set() {
        true => stopped.set(),
        false => spawn_until(stop, stopped),
    });
}

fn spawn_into<'s>(s: &Scope<'s>, stop: &'s Flag) {
    s.spawn(move |s| {
        if !stop.is_set() {
            spawn_into(s, stop);
        }
    });
}

fn flag() -> Arc<Flag> {
    Arc::new(Flag::new())
}

/// As many endless jobs as threads, until a job from outside stops them.
#[test]
fn a_job_from_outside_amid_jobs_that_spawn_themselves() {
    within(60, || {
        for n in [1, 2, 8] {
            let pool = new_pool(n);
            let stop = flag();
            let stopped: Vec<_> = (0..n).map(|_| flag()).collect();
            for stopped in &stopped {
                let (stop, stopped) = (stop.clone(), stopped.clone());
                pool.spawn(move || spawn_until(stop, stopped));
            }
            let set = stop.clone();
            pool.spawn(move || set.set());
            stopped.iter().for_each(|stopped| stopped.wait());
        }
    });
}

/// The same with a share of a broadcast.
#[test]
fn a_broadcast_amid_jobs_that_spawn_themselves() {
    within(60, || {
        for n in [1, 2] {
            let pool = new_pool(n);
            let stop = flag();
            let stopped: Vec<_> = (0..n).map(|_| flag()).collect();
            for stopped in &stopped {
                let (stop, stopped) = (stop.clone(), stopped.clone());
                pool.spawn(move || spawn_until(stop, stopped));
            }
            assert_eq!(pool.broadcast(|context| context.index()).len(), n);
            stop.set();
            stopped.iter().for_each(|stopped| stopped.wait());
        }
    });
}

/// The same while the only thread waits for a scope whose jobs have no end, bound to that scope or not.
#[test]
fn a_job_from_outside_amid_a_scope_without_an_end() {
    for isolated in [false, true] {
        within(60, move || {
            let pool = new_pool(1);
            let (stop, began) = (Flag::new(), Flag::new());
            thread::scope(|threads| {
                threads.spawn(|| {
                    began.wait();
                    // Nothing foreign begins inside `isolate`, but for a share of a broadcast.
                    match isolated {
                        false => pool.install(|| stop.set()),
                        true => drop(pool.broadcast(|_| stop.set())),
                    }
                });
                let endless = || {
                    filch::scope(|s| {
                        spawn_into(s, &stop);
                        began.set();
                    })
                };
                pool.install(|| match isolated {
                    false => endless(),
                    true => filch::isolate(endless),
                });
            });
        });
    }
}

/// The same while the only thread takes back what it offered in a join, from below jobs that were spawned after it.
#[test]
fn a_job_from_outside_amid_a_join_that_never_gets_to_its_offer() {
    within(60, || {
        let pool = new_pool(1);
        let (stop, stopped, began) = (flag(), flag(), flag());
        let (stopper, begins) = (stop.clone(), began.clone());
        thread::scope(|threads| {
            threads.spawn(|| {
                began.wait();
                pool.install(|| stopper.set());
            });
            pool.install(|| {
                filch::join(
                    || {
                        spawn_until(stop, stopped.clone());
                        begins.set();
                    },
                    || (),
                )
            });
            stopped.wait();
        });
    });
}

/// A yield takes its turn, too: it gets to a job from outside though there is always one at hand.
#[test]
fn a_job_from_outside_amid_yields() {
    within(60, || {
        let pool = new_pool(1);
        let (stop, stopped, began) = (flag(), flag(), flag());
        let (stopper, begins) = (stop.clone(), began.clone());
        thread::scope(|threads| {
            let outside = threads.spawn(|| {
                began.wait();
                pool.spawn(move || stopper.set());
            });
            pool.install(|| {
                spawn_until(stop, stopped.clone());
                begins.set();
                while !stopped.is_set() {
                    filch::yield_now();
                }
            });
            // ThreadSanitizer sees a join, and not how std's scope ends.
            outside.join().unwrap();
        });
    });
}

/// Each of many jobs from outside waits for a scope of its own. None begins on top of the wait of another, but for a few: with one level for each job the
/// stack would end.
#[test]
fn jobs_from_outside_do_not_pile_up_on_each_others_waits() {
    within(120, || {
        let builder = ThreadPoolBuilder::new().num_threads(1);
        let pool = builder.stack_size(512 << 10).build().unwrap();
        let (depth, deepest) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (gate, done) = (flag(), flag());
        let open = gate.clone();
        pool.spawn(move || open.wait());
        for _ in 0..5_000 {
            let (depth, deepest) = (depth.clone(), deepest.clone());
            pool.spawn(move || {
                deepest.fetch_max(depth.fetch_add(1, Relaxed) + 1, Relaxed);
                filch::scope(|s| (0..100).for_each(|_| s.spawn(|_| ())));
                depth.fetch_sub(1, Relaxed);
            });
        }
        let last = done.clone();
        pool.spawn(move || last.set());
        gate.set();
        done.wait();
        let deepest = deepest.load(Relaxed);
        assert!(deepest < 16, "{deepest} inside one another");
    });
}

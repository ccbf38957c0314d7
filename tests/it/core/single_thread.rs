//! Pools of one thread: a closure that waits on that thread for a job must not keep the job from running.

use crate::support::{Flag, PATIENCE, alone, within};
use filch::prelude::*;
use filch::{ThreadPoolBuilder, in_place_scope, join, scope, spawn, yield_now};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

/// A job that sets a flag, spawned into the global pool.
fn spawned() -> Arc<Flag> {
    let done = Arc::new(Flag::new());
    let set = done.clone();
    spawn(move || set.set());
    done
}

/// The caller waits inside a parallel call of its own for a job that it spawned before.
#[test]
fn a_spawned_job_and_a_caller_that_waits_for_it() {
    alone(1, 60, || {
        assert_eq!(filch::current_num_threads(), 1);
        for _ in 0..100 {
            let done = spawned();
            join(|| done.wait(), || ());
            let done = spawned();
            join(|| (), || done.wait());
            let done = spawned();
            (0..3).into_par_iter().for_each(|_| done.wait());
            let done = spawned();
            scope(|s| s.spawn(|_| done.wait()));
            let done = spawned();
            scope(|_| done.wait());
            let done = spawned();
            in_place_scope(|s| {
                s.spawn(|_| ());
                done.wait();
            });
            let done = spawned();
            done.wait();
        }
    });
}

#[test]
fn several_callers_that_wait_for_their_jobs() {
    alone(1, 60, || {
        thread::scope(|threads| {
            for _ in 0..8 {
                threads.spawn(|| {
                    for _ in 0..100 {
                        let done = spawned();
                        join(|| done.wait(), || ());
                        let done = spawned();
                        [1, 2, 3].par_iter().for_each(|_| done.wait());
                    }
                });
            }
        });
    });
}

#[test]
fn a_job_handed_to_a_pool_and_a_caller_of_that_pool() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        for _ in 0..100 {
            let done = Arc::new(Flag::new());
            let set = done.clone();
            pool.spawn(move || set.set());
            pool.install(|| done.wait());
        }
    });
}

/// On the thread itself, one has to give way.
#[test]
fn a_job_that_gives_way_to_its_own() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let done = spawned();
            while !done.is_set() {
                yield_now();
            }
        });
    });
}

/// One job that answers many questions.
#[test]
fn answers_through_channels() {
    alone(1, 60, || {
        let (ask, questions) = mpsc::channel();
        let (answer, mut answers) = mpsc::channel();
        for n in 0..100 {
            ask.send(n).unwrap();
        }
        drop(ask);
        let answer_all = move || {
            questions
                .iter()
                .for_each(|n: i32| answer.send(n * n).unwrap())
        };
        spawn(answer_all);
        let sum: i32 = (0..100)
            .map(|n| {
                let answers = &mut answers;
                let (square, ()) = join(move || answers.recv_timeout(PATIENCE).unwrap(), || ());
                assert_eq!(square, n * n);
                square
            })
            .sum();
        assert_eq!(sum, 328_350);
    });
}

/// In a pool of one thread, that thread does all the work of an iterator.
#[test]
fn the_global_pool_of_one() {
    alone(1, 60, || {
        let mut v: Vec<u64> = (0..10_000).rev().collect();
        v.par_sort();
        assert!(v.iter().copied().eq(0..10_000));
        assert_eq!(v.par_iter().sum::<u64>(), 49_995_000);
        assert_eq!(
            v.par_iter().map(|x| x * 2).collect::<Vec<_>>().len(),
            10_000
        );
        assert_eq!(v.into_iter().par_bridge().count(), 10_000);
        assert_eq!(filch::broadcast(|c| c.num_threads()), [1]);
    });
}

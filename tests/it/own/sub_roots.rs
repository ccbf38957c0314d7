//! A thread inside an isolated call holds a lock, and all other threads of its pool want that lock. Work of the call comes back to the pool from threads that run it on
//! top of other calls. Only the thread with the lock can run what comes back.

use super::isolate::while_it_yields;
use crate::support::{Flag, within};
use filch::{ThreadPool, ThreadPoolBuilder, blocking, isolate, join};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;

pub fn pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().unwrap()
}

/// Runs `f` while the only thread of each of these pools waits inside an isolated call.
pub fn while_they_wait(pools: &[&ThreadPool], f: impl FnOnce()) {
    let (elsewhere, end) = (pool(pools.len()), Flag::new());
    let begun = Barrier::new(pools.len() + 1);
    let wait = || {
        begun.wait();
        end.wait();
    };
    let call = |pool: &ThreadPool| pool.install(|| isolate(|| elsewhere.install(wait)));
    thread::scope(|threads| {
        for pool in pools {
            threads.spawn(|| call(pool));
        }
        begun.wait();
        f();
        end.set();
    });
}

/// Runs `f` in a pool of two, with a lock held inside an isolated call, while the other thread waits for that lock.
pub fn with_a_lock(f: impl FnOnce(&Arc<ThreadPool>) + Send) {
    let (here, lock, held) = (Arc::new(pool(2)), Mutex::new(()), Flag::new());
    let wants = Flag::new();
    thread::scope(|threads| {
        threads.spawn(|| {
            here.install(|| {
                held.wait();
                wants.set();
                drop(lock.lock().unwrap());
            });
        });
        here.install(|| {
            isolate(|| {
                let guard = lock.lock().unwrap();
                held.set();
                wants.wait();
                f(&here);
                drop(guard);
            });
        });
    });
}

#[test]
fn a_share_of_a_broadcast_sends_work_back() {
    within(60, || {
        let there = pool(1);
        while_they_wait(&[&there], || {
            with_a_lock(|here| {
                let back = there.broadcast(|_| here.install(|| 1));
                assert_eq!(back, [1]);
            });
        });
    });
}

/// A sub-root of a sub-root: the share makes a broadcast to a third pool.
#[test]
fn a_share_of_a_share_s_broadcast_sends_work_back() {
    within(60, || {
        let (there, further) = (pool(1), pool(1));
        while_they_wait(&[&there, &further], || {
            with_a_lock(|here| {
                let back = || further.broadcast(|_| here.install(|| there.install(|| 1)));
                assert_eq!(there.broadcast(|_| back()), [[1]]);
            });
        });
    });
}

/// A thread that yields in a job with a handle runs a job of the call.
#[test]
fn a_yielding_thread_sends_work_back() {
    within(60, || {
        let there = pool(1);
        while_it_yields(&there, || {
            with_a_lock(|here| {
                let back = || here.install(|| there.install(|| 1));
                assert_eq!(there.install(back), 1);
            });
        });
    });
}

/// Inside the isolated call, the thread elsewhere makes an isolated call of its own.
#[test]
fn an_isolated_call_inside_another_one_sends_work_back() {
    within(60, || {
        let there = pool(2);
        with_a_lock(|here| {
            let back = || isolate(|| here.install(|| 1));
            assert_eq!(there.install(back), 1);
            assert_eq!(there.broadcast(|_| back()), [1, 1]);
            there.scope(|s| s.spawn(|_| isolate(|| here.scope(|s| s.spawn(|_| ())))));
        });
    });
}

type Half = Box<dyn FnOnce() + Send>;

/// A thread does a part of another thread's isolated call, and blocks in the left half of a fork for the right one. Two rights are in use: its own, and that of a thread
/// that wants the lock of the other thread. Then `left` gives that half.
fn with_a_part_that_blocks(left: impl FnOnce(&ThreadPool, Arc<Flag>) -> Half) {
    let (here, lock, half) = (pool(3), Mutex::new(()), Mutex::new(None));
    let [begun, wants, offer] = [(); 3].map(|()| Flag::new());
    let done = Arc::new(Flag::new());
    here.set_active(2).unwrap();
    let part = || {
        begun.set();
        offer.wait();
        let left: Half = half.lock().unwrap().take().unwrap();
        join(left, || done.set());
    };
    let holds = || {
        let _guard = lock.lock().unwrap();
        join(|| begun.wait(), part);
    };
    thread::scope(|threads| {
        threads.spawn(|| here.install(|| isolate(holds)));
        while !format!("{here:?}").contains("in_waits: 1") {
            thread::yield_now();
        }
        threads.spawn(|| {
            here.install(|| {
                wants.set();
                drop(lock.lock().unwrap());
            });
        });
        wants.wait();
        *half.lock().unwrap() = Some(left(&here, Arc::clone(&done)));
        offer.set();
    });
}

#[test]
fn an_inner_call_blocks_for_what_was_offered_before_it() {
    within(60, || {
        with_a_part_that_blocks(|_, done| Box::new(move || isolate(|| blocking(|| done.wait()))));
    });
}

#[test]
fn a_joined_job_blocks_for_what_was_offered_before_it() {
    within(60, || {
        with_a_part_that_blocks(|here, done| {
            let job = here.spawn_handle(move || blocking(|| done.wait()));
            Box::new(move || job.join().unwrap())
        });
    });
}

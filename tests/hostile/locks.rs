//! A lock that is held across a parallel call, and that really blocks.

use crate::child::child;
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder, isolate};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

fn pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().unwrap()
}

/// Two jobs of a pool of one thread. Each counts itself, and holds the lock while it waits for another pool, which is done when both jobs have
/// begun, or when it has waited long enough.
fn two_jobs(begun: &AtomicUsize, enough: Duration, call: fn(&ThreadPool, &(dyn Fn() + Sync))) {
    let (here, there) = (pool(1), pool(1));
    let lock = Mutex::new(());
    let both = || {
        let end = Instant::now() + enough;
        while begun.load(SeqCst) < 2 && Instant::now() < end {
            thread::yield_now();
        }
    };
    here.scope(|s| {
        for _ in 0..2 {
            s.spawn(|_| {
                begun.fetch_add(1, SeqCst);
                let _held = lock.lock().unwrap();
                call(&there, &both);
            });
        }
    });
}

// 43
#[test]
fn without_isolate_a_thread_waits_for_itself() {
    child(2, || {
        let begun = Arc::new(AtomicUsize::new(0));
        let (sender, receiver) = mpsc::channel();
        let count = Arc::clone(&begun);
        thread::spawn(move || {
            two_jobs(&count, Duration::from_secs(1000), |there, wait| {
                there.install(wait)
            });
            sender.send(()).unwrap();
        });
        // The second job begins on the only thread, on top of the first one, which cannot go on before the second has the lock.
        while begun.load(SeqCst) < 2 {
            thread::yield_now();
        }
        let end = receiver.recv_timeout(Duration::from_secs(1));
        assert_eq!(end, Err(RecvTimeoutError::Timeout));
    })
    .is_well();
}

#[test]
fn with_isolate_it_does_not() {
    child(2, || {
        let begun = AtomicUsize::new(0);
        two_jobs(&begun, Duration::from_millis(200), |there, wait| {
            isolate(|| there.install(wait))
        });
        assert_eq!(begun.into_inner(), 2);
    })
    .is_well();
}

/// The program of the guide's chapter on locks.
#[test]
fn one_lock_for_all_items() {
    child(4, || {
        for _ in 0..20 {
            let total = Mutex::new(0);
            (0..100u32).into_par_iter().with_max_len(1).for_each(|i| {
                let mut total = total.lock().unwrap();
                *total += isolate(|| (0..i).into_par_iter().with_max_len(1).sum::<u32>());
            });
            assert_eq!(total.into_inner().unwrap(), 161_700);
        }
    })
    .is_well();
}

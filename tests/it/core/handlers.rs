//! Start and exit handlers that use the pool, also when it is about to end.

use crate::support::within;
use filch::ThreadPoolBuilder;
use filch::ext::ParallelOrdered;
use filch::prelude::*;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// A chain of `jobs` jobs, each spawned by the one before.
fn spawn_chain(jobs: usize, ran: Arc<AtomicUsize>) {
    if jobs > 0 {
        filch::spawn(move || {
            spawn_chain(jobs - 1, ran.clone());
            ran.fetch_add(1, SeqCst);
        });
    }
}

/// A builder whose panics can be seen: a handler that panics makes the count wrong, and does not end the process.
fn builder(threads: usize) -> (ThreadPoolBuilder, Arc<AtomicUsize>) {
    let panics = Arc::new(AtomicUsize::new(0));
    let count = panics.clone();
    let builder = ThreadPoolBuilder::new()
        .num_threads(threads)
        .panic_handler(move |_| _ = count.fetch_add(1, SeqCst));
    (builder, panics)
}

/// What exit handlers spawn is run, and then the pool ends.
#[test]
fn exit_handlers_that_spawn() {
    within(60, || {
        for n in [1, 2, 8] {
            for used in [false, true] {
                let ran = Arc::new(AtomicUsize::new(0));
                let (builder, panics) = builder(n);
                let count = ran.clone();
                let pool = builder
                    .exit_handler(move |_| spawn_chain(3, count.clone()))
                    .build()
                    .unwrap();
                if used {
                    pool.install(|| (0..1000).into_par_iter().for_each(|_| ()));
                }
                pool.shutdown();
                assert_eq!((ran.load(SeqCst), panics.load(SeqCst)), (3 * n, 0));
            }
        }
    });
}

/// Exit handlers may do whatever jobs do.
#[test]
fn exit_handlers_that_work() {
    within(60, || {
        for n in [1, 2, 8] {
            let ran = Arc::new(AtomicUsize::new(0));
            let (builder, panics) = builder(n);
            let count = ran.clone();
            let pool = builder
                .exit_handler(move |_| {
                    assert_eq!(filch::join(|| 1, || 2), (1, 2));
                    filch::scope(|s| s.spawn(|_| _ = count.fetch_add(1, SeqCst)));
                    assert_eq!((0..1000u32).into_par_iter().sum::<u32>(), 499_500);
                    let items = (0..100u32).into_par_iter().into_ordered_iter(4);
                    assert_eq!(items.sum::<u32>(), 4950);
                    count.fetch_add(1, SeqCst);
                })
                .build()
                .unwrap();
            pool.shutdown();
            assert_eq!((ran.load(SeqCst), panics.load(SeqCst)), (2 * n, 0));
        }
    });
}

/// A pool that is dropped, not shut down, is freed with its handlers when its last thread has ended.
#[test]
fn threads_end_after_their_exit_handlers_spawned() {
    within(60, || {
        for n in [1, 2, 8] {
            let (sender, receiver) = mpsc::channel();
            let sender = Mutex::new(sender);
            let (builder, panics) = builder(n);
            let pool = builder
                .exit_handler(move |_| {
                    let sender = sender.lock().unwrap().clone();
                    filch::spawn(move || sender.send(()).unwrap());
                })
                .build()
                .unwrap();
            drop(pool);
            assert_eq!((receiver.iter().count(), panics.load(SeqCst)), (n, 0));
        }
    });
}

/// A later thread is refused while the start handlers of those before it still run: what they spawn then is run, and the threads end.
#[test]
fn start_handlers_that_spawn_while_a_later_thread_is_refused() {
    within(60, || {
        for k in [1, 3] {
            let ran = Arc::new(AtomicUsize::new(0));
            let (builder, panics) = builder(8);
            let count = ran.clone();
            let mut handles = Vec::new();
            let outcome = builder
                .start_handler(move |_| {
                    // Until the refusal has stopped the pool.
                    thread::sleep(Duration::from_millis(30));
                    spawn_chain(3, count.clone());
                })
                .spawn_handler(|thread| {
                    if thread.index() == k {
                        return Err(io::Error::other("no more threads"));
                    }
                    handles.push(thread::spawn(|| thread.run()));
                    Ok(())
                })
                .build();
            assert!(outcome.is_err());
            assert_eq!(handles.len(), k);
            handles
                .into_iter()
                .for_each(|handle| handle.join().unwrap());
            assert_eq!((ran.load(SeqCst), panics.load(SeqCst)), (3 * k, 0));
        }
    });
}

/// Broadcasts of exit handlers reach the threads that have not ended yet, and wait for no others.
#[test]
fn exit_handlers_that_broadcast() {
    within(60, || {
        for n in [1, 2, 8] {
            let shares = Arc::new(AtomicUsize::new(0));
            let (builder, panics) = builder(n);
            let count = shares.clone();
            let pool = builder
                .exit_handler(move |i| {
                    // One thread after the other, so that there are some that have ended.
                    thread::sleep(Duration::from_millis(2 * i as u64));
                    let inner = count.clone();
                    filch::spawn_broadcast(move |_| _ = inner.fetch_add(1, SeqCst));
                    filch::scope(|s| s.spawn_broadcast(|_, _| _ = count.fetch_add(1, SeqCst)));
                })
                .build()
                .unwrap();
            pool.shutdown();
            let shares = shares.load(SeqCst);
            assert!((2 * n..=2 * n * n).contains(&shares), "{shares}, {n}");
            assert_eq!(panics.load(SeqCst), 0);
        }
    });
}

/// A broadcast whose results are wanted panics if a thread has ended, or was refused while the start handlers of others ran.
#[test]
fn broadcasts_for_threads_that_are_not_there_panic() {
    within(60, || {
        let first: Arc<Mutex<Option<thread::JoinHandle<()>>>> = Arc::default();
        let (builder, panics) = builder(2);
        let ends = first.clone();
        let pool = builder
            .exit_handler(move |i| {
                if i == 1 {
                    let first = ends.lock().unwrap().take();
                    first.expect("a thread").join().unwrap();
                    filch::broadcast(|_| ());
                }
            })
            .spawn_handler(|started| {
                let is_first = started.index() == 0;
                let thread = thread::spawn(|| started.run());
                if is_first {
                    *first.lock().unwrap() = Some(thread);
                }
                Ok(())
            })
            .build()
            .unwrap();
        pool.shutdown();
        assert_eq!(panics.load(SeqCst), 1);

        let (builder, panics) = self::builder(4);
        let refused = builder
            .start_handler(|_| drop(filch::broadcast(|context| context.index())))
            .spawn_handler(|started| match started.index() {
                3 => {
                    thread::sleep(Duration::from_millis(20));
                    Err(io::Error::other("no more threads"))
                }
                _ => {
                    thread::spawn(|| started.run());
                    Ok(())
                }
            })
            .build();
        assert!(refused.is_err());
        while panics.load(SeqCst) < 3 {
            thread::yield_now();
        }
    });
}

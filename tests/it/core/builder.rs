//! Every option of `ThreadPoolBuilder`.

use crate::support::{Flag, Meeting, PATIENCE, alone, within};
use filch::{ThreadBuilder, ThreadPoolBuilder};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

#[test]
fn numbers_of_threads() {
    for n in [1, 2, 3, 8, 40] {
        let pool = ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        assert_eq!(pool.current_num_threads(), n);
        assert_eq!(pool.broadcast(|c| (c.index(), c.num_threads())).len(), n);
        let all = Meeting::of(n);
        pool.broadcast(|_| all.attend());
    }
    assert!(filch::max_num_threads() >= 255);
}

/// A pool of more threads than there can be has as many as there can be. This one's are never started: a thread that is dropped counts as ended.
#[test]
fn more_threads_than_there_can_be() {
    let most = filch::max_num_threads();
    let mut indices = Vec::new();
    let pool = ThreadPoolBuilder::new()
        .num_threads(most + 1)
        .spawn_handler(|thread| {
            indices.push(thread.index());
            Ok(())
        })
        .build()
        .unwrap();
    assert_eq!(pool.current_num_threads(), most);
    pool.shutdown();
    assert!(indices.into_iter().eq(0..most));
}

/// The right of a thread that is dropped goes to others: a pool that is told to run on one thread keeps one that a thread has.
#[test]
fn a_narrow_pool_in_which_a_thread_was_dropped() {
    for runs in 0..4 {
        let pool = ThreadPoolBuilder::new()
            .num_threads(4)
            .spawn_handler(|thread| {
                if thread.index() == runs {
                    std::thread::spawn(|| thread.run());
                }
                Ok(())
            })
            .build()
            .unwrap();
        within(30, move || {
            for active in [1, 3, 2, 4, 1] {
                pool.set_active(active).unwrap();
                assert_eq!(pool.install(|| 1), 1);
                let (send, receive) = std::sync::mpsc::channel();
                pool.spawn(move || send.send(2).unwrap());
                assert_eq!(receive.recv(), Ok(2));
            }
            pool.shutdown();
        });
    }
}

/// Zero means the default, which is what the global pool has.
#[test]
fn the_default_number_of_threads() {
    let pool = ThreadPoolBuilder::new().num_threads(0).build().unwrap();
    let default = ThreadPoolBuilder::default().build().unwrap();
    assert!(pool.current_num_threads() >= 1);
    assert_eq!(pool.current_num_threads(), default.current_num_threads());
    alone(3, 30, || {
        assert_eq!(filch::current_num_threads(), 3);
        let pool = ThreadPoolBuilder::new().build().unwrap();
        assert_eq!(pool.current_num_threads(), 3);
    });
}

#[test]
fn thread_names() {
    let pool = ThreadPoolBuilder::new()
        .num_threads(3)
        .thread_name(|i| format!("worker-{i}"))
        .build()
        .unwrap();
    let names = pool.broadcast(|_| thread::current().name().map(str::to_owned));
    assert_eq!(
        names,
        ["worker-0", "worker-1", "worker-2"].map(|n| Some(n.into()))
    );
}

/// More stack than a thread has by default is really there.
#[test]
fn stack_size() {
    fn dig(depth: usize) -> usize {
        let room = std::hint::black_box([depth; 64]);
        if depth == 0 {
            0
        } else {
            dig(depth - 1) + room[depth % 64] - depth + 1
        }
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(2)
        .stack_size(64 << 20)
        .build()
        .unwrap();
    assert_eq!(pool.broadcast(|_| dig(40_000)), [40_000; 2]);
}

/// Handlers run on the threads themselves, once each, with their index.
#[test]
fn start_and_exit_handlers() {
    within(60, || {
        let (sender, receiver) = mpsc::channel();
        let note = |what: &'static str| {
            let sender = Mutex::new(sender.clone());
            move |index: usize| {
                assert_eq!(filch::current_thread_index(), Some(index));
                let id = thread::current().id();
                sender.lock().unwrap().send((what, index, id)).unwrap();
            }
        };
        let pool = ThreadPoolBuilder::new()
            .num_threads(4)
            .start_handler(note("start"))
            .exit_handler(note("exit"))
            .build()
            .unwrap();
        drop(sender);
        let ids = pool.broadcast(|_| thread::current().id());
        let next = || receiver.recv_timeout(PATIENCE).unwrap();
        let mut starts: Vec<_> = (0..4).map(|_| next()).collect();
        starts.sort_by_key(|start| start.1);
        let want: Vec<_> = ids
            .iter()
            .enumerate()
            .map(|(i, &id)| ("start", i, id))
            .collect();
        assert_eq!(starts, want);
        assert!(
            receiver.try_recv().is_err(),
            "no thread leaves a pool that is in use"
        );
        drop(pool);
        let mut exits: Vec<_> = (0..4).map(|_| next()).collect();
        exits.sort_by_key(|exit| exit.1);
        let want: Vec<_> = ids
            .iter()
            .enumerate()
            .map(|(i, &id)| ("exit", i, id))
            .collect();
        assert_eq!(exits, want);
    });
}

/// A thread is started before it works.
#[test]
fn a_start_handler_comes_before_the_first_job() {
    thread_local!(static STARTED: Cell<bool> = const { Cell::new(false) });
    for _ in 0..50 {
        let pool = ThreadPoolBuilder::new()
            .num_threads(3)
            .start_handler(|_| STARTED.set(true))
            .build()
            .unwrap();
        assert_eq!(pool.broadcast(|_| STARTED.get()), [true; 3]);
    }
}

/// Threads that the caller makes, with what the builder tells about them.
#[test]
fn spawn_handler() {
    within(60, || {
        let mut handles = Vec::new();
        let pool = ThreadPoolBuilder::new()
            .num_threads(3)
            .thread_name(|i| format!("mine-{i}"))
            .stack_size(3 << 20)
            .spawn_handler(|thread| {
                assert_eq!(thread.index(), handles.len());
                assert_eq!(thread.name(), Some(&*format!("mine-{}", thread.index())));
                assert_eq!(thread.stack_size(), Some(3 << 20));
                handles.push(thread::spawn(|| thread.run()));
                Ok(())
            })
            .build()
            .unwrap();
        assert_eq!(pool.broadcast(|c| c.index()), [0, 1, 2]);
        drop(pool);
        assert_eq!(handles.len(), 3);
        for handle in handles {
            handle.join().unwrap();
        }
    });
}

#[test]
fn a_spawn_handler_is_told_of_defaults_by_none() {
    within(60, || {
        let mut handles = Vec::new();
        let pool = ThreadPoolBuilder::new()
            .num_threads(2)
            .spawn_handler(|thread| {
                assert_eq!((thread.name(), thread.stack_size()), (None, None));
                handles.push(thread::spawn(|| thread.run()));
                Ok(())
            })
            .build()
            .unwrap();
        drop(pool);
        handles
            .into_iter()
            .for_each(|handle| handle.join().unwrap());
    });
}

/// Threads in a scope of std's, which may borrow; they all have ended when the call returns.
#[test]
fn build_scoped() {
    for n in [1, 2, 5] {
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let numbers: Vec<usize> = (0..100).collect();
        let sum = ThreadPoolBuilder::new()
            .num_threads(n)
            .build_scoped(
                |thread: ThreadBuilder| {
                    begun.fetch_add(1, SeqCst);
                    thread.run();
                    ended.fetch_add(1, SeqCst);
                },
                |pool| {
                    use filch::prelude::*;
                    assert_eq!(pool.current_num_threads(), n);
                    pool.install(|| numbers.par_iter().sum::<usize>())
                },
            )
            .unwrap();
        assert_eq!((sum, begun.into_inner(), ended.into_inner()), (4950, n, n));
    }
}

/// The thread that builds becomes the first one of the pool.
#[test]
fn use_current_thread() {
    within(60, || {
        let mut handles = Vec::new();
        let pool = ThreadPoolBuilder::new()
            .num_threads(2)
            .use_current_thread()
            .spawn_handler(|thread| {
                handles.push(thread::spawn(|| thread.run()));
                Ok(())
            })
            .build()
            .unwrap();
        assert_eq!(handles.len(), 1);
        assert_eq!(filch::current_thread_index(), Some(0));
        assert_eq!(filch::current_num_threads(), 2);
        let here = thread::current().id();
        assert_eq!(pool.install(|| thread::current().id()), here);
        let again = ThreadPoolBuilder::new()
            .num_threads(2)
            .use_current_thread()
            .build();
        assert!(again.is_err(), "a thread is in one pool at most");

        // This thread blocks, so the job runs on the other one.
        let done = Arc::new(Flag::new());
        let set = done.clone();
        pool.spawn(move || {
            assert_eq!(filch::current_thread_index(), Some(1));
            set.set();
        });
        done.wait();

        // Here it takes part.
        let both = Meeting::of(2);
        filch::join(|| both.attend(), || both.attend());
        drop(pool);
        for handle in handles {
            handle.join().unwrap();
        }
    });
}

/// The current thread keeps its name, and the closure is asked for one all the same, as by rayon: it may count.
#[test]
fn use_current_thread_asks_for_every_name() {
    within(60, || {
        let named = Arc::new(Mutex::new(Vec::new()));
        let names = named.clone();
        let here = thread::current().name().map(str::to_owned);
        let pool = ThreadPoolBuilder::new()
            .num_threads(3)
            .use_current_thread()
            .thread_name(move |i| {
                names.lock().unwrap().push(i);
                format!("named-{i}")
            })
            .build()
            .unwrap();
        assert_eq!(*named.lock().unwrap(), [0, 1, 2]);
        assert_eq!(thread::current().name().map(str::to_owned), here);
        drop(pool);
    });
}

/// With no other thread, the current one does everything.
#[test]
fn use_current_thread_alone() {
    within(60, || {
        let pool = ThreadPoolBuilder::new()
            .num_threads(1)
            .use_current_thread()
            .build()
            .unwrap();
        let done = Arc::new(Flag::new());
        let set = done.clone();
        pool.spawn(move || set.set());
        while !done.is_set() {
            assert!(filch::yield_now().is_some());
        }
        use filch::prelude::*;
        assert_eq!((0..1000).into_par_iter().sum::<u32>(), 499_500);
    });
}

#[test]
fn build_global() {
    alone(2, 30, || {
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        ThreadPoolBuilder::new()
            .num_threads(5)
            .thread_name(|i| format!("global-{i}"))
            .start_handler(move |i| sender.lock().unwrap().send(i).unwrap())
            .build_global()
            .unwrap();
        let mut started: Vec<usize> = (0..5)
            .map(|_| receiver.recv_timeout(PATIENCE).unwrap())
            .collect();
        started.sort_unstable();
        assert_eq!(started, [0, 1, 2, 3, 4]);
        assert_eq!(filch::current_num_threads(), 5);
        // Threads were asked for by name, so closures find themselves on those.
        let name = || thread::current().name().unwrap().starts_with("global-");
        assert_eq!(filch::join(name, name), (true, true));
        assert!(filch::broadcast(|_| name()).into_iter().all(|ok| ok));

        let again = ThreadPoolBuilder::new().num_threads(2).build_global();
        assert!(!again.unwrap_err().to_string().is_empty());
        assert_eq!(filch::current_num_threads(), 5);
    });
}

#[test]
fn build_global_after_the_first_use() {
    alone(2, 30, || {
        assert_eq!(filch::join(|| 1, || 2), (1, 2));
        assert!(
            ThreadPoolBuilder::new()
                .num_threads(4)
                .build_global()
                .is_err()
        );
        assert_eq!(filch::current_num_threads(), 2);
    });
}

/// Many threads use the global pool first: there is one of it.
#[test]
fn a_race_for_the_first_use() {
    alone(3, 60, || {
        let start = Meeting::of(64);
        let before = threads_of_this_process();
        thread::scope(|threads| {
            for _ in 0..64 {
                threads.spawn(|| {
                    start.attend();
                    assert_eq!(filch::join(|| 1, || 2), (1, 2));
                    assert_eq!(filch::current_num_threads(), 3);
                });
            }
        });
        let all = Meeting::of(3);
        assert_eq!(filch::broadcast(|c| (all.attend(), c.index()).1), [0, 1, 2]);
        // No pool of another caller's is left beside it. Threads that have ended may take a moment to be gone.
        let more = || threads_of_this_process().saturating_sub(before);
        for _ in 0..1000 {
            if more() <= 3 {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        assert!(more() <= 3, "{} threads more than before", more());
    });
}

/// How many there are, where the kernel tells; elsewhere 0.
fn threads_of_this_process() -> usize {
    let threads = std::fs::read_dir("/proc/self/task");
    threads.map_or(0, |threads| threads.count())
}

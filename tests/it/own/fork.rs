//! A child process after `fork` has one thread: everything runs on the caller, whatever that was doing.

use crate::support::{Flag, alone, cases, message, number_of_requests, with_slow_requests};
use filch::algo::group::ByKey;
use filch::ext::{JobHandle, JobQueue, ParallelOrdered, Priority, limited_scope, spawn_handle};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::collections::VecDeque;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// Runs `work` in a child process, which has to end well. What the child has of its parent's is forgotten, not dropped.
pub fn in_child(work: impl FnOnce()) {
    assert_ended_well(begin_child(work));
}

/// Begins such a process.
fn begin_child(work: impl FnOnce()) -> libc::pid_t {
    let child = fork(100);
    if child == 0 {
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        end_child(ended.is_ok());
    }
    child
}

/// Forks: 0 in the child, which ends after so many seconds if it is stuck. It is one thread, and has to end with [`end_child`].
pub fn fork(seconds: u32) -> libc::pid_t {
    // SAFETY: the child ends with `_exit`, so nothing of the parent's is dropped there.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork failed");
    if child == 0 {
        // SAFETY: it has no preconditions.
        unsafe { libc::alarm(seconds) };
    }
    child
}

pub fn end_child(is_well: bool) -> ! {
    // SAFETY: it has no preconditions.
    unsafe { libc::_exit(i32::from(!is_well)) }
}

pub fn assert_ended_well(child: libc::pid_t) {
    let mut status = 0;
    // SAFETY: `status` is ours.
    while unsafe { libc::waitpid(child, &mut status, 0) } != child {}
    assert_eq!(status, 0, "how the child ended");
}

/// What the child does; everything that would hang if it waited for a thread of the parent's pool.
fn work() {
    compute();
    let (sender, receiver) = mpsc::channel();
    filch::spawn(move || sender.send(7).unwrap());
    assert_eq!(receiver.recv(), Ok(7));
}

/// The same without blocking: in a pool of one thread there is no other thread that could go on meanwhile.
fn compute() {
    assert_eq!(
        (0..1000u64).into_par_iter().map(|i| i + 1).sum::<u64>(),
        500_500
    );
    assert_eq!(filch::join(|| 1, || 2), (1, 2));
    let mut spawned = false;
    filch::scope(|s| s.spawn(|_| spawned = true));
    assert!(spawned);
    let mut in_place = false;
    filch::in_place_scope(|s| s.spawn(|_| in_place = true));
    assert!(in_place);
    let mut numbers: Vec<u32> = (0..100_000).rev().collect();
    numbers.par_sort();
    assert!(numbers.is_sorted());
    assert_eq!(filch::broadcast(|context| context.index()), [0]);
    assert_eq!(filch::current_num_threads(), 1);
    assert!(filch::ext::set_active(2).is_err() && filch::ext::set_active(1).is_ok());
    assert_eq!(filch::ext::active(), 1);
    let items = || (0..100).into_par_iter().into_ordered_iter(10);
    assert_eq!(items().sum::<i32>(), 4950);
    // The thread that waits has the only right.
    assert_eq!(filch::join(|| items().sum::<i32>(), || ()).0, 4950);
    let lines = (0..1000).par_bridge().map(|i| i.to_string().len()).sum();
    assert_eq!((10 + 180 + 2700, 1000), (lines, numbers[1000]));
    // Expensive items, so that they are cut.
    let costly = |n: u64| (0..2000).fold(n, |a, b| black_box(a ^ b));
    let sums = (0..500).into_par_iter().map(costly).collect::<Vec<_>>();
    assert!(sums.into_iter().eq((0..500).map(costly)));
}

fn new_pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

#[test]
fn a_child_runs_on_its_caller() {
    alone(3, 120, || {
        assert_eq!(
            (0..1_000_000u64).into_par_iter().sum::<u64>(),
            499_999_500_000
        );
        in_child(work);
    });
}

/// The parent is inside a call when it forks, of the global pool or another one, as a guest or on a thread of the pool's.
#[test]
fn a_child_that_is_born_inside_a_call() {
    alone(3, 120, || {
        let pool = new_pool(2);
        let fork = || in_child(work);
        filch::join(fork, || ());
        filch::scope(|s| s.spawn(|_| fork()));
        pool.install(fork);
        pool.install(|| filch::join(fork, || ()));
        pool.scope(|s| {
            s.spawn(|_| fork());
            fork();
        });
        (0..4).into_par_iter().with_max_len(1).for_each(|_| fork());
        pool.install(|| (0..4).into_par_iter().with_max_len(1).for_each(|_| fork()));
        filch::isolate(fork);
        pool.in_place_scope(|s| {
            s.spawn(|_| fork());
            fork();
        });
    });
}

/// The child goes on in the frames of its parent's, and finds in its own queue what was spawned before the fork: it runs that, too.
#[test]
fn a_child_runs_what_was_spawned_before_it() {
    alone(3, 120, || {
        let ran = Arc::new(AtomicUsize::new(0));
        let mut pid = -1;
        new_pool(1).install(|| {
            filch::scope(|s| {
                s.spawn(|_| _ = ran.fetch_add(1, SeqCst));
                let ran = Arc::clone(&ran);
                filch::spawn(move || _ = ran.fetch_add(10, SeqCst));
                pid = fork(20);
            });
            if pid == 0 {
                end_child(ran.load(SeqCst) == 11);
            }
        });
        assert_ended_well(pid);
    });
}

/// The parent's first attempt to build the global pool panicked.
#[test]
fn a_child_of_a_parent_that_failed_to_build() {
    alone(2, 120, || {
        let attempt = || {
            let name = |_| panic!("a planted panic: no name");
            ThreadPoolBuilder::new().thread_name(name).build_global()
        };
        assert!(std::panic::catch_unwind(attempt).is_err());
        in_child(|| {
            let builder = ThreadPoolBuilder::new().num_threads(2);
            builder.build_global().unwrap();
            assert_eq!(filch::broadcast(|context| context.index()), [0, 1]);
        });
    });
}

/// The parent's pool is narrow, or just becomes so: in the child it is one caller.
#[test]
fn a_child_of_a_narrow_pool() {
    alone(3, 120, || {
        let pool = new_pool(3);
        let over = AtomicBool::new(false);
        thread::scope(|threads| {
            threads.spawn(|| {
                for active in (1..=3).cycle() {
                    pool.set_active(active).unwrap();
                    if over.load(SeqCst) {
                        return;
                    }
                }
            });
            for _ in 0..cases(6) {
                in_child(|| {
                    pool.set_active(1).unwrap();
                    let error = pool.set_active(2).unwrap_err().to_string();
                    assert!(error.contains("1 to 1"), "{error}");
                    assert_eq!(pool.active(), 1);
                    pool.install(compute);
                });
            }
            over.store(true, SeqCst);
        });
    });
}

/// A thread of a pool that the child builds uses a handle of its parent's, whose threads are gone: the work is done where it is.
#[test]
fn a_pool_of_the_childs_meets_a_pool_of_its_parents() {
    alone(3, 120, || {
        let parents = new_pool(2);
        parents.install(|| ());
        in_child(|| {
            let ours = new_pool(2);
            let sum = ours.install(|| {
                let inside = || (0..1000u64).into_par_iter().sum::<u64>();
                let (a, b) = filch::join(|| parents.install(inside), || parents.install(inside));
                parents.in_place_scope(|s| s.spawn(|_| ()));
                a + b
            });
            assert_eq!(sum, 999_000);
            assert!(format!("{parents:?}").contains("num_threads: 2"));
            ours.shutdown();
        });
    });
}

/// Other threads are amid work in all pools when the parent forks.
#[test]
fn a_child_that_is_born_amid_work() {
    alone(3, 200, || {
        let pool = new_pool(2);
        let stop = AtomicBool::new(false);
        let calls = AtomicUsize::new(0);
        thread::scope(|threads| {
            let busy = || {
                let mut numbers: Vec<u64> = (0..5000).map(|n: u64| n * 7919 % 5000).collect();
                numbers.par_sort();
                filch::scope(|s| (0..20).for_each(|_| s.spawn(|_| _ = calls.fetch_add(1, SeqCst))));
                filch::spawn(|| ());
            };
            for installed in [false, true] {
                let (stop, pool) = (&stop, &pool);
                threads.spawn(move || {
                    while !stop.load(SeqCst) {
                        match installed {
                            false => busy(),
                            true => pool.install(busy),
                        }
                    }
                });
            }
            for i in 0..cases(9) {
                let before = calls.load(SeqCst);
                while calls.load(SeqCst) < before + 20 {
                    thread::yield_now();
                }
                match i % 3 {
                    0 => in_child(work),
                    1 => _ = filch::join(|| in_child(work), || ()),
                    _ => pool.install(|| in_child(work)),
                }
            }
            stop.store(true, SeqCst);
        });
    });
}

/// A pool of the parent's has no threads in the child: there it is the caller that does what is brought in.
#[test]
fn a_child_that_uses_a_pool_of_its_parents() {
    alone(3, 120, || {
        for n in [1, 2, 8] {
            let pool = new_pool(n);
            assert_eq!(pool.install(filch::current_num_threads), n);
            in_child(|| {
                pool.install(compute);
                assert_eq!(pool.join(|| 1, || 2), (1, 2));
                let mut spawned = [false; 2];
                let [one, two] = &mut spawned;
                pool.scope(|s| s.spawn(|_| *one = true));
                pool.in_place_scope(|s| s.spawn(|_| *two = true));
                assert_eq!(spawned, [true; 2]);
                let (sender, receiver) = mpsc::channel();
                let other = sender.clone();
                pool.spawn(move || sender.send(3).unwrap());
                pool.spawn_broadcast(move |_| other.send(4).unwrap());
                assert_eq!(receiver.iter().sum::<i32>(), 7);
                assert_eq!(pool.broadcast(|context| context.index()), [0]);
            });
            // The parent's goes on.
            assert_eq!(pool.install(filch::current_num_threads), n);
        }
    });
}

/// A pool of the parent's ends in the child without waiting for threads that are not there.
#[test]
fn a_child_that_ends_a_pool_of_its_parents() {
    alone(3, 120, || {
        for n in [1, 2, 8] {
            let pool = Arc::new(new_pool(n));
            let began = Arc::new(Flag::new());
            let (go, inner, begins) = (Arc::new(Flag::new()), pool.clone(), began.clone());
            let wait = go.clone();
            let busy = thread::spawn(move || {
                inner.install(|| {
                    begins.set();
                    wait.wait();
                });
            });
            began.wait();
            // What is in the child is a copy; its share in the pool is as good as the only one.
            let copy = || {
                // SAFETY: the child's memory is its own, and no other share there is ever used again.
                unsafe { std::ptr::read(&*pool) }
            };
            in_child(|| drop(copy()));
            in_child(|| copy().shutdown());
            go.set();
            busy.join().unwrap();
            let pool = Arc::into_inner(pool).expect("the only share");
            pool.shutdown();
        }
    });
}

/// A child's queue may be for a pool of its parent's, whose jobs run as the pool's own do. A queue that the parent made says that it is the parent's.
#[test]
fn a_queue_that_a_child_makes_for_a_pool_of_its_parents() {
    alone(3, 120, || {
        let pool = new_pool(1);
        let of_parent = JobQueue::new(&pool);
        let sum = |queue: &JobQueue| {
            let jobs = (0..10).map(|n| queue.spawn_handle(Priority::High, move || n));
            let jobs: Vec<_> = jobs.collect();
            jobs.into_iter().map(|job| job.join().unwrap()).sum::<i32>()
        };
        assert_eq!(sum(&of_parent), 45);
        let uses = || {
            assert_eq!(sum(&JobQueue::new(&pool)), 45);
            assert_eq!(sum(&JobQueue::current()), 45);
            let text = message(|| of_parent.spawn(Priority::High, || ()));
            assert!(text.contains("belongs to the parent"), "{text}");
        };
        in_child(uses);
        filch::join(|| in_child(uses), || ());
        filch::scope(|s| s.spawn(|_| in_child(uses)));
        pool.install(|| in_child(uses));
    });
}

/// What was computed for the iterator is there, and then it says that there is no more, or why.
#[test]
fn a_child_that_goes_on_with_an_ordered_iterator_of_its_parent() {
    alone(3, 120, || {
        let numbers = || (0..100_000u64).into_par_iter().into_ordered_iter(1000);
        let (mut fresh, mut begun, mut over) = (numbers(), numbers(), numbers());
        assert_eq!(begun.next(), Some(0));
        assert_eq!(over.by_ref().count(), 100_000);
        in_child(|| {
            let ends = |iter: &mut dyn Iterator<Item = u64>| {
                let text = message(|| iter.for_each(drop));
                assert!(text.contains("in the parent of this process"), "{text}");
            };
            ends(&mut fresh);
            ends(&mut begun);
            assert_eq!(over.next(), None);
            drop((fresh, begun, over));
            assert_eq!(numbers().count(), 100_000);
        });
    });
}

/// In the child pools can be built that have threads.
#[test]
fn a_child_that_builds_a_pool() {
    alone(3, 120, || {
        filch::join(|| (), || ());
        in_child(|| {
            let pool = new_pool(2);
            assert_eq!(pool.install(filch::current_num_threads), 2);
            let sum = pool.install(|| (0..100_000u64).into_par_iter().sum::<u64>());
            assert_eq!(sum, 4_999_950_000);
            assert_eq!(pool.broadcast(|context| context.index()), [0, 1]);
            pool.shutdown();
        });
    });
}

/// Forks again and again while another thread runs `slow`, with slow requests to the allocator. Each child builds pools of its own.
fn forks_amid(slow: impl FnOnce() + Send) {
    let over = AtomicBool::new(false);
    let mut children = VecDeque::new();
    // std has a lock for threads that begin or end, which a child might find held. So none does while this thread forks.
    let [begun, done] = [Flag::new(), Flag::new()];
    thread::scope(|scope| {
        scope.spawn(|| {
            begun.set();
            with_slow_requests(slow);
            over.store(true, SeqCst);
            done.wait();
        });
        begun.wait();
        while !over.load(SeqCst) {
            children.push_back(begin_child(|| {
                for threads in [0, 2] {
                    let builder = ThreadPoolBuilder::new().num_threads(threads);
                    let pool = builder.build().unwrap();
                    pool.install(spawn_many);
                    pool.shutdown();
                }
                let pairs = (0..10).into_par_iter().map(|n| (n % 2, n));
                assert_eq!(ByKey::new(pairs).count().into_map()[&0], 5);
            }));
            if children.len() > 30 {
                children.pop_front().into_iter().for_each(assert_ended_well);
            }
            thread::sleep(Duration::from_millis(3));
        }
        done.set();
    });
    children.into_iter().for_each(assert_ended_well);
}

/// So many jobs that a queue grows.
fn spawn_many() {
    filch::scope(|s| (0..70).for_each(|_| s.spawn(|_| ())));
}

/// A pool of which only the calling thread runs.
fn pool_without_threads(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    let builder = builder.use_current_thread().spawn_handler(|start| {
        std::mem::forget(start);
        Ok(())
    });
    builder.build().unwrap()
}

/// crossbeam makes its garbage collector when a queue first grows, or a thread looks at a queue of another one.
#[test]
fn a_child_that_is_born_while_the_collector_is_made() {
    alone(1, 240, || {
        forks_amid(|| {
            let pool = pool_without_threads(2);
            spawn_many();
            // Its other thread would never end.
            std::mem::forget(pool);
        });
    });
}

/// num_cpus reads quotas at its first call.
#[test]
fn a_child_that_is_born_while_quotas_are_read() {
    alone(1, 240, || {
        for name in ["FILCH_NUM_THREADS", "RAYON_NUM_THREADS"] {
            // SAFETY: no other thread reads or changes the environment.
            unsafe { std::env::remove_var(name) };
        }
        forks_amid(|| std::mem::forget(pool_without_threads(0)));
    });
}

/// foldhash makes a seed for the process at its first use.
#[test]
fn a_child_has_the_seed_of_hashes_from_its_parent() {
    alone(1, 120, || {
        filch::join(|| (), || ());
        in_child(|| {
            // To make it takes an address of the heap.
            let (_, requests) = number_of_requests(foldhash::fast::RandomState::default);
            assert_eq!(requests, 0);
        });
    });
}

/// In the child what was spawned before is run by the calling thread, which is at no desk there.
#[test]
fn a_child_runs_jobs_with_handles_and_of_queues() {
    alone(3, 120, || {
        let ran = Arc::new(AtomicUsize::new(0));
        let (count, count_in) = (ran.clone(), ran.clone());
        let mut pid = -1;
        new_pool(1).install(|| {
            let count_a = || {
                let count = count_in.clone();
                move || _ = count.fetch_add(1, SeqCst)
            };
            let queue = JobQueue::current();
            let one_at_once = JobQueue::current().at_once(1);
            let mut handles = Vec::new();
            filch::scope(|s| {
                s.spawn(|_| _ = count.fetch_add(1, SeqCst));
                handles.push(spawn_handle(count_a()));
                for queue in [queue, one_at_once] {
                    queue.spawn(Priority::Low, count_a());
                    handles.push(queue.spawn_handle(Priority::High, count_a()));
                }
                pid = fork(20);
            });
            if pid == 0 {
                end_child(
                    ran.load(SeqCst) == 6 && handles.iter().all(|handle| handle.is_finished()),
                );
            }
            handles
                .into_iter()
                .for_each(|handle| handle.join().unwrap());
        });
        assert_ended_well(pid);
    });
}

/// Jobs of a limited scope that the parent spawned run in the child, too, one after the other.
#[test]
fn a_child_runs_jobs_of_a_limited_scope() {
    alone(3, 120, || {
        let ran = AtomicUsize::new(0);
        let mut pid = -1;
        new_pool(1).install(|| {
            limited_scope(1, |s| {
                (0..3).for_each(|_| s.spawn(|_| _ = ran.fetch_add(1, SeqCst)));
                pid = fork(20);
                if pid == 0 {
                    s.spawn(|_| _ = ran.fetch_add(10, SeqCst));
                }
            });
            if pid == 0 {
                end_child(ran.load(SeqCst) == 13);
            }
        });
        assert_ended_well(pid);
        assert_eq!(ran.into_inner(), 3);
    });
}

/// A pool without threads, as the global one is in a child, has one visitor at a time. A thread of another pool that spawns there does not wait for the visitor,
/// which may wait for the thread.
#[test]
fn a_thread_of_a_pool_of_the_childs_spawns_where_a_caller_waits_for_it() {
    alone(3, 120, || {
        filch::join(|| (), || ());
        in_child(|| {
            let (ours, ran) = (new_pool(1), AtomicUsize::new(0));
            let queue = JobQueue::current();
            let (send, receive) = mpsc::channel();
            let other = send.clone();
            let work = || queue.spawn(Priority::Normal, move || send.send(1).unwrap());
            filch::join(|| ours.install(work), || _ = ran.fetch_add(1, SeqCst));
            assert_eq!((receive.recv(), ran.into_inner()), (Ok(1), 1));
            // Nor does a thread outside.
            filch::join(
                || thread::scope(|s| _ = s.spawn(|| filch::spawn(move || other.send(2).unwrap()))),
                || (),
            );
            assert_eq!(receive.recv(), Ok(2));
            ours.shutdown();
        });
    });
}

/// Nor are spawned jobs run while a panic unwinds.
#[test]
fn a_child_runs_spawned_jobs_when_a_panic_is_caught() {
    alone(3, 120, || {
        let parents = new_pool(1);
        in_child(|| {
            let (send, receive) = mpsc::channel();
            let fails = |send: mpsc::Sender<bool>| {
                filch::spawn(move || send.send(thread::panicking()).unwrap());
                panic!("a planted panic: behind a spawned job");
            };
            message(|| filch::join(|| fails(send.clone()), || ()));
            assert_eq!(receive.recv(), Ok(false));
            message(|| parents.install(|| fails(send.clone())));
            assert_eq!(receive.recv(), Ok(false));
        });
    });
}

/// A call does not go on for as long as other threads queue jobs, though there may be no end of those.
#[test]
fn a_child_ends_a_call_while_another_thread_spawns_without_an_end() {
    static STOP: AtomicBool = AtomicBool::new(false);
    // It takes longer to run such a job than to queue one.
    let work = || {
        for n in 0..2_000 {
            if STOP.load(SeqCst) {
                return;
            }
            black_box(n);
        }
    };
    alone(3, 120, move || {
        filch::join(|| (), || ());
        in_child(|| {
            let queued = AtomicUsize::new(0);
            let while_jobs_are_queued = || {
                let before = queued.load(SeqCst);
                while queued.load(SeqCst) < before + 2 {
                    thread::yield_now();
                }
            };
            thread::scope(|threads| {
                threads.spawn(|| {
                    while !STOP.load(SeqCst) {
                        filch::spawn(work);
                        filch::spawn_broadcast(move |_| work());
                        queued.fetch_add(1, SeqCst);
                    }
                });
                for _ in 0..20 {
                    filch::join(while_jobs_are_queued, || ());
                }
                STOP.store(true, SeqCst);
            });
        });
    });
}

/// A caller that sleeps is woken for a broadcast that another thread sends.
#[test]
fn a_child_whose_caller_sleeps_gets_mail() {
    alone(3, 60, || {
        filch::join(|| (), || ());
        in_child(|| {
            let ours = new_pool(1);
            let (send, receive) = mpsc::channel();
            let outside = move || {
                // By then the caller sleeps.
                thread::sleep(Duration::from_millis(50));
                filch::spawn_broadcast(move |_| send.send(1).unwrap());
                assert_eq!(receive.recv(), Ok(1));
            };
            let waits_outside = move || thread::scope(|threads| _ = threads.spawn(outside));
            filch::join(|| ours.install(waits_outside), || ());
            ours.shutdown();
        });
    });
}

/// A thread outside that joins a job does not wait for the end of the call in which the job ran.
#[test]
fn a_child_joins_a_job_while_a_call_waits_for_the_thread() {
    alone(3, 60, || {
        filch::join(|| (), || ());
        in_child(|| {
            let (give_job, get_job) = mpsc::channel::<JobHandle<i32>>();
            let (give_result, get_result) = mpsc::channel();
            let (begins, began) = mpsc::channel();
            let joins = thread::spawn(move || {
                let job = get_job.recv().unwrap();
                began.recv().unwrap();
                give_result.send(job.join().unwrap()).unwrap();
            });
            filch::scope(move |_| {
                let job = spawn_handle(move || {
                    begins.send(()).unwrap();
                    // By then the other thread waits for it.
                    thread::sleep(Duration::from_millis(200));
                    42
                });
                give_job.send(job).unwrap();
                filch::yield_now();
                assert_eq!(get_result.recv(), Ok(42));
            });
            joins.join().unwrap();
        });
    });
}

//! `JobQueue` and `limited_scope`: order, bounds, and that nothing is lost.

use crate::fresh_pool;
use crate::support::{Flag, Ledger, caught, message, planted, pool, quietly, within};
use filch::ThreadPoolBuilder;
use filch::ext::*;
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

const LANES: [Priority; 3] = [Priority::High, Priority::Normal, Priority::Low];

/// How many are in here at once.
#[derive(Default)]
struct Gauge {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Gauge {
    fn visit<R>(&self, f: impl FnOnce() -> R) -> R {
        let now = self.now.fetch_add(1, SeqCst) + 1;
        self.most.fetch_max(now, SeqCst);
        let result = f();
        self.now.fetch_sub(1, SeqCst);
        result
    }
}

#[test]
fn urgent_jobs_are_begun_first_and_no_lane_starves() {
    within(30, || {
        let there = fresh_pool(1);
        let queue = JobQueue::new(&there);
        let order = Arc::new(Mutex::new(Vec::new()));
        there.install(|| {
            for n in 0..300 {
                for lane in [Priority::Low, Priority::High, Priority::Normal] {
                    let order = Arc::clone(&order);
                    queue.spawn(lane, move || order.lock().unwrap().push((lane, n)));
                }
            }
            assert_eq!(LANES.map(|lane| queue.waiting(lane)), [300; 3]);
        });
        there.shutdown();
        let order = order.lock().unwrap();
        for lane in LANES {
            let own: Vec<_> = order
                .iter()
                .filter(|job| job.0 == lane)
                .map(|job| job.1)
                .collect();
            assert_eq!(own, (0..300).collect::<Vec<_>>());
        }
        let first = |lane| order.iter().position(|job| job.0 == lane).unwrap();
        assert_eq!(
            [
                first(Priority::High),
                first(Priority::Normal),
                first(Priority::Low)
            ],
            [0, 8, 9]
        );
        let last_high = order
            .iter()
            .rposition(|job| job.0 == Priority::High)
            .unwrap();
        let low_before = order[..last_high]
            .iter()
            .filter(|job| job.0 == Priority::Low)
            .count();
        assert!(
            (25..=45).contains(&low_before),
            "{low_before} of the low lane before the last of the high one"
        );
    });
}

#[test]
fn what_is_too_much_comes_back_and_nothing_is_lost() {
    within(60, || {
        for threads in [1, 2, 8] {
            let there = fresh_pool(threads);
            let queue = JobQueue::new(&there).limit(10);
            let ledger = Ledger::new(2000);
            let tokens = Mutex::new(ledger.tokens());
            let (ran, refused) = (Arc::new(AtomicUsize::new(0)), AtomicUsize::new(0));
            std::thread::scope(|s| {
                for _ in 0..4 {
                    s.spawn(|| {
                        while let Some(token) = { tokens.lock().unwrap().pop() } {
                            let ran = Arc::clone(&ran);
                            let job = move || {
                                drop(token);
                                ran.fetch_add(1, SeqCst)
                            };
                            assert!(
                                LANES.iter().map(|&lane| queue.waiting(lane)).sum::<usize>() <= 30
                            );
                            if let Err(full) = queue.try_spawn(Priority::Low, job) {
                                assert_eq!(full.limit, 10);
                                refused.fetch_add(1, SeqCst);
                                drop(full.job);
                            }
                        }
                    });
                }
            });
            there.shutdown();
            assert_eq!(ran.load(SeqCst) + refused.into_inner(), 2000);
            ledger.assert_all_gone();
        }
    });
}

#[test]
fn the_bound_is_exact() {
    within(30, || {
        let there = fresh_pool(1);
        let queue = JobQueue::new(&there).limit(3);
        there.install(|| {
            let taken = (0..5)
                .filter(|_| queue.try_spawn(Priority::High, || ()).is_ok())
                .count();
            assert_eq!(taken, 3);
            queue.spawn(Priority::High, || ()); // is not bounded
            assert!(queue.try_spawn_handle(Priority::High, || ()).is_err());
        });
        there.shutdown();
        assert_eq!((queue.waiting(Priority::High), queue.running()), (0, 0));
    });
}

#[test]
fn no_more_run_at_once_than_may() {
    within(60, || {
        for most in [1, 2, 3] {
            let queue = JobQueue::new(pool(8)).at_once(most);
            let gauge = Arc::new(Gauge::default());
            let handles: Vec<_> = (0..300u64)
                .map(|n| {
                    let gauge = Arc::clone(&gauge);
                    // A job is as parallel as it likes.
                    let job = move || gauge.visit(|| (0..n).into_par_iter().sum::<u64>());
                    queue.spawn_handle(LANES[n as usize % 3], job)
                })
                .collect();
            while handles.iter().any(|handle| !handle.is_finished()) {
                std::thread::yield_now();
            }
            for (n, handle) in handles.into_iter().enumerate() {
                assert_eq!(handle.join().unwrap(), (0..n as u64).sum());
            }
            assert!((1..=most).contains(&gauge.most.load(SeqCst)));
        }
    });
}

#[test]
fn a_panic_goes_to_the_handler_and_the_queue_goes_on() {
    within(30, || {
        let (sender, receiver) = mpsc::channel();
        let there = ThreadPoolBuilder::new()
            .num_threads(2)
            .panic_handler(move |_| sender.send(()).unwrap())
            .build()
            .unwrap();
        let queue = JobQueue::new(&there).at_once(1);
        let ran = Arc::new(AtomicUsize::new(0));
        for n in 0..100 {
            let ran = Arc::clone(&ran);
            queue.spawn(Priority::Normal, move || {
                ran.fetch_add(1, SeqCst);
                if n % 2 == 0 {
                    planted(n);
                }
            });
        }
        there.shutdown();
        drop(queue); // with it the handler goes, which has the sender
        assert_eq!((ran.load(SeqCst), receiver.iter().count()), (100, 50));
    });
}

#[test]
fn a_queue_of_a_pool_that_is_gone_says_so_and_keeps_nothing() {
    within(30, || {
        let there = fresh_pool(1);
        let queue = JobQueue::new(&there);
        there.shutdown(); // does not wait for the queue
        // A refused job leaves the pool as it was: the next one is refused, too.
        for _ in 0..3 {
            let said = message(|| queue.spawn(Priority::High, || unreachable!()));
            assert!(
                said.contains("the pool of this job queue was dropped"),
                "{said}"
            );
            assert_eq!(queue.waiting(Priority::High), 0);
        }
    });
}

#[test]
fn a_pool_that_is_dropped_while_jobs_are_pushed_runs_those_that_it_took() {
    within(60, || {
        for _ in 0..100 {
            let there = fresh_pool(2);
            let queue = JobQueue::new(&there).at_once(1);
            let ran = Arc::new(AtomicUsize::new(0));
            // Whether the queue takes a job. The job has a share of `ran` until it ends or is refused.
            let push = |_| {
                let ran = Arc::clone(&ran);
                let job = move || _ = ran.fetch_add(1, SeqCst);
                quietly(|| queue.spawn(Priority::Normal, job)).is_ok()
            };
            let mut taken: usize = thread::scope(|scope| {
                let many = || (0..100).map(push).filter(|it| *it).count();
                let producers = [(); 3].map(|()| scope.spawn(many));
                drop(there);
                producers.map(|it| it.join().unwrap()).iter().sum()
            });
            let all_ran = || {
                while Arc::strong_count(&ran) > 1 {
                    thread::yield_now();
                }
            };
            all_ran();
            // One at a time: a pool with jobs in its queue goes on, so a pool that gets each next job in time would never stop.
            while push(0) {
                taken += 1;
                all_ran();
            }
            assert!(!push(1) && !push(2), "a pool that has stopped took a job");
            assert_eq!(ran.load(SeqCst), taken);
        }
    });
}

#[test]
fn nothing_is_no_bound() {
    assert!(message(|| drop(JobQueue::current().limit(0))).contains("limit of 0 jobs"));
    assert!(message(|| drop(JobQueue::current().at_once(0))).contains("0 jobs run at once"));
    assert!(message(|| limited_scope(0, |_| ())).contains("0 jobs run at once"));
}

#[test]
fn a_limited_scope_keeps_its_limit_and_its_order() {
    within(60, || {
        for threads in [1, 2, 8] {
            for most in [1, 2, 5] {
                let gauge = Gauge::default();
                let order = Mutex::new(Vec::new());
                pool(threads).install(|| {
                    limited_scope(most, |s| {
                        for n in 0..100 {
                            let (gauge, order) = (&gauge, &order);
                            s.spawn(move |s| {
                                gauge.visit(|| order.lock().unwrap().push(n));
                                s.spawn(move |_| {
                                    gauge.visit(|| order.lock().unwrap().push(100 + n))
                                });
                            });
                        }
                    });
                });
                let mut order = order.into_inner().unwrap();
                if most == 1 {
                    // The first job may spawn before the scope has spawned its last.
                    let [first, second] = [0..100, 100..200]
                        .map(|part| order.iter().copied().filter(move |n| part.contains(n)));
                    assert!(first.eq(0..100) && second.eq(100..200), "{order:?}");
                }
                order.sort_unstable();
                assert!(order.iter().copied().eq(0..200));
                assert!((1..=most).contains(&gauge.most.into_inner()));
            }
        }
    });
}

#[test]
fn a_panic_in_a_limited_scope_arrives_and_the_others_run() {
    within(30, || {
        let ledger = Ledger::new(100);
        let outcome = caught(|| {
            limited_scope(2, |s| {
                for (n, token) in ledger.tokens().into_iter().enumerate() {
                    s.spawn(move |_| {
                        drop(token);
                        if n == 50 {
                            planted(n);
                        }
                    });
                }
            });
        });
        assert_eq!(outcome, Err(50));
        ledger.assert_all_gone();
    });
}

#[test]
fn waiting_jobs_hold_no_thread() {
    within(30, || {
        let here = pool(2);
        let go = Flag::new();
        here.install(|| {
            limited_scope(1, |s| {
                s.spawn(|_| go.wait());
                for _ in 0..10 {
                    s.spawn(|_| ());
                }
                // Both threads would be needed, if the ten held one.
                filch::join(|| go.set(), || ());
            });
        });
    });
}

/// A thread holds a lock inside `isolate`, pushes a job and waits for something else. What it finds then is a ticket, for whichever job's turn it is.
#[test]
fn an_isolated_thread_begins_no_job_of_a_queue() {
    within(30, || {
        let (there, lock) = (fresh_pool(1), Arc::new(Mutex::new(())));
        let queue = JobQueue::new(&there);
        let wants = Arc::clone(&lock);
        let collided = there.spawn_handle({
            let queue = queue.clone();
            move || {
                let _held = lock.lock().unwrap();
                let job = move || wants.try_lock().is_err();
                let foreign = queue.spawn_handle(Priority::High, job);
                filch::isolate(|| {
                    filch::scope(|s| {
                        s.spawn(|_| ());
                        queue.spawn(Priority::Low, || ());
                    });
                });
                foreign
            }
        });
        assert!(!collided.join().unwrap().join().unwrap());
    });
}

/// Each job of the queue leaves another one there until a job that the first one spawned has run.
#[test]
fn a_queue_that_is_never_empty_lets_the_jobs_run_that_its_jobs_spawned() {
    fn go_on(queue: &JobQueue, left: usize, done: &Arc<Flag>, ended: &mpsc::Sender<usize>) {
        if left == 0 || done.is_set() {
            return ended.send(left).unwrap();
        }
        let (again, done, ended) = (queue.clone(), Arc::clone(done), ended.clone());
        queue.spawn(Priority::Normal, move || {
            go_on(&again, left - 1, &done, &ended);
        });
    }
    for (threads, most) in [(1, 1), (2, 2), (1, 2), (2, 5), (1, usize::MAX)] {
        let (there, done) = (fresh_pool(threads), Arc::new(Flag::default()));
        let (queue, (ended, all)) = (JobQueue::new(&there).at_once(most), mpsc::channel());
        for _ in 0..threads {
            let (again, done, ended) = (queue.clone(), Arc::clone(&done), ended.clone());
            queue.spawn(Priority::Normal, move || {
                let spawned = Arc::clone(&done);
                filch::spawn(move || spawned.set());
                go_on(&again, 100_000, &done, &ended);
            });
        }
        drop(ended);
        let left: Vec<_> = all.iter().collect();
        assert_eq!(left.len(), threads);
        assert!(left.iter().all(|&left| left > 0), "{left:?}");
    }
}

//! What a thread does that waits in its own pool, step by step.

mod other_pools;

use crate::core::clock::mock;
#[cfg(all(unix, not(miri)))]
use crate::core::global_pointer::assert_well_in_child;
use crate::core::job::{HeapJob, JobRef};
use crate::core::join::join;
use crate::core::latch::Latch;
use crate::core::pool::{Handlers, Pool};
use crate::core::root::Root;
use crate::core::start::with_what_there_is;
use crate::core::thread_pool::ThreadPool;
use crate::core::until::Until;
use crate::core::worker::Worker;
use crate::sync::Arc;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn pools<const N: usize>() -> [Arc<Pool>; N] {
    [(); N].map(|()| Pool::new(1, 0, Handlers::default(), true, false))
}

fn job(root: Root, body: impl FnOnce() + Send + 'static) -> JobRef {
    // SAFETY: it borrows nothing.
    unsafe { HeapJob::boxed(root, body) }
}

/// A job that counts.
fn counting(root: Root, count: &Arc<AtomicU64>) -> JobRef {
    let count = Arc::clone(count);
    job(root, move || {
        count.fetch_add(1, Ordering::SeqCst);
    })
}

/// Does `work` as worker 0.
fn at_desk<R>(pool: &Pool, work: impl FnOnce(Worker<'_>) -> R) -> R {
    // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
    let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
    work(sitting.worker())
}

/// Sets the latch for which worker 0 waits.
fn set(latch: &Latch, pool: &Pool) {
    // SAFETY: the frame of the latch is below this one.
    if unsafe { Latch::set(latch) } {
        pool.end_wait(pool.seats[0].own_desk());
    }
}

/// Waits with looks of `find`, as on a machine where no other thread wants the processor.
fn wait_with(worker: Worker<'_>, latch: &Latch, find: &dyn Fn() -> Option<JobRef>) {
    mock::with(500, || worker.wait_with(&Until::new(latch, None), find));
}

/// How often worker 0 looks for a job in `wait`, which ends when it has put its right down.
fn looks_in_wait(pool: &Pool, wait: impl Fn(Worker<'_>, &Latch) + Sync) -> u64 {
    asleep_in_wait(pool, wait, || ());
    pool.seats[0].own_desk().counters.read().looks
}

/// What `asleep` sees when worker 0 has put its right down in `wait`, which ends then.
fn asleep_in_wait<R>(
    pool: &Pool,
    wait: impl Fn(Worker<'_>, &Latch) + Sync,
    asleep: impl FnOnce() -> R,
) -> R {
    let (latch, desk) = (Latch::new(), pool.seats[0].own_desk());
    thread::scope(|threads| {
        let waits = threads.spawn(|| {
            // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
            let sitting = unsafe { Worker::sit(desk, 0) };
            wait(sitting.worker(), &latch);
        });
        while pool.rights.free() == 0 && !waits.is_finished() {
            thread::yield_now();
        }
        let seen = asleep();
        // SAFETY: the frame of the latch is below this one.
        if unsafe { Latch::set(&latch) } {
            pool.end_wait(desk);
        }
        seen
    })
}

/// Does `left` as worker 0, while `right` is on offer, which no other thread has asked for. So are three more, but the first ones are public at once.
fn offer(pool: &Pool, left: impl FnOnce() + Send, right: impl FnOnce() + Send) {
    let left = || {
        assert!(Worker::current().unwrap().own().deque.has_private());
        left();
    };
    let more = || join(|| join(left, right), || ());
    at_desk(pool, |_| join(|| join(more, || ()), || ()));
}

/// What a thread offers is seen by others, and by the thread itself, while it helps, yields, waits or naps.
#[test]
fn a_thread_that_does_something_else_shows_its_offers() {
    let [pool] = pools();
    let helps: [fn(Worker<'_>) -> bool; 3] = [
        |worker| worker.help(),
        |worker| worker.run_one(true),
        |worker| worker.run_one(false),
    ];
    for helps in helps {
        let ran = AtomicBool::new(false);
        let left = || {
            let worker = Worker::current().unwrap();
            assert!(helps(worker) && ran.load(Ordering::SeqCst));
            let others = (0..).take_while(|_| helps(worker)).count();
            assert_eq!(others, 3);
        };
        offer(&pool, left, || ran.store(true, Ordering::SeqCst));
    }
    let latch = Latch::new();
    let wait = || Worker::current().unwrap().wait(&latch);
    offer(&pool, wait, || set(&latch, &pool));
    let nap = || {
        let worker = Worker::current().unwrap();
        worker.nap(|| {
            assert_eq!(pool.rights.free(), 1);
            assert!(pool.has_brought(), "another thread may take it");
        });
        assert_eq!(worker.own().number(), Some(0));
    };
    offer(&pool, nap, || ());
}

/// A thread that helps or yields first lets another one run that wants a right.
#[test]
fn a_thread_that_helps_gives_its_turn() {
    let helps: [fn(Worker<'_>) -> bool; 2] =
        [|worker| worker.help(), |worker| worker.run_one(false)];
    for helps in helps {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let ran = AtomicBool::new(false);
        thread::scope(|threads| {
            threads.spawn(|| {
                let number = pool.take_right(pool.seats[1].own_desk());
                ran.store(true, Ordering::SeqCst);
                pool.put_down(number);
            });
            at_desk(&pool, |worker| {
                // Inside a job.
                worker.own().depth.set(1);
                while !pool.sleepers.any_wanting() {
                    thread::yield_now();
                }
                helps(worker);
                let first = ran.load(Ordering::SeqCst);
                worker.put_right_down();
                worker.own().depth.set(0);
                assert!(first);
            });
        });
    }
}

/// A thread that naps in a child process has no other thread to put its right down for, and takes no lock for that.
#[test]
#[cfg(all(unix, not(miri)))]
fn a_child_naps_without_a_lock() {
    crate::core::global_pointer::watch_forks();
    let ([pool], count) = (pools(), Arc::new(AtomicU64::new(0)));
    // A thread that puts a right down has to look for a sleeper, for which it locks the lists.
    pool.inject(counting(Root::NONE, &count));
    assert!(!pool.note_miss());
    at_desk(&pool, |worker| {
        let locked = pool.sleepers.lock();
        // SAFETY: the child is this one thread, and ends with `_exit`.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // If it is stuck, this ends it.
            // SAFETY: it has no preconditions.
            unsafe { libc::alarm(20) };
            worker.nap(|| ());
            // SAFETY: it has no preconditions.
            unsafe { libc::_exit(0) };
        }
        drop(locked);
        let mut status = -1;
        // SAFETY: `status` is ours.
        let ended = unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!((ended, status), (child, 0), "how the child ended");
        assert!(worker.run_one(false));
    });
}

/// A thread that waits in a child process, at a desk of its parent's, sleeps without the lists, and sees the end of its wait.
#[test]
#[cfg(all(unix, not(miri)))]
fn a_child_waits_without_a_lock() {
    let [pool] = pools();
    let (latch, desk) = (Latch::new(), pool.seats[0].own_desk());
    at_desk(&pool, |worker| {
        let locked = pool.sleepers.lock();
        assert_well_in_child(|| {
            thread::scope(|threads| {
                threads.spawn(|| {
                    while desk.counters.read().parks == 0 {
                        thread::yield_now();
                    }
                    set(&latch, &pool);
                });
                worker.wait(&latch);
            });
            latch.probe() && desk.own.number() == Some(0)
        });
        drop(locked);
    });
}

/// Loops that other threads run are cut for a thread that waits and has found nothing, but not while it works.
#[test]
fn a_thread_that_waits_is_hungry_until_it_finds_a_job() {
    let [pool] = pools();
    let is_hungry = {
        let pool = Arc::clone(&pool);
        move || pool.idle.is_hungry(Root::NONE)
    };
    let (seen, sees) = mpsc::channel();
    let works = {
        let (is_hungry, seen) = (is_hungry.clone(), seen.clone());
        job(Root::NONE, move || seen.send(is_hungry()).unwrap())
    };
    let (latch, looks) = (Latch::new(), Cell::new(0));
    let find = || {
        looks.set(looks.get() + 1);
        match looks.get() {
            3 => return Some(works),
            2 => seen.send(is_hungry()).unwrap(),
            4 => set(&latch, &pool),
            _ => {}
        }
        None
    };
    at_desk(&pool, |worker| wait_with(worker, &latch, &find));
    assert!(!is_hungry());
    drop(seen);
    let seen: Vec<_> = sees.try_iter().collect();
    assert_eq!(seen, [true, false]);
}

/// What the wake-up was for may be more than one job. So the thread that was woken, and found one, wakes another thread for the rest, although a third one
/// looks for work.
#[test]
fn a_thread_that_was_woken_and_finds_a_job_wakes_another_one() {
    for finds in [true, false] {
        let pool = Pool::new(3, 0, Handlers::default(), true, false);
        let (count, called) = (Arc::new(AtomicU64::new(0)), AtomicBool::new(false));
        let desk = pool.seats[1].own_desk();
        let was_woken = AtomicBool::new(false);
        let wait = |worker: Worker<'_>, latch: &Latch| {
            let looks = Cell::new(0);
            let find = || {
                looks.set(looks.get() + u32::from(called.load(Ordering::SeqCst)));
                match looks.get() {
                    1 if finds => {}
                    2 if !finds => was_woken.store(desk.has_wake_up(), Ordering::SeqCst),
                    _ => return None,
                }
                Some(counting(Root::NONE, &count))
            };
            wait_with(worker, latch, &find);
            if finds {
                was_woken.store(desk.has_wake_up(), Ordering::SeqCst);
            }
        };
        asleep_in_wait(&pool, wait, || {
            (0..4).for_each(|_| pool.injector.push(counting(Root::NONE, &count)));
            pool.idle.start_search();
            pool.lie_down(desk, None, false);
            pool.rights.put(2);
            called.store(true, Ordering::SeqCst);
            assert!(pool.wake_one(Root::NONE));
            while count.load(Ordering::SeqCst) == 0 {
                thread::yield_now();
            }
        });
        assert_eq!(was_woken.into_inner(), finds);
        while let Some(job) = pool.take_injected(None, false) {
            // SAFETY: just taken out of a queue, and no other thread is there.
            unsafe { pool.run(job, 0) };
        }
    }
}

/// In a pool without threads this thread has to run the jobs that are left.
#[test]
fn a_thread_that_leaves_after_a_wait_gets_no_right_where_others_run_jobs() {
    for workers in [1, 0] {
        let pool = Pool::new(workers, 0, Handlers::default(), true, false);
        // In a pool without threads the right is free at first, and not in the hand of worker 0.
        assert_eq!(pool.rights.take_this(0), workers == 0);
        let has_right = AtomicBool::new(false);
        let wait = |worker: Worker<'_>, latch: &Latch| {
            worker.wait_and_leave(latch);
            has_right.store(worker.own().number().is_some(), Ordering::SeqCst);
        };
        asleep_in_wait(&pool, wait, || ());
        assert_eq!(has_right.into_inner(), workers == 0);
    }
}

/// A worker that works under another number than its own falls asleep, and mail for its own number is there that it has not seen.
#[test]
fn a_worker_that_falls_asleep_is_called_for_mail_to_its_number() {
    let pool = Pool::new(2, 0, Handlers::default(), true, false);
    let (read, is_read) = mpsc::channel();
    let (latch, desk) = (Latch::new(), pool.seats[0].own_desk());
    pool.rights.put(0);
    assert!(pool.seats[0].mail.push(job(Root::NONE, || ())));
    let got_up = thread::scope(|threads| {
        threads.spawn(|| {
            // SAFETY: this worker's right is free, and it has another one. Its desk is for it alone.
            let sitting = unsafe { Worker::sit(desk, 1) };
            let worker = sitting.worker();
            worker.hold(1);
            let find = || {
                if worker.own().number() == Some(0) {
                    read.send(()).unwrap();
                    set(&latch, &pool);
                }
                None
            };
            wait_with(worker, &latch, &find);
        });
        let got_up = is_read.recv_timeout(Duration::from_secs(60));
        set(&latch, &pool);
        got_up
    });
    assert_eq!(got_up, Ok(()));
    let mail = pool.seats[0].mail.take().unwrap();
    // SAFETY: just taken out of a queue, and no other thread is there.
    unsafe { pool.run(mail, 0) };
}

/// On a busy machine, each yield of a thread that waits takes as long as the others run. So it sleeps after the first one that took long, and another thread
/// may have its right; where the processor is free it looks for some time.
#[test]
fn a_thread_that_waits_on_a_busy_machine_lies_down_soon() {
    let beside_others = |away| {
        let pool = Pool::new(1, 0, Handlers::default(), true, false);
        looks_in_wait(&pool, |worker, latch| {
            mock::with(away, || worker.wait(latch))
        })
    };
    let [busy, quiet] = [1_000_000, 500].map(beside_others);
    assert!(busy < 100, "{busy} looks");
    assert!(quiet > 500, "{quiet} looks");
}

/// A thread that would leave after its wait needs no right then, but it needs one if it was called for an earlier wait, and goes on.
#[test]
fn a_wait_that_goes_on_after_a_late_call_has_a_right() {
    let pool = Pool::new(1, 0, Handlers::default(), true, false);
    let (ran, has_ran) = mpsc::channel();
    let number = asleep_in_wait(
        &pool,
        |worker, latch| worker.wait_and_leave(latch),
        || {
            let number = || Worker::current().and_then(|worker| worker.own().number());
            // SAFETY: it borrows nothing, and the wait takes it.
            let job = unsafe { HeapJob::boxed(Root::NONE, move || ran.send(number()).unwrap()) };
            pool.injector.push(job);
            pool.end_wait(pool.seats[0].own_desk());
            has_ran.recv_timeout(Duration::from_secs(60))
        },
    );
    assert_eq!(number, Ok(Some(0)));
}

/// A thief that tells an owner late may find another wait at that desk. That wait goes on until its own latch is set, and the counts stay true.
#[test]
fn a_late_end_of_an_earlier_wait_ends_no_other() {
    let pool = with_what_there_is(2);
    let calls = ThreadPool::of(Arc::clone(&pool));
    let (started, has_started) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let over = AtomicBool::new(false);
    thread::scope(|threads| {
        threads.spawn(|| {
            calls.install(move || {
                let left = move || has_started.recv().unwrap();
                let right = move || {
                    started.send(()).unwrap();
                    may_go_on.recv().unwrap();
                };
                join(left, right)
            });
            over.store(true, Ordering::SeqCst);
        });
        let in_waits = || pool.sleepers.lock().counts()[1];
        let few = std::env::var_os("FILCH_TEST_CASES").is_none();
        for _ in 0..if few { 20 } else { 200 } {
            while in_waits() == 0 {
                assert!(!over.load(Ordering::SeqCst), "the wait ended too early");
                thread::yield_now();
            }
            pool.seats
                .iter()
                .for_each(|seat| pool.end_wait(seat.own_desk()));
        }
        assert!(!over.load(Ordering::SeqCst));
        go_on.send(()).unwrap();
    });
    while pool.sleepers.lock().counts() != [2, 0, 0] {
        thread::yield_now();
    }
    let counts = pool.idle.counts();
    assert_eq!((counts.searching(), counts.asleep()), (0, 2));
    assert_eq!(pool.rights.free(), 2);
    calls.shutdown();
}

/// Two jobs of `root`, for which worker 1 sleeps in a wait.
fn bring_two(pool: &Pool, root: Root) {
    pool.brought.push(&[(); 2].map(|()| job(root, || ())));
    let desk = pool.seats[1].own_desk();
    pool.lie_down(desk, Some(root), false);
    pool.sleepers.lock().waiter_at(desk).unwrap().holds = false;
}

fn run_brought(pool: &Pool, root: Root) {
    while let Some(job) = pool.brought.take(Some(root)) {
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { pool.run(job, 0) };
    }
}

/// A thread that was called without a right for work of an isolated call, and has found a job, has another one called for the rest. One that was not called does not.
#[test]
fn a_thread_that_was_called_and_finds_a_job_has_another_one_called() {
    for is_called in [true, false] {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let (root, other) = (Root::isolated(1), pool.seats[1].own_desk());
        let [ran, passed_on] = [(); 2].map(|()| AtomicBool::new(false));
        let wait = |worker: Worker<'_>, latch: &Latch| {
            let found = Cell::new(false);
            let find = || {
                if found.get() {
                    passed_on.fetch_or(other.has_wake_up(), Ordering::SeqCst);
                    ran.store(true, Ordering::SeqCst);
                    return None;
                }
                let job = pool.brought.take(Some(root));
                found.set(job.is_some());
                job
            };
            worker.own().root.set(root);
            let until = Until::new(latch, Some(root));
            mock::with(500, || worker.wait_with(&until, &find));
            worker.own().root.set(Root::NONE);
        };
        if !is_called {
            bring_two(&pool, root);
        }
        asleep_in_wait(&pool, wait, || {
            if is_called {
                assert!(pool.rights.take_this(0));
                bring_two(&pool, root);
                pool.wake_without_right(root);
                while !ran.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
                pool.rights.put(0);
            }
        });
        assert_eq!(passed_on.into_inner(), is_called);
        run_brought(&pool, root);
    }
}

/// So it is with one whose wait is over.
#[test]
fn a_thread_that_was_called_as_its_wait_ends_has_another_one_called() {
    for is_called in [true, false] {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let (root, latch) = (Root::isolated(1), Latch::new());
        let until = || Until::new(&latch, Some(root));
        thread::scope(|threads| {
            threads.spawn(|| {
                at_desk(&pool, |worker| {
                    worker.own().root.set(root);
                    mock::with(500, || worker.wait_with(&until(), &|| None));
                    assert!(worker.own().number().is_some());
                    worker.own().root.set(Root::NONE);
                });
            });
            while pool.rights.free() == 0 {
                thread::yield_now();
            }
            bring_two(&pool, root);
            // SAFETY: its frame is this one.
            assert!(unsafe { Latch::set(&latch) });
            match is_called {
                true => {
                    assert!(pool.rights.take_this(0));
                    pool.wake_without_right(root);
                }
                false => pool.end_wait(pool.seats[0].own_desk()),
            }
        });
        assert_eq!(pool.seats[1].own_desk().has_wake_up(), is_called);
        run_brought(&pool, root);
    }
}

/// A thread that was woken to search, and whose wait is over, ends its search, or no sleeper would be woken for work any more.
#[test]
fn a_search_ends_with_the_wait() {
    let ([pool], latch) = (pools(), Latch::new());
    thread::scope(|threads| {
        threads.spawn(|| at_desk(&pool, |worker| wait_with(worker, &latch, &|| None)));
        while pool.rights.free() == 0 {
            thread::yield_now();
        }
        // SAFETY: its frame is this one.
        assert!(unsafe { Latch::set(&latch) });
        assert!(pool.wake_one(Root::NONE));
    });
    assert_eq!(pool.idle.counts().searching(), 0);
}

/// The end of a search calls threads for both roots of a wait.
#[test]
fn a_search_that_ends_calls_threads_for_both_roots() {
    let roots = [1, 2].map(Root::isolated);
    for root in roots {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let other = pool.seats[1].own_desk();
        pool.lie_down(other, Some(root), false);
        pool.rights.put(1);
        pool.brought.push(&[job(root, || ())]);
        at_desk(&pool, |worker| {
            worker.idle().start_search();
            worker.end_search(roots.map(Some), true);
        });
        assert!(other.has_wake_up());
        run_brought(&pool, root);
    }
}

/// A job that was handed back ends the wait for it, unless another thread took it again: else two would run it.
#[test]
fn a_job_that_was_handed_back_ends_the_wait_for_it_once() {
    let ([pool], offered) = (pools(), job(Root::NONE, || ()));
    // SAFETY: it has not run yet.
    unsafe { offered.tag() }.mark_handed_back();
    at_desk(&pool, |worker| {
        let latch = Latch::new();
        let thief = || {
            set(&latch, &pool);
            None
        };
        assert!(!worker.wait_for_taken(offered, &latch, &thief), "taken");
        assert!(!worker.wait_for_taken(offered, &latch, &|| None), "done");
        pool.brought.push(&[offered]);
        let latch = Latch::new();
        assert!(worker.wait_for_taken(offered, &latch, &|| None));
    });
    // SAFETY: no queue has it any more.
    unsafe { pool.run(offered, 0) };
}

/// A job that is found in the last look before a sleep runs before that.
#[test]
fn a_job_that_the_last_look_finds_keeps_a_thread_awake() {
    let ([pool], slept) = (pools(), Arc::new(AtomicU64::new(9)));
    let wait = |worker: Worker<'_>, latch: &Latch| {
        let did = Cell::new(false);
        let find = || {
            if did.get() || pool.sleepers.lock().counts()[1] == 0 {
                return None;
            }
            did.set(true);
            let (pool, slept) = (Arc::clone(&pool), Arc::clone(&slept));
            Some(job(Root::NONE, move || {
                let parks = pool.seats[0].own_desk().counters.read().parks;
                slept.store(parks, Ordering::SeqCst);
            }))
        };
        wait_with(worker, latch, &find);
    };
    asleep_in_wait(&pool, wait, || ());
    assert_eq!(slept.load(Ordering::SeqCst), 0);
}

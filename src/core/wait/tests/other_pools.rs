//! What it does meanwhile in other pools.

use super::{asleep_in_wait, at_desk, counting, job, looks_in_wait, pools, set, wait_with};
use crate::core::clock::mock;
use crate::core::job::HeapJob;
use crate::core::latch::Latch;
use crate::core::pool::{Handlers, Pool};
use crate::core::root::Root;
use crate::core::until::Until;
use crate::core::worker::Worker;
use crate::sync::Arc;
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Does `work` as worker 0 of a pool, for which worker 0 of another pool has left its desk there. Gives what its mail in the other pool has counted.
fn with_mail_below(work: impl Fn(Worker<'_>, &AtomicU64)) -> u64 {
    let ([pool, other], count) = (pools(), Arc::new(AtomicU64::new(0)));
    at_desk(&other, |below| {
        below.put_right_down();
        assert!(other.seats[0].mail.push(counting(Root::NONE, &count)));
        at_desk(&pool, |worker| {
            worker.own().below.set(below.desk());
            work(worker, &count);
            worker.own().below.set(ptr::null());
        });
    });
    let read = count.load(Ordering::SeqCst);
    if let Some(job) = other.seats[0].mail.take() {
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { other.run(job, 0) };
    }
    read
}

/// A thread that yields reads mail for another pool: but not if it is to look at its own queues only, nor inside an isolated call, where it keeps its right.
#[test]
fn a_yield_does_what_is_left_in_other_pools() {
    let yields = |root, local, did| {
        with_mail_below(|worker, _| {
            worker.own().root.set(root);
            assert_eq!(worker.run_one(local), did);
            worker.own().root.set(Root::NONE);
        })
    };
    assert_eq!(yields(Root::NONE, true, false), 0);
    assert_eq!(yields(Root::isolated(1), false, false), 0);
    assert_eq!(yields(Root::NONE, false, true), 1);
}

#[test]
fn a_thread_that_waits_reads_its_mail_in_other_pools() {
    let read = with_mail_below(|worker, count| {
        let (latch, looks) = (Latch::new(), Cell::new(0));
        let find = || {
            looks.set(looks.get() + 1);
            if looks.get() == 100_000 || count.load(Ordering::SeqCst) == 1 {
                set(&latch, worker.pool());
            }
            None
        };
        wait_with(worker, &latch, &find);
    });
    assert_eq!(read, 1);
}

/// A thread that is called to stand in for another pool may have something else to do, or come too late: then another one is called.
#[test]
fn a_thread_that_gets_up_for_something_else_has_another_one_called() {
    for late in [true, false] {
        let ([stuck, pool, sleeps], roots) = (pools(), [1, 2].map(Root::isolated));
        stuck.rights.put(0);
        let desk = sleeps.seats[0].own_desk();
        let [gets_up, looked, called] = [(); 3].map(|()| AtomicBool::new(false));
        let wait = |worker: Worker<'_>, latch: &Latch| {
            let see = || called.store(desk.has_wake_up(), Ordering::SeqCst);
            let find = || {
                if gets_up.load(Ordering::SeqCst) {
                    see();
                    looked.store(true, Ordering::SeqCst);
                    set(latch, &pool);
                }
                None
            };
            let bound = Some(roots[0]);
            worker.while_waiting_for(&stuck, bound, || {
                let until = Until::new(latch, bound);
                mock::with(500, || worker.wait_with(&until, &find));
                see();
            });
        };
        let count = Arc::new(AtomicU64::new(0));
        asleep_in_wait(&pool, wait, || {
            stuck.sleepers.lock().add_caller(roots[1], desk);
            sleeps.lie_down(desk, Some(roots[1]), false);
            stuck.brought.push(&[counting(roots[1], &count)]);
            if late {
                gets_up.store(true, Ordering::SeqCst);
                pool.end_wait(pool.seats[0].own_desk());
                while !looked.load(Ordering::SeqCst) {
                    thread::yield_now();
                }
            }
        });
        assert!(called.into_inner(), "late: {late}");
        stuck.sleepers.lock().remove_caller(roots[1], desk);
        let job = stuck.brought.take(Some(roots[1])).unwrap();
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { stuck.run(job, 0) };
    }
}

/// A thread that was woken to search looks before it stands in for another pool, and one that has found a job runs that first: what it does in the other pool may
/// wait for it.
#[test]
fn a_thread_does_what_it_got_up_for_before_it_stands_in() {
    for is_woken in [true, false] {
        let ([stuck, pool], root) = (pools(), Root::isolated(1));
        stuck.rights.put(0);
        let [stood_in, before] = [0, 9].map(|count| Arc::new(AtomicU64::new(count)));
        let bring = || stuck.brought.push(&[counting(root, &stood_in)]);
        let woken = AtomicBool::new(false);
        let wait = |worker: Worker<'_>, latch: &Latch| {
            let did = Cell::new(false);
            let see = || {
                let (stood_in, before) = (Arc::clone(&stood_in), Arc::clone(&before));
                move || before.store(stood_in.load(Ordering::SeqCst), Ordering::SeqCst)
            };
            let find = || {
                if stood_in.load(Ordering::SeqCst) == 1 {
                    set(latch, &pool);
                }
                if did.get() {
                    return None;
                }
                if is_woken {
                    did.set(woken.load(Ordering::SeqCst));
                    see()();
                    return None;
                }
                // The last look before the sleep.
                did.set(pool.sleepers.lock().counts()[1] == 1);
                did.get().then(|| {
                    bring();
                    job(root, see())
                })
            };
            worker.while_waiting_for(&stuck, Some(root), || {
                let until = Until::new(latch, Some(root));
                mock::with(500, || worker.wait_with(&until, &find));
            });
        };
        asleep_in_wait(&pool, wait, || {
            if is_woken {
                bring();
                woken.store(true, Ordering::SeqCst);
                assert!(pool.wake_one(root));
                while stood_in.load(Ordering::SeqCst) == 0 {
                    thread::yield_now();
                }
            }
        });
        let seen = [before, stood_in].map(|count| count.load(Ordering::SeqCst));
        assert_eq!(seen, [0, 1], "is_woken: {is_woken}");
    }
}

/// Another pool leaves work to a thread that is about to sleep. No call comes for that, since the thread looks before it sleeps.
#[test]
fn a_thread_does_not_sleep_while_work_is_left_to_it() {
    let ([stuck, pool], root) = (pools(), Root::isolated(1));
    stuck.rights.put(0);
    let count = Arc::new(AtomicU64::new(0));
    let wait = |worker: Worker<'_>, latch: &Latch| {
        let did = Cell::new(false);
        let find = || {
            if !did.get() && pool.sleepers.lock().counts()[1] == 1 {
                did.set(true);
                stuck.brought.push(&[counting(root, &count)]);
            }
            None
        };
        worker.while_waiting_for(&stuck, Some(root), || {
            let until = Until::new(latch, Some(root));
            mock::with(500, || worker.wait_with(&until, &find));
        });
    };
    asleep_in_wait(&pool, wait, || ());
    let left = stuck.brought.take(Some(root)).map(|job| {
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { stuck.run(job, 0) }
    });
    assert!(left.is_none());
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

/// A pool is not stuck while a thread searches or sleeps that looks for all work, but does not always. When that ends, a thread that waits elsewhere is called for
/// work that is left.
#[test]
fn a_search_or_a_sleep_that_ends_has_a_caller_called() {
    for sleeps in [false, true] {
        let ([elsewhere], root) = (pools(), Root::isolated(1));
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        // Worker 0 belongs to the thread around which the pool was built.
        pool.note_built_around_a_thread();
        let desk = elsewhere.seats[0].own_desk();
        elsewhere.lie_down(desk, Some(root), false);
        pool.sleepers.lock().add_caller(root, desk);
        let bring = || {
            pool.brought.push(&[job(root, || ())]);
            pool.rights.put(1);
            pool.call_callers();
            assert!(!desk.has_wake_up(), "it is not stuck");
        };
        match sleeps {
            true => asleep_in_wait(&pool, |at, latch| wait_with(at, latch, &|| None), bring),
            false => at_desk(&pool, |worker| {
                worker.idle().start_search();
                bring();
                worker.end_search([None; 2], false);
            }),
        }
        assert!(desk.has_wake_up(), "sleeps: {sleeps}");
        pool.sleepers.lock().remove_caller(root, desk);
        let job = pool.brought.take(Some(root)).unwrap();
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { pool.run(job, 0) };
    }
}

/// A thread that waits for another pool runs work of its own call, and of what it waits for, and is woken for both.
#[test]
fn a_thread_that_waits_for_another_pool_sleeps_bound_to_two_roots() {
    let [pool, other] = [(); 2].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
    let roots = [1, 2].map(Root::isolated);
    let wait = |worker: Worker<'_>, latch: &Latch| {
        worker.own().root.set(roots[0]);
        worker.wait_for_pool(latch, &other, Some(roots[1]));
    };
    let count = Arc::new(AtomicU64::new(0));
    pool.brought.push(&roots.map(|root| counting(root, &count)));
    let seen = asleep_in_wait(&pool, wait, || {
        let lists = pool.sleepers.lock();
        let bound = roots.map(|root| lists.first_bound(root).is_some());
        (bound, count.load(Ordering::SeqCst))
    });
    assert_eq!(seen, ([true; 2], 2));
}

/// A thread waits inside an isolated call, and there is work of another call, for a thread of another pool. That may do it when the first one has put its right
/// down, and so it does so without a single yield.
#[test]
fn a_thread_that_leaves_work_to_callers_lies_down_soon() {
    let [pool, other] = [(); 2].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
    let roots = [1, 2].map(Root::isolated);
    let caller = other.seats[0].own_desk();
    pool.sleepers.lock().add_caller(roots[1], caller);
    // SAFETY: it borrows nothing.
    pool.inject(unsafe { HeapJob::boxed(roots[1], || ()) });
    let looks = looks_in_wait(&pool, |worker, latch| {
        worker.own().root.set(roots[0]);
        worker.wait(latch);
    });
    assert!(looks < 100, "{looks} looks");
    pool.sleepers.lock().remove_caller(roots[1], caller);
    let job = pool.take_injected(Some(roots[1]), false);
    // SAFETY: just taken out of a queue, and no other thread is there.
    unsafe { pool.run(job.expect("no thread took it"), 0) };
}

/// A thread is called in its sleep to do the job for which it waits. The job forks. The child goes on after the wait, and takes no lock: a thread of the parent has the lists of both pools locked.
#[test]
#[cfg(all(unix, not(miri)))]
fn a_child_leaves_a_wait_without_a_lock() {
    crate::core::global_pointer::watch_forks();
    let [stuck] = pools();
    let pool = Pool::new(2, 0, Handlers::default(), true, false);
    stuck.rights.put(0);
    let root = Root::isolated(1);
    let step = Arc::new(std::sync::Barrier::new(2));
    let child = Arc::new(std::sync::atomic::AtomicI32::new(-1));
    let (desk, other) = (pool.seats[0].own_desk(), pool.seats[1].own_desk());
    let wait = |worker: Worker<'_>, latch: &Latch| {
        worker.while_waiting_for(&stuck, Some(root), || {
            let until = Until::new(latch, Some(root));
            mock::with(500, || worker.wait_with(&until, &|| None));
        });
        if child.load(Ordering::SeqCst) == 0 {
            // SAFETY: it has no preconditions.
            unsafe { libc::_exit(0) };
        }
    };
    let latch = Latch::new();
    thread::scope(|threads| {
        threads.spawn(|| at_desk(&pool, |worker| wait(worker, &latch)));
        while pool.rights.free() == 0 {
            thread::yield_now();
        }
        // Another thread of the call sleeps, and there is work of the call.
        pool.lie_down(other, Some(root), false);
        pool.brought.push(&[job(root, || ())]);
        let (to_step, to_child) = (Arc::clone(&step), Arc::clone(&child));
        let at = ptr::from_ref(&latch).addr();
        stuck.brought.push(&[job(root, move || {
            to_step.wait();
            to_step.wait();
            // SAFETY: the child is this one thread, and ends with `_exit`.
            let pid = unsafe { libc::fork() };
            to_child.store(pid, Ordering::SeqCst);
            // SAFETY: the frame of the latch is alive, and its waiter is awake.
            unsafe { Latch::set(at as *const Latch) };
            if pid == 0 {
                // SAFETY: it has no preconditions.
                unsafe { libc::alarm(10) };
            } else {
                to_step.wait();
            }
        })]);
        pool.end_wait(desk);
        step.wait();
        let locked = [&pool, &stuck].map(|pool| pool.sleepers.lock());
        step.wait();
        step.wait();
        drop(locked);
    });
    let mut status = -1;
    let child = child.load(Ordering::SeqCst);
    // SAFETY: `status` is ours.
    let ended = unsafe { libc::waitpid(child, &mut status, 0) };
    let job = pool.brought.take(Some(root)).unwrap();
    // SAFETY: just taken out of a queue, and no other thread is there.
    unsafe { pool.run(job, 0) };
    assert_eq!((ended, status), (child, 0), "how the child ended");
}

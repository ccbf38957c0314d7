//! What a thread does in the pools that it left, step by step.

use super::{LONGEST, Looks};
use crate::core::desk::WakeUp;
use crate::core::fresh::new_isolated_root;
use crate::core::global_pointer::watch_forks;
use crate::core::job::HeapJob;
use crate::core::latch::Latch;
use crate::core::pool::Pool;
use crate::core::rights::SPARE;
use crate::core::root::Root;
use crate::core::stand_in::tests::{at_desk, job, pools, run_handed_over};
use crate::core::until::Until;
use crate::core::visit::Visit;
use crate::core::worker::Worker;
use crate::sync::{Arc, AtomicU64, AtomicUsize, Ordering};
use std::sync::Barrier;
use std::{ptr, thread};

/// Runs `then` on a thread that stands in, with the pool of which it is a worker, and with the worker where it stands in and the one below.
fn away(then: impl FnOnce(&Pool, Worker<'_>, Worker<'_>)) -> Arc<Pool> {
    let [pool, other] = pools();
    // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
    let below = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
    below.worker().put_right_down();
    // SAFETY: as above, and this one rises first.
    let sitting = unsafe { Worker::sit(other.seats[0].own_desk(), 0) };
    let worker = sitting.worker();
    worker.own().below.set(below.worker().desk());
    then(&pool, worker, below.worker());
    worker.own().below.set(std::ptr::null());
    drop(sitting);
    drop(below);
    pool
}

/// A job of this root, which is at home, and runs `body`.
fn at_home(pool: &Pool, root: Root, body: impl FnOnce() + Send) {
    // SAFETY: it runs in the caller's frame, where what it borrows lives.
    let job = unsafe { HeapJob::boxed(root, body) };
    pool.brought.push(&[job]);
}

/// Has the thread of [`away`] go home while it waits for `latch` in a call of this root.
fn goes_home(worker: Worker<'_>, latch: &Latch, root: Root) -> bool {
    worker.own().root.set(root);
    worker.go_home(&Until::new(latch, Some(root)))
}

/// All rights there are in use, so it runs beside them. Each job runs at the desk of its pool, and what is not of its call stays.
#[test]
fn what_came_home_is_run_beside_the_holders_of_rights() {
    let (call, other) = (new_isolated_root(), new_isolated_root());
    let pool = away(|pool, worker, below| {
        let holds = pool.try_take(None).expect("its worker is away");
        let (latch, ran) = (Latch::new(), AtomicUsize::new(0));
        let home = below.desk();
        let run = || {
            let here = Worker::current().expect("a worker runs it");
            assert!(std::ptr::eq(here.desk(), home));
            assert!(here.user_index().is_none() && here.bound() == Some(call));
            ran.fetch_add(1, Ordering::Relaxed);
        };
        (0..3).for_each(|_| at_home(pool, call, run));
        at_home(pool, other, || ());
        assert!(goes_home(worker, &latch, call));
        assert_eq!(ran.load(Ordering::Relaxed), 3);
        assert!(std::ptr::eq(
            Worker::current().unwrap().desk(),
            worker.desk()
        ));
        assert!(worker.seat().is_some() && below.own().number().is_none());
        assert!(!goes_home(worker, &latch, call));
        assert_eq!(pool.rights.count_in_use(), 1);
        pool.put_down(holds);
    });
    let job = pool.brought.take(Some(other)).expect("no thread took it");
    // SAFETY: just taken out of a queue.
    unsafe { pool.run(job, 0) };
}

/// What it has offered where it stands in is left to other threads there. It may wait for work of two calls, and does not go home where its wait is over by then.
#[test]
fn a_thread_that_goes_home_leaves_nothing_behind() {
    let [call, other, third] = [(); 3].map(|()| new_isolated_root());
    away(|pool, worker, _| {
        let elsewhere = worker.pool();
        assert!(worker.home_with_work([Some(call), Some(other)]).is_none());
        at_home(pool, other, || assert!(elsewhere.has_brought()));
        let has = |roots| worker.home_with_work(roots).is_some();
        assert!(has([Some(call), Some(other)]) && has([None, Some(other)]));
        assert!(!has([Some(call), Some(third)]) && !has([None, None]));

        let latch = Latch::new();
        // SAFETY: the latch is in this frame.
        unsafe { Latch::set(&latch) };
        assert!(!goes_home(worker, &latch, other));
        // SAFETY: it borrows nothing.
        worker.spawn(unsafe { job(Root::NONE, || ()) });
        assert!(goes_home(worker, &Latch::new(), other));
        assert_eq!(run_handed_over(elsewhere), 1);
    });
}

/// It leaves the rest when its wait is over, and all if there is no number to run it with.
#[test]
fn a_thread_that_may_go_on_leaves_what_came_home() {
    let call = new_isolated_root();
    away(|pool, worker, _| {
        let latch = &Latch::new();
        // SAFETY: the latch is in a frame below.
        at_home(pool, call, || _ = unsafe { Latch::set(latch) });
        at_home(pool, call, || ());
        assert!(goes_home(worker, latch, call));
        assert_eq!(pool.brought.len(), 1);

        let latch = &Latch::new();
        let numbers = [0; 1 + SPARE].map(|_| {
            let spare = || pool.take_spare(&mut pool.sleepers.lock());
            pool.try_take(None).or_else(spare).expect("it is free")
        });
        assert!(!goes_home(worker, latch, call) && worker.seat().is_some());
        assert_eq!(pool.brought.len(), 1);
        numbers.into_iter().for_each(|number| pool.put_down(number));
        assert!(goes_home(worker, latch, call));
        assert_eq!(pool.brought.len(), 0);
    });
}

/// One look says nothing: another thread may be about to take the work.
#[test]
fn a_thread_goes_home_when_two_looks_in_a_row_see_work() {
    let mut looks = Looks::new();
    let mut see = |sees| (looks.look(sees), looks.pause.as_millis());
    let looks = [false, true, false, false, false, false].map(&mut see);
    let pauses = [40, 20, 40, 80, 160, 160];
    assert_eq!(looks, pauses.map(|pause| (false, pause)));
    assert_eq!([true, true].map(see), [(false, 20), (true, 20)]);
    assert!(!Looks::new().look(true));
}

/// A thread that sleeps away from its pool sees what came home there, if it is work of its call, and is woken by all that wakes a sleeper.
#[test]
fn a_sleeper_sees_what_came_home() {
    let [call, other] = [(); 2].map(|()| new_isolated_root());
    let pool = away(|pool, worker, _| {
        let sleep = || worker.sleep_or_go_home([Some(call), None]);
        at_home(pool, call, || ());
        assert_eq!(sleep(), None);
        assert!(goes_home(worker, &Latch::new(), call));

        at_home(pool, other, || ());
        worker.desk().mark_woken(WakeUp::Look);
        assert_eq!(sleep(), Some(WakeUp::Look));
        thread::scope(|threads| {
            let desk = worker.desk();
            threads.spawn(move || {
                thread::sleep(2 * LONGEST);
                desk.mark_woken(WakeUp::GoOn(None));
                desk.ring();
            });
            assert_eq!(sleep(), Some(WakeUp::GoOn(None)));
        });
    });
    let job = pool.brought.take(Some(other)).expect("no thread took it");
    // SAFETY: just taken out of a queue.
    unsafe { pool.run(job, 0) };
}

/// One that left desks in two pools has mail in one of them.
#[test]
fn mail_below_is_read_in_any_pool_and_leaves_all_as_it_was() {
    let ([far], count) = (pools(), &AtomicU64::new(0));
    at_desk(&far, |outer| {
        outer.put_right_down();
        let pool = away(|pool, worker, below| {
            below.own().below.set(outer.desk());
            let other = worker.pool();
            assert!(worker.tell_pools_below(Some(worker.desk())).is_none());
            for (to, right) in [(pool, below), (&*far, outer)] {
                assert!(!worker.has_mail_below() && !worker.read_mail_below());
                let depth = right.own().depth.replace(3);
                // The seat shows the desk of a guest.
                let number = to.try_take(None).unwrap();
                drop(Visit::sit_down(to, (&to.seats[number], number), None));
                // SAFETY: it borrows nothing.
                worker.spawn(unsafe { job(Root::NONE, || ()) });
                let spawns = || {
                    let there = Worker::current().unwrap();
                    assert!(ptr::eq(to.at_work(0), there.desk()), "thieves look there");
                    assert!(other.has_brought(), "another thread may take it");
                    // SAFETY: it borrows nothing.
                    there.spawn(unsafe { job(Root::NONE, || ()) });
                    count.fetch_add(1, Ordering::SeqCst);
                };
                // SAFETY: it runs in this frame.
                assert!(to.seats[0].mail.push(unsafe { job(Root::NONE, spawns) }));
                assert!(worker.has_mail_below());
                // The only right is held back.
                assert!(to.rights.take_this(0));
                to.rights.hold_back(0);
                assert!(worker.has_mail_below() && !worker.read_mail_below());
                assert_eq!(worker.own().number(), Some(0));
                to.rights.take_held(0);
                to.rights.put(0);
                assert!(worker.read_mail_below());
                assert_eq!((worker.own().number(), to.rights.free()), (Some(0), 1));
                assert_eq!(right.own().depth.replace(depth), 3);
                assert_eq!([to, other].map(run_handed_over), [1, 1]);
                for pool in [pool, &*far] {
                    let away = pool.sleepers.lock().away(0).expect("it is");
                    assert!(ptr::eq(away, worker.desk()), "it is called there");
                }
            }
            worker.tell_pools_below(None);
            below.own().below.set(ptr::null());
        });
        drop(pool);
    });
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

/// Else the thread could wait in the mail for a pool whose threads wait for what lies below on its stack, and would not stand in there.
#[test]
fn mail_below_has_a_root_of_its_own() {
    away(|pool, worker, below| {
        worker.own().root.set(Root::isolated(1));
        let mut root = Root::NONE;
        let to_root = &mut root;
        let body = move || *to_root = Worker::current().unwrap().own().root.get();
        // SAFETY: it runs in this frame.
        let job = unsafe { HeapJob::boxed(Root::NONE, body) };
        assert!(pool.seats[0].mail.push(job));
        assert!(worker.read_mail_below());
        assert!(root.is_isolated() && root != Root::isolated(1));
        assert_eq!(below.own().root.get(), Root::NONE);
    });
}

/// A job that is mail for a thread which stands in elsewhere forks while another thread has the lists locked. The child goes on from there and takes no lock.
#[test]
fn a_child_that_is_born_in_mail_below_takes_no_lock() {
    watch_forks();
    let pool = away(|pool, worker, _| {
        // A thread that puts a right down has to look for a sleeper, for which it locks the lists.
        // SAFETY: it borrows nothing.
        pool.inject(unsafe { HeapJob::boxed(Root::NONE, || ()) });
        assert!(pool.note_miss());
        // To lock, when that is done, and when the fork is.
        let step = &Barrier::new(2);
        let mut child = -1;
        thread::scope(|threads| {
            threads.spawn(|| {
                step.wait();
                let locked = pool.sleepers.lock();
                step.wait();
                step.wait();
                drop(locked);
            });
            let (to_child, other) = (&mut child, worker.pool());
            let body = move || {
                // Another thread has the right that this one put down, until the fork is done.
                assert!(other.rights.take_this(0));
                step.wait();
                step.wait();
                // SAFETY: the child is this one thread, and ends with `_exit`.
                *to_child = unsafe { libc::fork() };
                if *to_child == 0 {
                    // If it is stuck, this ends it.
                    // SAFETY: it has no preconditions.
                    unsafe { libc::alarm(20) };
                } else {
                    other.rights.put(0);
                    step.wait();
                }
            };
            // SAFETY: it runs in this frame.
            let job = unsafe { HeapJob::boxed(Root::NONE, body) };
            assert!(pool.seats[0].mail.push(job));
            assert!(worker.read_mail_below());
            if child == 0 {
                // It looks for work as before.
                assert_eq!(worker.own().number(), Some(0));
                assert!(worker.find(None, None).is_none());
                // SAFETY: it has no preconditions.
                unsafe { libc::_exit(0) };
            }
        });
        let mut status = -1;
        // SAFETY: `status` is ours.
        let ended = unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!((ended, status), (child, 0), "how the child ended");
    });
    // What was to be looked for.
    let job = pool.take_injected(None, false).expect("no thread took it");
    // SAFETY: just taken out of a queue, and no other thread is there.
    unsafe { pool.run(job, 0) };
}

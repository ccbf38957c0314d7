//! Threads wait for a pool that is stuck, each inside an isolated call of its own, and are called one after the other to do their parts there. A part may be what
//! all others wait for. So no call may be lost, whatever the thread that is called does by then.

use super::{Event, check, in_waits, pool, until};
use crate::core::guest::install;
use crate::core::job::{HeapJob, JobRef};
use crate::core::pool::Pool;
use crate::core::root::Root;
use crate::core::worker::Worker;
use loom::thread::{self, JoinHandle};
use std::sync::Arc;

/// A detached job that descends from an isolated call.
pub(super) fn isolated(root: Root, body: impl FnOnce() + Send + 'static) -> JobRef {
    // SAFETY: it borrows nothing.
    unsafe { HeapJob::boxed(root, body) }
}

/// A pool of `threads` threads, which have their rights in hand. None of them is there: `get_stuck` says that they sleep now.
pub(super) fn busy(threads: usize) -> Arc<Pool> {
    pool(threads)
}

/// All threads of the pool fall asleep, each inside an isolated call of its own.
pub(super) fn get_stuck(pool: &Pool) {
    (0..pool.num_threads()).for_each(|number| pool.put_down(number));
}

/// A thread that is alone in its pool, inside an isolated call.
pub(super) struct Caller {
    pool: Arc<Pool>,
    thread: JoinHandle<()>,
}

impl Caller {
    pub(super) fn new(root: Root, call: impl FnOnce() + Send + 'static) -> Caller {
        let pool = pool(1);
        let thread = thread::spawn({
            let pool = Arc::clone(&pool);
            move || {
                // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
                let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
                sitting.worker().own().root.set(root);
                call();
                sitting.rise().inspect(|&number| pool.put_down(number));
            }
        });
        Caller { pool, thread }
    }

    /// It sleeps inside its wait, the innermost if there are more, and has put its right down.
    pub(super) fn until_asleep(&self) {
        until(|| in_waits(&self.pool) == 1 && self.pool.rights.free() == 1);
    }

    /// A job of its call wakes it, and blocks until the first event happens. Then the second one happens, and the thread falls asleep again.
    fn wakes(&self, root: Root) -> (Event, Event) {
        let (began, go, went) = (Event::new(), Event::new(), Event::new());
        self.pool.inject(isolated(root, {
            let (began, go, went) = (began.clone(), go.clone(), went.clone());
            move || {
                began.happen();
                go.wait();
                went.happen();
            }
        }));
        began.wait();
        (go, went)
    }

    pub(super) fn end(self) {
        self.thread.join().unwrap();
        assert_eq!(in_waits(&self.pool), 0);
        all_are_back(&self.pool);
    }
}

/// All rights of a pool are free or held back, and so are the numbers to spare.
fn all_are_back(pool: &Pool) {
    let held_back = pool.sleepers.lock().held_back();
    assert_eq!(pool.rights.free() + held_back, pool.num_threads());
    assert_eq!(pool.rights.count_in_use(), 0);
}

/// Takes the only number to spare of a pool.
fn take_spare(pool: &Pool) -> usize {
    let spare = pool.take_spare(&mut pool.sleepers.lock());
    spare.expect("no thread has it")
}

/// Runs the job of that call that was left in the pool, if there is one.
pub(super) fn clear(pool: &Pool, root: Root) {
    pool.take_injected(Some(root), true).inspect(|&job| {
        // SAFETY: just taken out of a queue.
        unsafe { pool.run(job, 0) };
    });
}

/// Nothing is left in a pool that was stuck: no work, no thread, and no wait for it.
pub(super) fn finish(stuck: &Pool) {
    assert!(!stuck.has_injected(), "work was left behind");
    all_are_back(stuck);
    assert_eq!(stuck.sleepers.lock().callers(), 0);
}

/// The first thread that is called finds no right in its own pool, where another thread has it, and gives it back only when the second one has done its part.
#[test]
fn caller_without_a_right_keeps_no_other_one_from_being_called() {
    check("a caller in line for a right", 2, || {
        loom::stop_exploring();
        let (stuck, done) = (busy(1), Event::new());
        let first = Caller::new(Root::isolated(1), {
            let stuck = Arc::clone(&stuck);
            move || install(&stuck, |_, _| ())
        });
        first.until_asleep();
        // Nor is a number to spare left for it.
        let other = Arc::clone(&first.pool);
        let spare = take_spare(&other);
        let second = Caller::new(Root::isolated(2), {
            let (stuck, done) = (Arc::clone(&stuck), done.clone());
            move || install(&stuck, |_, _| done.happen_at_last())
        });
        second.until_asleep();
        loom::explore();
        let inner = done.clone();
        let thread = thread::spawn(move || {
            let right = other.try_take(None);
            inner.wait();
            right.inspect(|&number| other.put_down(number));
            other.put_down(spare);
        });
        get_stuck(&stuck);
        done.wait();
        loom::stop_exploring();
        thread.join().unwrap();
        second.end();
        first.end();
        finish(&stuck);
    });
}

/// Runs one job of `root`, if there is one.
fn help_with(worker: Worker<'_>, root: Root) -> bool {
    worker.own().root.set(root);
    worker.help()
}

/// The first thread is chosen when its wait is over, and is in another one, of the same call, when it is called.
#[test]
fn caller_that_leaves_has_another_one_called() {
    check("a caller that leaves", 2, || {
        loom::stop_exploring();
        let (stuck, done) = (busy(1), Event::new());
        // It waits for another pool after that; nothing is left to it there.
        let elsewhere = busy(1);
        let root = Root::isolated(1);
        let first = Caller::new(root, {
            let (stuck, elsewhere) = (Arc::clone(&stuck), Arc::clone(&elsewhere));
            move || {
                install(&stuck, |_, _| ());
                install(&elsewhere, |_, _| ());
            }
        });
        first.until_asleep();
        let second = Caller::new(Root::isolated(2), {
            let (stuck, done) = (Arc::clone(&stuck), done.clone());
            move || install(&stuck, |_, _| done.happen_at_last())
        });
        second.until_asleep();
        loom::explore();
        {
            // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
            let sitting = unsafe { Worker::sit(stuck.seats[0].own_desk(), 0) };
            assert!(help_with(sitting.worker(), root));
            // More of the same call, for which another one of its threads waits.
            stuck.inject(isolated(root, || ()));
            drop(sitting);
        }
        get_stuck(&stuck);
        done.wait();
        loom::stop_exploring();
        {
            // SAFETY: as above.
            let sitting = unsafe { Worker::sit(elsewhere.seats[0].own_desk(), 0) };
            assert!(help_with(sitting.worker(), root));
        }
        second.end();
        first.end();
        clear(&stuck, root);
        finish(&stuck);
    });
}

/// The first thread waits for two pools, and is called by both. It does its part in the inner one, and that waits for the second thread's part in the outer one.
#[test]
fn caller_that_stands_in_elsewhere_has_another_one_called() {
    check("a caller that stands in elsewhere", 2, || {
        loom::stop_exploring();
        let (outer, inner, done) = (busy(1), busy(1), Event::new());
        let root = Root::isolated(1);
        let first = Caller::new(root, {
            let outer = Arc::clone(&outer);
            move || install(&outer, |_, _| ())
        });
        first.until_asleep();
        first.pool.inject(isolated(root, {
            let (inner, done) = (Arc::clone(&inner), done.clone());
            move || install(&inner, |_, _| done.wait())
        }));
        until(|| inner.sleepers.lock().callers() == 1);
        first.until_asleep();
        let second = Caller::new(Root::isolated(2), {
            let (outer, done) = (Arc::clone(&outer), done.clone());
            move || install(&outer, |_, _| done.happen_at_last())
        });
        second.until_asleep();
        loom::explore();
        get_stuck(&outer);
        get_stuck(&inner);
        done.wait();
        loom::stop_exploring();
        second.end();
        first.end();
        finish(&outer);
        finish(&inner);
    });
}

/// The first thread is called just when it falls asleep, and finds a job in its own pool, which waits for the second thread's part.
#[test]
fn caller_that_finds_work_has_another_one_called() {
    check("a caller that finds work", 2, || {
        loom::stop_exploring();
        let (stuck, done) = (busy(1), Event::new());
        let root = Root::isolated(1);
        let first = Caller::new(root, {
            let stuck = Arc::clone(&stuck);
            move || install(&stuck, |_, _| ())
        });
        first.until_asleep();
        let second = Caller::new(Root::isolated(2), {
            let (stuck, done) = (Arc::clone(&stuck), done.clone());
            move || install(&stuck, |_, _| done.happen_at_last())
        });
        second.until_asleep();
        let (go, went) = first.wakes(root);
        loom::explore();
        go.happen();
        went.wait();
        get_stuck(&stuck);
        let inner = done.clone();
        first.pool.inject(isolated(root, move || inner.wait()));
        done.wait();
        loom::stop_exploring();
        second.end();
        first.end();
        finish(&stuck);
    });
}

/// The part of the first thread waits for that of the second one, and there are rights for both.
#[test]
fn callers_whose_parts_wait_for_each_other_are_called_both() {
    check("two callers side by side", 3, || {
        loom::stop_exploring();
        let (stuck, done) = (busy(2), Event::new());
        let first = Caller::new(Root::isolated(1), {
            let (stuck, done) = (Arc::clone(&stuck), done.clone());
            move || install(&stuck, |_, _| done.wait())
        });
        first.until_asleep();
        let second = Caller::new(Root::isolated(2), {
            let (stuck, done) = (Arc::clone(&stuck), done.clone());
            move || install(&stuck, |_, _| done.happen_at_last())
        });
        second.until_asleep();
        loom::explore();
        get_stuck(&stuck);
        done.wait();
        loom::stop_exploring();
        second.end();
        first.end();
        finish(&stuck);
    });
}

/// The only thread of a pool waits for another pool inside an isolated call, with a lock held. A thread stands in under its right, and waits for that lock.
#[test]
fn caller_that_wants_a_lock_does_not_keep_its_holder_asleep() {
    check("a lock across a wait", 3, || {
        loom::stop_exploring();
        let (elsewhere, unlocked) = (busy(1), Event::new());
        let holds = Root::isolated(1);
        let holder = Caller::new(holds, {
            let (elsewhere, unlocked) = (Arc::clone(&elsewhere), unlocked.clone());
            move || {
                install(&elsewhere, |_, _| ());
                unlocked.happen();
            }
        });
        holder.until_asleep();
        let stuck = Arc::clone(&holder.pool);
        loom::explore();
        let caller = Caller::new(Root::isolated(2), {
            let (stuck, unlocked) = (Arc::clone(&stuck), unlocked.clone());
            move || install(&stuck, |_, _| unlocked.wait())
        });
        {
            // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
            let sitting = unsafe { Worker::sit(elsewhere.seats[0].own_desk(), 0) };
            assert!(help_with(sitting.worker(), holds));
        }
        unlocked.wait();
        loom::stop_exploring();
        caller.end();
        holder.end();
        finish(&stuck);
    });
}

/// A thread goes on after a wait, and all have their rights in hand. Another one has the only number to spare, and gives it back.
#[test]
fn caller_that_finds_no_number_to_spare_gets_the_next_one() {
    check("a number to spare that is handed over", 3, || {
        let stuck = busy(2);
        let spare = take_spare(&stuck);
        let thread = thread::spawn({
            let stuck = Arc::clone(&stuck);
            move || {
                let number = stuck.take_right_to_go_on(stuck.seats[1].own_desk(), false);
                assert_eq!(number, spare);
                stuck.put_down(number);
            }
        });
        stuck.put_down(spare);
        thread.join().unwrap();
        loom::stop_exploring();
        get_stuck(&stuck);
        finish(&stuck);
    });
}

//! Threads wait, each bound to an isolated root of its own: what is made public for one of them reaches it, whichever other thread is awake.

use super::{Event, Foreign, asleep, check, finish, in_waits, job, run_on, until};
use crate::core::job::{HeapJob, JobRef};
use crate::core::pool::Pool;
use crate::core::root::Root;
use crate::core::worker::Worker;
use loom::thread::{self, JoinHandle};
use std::sync::Arc;

fn root(count: usize) -> Root {
    Root::isolated(count as u64 + 1)
}

/// A detached job that descends from an isolated call.
fn isolated(count: usize, body: impl FnOnce() + Send + 'static) -> JobRef {
    // SAFETY: it borrows nothing.
    unsafe { HeapJob::boxed(root(count), body) }
}

/// Threads of a pool that wait for something, the others asleep.
struct Waiting {
    pool: Arc<Pool>,
    threads: Vec<JoinHandle<()>>,
    latches: Vec<Arc<Foreign>>,
}

impl Waiting {
    /// A pool of `workers` threads, of which those of the numbers `bound` sleep in a wait, each bound to its own root. How they got there is not
    /// explored.
    fn new(bound: &[usize], workers: usize) -> Waiting {
        Waiting::under(root, bound, workers)
    }

    /// The same; `root` tells the roots, by the places in `bound`. Those that are not isolated are guests' roots.
    fn under(root: fn(usize) -> Root, bound: &[usize], workers: usize) -> Waiting {
        let (pool, threads) = asleep(workers);
        loom::stop_exploring();
        let latches: Vec<_> = bound.iter().map(|_| Foreign::new()).collect();
        for (count, (latch, &number)) in latches.iter().zip(bound).enumerate() {
            let latch = Arc::clone(latch);
            run_on(&pool, number, move || {
                let worker = Worker::current().unwrap();
                let before = worker.own().root.replace(root(count));
                worker.own().guest.set(!root(count).is_isolated());
                latch.wait(worker);
                worker.own().guest.set(false);
                worker.own().root.set(before);
            });
            until(|| in_waits(&pool) == count + 1);
        }
        until(|| pool.idle.counts().searching() == 0);
        loom::explore();
        Waiting {
            pool,
            threads,
            latches,
        }
    }

    fn end(self) {
        loom::stop_exploring();
        self.latches.iter().for_each(|latch| latch.set());
        finish(&self.pool, self.threads);
    }
}

/// The second waiter is woken for its own work, and counts as one that searches; its work blocks on that of the first one.
#[test]
fn bound_searcher_does_not_keep_another_bound_waiter_asleep() {
    check("two bound waiters", 2, || {
        let waiting = Waiting::new(&[0, 1], 2);
        let done = Event::new();
        let (one, two) = (done.clone(), done.clone());
        waiting.pool.inject(isolated(1, move || one.wait()));
        waiting
            .pool
            .inject(isolated(0, move || two.happen_at_last()));
        done.wait();
        waiting.end();
    });
}

/// A bound waiter is woken for its own work, which blocks on work that it must not run: the thread that sleeps for want of work has to come.
#[test]
fn bound_searcher_does_not_keep_a_free_thread_asleep() {
    check("a bound waiter and a free thread", 3, || {
        let waiting = Waiting::new(&[0], 2);
        let done = Event::new();
        let (one, two) = (done.clone(), done.clone());
        waiting.pool.inject(isolated(0, move || one.wait()));
        waiting.pool.inject(job(move || two.happen_at_last()));
        done.wait();
        waiting.end();
    });
}

/// A free thread is woken when isolated work comes in, but finds something else first, which blocks on the isolated work.
#[test]
fn free_thread_that_finds_something_else_leaves_no_bound_waiter_asleep() {
    check("a free thread finds something else", 2, || {
        let waiting = Waiting::new(&[1], 3);
        loom::stop_exploring();
        let (go, done) = (Event::new(), Event::new());
        let (started, inner, last) = (Event::new(), go.clone(), done.clone());
        let begun = started.clone();
        run_on(&waiting.pool, 2, move || {
            begun.happen();
            inner.wait();
            // Only the free thread can take this: here a thread blocks.
            let two = last.clone();
            Worker::current().unwrap().spawn(job(move || two.wait()));
            last.wait();
        });
        started.wait();
        loom::explore();
        let one = done.clone();
        waiting
            .pool
            .inject(isolated(0, move || one.happen_at_last()));
        go.happen();
        done.wait();
        waiting.end();
    });
}

/// A thread puts the only right down, and is to make up for a wake-up that found none. When it counts the free rights, a guest that was let in before the work came has that
/// right for a moment. Either the guest has to see that there is something to make up for, or the thread that the right is back.
#[test]
fn right_that_is_away_when_it_is_counted_is_made_up_for() {
    check("a right that is away when it is counted", 3, || {
        // A guest's root: bound to an isolated call, the thread would go on without a right, and there would be nothing to make up for.
        let root = Root::new(1, 1);
        let waiting = Waiting::under(|_| Root::new(1, 1), &[0], 1);
        loom::stop_exploring();
        let (go, done) = (Event::new(), Event::new());
        until(|| waiting.pool.rights.any());
        let number = waiting.pool.rights.take_last().unwrap();
        assert!(!waiting.pool.note_miss(), "this thread has the only right");
        let inner = done.clone();
        // SAFETY: it borrows nothing.
        let job = unsafe { HeapJob::boxed(root, move || inner.happen_at_last()) };
        waiting.pool.inject(job);
        let guest = thread::spawn({
            let (pool, go) = (Arc::clone(&waiting.pool), go.clone());
            move || {
                go.wait();
                if let Some(number) = pool.rights.take_last() {
                    thread::yield_now();
                    pool.put_down(number);
                }
            }
        });
        loom::explore();
        go.happen();
        waiting.pool.put_down(number);
        done.wait();
        loom::stop_exploring();
        guest.join().unwrap();
        waiting.end();
    });
}

/// All that have rights wait for what a thread does that is bound to an isolated call, and there is work of that call. The thread does it without a right.
#[test]
fn work_of_a_call_is_done_without_a_right() {
    check("work of an isolated call, and no right", 2, || {
        let waiting = Waiting::new(&[0], 1);
        loom::stop_exploring();
        let done = Event::new();
        until(|| waiting.pool.rights.any());
        let number = waiting.pool.rights.take_last().unwrap();
        loom::explore();
        let inner = done.clone();
        waiting
            .pool
            .inject(isolated(0, move || inner.happen_at_last()));
        done.wait();
        loom::stop_exploring();
        waiting.pool.put_down(number);
        waiting.end();
    });
}

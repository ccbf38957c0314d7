//! Two threads wait, each bound to an isolated root of its own: what is made public for one of them reaches it, whoever else is awake.

use super::{Event, Foreign, asleep, check, finish, job};
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
    /// A pool of `workers` threads, of which the first `bound` sleep in a wait, each bound to its own root. How they got there is not explored.
    fn new(bound: usize, workers: usize) -> Waiting {
        let (pool, threads) = asleep(workers);
        loom::stop_exploring();
        let latches: Vec<_> = (0..bound).map(|_| Foreign::new()).collect();
        for (count, latch) in latches.iter().enumerate() {
            let latch = Arc::clone(latch);
            // Whoever waits already is bound to another root, so it is the next seat that takes it.
            pool.inject(job(move || {
                let worker = Worker::current().unwrap();
                let before = worker.own().root.replace(root(count));
                worker.wait(&latch.0);
                worker.own().root.set(before);
            }));
            while pool.seats[count].word.name() != "asleep in a wait" {
                thread::yield_now();
            }
        }
        while pool.idle.counts().searching() > 0 {
            thread::yield_now();
        }
        loom::explore();
        Waiting {
            pool,
            threads,
            latches,
        }
    }

    fn end(self) {
        loom::stop_exploring();
        for (seat, latch) in self.latches.iter().enumerate() {
            latch.set(&self.pool, seat);
        }
        finish(&self.pool, self.threads);
    }
}

/// The second waiter is woken for its own work, and counts as one that searches; its work blocks on that of the first one.
#[test]
fn bound_searcher_does_not_keep_another_bound_waiter_asleep() {
    check("two bound waiters", 2, || {
        let waiting = Waiting::new(2, 2);
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
    check("a bound waiter and a free thread", 2, || {
        let waiting = Waiting::new(1, 2);
        let done = Event::new();
        let (one, two) = (done.clone(), done.clone());
        waiting.pool.inject(isolated(0, move || one.wait()));
        waiting.pool.inject(job(move || two.happen_at_last()));
        done.wait();
        waiting.end();
    });
}

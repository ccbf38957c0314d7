//! The models, and what they share.

mod above;
mod active;
mod bridge;
mod called_from_inside;
mod callers;
mod deliver;
mod deque;
mod event_ring;
mod fifo;
mod guest;
mod handle;
mod isolate;
mod latch;
mod panics;
mod patience;
mod pools;
mod scope;
mod sleep;
mod stop;
mod wait;
mod wait_list;

use crate::core::desk::Desk;
use crate::core::job::{HeapJob, JobRef};
use crate::core::latch::Latch;
use crate::core::pool::{Handlers, Pool};
use crate::core::root::Root;
use crate::core::visit::Visit;
use crate::core::worker::Worker;
use crate::sync::{Condvar, Mutex, lock};
use loom::cell::UnsafeCell;
use loom::thread::{self, JoinHandle};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// Runs `model` under all schedules with at most `preemptions` switches that no thread asked for.
fn check(name: &str, preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let schedules = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&schedules);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(preemptions));
    builder.max_branches = 10_000;
    builder.check(move || {
        count.fetch_add(1, Ordering::Relaxed);
        model();
    });
    eprintln!("{name}: {} schedules", schedules.load(Ordering::Relaxed));
}

/// A pool with `workers` threads, of which none is started yet.
fn pool(workers: usize) -> Arc<Pool> {
    pool_that_takes(workers, false)
}

/// The same; `oldest_first` says in which order a thread takes its own jobs.
fn pool_that_takes(workers: usize, oldest_first: bool) -> Arc<Pool> {
    let pool = Pool::new(workers, 0, Handlers::default(), true, oldest_first);
    // SAFETY: every model joins all its threads before it drops the pool.
    unsafe { crate::core::global::set(&*pool) };
    pool
}

/// Starts the thread of number `index`, as the builder does.
fn start(pool: &Arc<Pool>, index: usize) -> JoinHandle<()> {
    let pool = Arc::clone(pool);
    thread::spawn(move || {
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[index].own_desk(), index) };
        let worker = sitting.worker();
        worker.run_until_stopped();
        drop(sitting);
    })
}

/// A pool whose `workers` threads are all asleep. How they got there is not explored; other models do that.
fn asleep(workers: usize) -> (Arc<Pool>, Vec<JoinHandle<()>>) {
    loom::stop_exploring();
    let pool = pool(workers);
    let threads = (0..workers).map(|index| start(&pool, index)).collect();
    until(|| pool.sleepers.lock().counts()[0] == workers);
    loom::explore();
    (pool, threads)
}

/// The same, but the last worker is only on its way: it looks for work, and falls asleep, while the model runs.
fn all_but_one_asleep(workers: usize) -> (Arc<Pool>, Vec<JoinHandle<()>>) {
    loom::stop_exploring();
    let pool = pool(workers);
    let mut threads: Vec<_> = (1..workers).map(|index| start(&pool, index - 1)).collect();
    until(|| pool.sleepers.lock().counts()[0] == workers - 1);
    loom::explore();
    threads.push(start(&pool, workers - 1));
    (pool, threads)
}

/// Wakes the worker of a number, which sleeps, for a job that no other worker takes.
fn run_on(pool: &Pool, number: usize, body: impl FnOnce() + Send + 'static) {
    assert!(pool.seats[number].mail.push(job(body)));
    pool.call_for_mail(number);
}

/// Lets the other threads go on until something is so.
fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        thread::yield_now();
    }
}

/// How many threads of the pool sleep inside a wait.
fn in_waits(pool: &Pool) -> usize {
    pool.sleepers.lock().counts()[1]
}

/// [`finish`], for models that are about something else.
fn stop(pool: &Pool, threads: Vec<JoinHandle<()>>) {
    loom::stop_exploring();
    finish(pool, threads);
}

/// Stops the pool. Its threads have to end with nothing left over, and with the counts of idle threads at 0.
fn finish(pool: &Pool, threads: Vec<JoinHandle<()>>) {
    pool.release();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    let left = pool.has_injected() || pool.all_desks().iter().any(|desk| !desk.thief.is_empty());
    assert!(!left, "work was left behind");
    let counts = pool.idle.counts();
    assert_eq!(
        (counts.searching(), counts.asleep()),
        (0, 0),
        "(searching, asleep)"
    );
    assert_eq!(pool.idle.hungry(), 0);
}

/// A detached job.
fn job(body: impl FnOnce() + Send + 'static) -> JobRef {
    // SAFETY: it borrows nothing.
    unsafe { HeapJob::boxed(Root::NONE, body) }
}

/// Something that happens once, and for which threads wait without helping, as user code does.
#[derive(Clone)]
struct Event(Arc<Happening>);

struct Happening {
    happened: Mutex<bool>,
    bell: Condvar,
    times: UnsafeCell<u32>,
}

// SAFETY: the cell is loom's, which reports what is not synchronised.
unsafe impl Sync for Happening {}

impl Event {
    fn new() -> Self {
        Event(Arc::new(Happening {
            happened: Mutex::new(false),
            bell: Condvar::new(),
            times: UnsafeCell::new(0),
        }))
    }

    fn happen(&self) {
        // SAFETY: checked by loom.
        self.0.times.with_mut(|times| unsafe { *times += 1 });
        *lock(&self.0.happened) = true;
        self.0.bell.notify_all();
    }

    /// [`Event::happen`], if nothing that matters comes after it: the rest of the schedule is not explored.
    fn happen_at_last(&self) {
        loom::skip_branch();
        self.happen();
    }

    /// Blocks until it happened; it must not happen twice.
    fn wait(&self) {
        let mut happened = lock(&self.0.happened);
        while !*happened {
            happened = self.0.bell.wait(happened).unwrap();
        }
        drop(happened);
        // SAFETY: checked by loom.
        self.0.times.with(|times| assert_eq!(unsafe { *times }, 1));
    }
}

/// Something that a job writes, and that another thread reads after it has waited for that job.
struct Slot(UnsafeCell<u32>);

// SAFETY: the cell is loom's, which reports what is not synchronised.
unsafe impl Sync for Slot {}

impl Slot {
    fn new() -> Self {
        Slot(UnsafeCell::new(0))
    }

    fn write(&self) {
        // SAFETY: checked by loom.
        self.0.with_mut(|times| unsafe { *times += 1 });
    }

    fn assert_written(&self) {
        // SAFETY: checked by loom.
        self.0
            .with(|times| assert_eq!(unsafe { *times }, 1, "a job did not run once"));
    }
}

/// A latch that a thread of another pool sets, as `install` from one pool into another does.
struct Foreign {
    latch: Latch,
    /// The desk of the thread that waits. No part of what is checked.
    waits: AtomicPtr<Desk>,
}

impl Foreign {
    fn new() -> Arc<Self> {
        Arc::new(Foreign {
            latch: Latch::new(),
            waits: AtomicPtr::default(),
        })
    }

    /// Says which thread will wait. Has to come before [`Foreign::set`].
    fn announce(&self, worker: Worker<'_>) {
        let desk = std::ptr::from_ref(worker.desk());
        self.waits.store(desk.cast_mut(), Ordering::SeqCst);
    }

    fn wait(&self, worker: Worker<'_>) {
        self.announce(worker);
        worker.wait(&self.latch);
    }

    fn set(&self) {
        let desk = self.waits.load(Ordering::SeqCst);
        // SAFETY: the Arc keeps the latch.
        if unsafe { Latch::set(&self.latch) } {
            // SAFETY: it slept, so it is known, and every model keeps its pools.
            let desk = unsafe { &*desk };
            Pool::of(desk).end_wait(desk);
        }
    }
}

/// In a job of `pool`: makes a job public and blocks, as user code may, until it was run. So another thread has to run it.
fn push_and_block(pool: &Pool, done: &Event) {
    let worker = Worker::current().expect("jobs run at desks");
    assert!(std::ptr::eq(worker.pool(), pool));
    let inner = done.clone();
    worker.spawn(job(move || inner.happen_at_last()));
    done.wait();
}

/// A call from outside that only comes and goes.
fn visit(pool: &Pool) -> bool {
    Visit::begin(pool).is_some()
}

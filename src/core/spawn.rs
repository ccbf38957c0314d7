//! `spawn`: jobs that no call waits for. `yield_now`: runs one job of the pool in the middle of other work.

use super::current_pool::{current_pool, entered_root_in};
use super::global::living;
use super::gone::Entry;
use super::job::{Borrowed, HeapJob, JobRef};
use super::meter;
use super::pool::Pool;
use super::root::Root;
use super::visit::run_queued;
use super::worker::Worker;
use crate::sync::{self, planted};
use std::ptr;

/// Starts `func` in the background, on some thread of the current pool (from outside: the global one).
///
/// The call does not wait for the job, so the job may not borrow. The thread that spawned it runs it when it has nothing else to do, the
/// newest job first. Other threads may steal it. To wait for jobs, use a [`scope`](crate::scope). For the result of a job, use
/// [`spawn_handle`](crate::ext::spawn_handle).
///
/// Allocates once.
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// filch::spawn(move || sender.send(6 * 7).unwrap());
/// assert_eq!(receiver.recv(), Ok(42));
/// ```
///
/// A panic of `func` goes to the pool's [panic handler](crate::ThreadPoolBuilder::panic_handler), or ends the process if there is none.
#[doc(alias("task", "go"))]
pub fn spawn<F>(func: F)
where
    F: FnOnce() + Send + 'static,
{
    spawn_in(current_pool(), func);
}

/// [`spawn`], but a thread runs the jobs that it spawned in this way oldest first. Inside [`isolate`](crate::isolate) it is the same as `spawn`.
///
/// Allocates once. A panic of `func` is treated as in [`spawn`].
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// filch::spawn_fifo(move || sender.send(6 * 7).unwrap());
/// assert_eq!(receiver.recv(), Ok(42));
/// ```
pub fn spawn_fifo<F>(func: F)
where
    F: FnOnce() + Send + 'static,
{
    spawn_fifo_in(current_pool(), func);
}

/// Returns where the job is, if it is in the queue of the calling thread.
pub(crate) fn spawn_in(pool: &Pool, func: impl FnOnce() + Send + 'static) -> Option<Entry> {
    push::<true>(pool, func, |worker, job| worker.spawn(job))
}

/// [`spawn_in`], for what is no part of the call that spawns it, and brings the context of its own work along: nothing follows it beside that.
pub(crate) fn spawn_apart(pool: &Pool, func: impl FnOnce() + Send + 'static) {
    push::<false>(pool, func, |worker, job| worker.spawn(job));
}

/// [`spawn_apart`], behind all jobs that the calling thread has spawned: into the queue that jobs from outside go to.
pub(crate) fn spawn_behind(pool: &Pool, func: impl FnOnce() + Send + 'static) {
    push::<false>(pool, func, |worker, job| worker.pool().inject(job));
}

pub(crate) fn spawn_fifo_in(pool: &Pool, func: impl FnOnce() + Send + 'static) {
    push::<true>(pool, func, |worker, job| {
        if worker.own().root.get().may_hold_a_lock() {
            // A place in the queue belongs to no call, so an isolated thread would not find the job that it waits for.
            worker.spawn(job);
        } else {
            worker.spawn(worker.desk().fifo.push(job));
        }
    });
}

/// `BELONGS`: the job is a part of the call that spawns it, and has its context. `place` puts the job into a queue, if the calling thread is at a desk of `pool`.
fn push<const BELONGS: bool>(
    pool: &Pool,
    func: impl FnOnce() + Send + 'static,
    place: impl FnOnce(Worker<'_>, JobRef),
) -> Option<Entry> {
    let pool = living(pool);
    let worker = Worker::current().filter(|worker| ptr::eq(worker.pool(), pool));
    let root = match worker {
        _ if !BELONGS => Root::NONE,
        // A job with a handle does not wait for what it spawns, and that may wait for the job: it must not begin on top of it, or of a thread that joins it.
        Some(worker) => Some(worker.own().root.get())
            .filter(|root| !root.is_of_job())
            .unwrap_or(Root::NONE),
        None => entered_root_in(pool).unwrap_or(Root::NONE),
    };
    pool.keep_alive();
    let begin = meter::here();
    let token = match BELONGS {
        true => pool.handlers.follow.leave(),
        false => 0,
    };
    let here = Borrowed::new(pool);
    let body = move || {
        // SAFETY: the thread that runs this keeps the pool: it is at a desk there, to which it returns. In a child after `fork` the pool is never dropped.
        let pool = unsafe { &*here.get() };
        begin.run(|| {
            pool.catch_detached(|| {
                let _arrived = BELONGS.then(|| pool.handlers.follow.arrive(token));
                func();
            });
            meter::part_ends(meter::DETACHED);
        });
        pool.release();
    };
    // SAFETY: it borrows nothing.
    let job = unsafe { HeapJob::boxed(root, body) };
    let Some(worker) = worker else {
        pool.inject(job);
        run_queued(pool);
        return None;
    };
    let entry = Entry {
        desk: worker.desk_address(),
        job: job.address(),
    };
    place(worker, job);
    Some(entry)
}

/// Whether a yield ran a job: what [`yield_now`] and [`yield_local`] did.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
/// let did = pool.scope(|s| {
///     s.spawn(|_| ());
///     [filch::yield_now(), filch::yield_now()]
/// });
/// assert_eq!(did, [Some(filch::Yield::Executed), Some(filch::Yield::Idle)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// It ran a job.
    Executed,
    /// There was nothing to run.
    Idle,
}

/// Runs one job on the calling thread, if it is a `worker`. If nothing was run, it leaves the processor to another thread that waits for one: a thread
/// that polls would keep it until its time is up, some milliseconds later, even if a thread of the pool needs it to do what is waited for.
pub(crate) fn yield_on(worker: Option<Worker<'_>>, local: bool) -> Option<Yield> {
    let executed = worker.map(|worker| worker.run_one(local));
    if executed == Some(true) {
        return Some(Yield::Executed);
    }
    if !planted!("poll") {
        sync::yield_now();
    }
    executed.map(|_| Yield::Idle)
}

/// Runs one pending job of the current pool, from any queue. `None` if the calling thread is in no pool.
///
/// It is for loops that wait until a job of the pool has done something. If it runs nothing, it lets another thread have the processor, as
/// [`std::thread::yield_now`] does.
///
/// If the thread has no job of its own, it looks through the queues of the others.
///
/// ```
/// assert_eq!(filch::yield_now(), None); // outside any pool
/// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
/// assert_eq!(pool.install(filch::yield_now), Some(filch::Yield::Idle));
/// ```
pub fn yield_now() -> Option<Yield> {
    yield_on(Worker::current(), false)
}

/// Runs one pending job from the calling thread's own queue. `None` if the thread is in no pool.
///
/// If it runs nothing, it lets another thread have the processor, as [`std::thread::yield_now`] does.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
/// pool.install(|| {
///     filch::spawn(|| ());
///     assert_eq!(filch::yield_local(), Some(filch::Yield::Executed));
///     assert_eq!(filch::yield_local(), Some(filch::Yield::Idle));
/// });
/// ```
pub fn yield_local() -> Option<Yield> {
    yield_on(Worker::current(), true)
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::current_thread_has_pending_tasks;
    use crate::core::fresh::{new_isolated_root, new_job_root};
    use crate::core::pool::Handlers;
    use crate::core::visit::Visit;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    /// A job of an isolated call is found by the threads that wait inside; one that a job with a handle spawned may wait for that job.
    #[test]
    fn spawned_jobs_descend_from_their_call_but_not_from_jobs_with_handles() {
        let pool = Pool::new(2, 0, Handlers::default(), false, false);
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let worker = sitting.worker();
        worker.enter_new_root();
        let (plain, isolated) = (worker.own().root.get(), new_isolated_root());
        let root_of = |own: Root, spawn: &dyn Fn()| {
            worker.own().root.set(own);
            spawn();
            let job = worker.desk().thief.steal().expect("it was spawned here");
            // SAFETY: public and alive.
            let root = unsafe { job.tag() }.root;
            // SAFETY: just taken out of a queue of this pool.
            unsafe { pool.run(job, 0) };
            root
        };
        for own in [plain, isolated] {
            assert_eq!(
                root_of(own, &|| {
                    spawn_in(&pool, || ());
                }),
                own
            );
        }
        // What is pushed is a place in the queue of the thread, but where that would hide the job.
        assert_eq!(root_of(plain, &|| spawn_fifo_in(&pool, || ())), Root::NONE);
        assert_eq!(root_of(isolated, &|| spawn_fifo_in(&pool, || ())), isolated);
        assert_eq!(
            root_of(new_job_root(), &|| {
                spawn_in(&pool, || ());
            }),
            Root::NONE
        );
        assert_eq!(root_of(isolated, &|| spawn_apart(&pool, || ())), Root::NONE);
    }

    #[test]
    fn yields_of_both_kinds_run_what_they_say() {
        let pool = Pool::new(2, 0, Handlers::default(), false, false);
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        // SAFETY: it borrows nothing.
        pool.inject(unsafe { HeapJob::boxed(Root::NONE, || ()) });
        assert_eq!(yield_local(), Some(Yield::Idle));
        assert_eq!(current_thread_has_pending_tasks(), Some(false));
        spawn(|| ());
        assert_eq!(current_thread_has_pending_tasks(), Some(true));
        assert_eq!(yield_local(), Some(Yield::Executed));
        assert_eq!(yield_now(), Some(Yield::Executed));
        assert_eq!(yield_now(), Some(Yield::Idle));
        drop(sitting);
        assert_eq!(yield_now(), None);
    }

    /// Where there are no threads, the caller does it, at once or before it leaves.
    #[test]
    fn what_is_spawned_in_a_pool_without_threads_is_done() {
        let pool = Pool::new(0, 0, Handlers::default(), true, false);
        let runs = Arc::new(AtomicUsize::new(0));
        let run = || {
            let runs = Arc::clone(&runs);
            spawn_in(&pool, move || _ = runs.fetch_add(1, SeqCst));
        };
        run();
        assert_eq!(runs.load(SeqCst), 1);
        let visit = Visit::begin(&pool).expect("callers are let in");
        run();
        assert_eq!(runs.load(SeqCst), 1);
        drop(visit);
        assert_eq!(runs.load(SeqCst), 2);
    }
}

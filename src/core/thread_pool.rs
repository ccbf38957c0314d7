//! `ThreadPool`: a pool that the program makes and owns.

use super::active::ActiveThreadsError;
use super::broadcast::{self, BroadcastContext};
use super::global::living;
use super::guest::install;
use super::handle::{JobHandle, spawn_handle_in};
use super::join::join;
use super::join_threads::join_threads;
use super::leaf;
use super::pool::Pool;
use super::scope::{self, Scope, ScopeFifo};
use super::script::{Cuts, Script};
use super::snapshot::{Load, SeatStats};
use super::spawn::{self, Yield};
use super::stats::Stats;
use super::weak_pool::WeakPool;
use super::worker::Worker;
use crate::sync::Arc;
use std::fmt;

/// A pool of threads, apart from the global one.
///
/// Parallel calls inside [`install`](ThreadPool::install) use its threads. When it is dropped, its threads finish the jobs that were
/// spawned, and end. The drop does not wait for that; [`shutdown`](ThreadPool::shutdown) does. A
/// [`ThreadPoolBuilder`](crate::ThreadPoolBuilder) makes one.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// assert_eq!(pool.install(|| filch::join(|| 1, || 2)), (1, 2));
/// ```
#[doc(alias("task_arena", "executor"))]
pub struct ThreadPool {
    pool: Arc<Pool>,
}

impl ThreadPool {
    pub(crate) fn of(pool: Arc<Pool>) -> Self {
        ThreadPool { pool }
    }

    /// Runs `op` on a thread of this pool, waits for it, and returns its result. Parallel calls inside `op` use this pool.
    ///
    /// On a thread of this pool, it is a plain call. A thread of another pool helps its own pool while it
    /// waits. (Inside [`isolate`](crate::isolate) or a [job with a handle](crate::ext::JobHandle) it may run `op` itself, if all threads of this pool wait.) Any other thread sleeps until the result is there. That costs two switches of threads, so put many parallel calls into one `install`.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let (sum, threads) = pool.install(|| ((0..10u64).into_par_iter().sum::<u64>(), filch::current_num_threads()));
    /// assert_eq!((sum, threads), (45, 2));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `op`.
    #[doc(alias("execute"))]
    pub fn install<OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce() -> R + Send,
        R: Send,
    {
        install(&self.pool, |_, _| op())
    }

    /// [`broadcast`](crate::broadcast) on the threads of this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.broadcast(|context| context.index()), [0, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`broadcast`](crate::broadcast).
    pub fn broadcast<OP, R>(&self, op: OP) -> Vec<R>
    where
        OP: Fn(BroadcastContext<'_>) -> R + Sync,
        R: Send,
    {
        broadcast::broadcast_in(&self.pool, op)
    }

    /// How many threads the pool has.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.current_num_threads(), 2);
    /// ```
    #[inline]
    pub fn current_num_threads(&self) -> usize {
        living(&self.pool).num_threads()
    }

    pub(crate) fn weak(&self) -> WeakPool {
        WeakPool::of(&self.pool)
    }

    /// The calling thread, if it is at a desk of this pool.
    fn current_worker(&self) -> Option<Worker<'_>> {
        Worker::current().filter(|worker| std::ptr::eq(worker.pool(), &*self.pool))
    }

    /// The index of the calling thread in this pool, if it is one of its threads.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.current_thread_index(), None);
    /// assert!(pool.install(|| pool.current_thread_index()).is_some_and(|index| index < 2));
    /// ```
    #[inline]
    pub fn current_thread_index(&self) -> Option<usize> {
        self.current_worker().and_then(Worker::user_index)
    }

    /// Whether the calling thread, if it is one of this pool's, has jobs in its own queue.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.current_thread_has_pending_tasks(), None);
    /// assert_eq!(pool.install(|| pool.current_thread_has_pending_tasks()), Some(false));
    /// ```
    #[inline]
    pub fn current_thread_has_pending_tasks(&self) -> Option<bool> {
        self.current_worker()
            .map(|worker| !worker.own().deque.is_empty())
    }

    /// [`join`](crate::join) inside this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`join`](crate::join).
    pub fn join<A, B, RA, RB>(&self, oper_a: A, oper_b: B) -> (RA, RB)
    where
        A: FnOnce() -> RA + Send,
        B: FnOnce() -> RB + Send,
        RA: Send,
        RB: Send,
    {
        self.install(|| join(oper_a, oper_b))
    }

    /// [`scope`](crate::scope) inside this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let mut text = String::new();
    /// pool.scope(|s| s.spawn(|_| text.push_str("done")));
    /// assert_eq!(text, "done");
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scope`](crate::scope).
    pub fn scope<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&Scope<'scope>) -> R + Send,
        R: Send,
    {
        self.install(|| scope::scope(op))
    }

    /// [`scope_fifo`](crate::scope_fifo) inside this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let mut text = String::new();
    /// pool.scope_fifo(|s| s.spawn_fifo(|_| text.push_str("done")));
    /// assert_eq!(text, "done");
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scope`](crate::scope).
    pub fn scope_fifo<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&ScopeFifo<'scope>) -> R + Send,
        R: Send,
    {
        self.install(|| scope::scope_fifo(op))
    }

    /// [`in_place_scope`](crate::in_place_scope), whose jobs run in this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let mut text = String::new();
    /// let here = std::thread::current().id();
    /// pool.in_place_scope(|s| {
    ///     assert_eq!(std::thread::current().id(), here); // the body stays on the caller
    ///     s.spawn(|_| text.push_str("done"));
    /// });
    /// assert_eq!(text, "done");
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scope`](crate::scope).
    pub fn in_place_scope<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&Scope<'scope>) -> R,
    {
        scope::in_place_scope_in(&self.pool, op)
    }

    /// [`in_place_scope_fifo`](crate::in_place_scope_fifo), whose jobs run in this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let mut text = String::new();
    /// pool.in_place_scope_fifo(|s| s.spawn_fifo(|_| text.push_str("done")));
    /// assert_eq!(text, "done");
    /// ```
    ///
    /// # Panics
    ///
    /// As [`scope`](crate::scope).
    pub fn in_place_scope_fifo<'scope, OP, R>(&self, op: OP) -> R
    where
        OP: FnOnce(&ScopeFifo<'scope>) -> R,
    {
        scope::in_place_scope_fifo_in(&self.pool, op)
    }

    /// [`spawn`](crate::spawn) into this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// pool.spawn(move || sender.send(7).unwrap());
    /// assert_eq!(receiver.recv(), Ok(7));
    /// ```
    pub fn spawn<OP>(&self, op: OP)
    where
        OP: FnOnce() + Send + 'static,
    {
        spawn::spawn_in(&self.pool, op);
    }

    /// Starts `op` in the background, as [`spawn`](Self::spawn) does, and returns a handle to its result: to be joined, awaited or cancelled.
    /// Three allocations per job.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let job = pool.spawn_handle(|| 6 * 7);
    /// assert_eq!(job.join().unwrap(), 42);
    /// ```
    pub fn spawn_handle<OP, R>(&self, op: OP) -> JobHandle<R>
    where
        OP: FnOnce() -> R + Send + 'static,
        R: Send + 'static,
    {
        spawn_handle_in(&self.pool, op)
    }

    /// [`spawn_fifo`](crate::spawn_fifo) into this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// pool.spawn_fifo(move || sender.send(7).unwrap());
    /// assert_eq!(receiver.recv(), Ok(7));
    /// ```
    pub fn spawn_fifo<OP>(&self, op: OP)
    where
        OP: FnOnce() + Send + 'static,
    {
        spawn::spawn_fifo_in(&self.pool, op);
    }

    /// [`spawn_broadcast`](crate::spawn_broadcast) on the threads of this pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// pool.spawn_broadcast(move |context| sender.send(context.index()).unwrap());
    /// let mut indices: Vec<usize> = receiver.iter().collect();
    /// indices.sort();
    /// assert_eq!(indices, [0, 1]);
    /// ```
    pub fn spawn_broadcast<OP>(&self, op: OP)
    where
        OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
    {
        broadcast::spawn_broadcast_in(&self.pool, op);
    }

    /// [`yield_now`](crate::yield_now), if the calling thread is one of this pool's.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.yield_now(), None);
    /// assert_eq!(pool.install(|| pool.yield_now()), Some(filch::Yield::Idle));
    /// ```
    pub fn yield_now(&self) -> Option<Yield> {
        spawn::yield_on(self.current_worker(), false)
    }

    /// [`yield_local`](crate::yield_local), if the calling thread is one of this pool's.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.yield_local(), None);
    /// assert_eq!(pool.install(|| pool.yield_local()), Some(filch::Yield::Idle));
    /// ```
    pub fn yield_local(&self) -> Option<Yield> {
        spawn::yield_on(self.current_worker(), true)
    }

    /// Lets no more than `active` of the pool's threads run at a time, from now on. Not in rayon.
    ///
    /// A pool that shares its machine can make room for other programs, and take it back later, without building another pool. No queued job is lost.
    /// [`ext::set_active`](crate::ext::set_active) does so for the global pool.
    ///
    /// This returns at once, and may be called anywhere, also by a job of the pool. A thread is not stopped in the middle of a job. It stops when
    /// it has ended a job, or waits inside one, and leaves its queued jobs to the others. A greater number wakes threads.
    ///
    /// Which threads run is not fixed. The number of threads stays as built: [`current_num_threads`](Self::current_num_threads) says so,
    /// indices are below that, and a [`broadcast`](Self::broadcast) still runs once on each thread, on at most `active` of them at a time.
    /// A caller from outside that [takes part](crate::ThreadPoolBuilder::guests) counts as one that runs. So does the thread that a pool
    /// was [built around](crate::ThreadPoolBuilder::use_current_thread), unless it waits for the pool. When the pool is dropped, all its
    /// threads come back to end, and later calls, such as by an exit handler, have no effect.
    ///
    /// A thread that goes on after a wait inside [`isolate`](crate::isolate), or in a job with a handle, may run beside the active threads for a time. It may hold
    /// a lock that they wait for.
    ///
    /// Jobs that block until another job does something need enough active threads, as they would need enough threads in the pool.
    ///
    /// If two threads call this at the same time, one of the two numbers holds. Takes a lock. Work in it: O(n / 16 + log n) for each thread by which the number
    /// grows or falls, in a pool of n threads.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    /// let sum = || pool.install(|| (0..1000u64).into_par_iter().sum::<u64>());
    /// pool.set_active(1)?; // the evening's backup runs
    /// assert_eq!((pool.active(), sum()), (1, 499500));
    /// pool.set_active(4)?;
    /// assert_eq!((pool.active(), sum()), (4, 499500));
    /// assert!(pool.set_active(0).is_err() && pool.set_active(5).is_err());
    /// # Ok::<(), filch::ext::ActiveThreadsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `active` is 0, or more than the pool was built with: then nothing changes. In a child process after `fork`, where the pool has no threads, it
    /// can only be 1.
    #[doc(alias("global_control", "max_allowed_parallelism"))]
    pub fn set_active(&self, active: usize) -> Result<(), ActiveThreadsError> {
        self.pool.try_set_active(active)
    }

    /// How many of the pool's threads may run at a time: the number of the last [`set_active`](Self::set_active), or all threads. Not in rayon.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.active(), 2);
    /// pool.set_active(1).unwrap();
    /// assert_eq!(pool.active(), 1);
    /// ```
    pub fn active(&self) -> usize {
        self.pool.active()
    }

    /// Makes parallel iterators in this pool cut as `cuts` says, from now on. For tests.
    #[doc(hidden)]
    pub fn force_cuts(&self, cuts: Cuts) {
        self.pool.test_hook.force_cuts(cuts);
    }

    /// Makes algorithms in this pool that cut by length, such as sorts, cut as `cuts` says, from now on. For tests with few elements.
    #[doc(hidden)]
    pub fn force_leaves(&self, cuts: Cuts) {
        leaf::force_leaves(&self.pool, cuts);
    }

    /// Makes parallel iterators in this pool do as `script` says, from now on and for good. For tests, with pools of one thread.
    #[doc(hidden)]
    pub fn follow(&self, script: Box<dyn Script>) {
        self.pool.test_hook.follow(script);
    }

    /// What the pool has done since it was built. Not in rayon.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let before = pool.stats();
    /// pool.install(|| ());
    /// assert_eq!((pool.stats() - before).injected, 1);
    /// ```
    pub fn stats(&self) -> Stats {
        self.pool.stats()
    }

    /// What each thread of the pool has done since it was built, in the order of their indices, and then what callers from outside have done; see
    /// [`seats`](crate::seats). Not in rayon.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// pool.install(|| ());
    /// assert_eq!(pool.seats().len(), 2);
    /// assert_eq!(pool.seats().iter().map(|seat| seat.stats.jobs).sum::<u64>(), 1);
    /// ```
    pub fn seats(&self) -> Vec<SeatStats> {
        living(&self.pool).seat_stats()
    }

    /// What the pool is doing now, as [`load`](crate::load). Not in rayon.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.load().public, 0);
    /// ```
    pub fn load(&self) -> Load {
        living(&self.pool).load()
    }

    /// Waits until all spawned jobs and all exit handlers have run, and the threads have left the pool. Not in rayon, whose pools can
    /// only be dropped. Destructors of thread-locals may still run on these threads afterwards.
    ///
    /// This also waits until iterators that the pool computes in the background
    /// ([`into_ordered_iter`](crate::ext::ParallelOrdered::into_ordered_iter)) end or are dropped.
    ///
    /// A thread of another pool helps its own pool while it waits here. Inside [`isolate`](crate::isolate), or in a job with a handle, it
    /// helps only with work of that call. If a job of the pool, or an exit handler, then calls back into that other pool, and only the
    /// waiting thread could run that call, both wait for ever.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// static DONE: AtomicBool = AtomicBool::new(false);
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// pool.spawn(|| DONE.store(true, Ordering::Relaxed));
    /// pool.shutdown();
    /// assert!(DONE.load(Ordering::Relaxed));
    /// ```
    ///
    /// # Panics
    ///
    /// If it is called on one of the pool's own threads, which would wait for itself.
    pub fn shutdown(self) {
        assert!(
            self.current_worker().is_none(),
            "filch: ThreadPool::shutdown was called on thread {} of the very pool, which would wait for itself; drop the pool instead",
            self.current_thread_index().unwrap_or(0),
        );
        self.end();
    }

    /// Waits until the threads have ended, unless this is one of them.
    pub(super) fn end(self) {
        let is_elsewhere = self.current_worker().is_none();
        let pool = Arc::clone(&self.pool);
        drop(self);
        if is_elsewhere {
            join_threads(&pool);
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.pool.release();
    }
}

impl fmt::Debug for ThreadPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadPool")
            .field("num_threads", &self.current_num_threads())
            .field("pool", &self.pool)
            .finish()
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::job::HeapJob;
    use crate::core::pool::Handlers;
    use crate::core::root::Root;
    use crate::core::unwind::catch;

    #[test]
    fn methods_do_what_they_say_on_a_thread_of_the_pool() {
        let inner = Pool::new(1, 0, Handlers::default(), true, false);
        let pool = ThreadPool::of(Arc::clone(&inner));
        assert_eq!((pool.yield_now(), pool.yield_local()), (None, None));
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(inner.seats[0].own_desk(), 0) };
        let (executed, idle) = (Some(Yield::Executed), Some(Yield::Idle));
        // SAFETY: it borrows nothing.
        inner.inject(unsafe { HeapJob::boxed(Root::NONE, || ()) });
        assert_eq!(pool.yield_local(), idle);
        pool.spawn_fifo(|| ());
        assert_eq!(pool.yield_local(), executed);
        assert_eq!([(); 2].map(|()| pool.yield_now()), [executed, idle]);
        // It would wait for itself.
        assert!(catch(|| pool.shutdown()).is_err());
        assert!(inner.is_stopped());
        drop(sitting);
    }
}

//! Questions about the pool that the calling thread is in.

use super::active::ActiveThreadsError;
use super::current_pool::current_pool;
use super::leaf;
use super::meter;
use super::script::Cuts;
use super::stats::Stats;
use super::worker::Worker;

/// How many threads the current pool has, or the global one if the caller is in none.
///
/// ```
/// assert!(filch::current_num_threads() >= 1);
/// ```
///
/// # Panics
///
/// In a closure that [`build_global`](crate::ThreadPoolBuilder::build_global) calls on its thread, such as that of
/// [`thread_name`](crate::ThreadPoolBuilder::thread_name): the global pool is not there yet.
#[doc(alias("max_concurrency", "hardware_concurrency"))]
pub fn current_num_threads() -> usize {
    meter::threads().unwrap_or_else(|| current_pool().num_threads())
}

/// The index of this thread in its pool, from 0 and below [`current_num_threads`]; `None` outside.
///
/// No two threads that run work of the same pool at the same time have the same index. So it can be used to pick a slot in a table.
///
/// A thread of a pool can be without an index for a time. While it waits inside [`isolate`](crate::isolate), or in a job with a handle, another thread may
/// take its index. After the wait, the first thread needs an index to go on. But it may hold a lock that the other thread waits for. So after 20 ms it goes
/// on without an index, and this is `None`. That ends when an index is free, when the thread waits outside of the isolated call, or when its job ends. It
/// may also happen after a wait in a share of a broadcast, or in a job that [`yield_now`](crate::yield_now) runs on a thread from outside.
///
/// In a pool that you build, a thread keeps its index for life. In the global pool, callers from outside [take
/// part](crate::ThreadPoolBuilder::guests) by default. Then the index of a thread may change while it waits inside a parallel call. So ask
/// again after such a call, and after a [`yield_now`](crate::yield_now).
///
/// Short folds of trees, work lists and searches of graphs do not enter a pool. If they are called from outside, this is `None` in their closures.
///
/// ```
/// assert_eq!(filch::current_thread_index(), None);
/// filch::join(|| assert!(filch::current_thread_index().is_some()), || ());
/// ```
#[doc(alias("omp_get_thread_num", "thread_id"))]
#[inline]
pub fn current_thread_index() -> Option<usize> {
    Worker::current().and_then(Worker::user_index)
}

/// Whether this thread has jobs in its own queue; `None` outside a pool.
///
/// ```
/// assert_eq!(filch::current_thread_has_pending_tasks(), None);
/// ```
#[inline]
pub fn current_thread_has_pending_tasks() -> Option<bool> {
    Worker::current().map(|worker| !worker.own().deque.is_empty())
}

/// Makes parallel iterators in the current pool cut as `cuts` says, from now on; from outside any pool, in the global one. For tests.
#[doc(hidden)]
pub fn force_cuts(cuts: Cuts) {
    current_pool().test_hook.force_cuts(cuts);
}

/// As [`force_cuts`], for algorithms that cut by length, such as sorts. For tests with few elements.
#[doc(hidden)]
pub fn force_leaves(cuts: Cuts) {
    leaf::force_leaves(current_pool(), cuts);
}

/// Whether a test has set the current pool's [hook](super::script::TestHook).
pub(crate) fn has_test_hook() -> bool {
    current_pool().test_hook.is_set()
}

/// What the current pool has done since it was built, or the global one if the caller is in none. Not in rayon.
///
/// Reads the counters of each thread behind a lock: O(p). The threads do not wait for that.
///
/// ```
/// let before = filch::stats();
/// filch::join(|| (), || ());
/// println!("{}", filch::stats() - before);
/// ```
pub fn stats() -> Stats {
    current_pool().stats()
}

/// Lets no more than `active` threads of the current pool run at a time, from now on, or of the global one if the caller is in none. Not in rayon.
///
/// It does what [`ThreadPool::set_active`](crate::ThreadPool::set_active) does, for a pool to which the program has no handle, such as the global
/// one. That page has the details.
///
/// The current pool is the pool of the job that calls this. So to be sure that it is the
/// global pool, call it on a thread that runs no job of another pool, such as the main thread. If there is no global pool yet, this builds it
/// with default settings. To set it up yourself, call
/// [`build_global`](crate::ThreadPoolBuilder::build_global) before.
///
/// A caller from outside that takes part in the global pool counts as one of the threads that run. If `active` threads are at work already,
/// it waits for its turn, or hands its call over to them.
///
/// ```
/// use filch::{ThreadPoolBuilder, ext};
///
/// ThreadPoolBuilder::new().num_threads(4).build_global().unwrap();
/// ext::set_active(1)?; // on battery
/// assert_eq!((ext::active(), filch::current_num_threads()), (1, 4));
/// ext::set_active(4)?;
///
/// // Inside a job of another pool, it is about the other pool.
/// let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// pool.install(|| ext::set_active(1))?;
/// assert_eq!((pool.active(), ext::active()), (1, 4));
///
/// let error = ext::set_active(5).unwrap_err();
/// assert!(error.to_string().contains("cannot run on 5 active threads: this one has 4"));
/// # Ok::<(), ext::ActiveThreadsError>(())
/// ```
///
/// # Errors
///
/// If `active` is 0, or more than the pool was built with: then nothing changes. In a child process after `fork`, or if the global
/// pool [could not get](missing_threads) any thread, it can only be 1.
#[doc(alias("global_control", "max_allowed_parallelism"))]
pub fn set_active(active: usize) -> Result<(), ActiveThreadsError> {
    current_pool().try_set_active(active)
}

/// How many threads of the current pool may run at a time; from outside any pool, of the global one. Not in rayon.
///
/// As many as there are, until [`set_active`] says otherwise. Takes a short lock.
///
/// ```
/// assert_eq!(filch::ext::active(), filch::current_num_threads());
/// ```
pub fn active() -> usize {
    current_pool().active()
}

/// How many threads the current pool (from outside: the global one) should have and could not get. Not in rayon.
///
/// The global pool never fails to start: where the system refuses threads it runs with fewer, down to none but its callers. A program that
/// wants to tell its user about it can ask here.
///
/// ```
/// if filch::missing_threads() > 0 {
///     eprintln!("only {} threads", filch::current_num_threads());
/// }
/// ```
pub fn missing_threads() -> usize {
    current_pool().missing
}

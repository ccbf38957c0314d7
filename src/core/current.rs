//! Questions about the pool that the calling thread is in.

use super::active::ActiveThreadsError;
use super::home::here;
use super::meter;
use super::script::Cuts;
use super::stats::Stats;
use super::worker::Worker;

/// How many threads the current pool has; from outside any, the global one.
///
/// ```
/// assert!(filch::current_num_threads() >= 1);
/// ```
#[doc(alias("max_concurrency", "hardware_concurrency"))]
pub fn current_num_threads() -> usize {
    meter::threads().unwrap_or_else(|| here().num_threads())
}

/// The index of this thread in its pool, from 0 and below [`current_num_threads`]; `None` outside.
///
/// No two threads that run work of the same pool at the same time have the same index, so it may be used to pick a slot in a table. A
/// thread of a pool keeps its index for life, unless callers from outside [take part](crate::ThreadPoolBuilder::guests) in that pool, as by default in the
/// global one. There an index may change where a thread waits inside a parallel call, since another thread may run meanwhile; so ask again after
/// one, and after a [`yield_now`](crate::yield_now). Folds of
/// trees, work lists and searches of graphs that are soon over never enter a pool, and their closures are then outside like their callers.
///
/// ```
/// assert_eq!(filch::current_thread_index(), None);
/// filch::join(|| assert!(filch::current_thread_index().is_some()), || ());
/// ```
#[inline]
pub fn current_thread_index() -> Option<usize> {
    Worker::current().map(|worker| worker.index())
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
    here().told.cuts(cuts);
}

/// Whether a test told the current pool what to do.
pub(crate) fn is_told() -> bool {
    here().told.is_told()
}

/// What the current pool has done since it was built; from outside any, the global one. Not in rayon.
///
/// ```
/// let before = filch::stats();
/// filch::join(|| (), || ());
/// println!("{}", filch::stats() - before);
/// ```
pub fn stats() -> Stats {
    here().stats()
}

/// Lets no more than `active` threads of the current pool run at a time, from now on; from outside any pool, of the global one. Not in rayon.
///
/// As [`ThreadPool::set_active`](crate::ThreadPool::set_active), for a pool to which the program has no handle: the page of that says what
/// holds. It is the only way to narrow the global pool.
///
/// The current pool is that of the job which calls this, whether it was installed, spawned, or is a piece of a loop. So to be sure to mean the
/// global pool, call it on a thread that runs no job of another pool, such as that of `main`. Where there is no global pool yet, this builds it
/// with default settings, as any first use does; so call
/// [`build_global`](crate::ThreadPoolBuilder::build_global) before.
///
/// A caller from outside that takes part in the global pool counts as one of the threads that run. If as many as may are at work, it waits for its
/// turn, or hands its call over to them.
///
/// # Errors
///
/// If `active` is 0, or more than the pool was built with: then nothing changes. In a child process after `fork` it can only be 1. So it is where the global
/// pool [could not get](missing_threads) any thread.
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
pub fn set_active(active: usize) -> Result<(), ActiveThreadsError> {
    here().try_set_active(active)
}

/// How many threads of the current pool may run at a time; from outside any pool, of the global one. Not in rayon.
///
/// As many as there are, until [`set_active`] says otherwise. Takes a short lock.
///
/// ```
/// assert_eq!(filch::ext::active(), filch::current_num_threads());
/// ```
pub fn active() -> usize {
    here().active()
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
    here().missing
}

//! `isolate`: a thread that waits inside it runs only work of the same call. `blocking`: shows all pending work to the other threads before a closure blocks.

use super::fresh::new_root;
use super::guest::in_pool;
use super::unwind::resume;
use super::worker::Worker;

/// Runs `f`, and keeps this thread from work that was begun outside of `f` until `f` has returned. So `f` may hold a lock across a parallel call.
///
/// A thread that waits for the other half of a `join` or a parallel iterator picks up other work of the pool meanwhile. If it holds a
/// lock, and the work it picks up wants the same lock, it waits for itself for ever. Inside `isolate` a waiting thread leaves foreign work
/// alone, so holding a lock (or a `RefCell` borrow, or a database transaction) across a parallel call is safe. The work inside still spreads
/// over all threads of the pool, and threads that do not wait inside it are not restricted.
///
/// The rule holds in other pools that `f` calls, too. What they call back here counts as work of `f`. Let isolated calls between two pools go in one
/// direction only: if isolated threads of both pools wait for each other, no thread may be left to do what they wait for.
///
/// There is one exception: this thread still does its share of a [`broadcast`](crate::broadcast), which needs every thread. While it waits inside that share,
/// it runs only what belongs to the share.
///
/// ```
/// use filch::prelude::*;
/// use std::sync::Mutex;
/// let total = Mutex::new(0u64);
/// (0..100u64).into_par_iter().for_each(|i| {
///     let mut total = total.lock().unwrap();
///     // Without `isolate`, this thread might pick up another `i` while it waits, and want the lock that it holds.
///     *total += filch::isolate(|| (0..i).into_par_iter().sum::<u64>());
/// });
/// assert_eq!(*total.lock().unwrap(), 161_700);
/// ```
///
/// # Panics
///
/// With the panic of `f`.
#[doc(alias("this_task_arena"))]
pub fn isolate<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    in_pool(|worker, _| {
        worker
            .under(new_root(), f)
            .unwrap_or_else(|payload| resume(payload))
    })
}

/// Runs `f`, which may block, after showing all of this thread's pending work to the others.
///
/// A thread keeps most of its forks to itself until another one asks. Around a call that blocks (a channel, a lock, a file) that would
/// hide work for as long as it lasts; `blocking` offers it first. Outside a pool it is a plain call.
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// sender.send(7).unwrap();
/// assert_eq!(filch::blocking(|| receiver.recv()), Ok(7));
/// ```
///
/// # Panics
///
/// With the panic of `f`.
#[doc(alias("block_in_place"))]
pub fn blocking<R>(f: impl FnOnce() -> R) -> R {
    if let Some(worker) = Worker::current() {
        worker.publish_all();
    }
    f()
}

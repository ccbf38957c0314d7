//! `isolate`: a thread that waits inside it runs only work of the same call. `blocking`: shows all pending work to the other threads before
//! a closure blocks.

use super::guest::in_pool;
use super::sub_root::SubRoot;
use super::unwind::resume;
use super::worker::Worker;

/// Runs a closure so that you may hold a lock across it: while this thread waits inside `f`, it runs only work of `f`.
///
/// Usually a thread that waits for the other half of a `join`, or for a part of a parallel iterator, runs other work of the pool meanwhile.
/// If it holds a lock, and that work wants the same lock, the thread waits for itself for ever. Inside `isolate` a waiting thread leaves
/// all other work alone. So it is safe to hold a lock (or a borrow of a `RefCell`, or a database transaction) across a parallel call. The
/// work inside still spreads over all threads of the pool, and threads that do not wait inside it are not restricted.
///
/// What `f` [spawns](crate::spawn) is work of `f`. So is the work of an isolated call inside `f`, and what that call spawns.
///
/// `f` may call other pools. The rule holds there, too, and what they send back is work of `f`. All threads of such a pool may wait inside other isolated
/// calls, perhaps for this pool. Then none of them can do the work of `f`. So the thread that waits for that work does it itself, and has an index of that
/// pool meanwhile. It does so while it waits in a call, a `join` or a scope. It does not while it polls with [`yield_now`](crate::yield_now), because it may
/// hold a lock. So do not wait by polling.
///
/// After a wait inside `f` the thread goes on, even if all threads that may run in the pool wait for the lock. Then, after 20 ms, it runs beside them, so one thread
/// more runs than the pool has, and it has no [index](crate::current_thread_index) until one is free. 16 threads of a pool may do so at a time. In the same way, a thread that
/// does the work of another pool runs what that work sends back to its own pool.
///
/// There is one exception to the rule: this thread still runs its share of a [`broadcast`](crate::broadcast), which needs every thread. While it waits
/// inside that share, it runs only what belongs to the share. (In a pool without threads, as in a child after `fork`, there is a second one: what others queued before a
/// call runs before the call, also inside `isolate`. So hold no lock there that such a job wants.) And a broadcast inside `f` needs all threads of the pool: if one of them waits for a
/// lock that is held around this call, both wait for ever.
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
/// Inside a pool the call itself costs next to nothing; from outside it costs what [`install`](crate::ThreadPool::install) costs. But a thread that waits inside may have to sleep, where it would have done other work of the pool.
///
/// # Panics
///
/// With the panic of `f`.
#[doc(alias("this_task_arena"))]
pub fn isolate<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    in_pool(|worker, _| {
        let call = SubRoot::of_call_inside(worker.own().root.get());
        worker
            .under(call.root(), f)
            .unwrap_or_else(|payload| resume(payload))
    })
}

/// Shows all of this thread's pending work to the other threads, and then runs `f`, which may block.
///
/// A thread keeps most right sides of its `join`s to itself until another thread asks. While it blocks (on a channel, a lock, a file), it
/// cannot answer, and no other thread can run that work. `blocking` shows it first. Outside a pool it is a plain call. Work: O(k) for k pending jobs of
/// this thread. It allocates only if the thread's public queue has to grow, or inside an isolated call or a job with a handle.
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
        worker.leave_what_is_public();
    }
    f()
}

//! Waits until the threads of a pool have ended. If the caller is a thread of another pool, it helps that pool meanwhile, because the pool
//! that ends may need work from there.

use super::count::CountLatch;
use super::pool::Pool;
use super::root::Root;
use super::worker::Worker;
use crate::sync::Arc;

/// Waits until all threads of `pool` have ended. The calling thread is none of them.
pub(super) fn join_threads(pool: &Pool) {
    let Some(worker) = Worker::current().filter(|_| !pool.is_orphan()) else {
        return pool.wait_until_ended();
    };
    let latch = Arc::new(CountLatch::new(1, Some(worker), pool));
    let shared = Arc::clone(&latch);
    pool.when_ended(move || {
        // SAFETY: it counts one end, which is this one, and the Arc keeps it.
        unsafe { CountLatch::done(&*shared) };
    });
    latch.wait(Some(worker), pool, Root::NONE);
}

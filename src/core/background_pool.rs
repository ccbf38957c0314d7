//! The pool that computes the items of an ordered iterator in the background.
//!
//! A thread outside the pool asks for the items, and keeps the pool alive. The work has a root of its own. So a thread that waits
//! for it can help with it, and runs nothing else meanwhile.

use super::count::CountLatch;
use super::current_pool::{current_pool, enter, entered_root_in};
use super::fresh::new_isolated_root;
use super::pool::{Handlers, Pool};
use super::root::Root;
use super::weak_pool::WeakPool;
use super::worker::Worker;
use crate::sync::Arc;

/// A pool that goes on at least until this is dropped, and a root for what a thread outside does in it.
///
/// The root is isolated: a thread that waits inside that work begins nothing foreign on top of it. Foreign work may want the result of this very
/// work, and would wait for what lies under it.
pub(crate) struct BackgroundPool {
    pool: Arc<Pool>,
    root: Root,
}

impl BackgroundPool {
    /// The pool of the calling thread, else the global one.
    pub(crate) fn current() -> Self {
        let mut pool = current_pool().to_arc();
        if pool.crew.is_callers() {
            // The thread that waits for the work may have its only right.
            pool = Pool::new(0, 0, Handlers::default(), true, false);
        }
        pool.keep_alive();
        let root = entered_root_in(&pool).unwrap_or_else(new_isolated_root);
        BackgroundPool { pool, root }
    }

    /// Runs `f` on a thread outside, for which this is the current pool meanwhile.
    pub(crate) fn enter<R>(&self, f: impl FnOnce() -> R) -> R {
        enter(&self.pool, self.root, f)
    }

    /// For threads that wait for what is done here.
    pub(crate) fn waiter(&self) -> BackgroundWaiter {
        BackgroundWaiter {
            pool: WeakPool::of(&self.pool),
            root: self.root,
        }
    }
}

impl Drop for BackgroundPool {
    fn drop(&mut self) {
        self.pool.release();
    }
}

/// How a thread waits for work in a [`BackgroundPool`]. Does not keep the pool from stopping.
pub(crate) struct BackgroundWaiter {
    pool: WeakPool,
    root: Root,
}

impl BackgroundWaiter {
    /// Whether the work is done in the process that this one was forked from.
    pub(crate) fn is_of_parent(&self) -> bool {
        self.pool.is_of_parent()
    }

    /// Waits for `latch`, the calling thread's. A thread of that pool does the work that is waited for meanwhile, and no other. A thread of another pool does
    /// that of its own pool, too: what is waited for may need that pool.
    pub(crate) fn wait(&self, worker: Worker<'_>, latch: &CountLatch) {
        latch.wait_for_root(worker, self.pool.as_pool(), self.root);
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use std::ptr;

    fn in_pool(pool: &Arc<Pool>) -> BackgroundPool {
        enter(pool, new_isolated_root(), BackgroundPool::current)
    }

    #[test]
    fn a_pool_goes_on_while_an_iterator_needs_it_and_not_longer() {
        let pool = Pool::new(1, 0, Handlers::default(), true, false);
        let background = in_pool(&pool);
        assert!(ptr::eq(&*background.pool, &*pool));
        pool.release();
        assert!(!pool.is_stopped());
        drop(background);
        assert!(pool.is_stopped());
    }

    /// The caller that waits for an item may have the only right of its pool.
    #[test]
    fn where_there_are_no_threads_an_iterator_has_a_pool_of_its_own() {
        let pool = Pool::new(0, 0, Handlers::default(), true, false);
        let background = in_pool(&pool);
        assert!(background.pool.crew.is_callers() && !ptr::eq(&*background.pool, &*pool));
        assert_eq!(background.enter(|| crate::join(|| 1, || 2)), (1, 2));
    }
}

//! The pool that computes the items of an ordered iterator in the background.
//!
//! A thread that is not of the pool asks for the items, and keeps the pool alive. The work has a root of its own. So a thread that waits
//! for it can help with it, and runs nothing else meanwhile.

use super::fresh::new_root;
use super::home::{at_home, here, root_in};
use super::pool::{Handlers, Pool};
use super::root::Root;
use super::worker::Worker;
use crate::sync::Arc;
use std::ptr;

/// A pool that goes on at least until this is dropped, and a root for what a thread outside does in it.
///
/// The root is isolated: a thread that waits inside that work begins nothing foreign on top of it. Foreign work may want the result of this very
/// work, and would wait for what lies under it.
pub(crate) struct KeptPool {
    pool: Arc<Pool>,
    root: Root,
}

impl KeptPool {
    /// The pool of the calling thread, else the global one.
    pub(crate) fn current() -> Self {
        let mut pool = here().share();
        if pool.crew.is_callers() {
            // The thread that waits for the work may have its only right.
            pool = Pool::new(0, 0, Handlers::default(), true, false);
        }
        pool.keep_alive();
        let root = root_in(&pool).unwrap_or_else(new_root);
        KeptPool { pool, root }
    }

    /// Runs `f` on a thread outside, which is at home in the pool meanwhile.
    pub(crate) fn inhabit<R>(&self, f: impl FnOnce() -> R) -> R {
        at_home(&self.pool, self.root, f)
    }

    /// For threads that wait for what is done here.
    pub(crate) fn helper(&self) -> Helper {
        let pool = Arc::clone(&self.pool);
        Helper {
            pool,
            root: self.root,
        }
    }
}

impl Drop for KeptPool {
    fn drop(&mut self) {
        self.pool.release();
    }
}

/// What a thread can do that waits for work that a thread outside does in a pool. Does not keep the pool from stopping.
pub(crate) struct Helper {
    pool: Arc<Pool>,
    root: Root,
}

impl Helper {
    /// Runs a job that is waited for, and no other in the pool that does the work. A thread of another pool runs one of its own pool's else:
    /// what is waited for may need that pool. Says whether there was one; `None` for a thread that is in no pool.
    pub(crate) fn help(&self) -> Option<bool> {
        let worker = Worker::current()?;
        let elsewhere = !ptr::eq(worker.pool(), &*self.pool);
        Some(worker.help_with(self.root) || elsewhere && worker.help())
    }
}

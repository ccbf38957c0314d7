//! A pool that is kept from stopping by a thread outside of it, for work that is mixed with nothing else.

use super::global::global;
use super::guest::install_as;
use super::pool::Pool;
use super::root::Root;
use super::worker::Worker;
use crate::sync::Arc;
use std::ptr;

/// A pool that goes on at least until this is dropped.
///
/// What is installed through it has an isolated root: a thread that waits inside it begins nothing foreign on top of it. Foreign work may
/// want the result of this very work, and would wait for what lies under it.
pub(crate) struct KeptPool {
    pool: Arc<Pool>,
    root: Root,
}

impl KeptPool {
    /// The pool of the calling thread, else the global one.
    pub(crate) fn current() -> Self {
        let pool = Worker::current().map_or_else(|| global(), Worker::pool);
        pool.keep_alive();
        KeptPool {
            root: pool.new_root(true),
            pool: pool.share(),
        }
    }

    /// Runs `op` in the pool, for a thread that is in none.
    pub(crate) fn install<R: Send>(&self, op: impl FnOnce() -> R + Send) -> R {
        install_as(&self.pool, self.root, op)
    }

    /// For those who wait for what is installed.
    pub(crate) fn helper(&self) -> Helper {
        Helper {
            pool: Arc::clone(&self.pool),
            root: self.root,
        }
    }
}

impl Drop for KeptPool {
    fn drop(&mut self) {
        self.pool.let_go();
    }
}

/// What somebody who waits for work in a pool can do for it. Does not keep the pool from stopping.
pub(crate) struct Helper {
    pool: Arc<Pool>,
    root: Root,
}

impl Helper {
    /// Runs one of the jobs that are waited for, and no other. A thread of another pool runs one of its own pool's: what is waited for may need
    /// that pool. Says whether there was one; `None` for a thread that is in no pool.
    pub(crate) fn help(&self) -> Option<bool> {
        let worker = Worker::current()?;
        Some(if ptr::eq(worker.pool(), &*self.pool) {
            worker.help_with(self.root)
        } else {
            worker.help()
        })
    }
}

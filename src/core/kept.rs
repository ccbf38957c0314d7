//! A pool that is kept from stopping by somebody outside of it.

use super::global::global;
use super::guest::{Visit, install};
use super::pool::Pool;
use super::worker::Worker;
use crate::sync::Arc;

/// A pool that goes on at least until this is dropped.
pub(crate) struct KeptPool(Arc<Pool>);

impl KeptPool {
    /// The pool of the calling thread, else the global one.
    pub(crate) fn current() -> Self {
        let pool = Worker::current().map_or_else(|| global(), Worker::pool);
        pool.keep_alive();
        KeptPool(pool.share())
    }

    /// Runs `op` in the pool: from outside of all pools as a guest, if a seat is free, because that wakes nobody.
    pub(crate) fn install<R: Send>(&self, op: impl FnOnce() -> R + Send) -> R {
        let outside = Worker::current().is_none();
        match outside.then(|| Visit::begin(&self.0)).flatten() {
            Some(_visit) => op(),
            None => install(&self.0, |_, _| op()),
        }
    }
}

impl Drop for KeptPool {
    fn drop(&mut self) {
        self.0.let_go();
    }
}

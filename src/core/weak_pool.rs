//! A handle to a pool that does not keep the pool alive. Code that brings a job first asks the pool to stay alive, and learns whether it has stopped.

use super::child::generation;
use super::current_pool::current_pool;
use super::follow::Follower;
use super::global::living;
use super::pool::Pool;
use super::spawn::{spawn_apart, spawn_behind};
use crate::sync::Arc;

/// A pool to which jobs can be brought as long as it lives, and that is not kept from stopping.
#[derive(Clone)]
pub(crate) struct WeakPool {
    pool: Arc<Pool>,
    /// Of the process that made this.
    generation: u32,
}

impl WeakPool {
    pub(super) fn of(pool: &Pool) -> Self {
        WeakPool {
            pool: pool.to_arc(),
            generation: generation(),
        }
    }

    /// The pool that does what is brought to this one: in a child process, for a pool of its parent's, its own.
    pub(super) fn living(&self) -> Arc<Pool> {
        living(&self.pool).to_arc()
    }

    /// That of the calling thread, else the global one.
    pub(crate) fn current() -> Self {
        WeakPool::of(current_pool())
    }

    /// The pool's number in the process.
    #[cfg(all(test, feature = "trace"))]
    pub(crate) fn number(&self) -> u64 {
        self.pool.number
    }

    /// Whether it was made in the process that this one was forked from: work that was brought there is not done here.
    pub(crate) fn is_of_parent(&self) -> bool {
        self.generation != generation()
    }

    /// Without a look at whether it is a parent's.
    pub(super) fn as_pool(&self) -> &Pool {
        &self.pool
    }

    /// Keeps the pool from stopping, for as long as what is returned lives; `None` if it has stopped.
    pub(crate) fn keep(&self) -> Option<Alive<'_>> {
        let pool = living(&self.pool);
        // Made only if it has to be let go again.
        pool.try_keep_alive().then(|| Alive(pool))
    }
}

/// A pool that does not stop.
pub(crate) struct Alive<'a>(&'a Pool);

impl<'a> Alive<'a> {
    /// For a caller that has another reason for it to go on.
    pub(super) fn also(pool: &'a Pool) -> Self {
        pool.keep_alive();
        Alive(pool)
    }

    /// What follows the pool's jobs.
    pub(crate) fn follower(&self) -> &Follower {
        &self.0.handlers.follow
    }

    /// Spawns `func`, which is no part of the call that brings it, and brings the context of its own work along.
    pub(crate) fn spawn(&self, func: impl FnOnce() + Send + 'static) {
        spawn_apart(self.0, func);
    }

    /// [`spawn`](Alive::spawn), behind all jobs that the calling thread has spawned.
    pub(crate) fn spawn_behind(&self, func: impl FnOnce() + Send + 'static) {
        spawn_behind(self.0, func);
    }
}

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::pool::Handlers;

    #[test]
    fn what_is_kept_alive_goes_on_until_it_is_let_go() {
        let pool = Pool::new(1, 0, Handlers::default(), false, false);
        let weak = WeakPool::of(&pool);
        assert!(!weak.is_of_parent());
        for _ in 0..2 {
            drop(weak.keep().expect("it goes on"));
            drop(Alive::also(&pool));
            assert!(!pool.is_stopped());
        }
        let kept = weak.keep().expect("it goes on");
        pool.release();
        assert!(!pool.is_stopped());
        let also = Alive::also(&pool);
        drop(kept);
        assert!(!pool.is_stopped());
        drop(also);
        assert!(pool.is_stopped() && weak.keep().is_none());
    }
}

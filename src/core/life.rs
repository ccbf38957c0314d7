//! Life and death of a pool: it lives as long as it has a handle, a spawned job, or another reason, and then its threads end.

use super::pool::Pool;
use crate::sync::{Ordering, lock, planted, wait};
use std::mem;

impl Pool {
    /// One more reason to go on.
    ///
    /// The caller has another one, or a thread of the pool's that has yet to look for work before it ends. The latter is so in handlers: they may
    /// run when there was no reason any more. What they begin brings the pool back to life until it is done.
    pub(crate) fn keep_alive(&self) {
        self.alive.fetch_add(1, Ordering::Relaxed);
    }

    /// One more reason to go on, unless there is none left.
    pub(crate) fn try_keep_alive(&self) -> bool {
        let mut alive = self.alive.load(Ordering::Relaxed);
        while alive != 0 {
            let more = self.alive.compare_exchange_weak(
                alive,
                alive + 1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            match more {
                Ok(_) => return true,
                Err(now) => alive = now,
            }
        }
        false
    }

    /// One reason less. At the last one the threads stop, as soon as their queues are empty.
    pub(crate) fn release(&self) {
        if self.is_orphan() {
            return;
        }
        let before = self.alive.fetch_sub(1, Ordering::AcqRel);
        debug_assert!(before > 0, "a stopped pool was let go once more");
        if before == 1 {
            if !planted!("widen") {
                // A thread that ends keeps its right.
                self.sleepers.lock().widen();
                self.set_active(self.num_threads());
            }
            self.wake_all();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.alive.load(Ordering::Acquire) == 0
    }

    /// The worker of this number has ended, or was never started. What is for its number alone is run here, where it finds that it is elsewhere.
    pub(crate) fn vacate(&self, number: usize) {
        for job in self.seats[number].mail.close() {
            // SAFETY: just taken out of a queue of this pool.
            unsafe { self.run(job, number) };
        }
    }

    /// A worker thread has ended, or could not be started.
    pub(crate) fn thread_ended(&self) {
        let mut running = lock(&self.running);
        running.threads -= 1;
        let at_end = match running.threads {
            0 => mem::take(&mut running.at_end),
            _ => Vec::new(),
        };
        drop(running);
        self.ended.notify_all();
        at_end.into_iter().for_each(|then| then());
    }

    /// Calls `then` when all worker threads have ended: on the last one of them, or here.
    pub(super) fn when_ended(&self, then: impl FnOnce() + Send + 'static) {
        let mut running = lock(&self.running);
        if running.threads > 0 {
            return running.at_end.push(Box::new(then));
        }
        drop(running);
        then();
    }

    /// Blocks until all worker threads have ended.
    pub(crate) fn wait_until_ended(&self) {
        if self.is_orphan() {
            return;
        }
        let mut running = lock(&self.running);
        while running.threads > 0 {
            running = wait(&self.ended, running);
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::core::pool::{Handlers, Pool};
    use crate::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn a_pool_lives_as_long_as_there_is_a_reason() {
        let pool = Pool::new(2, 0, Handlers::default(), false, false);
        assert!(!pool.is_stopped() && pool.try_keep_alive());
        pool.keep_alive();
        pool.set_active(1);
        for left in [true, true, false] {
            pool.release();
            // All its threads end, also those without a right; before that the program says how many run.
            let active = if left { 1 } else { 2 };
            assert_eq!((pool.is_stopped(), pool.active()), (!left, active));
        }
        assert!(!pool.try_keep_alive() && pool.is_stopped());
        pool.set_active(1);
        assert_eq!(pool.active(), 2);
    }

    /// What the last thread calls may wait for the end as well: no lock is held meanwhile.
    #[test]
    fn what_waits_for_the_end_is_called_once_all_threads_have_ended() {
        let pool = Pool::new(2, 0, Handlers::default(), false, false);
        let calls = Arc::new(AtomicUsize::new(0));
        let then = || {
            let (pool, calls) = (Arc::clone(&pool), Arc::clone(&calls));
            move || {
                pool.wait_until_ended();
                calls.fetch_add(1, SeqCst);
            }
        };
        pool.when_ended(then());
        pool.thread_ended();
        pool.when_ended(then());
        assert_eq!(calls.load(SeqCst), 0);
        pool.thread_ended();
        assert_eq!(calls.load(SeqCst), 2);
        pool.when_ended(then());
        assert_eq!(calls.load(SeqCst), 3);
    }
}

//! How many threads of a pool may run: `set_active` makes it fewer than the pool has.
//!
//! To run on fewer threads, a pool holds some of its [rights](super::rights) back. It takes them in the same way as a thread that wants
//! one: a thread puts its right down between two jobs, or inside a wait, and never in the middle of a job. So the code by which threads
//! take turns does this as well, and no fast path knows of it.
//!
//! - **A1** Each number is in one place: it is free, a thread has it, or it is held back. It goes from free to held back and back with the lists locked.
//! - **A2** At least one right is never held back, and a thread that wants a right gets one in its turn. So every job in a queue is run.
//!   (There is one exception: the pool was built around the current thread, that thread has the only right, and it does other things.)
//! - **A3** A thread may exchange a free right for one that is held back. So a thread keeps its number, unless a caller from outside has it, and the
//!   number of rights in use stays the same.
//! - **A4** Mail for a number that is held back goes to the worker of that number, as if the right were free. The worker exchanges its right for it, or
//!   waits for its turn to do so.
//! - **A5** A thread that ends keeps its right. So a pool that stops holds none back, and later calls of `set_active` have no effect. (An
//!   exit handler may call it, and a job that the handler spawns may bring the pool back to life when other threads have ended.)
//! - **A6** A thread that runs [beside](super::beside) the holders of rights is not counted: it is one more than may run. Its number is never free, and no part
//!   of what is held back. So A1 and A2 say nothing of it, and the counts of sleepers do not change when it goes on: it slept bound to a call, and those are in no count.

use super::pool::Pool;
use super::root::Root;
use crate::sync::planted;
use std::error::Error;
use std::fmt;

/// A pool was told to run on no thread, or on more threads than it has.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// let error = pool.set_active(3).unwrap_err();
/// assert_eq!(error.to_string(), "filch: a pool cannot run on 3 active threads: this one has 2, so ask for 1 to 2");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveThreadsError {
    asked: usize,
    built: usize,
}

impl fmt::Display for ActiveThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ActiveThreadsError { asked, built } = self;
        write!(
            f,
            "filch: a pool cannot run on {asked} active threads: this one has {built}, so ask for 1 to {built}"
        )
    }
}

impl Error for ActiveThreadsError {}

impl Pool {
    /// From now on `active` threads may run, if that makes sense. In a child process, a pool of its parent's has one.
    pub(crate) fn try_set_active(&self, active: usize) -> Result<(), ActiveThreadsError> {
        let built = match self.is_orphan() {
            true => 1,
            false => self.num_threads(),
        };
        if !(1..=built).contains(&active) {
            let asked = active;
            return Err(ActiveThreadsError { asked, built });
        }
        if !self.is_orphan() {
            self.set_active(active);
        }
        Ok(())
    }

    /// From now on `active` threads may run, at least one and no more than there are.
    pub(crate) fn set_active(&self, active: usize) {
        let mut lists = self.sleepers.lock();
        let more = lists.set_held_back(self.num_threads() - active);
        let freed: Vec<_> = (0..more).map_while(|_| self.rights.free_held()).collect();
        drop(lists);
        // If there are free ones, they are held back now.
        self.hand_out_rights();
        // While a right went from held back to free, it seemed to be in use, so the pool did not seem to be stuck. The lists were locked then: a caller that was
        // on the list before is seen here, and one that came later sees where the right is now.
        if self.sleepers.any_callers() {
            self.call_callers();
        }
        if planted!("grow") {
            return;
        }
        for &number in &freed {
            self.after_put_down(number);
        }
        // Sleepers do not look for rights, and perhaps no waker noted a miss. So wake two here; they wake others if there is work.
        for _ in freed.iter().take(2) {
            self.wake_one(Root::NONE);
        }
    }

    /// How many threads may run.
    pub(crate) fn active(&self) -> usize {
        if self.is_orphan() {
            // Its locks may be held for ever.
            return 1;
        }
        self.num_threads() - self.sleepers.lock().held_back()
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::ActiveThreadsError;
    use crate::core::job::HeapJob;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::sync::Arc;

    /// A pool with so many threads, whose rights are all free.
    fn pool(threads: usize) -> Arc<Pool> {
        let pool = Pool::new(threads, 0, Handlers::default(), true, false);
        (0..threads).for_each(|number| pool.rights.put(number));
        pool
    }

    /// Work of this root, which runs nothing.
    fn bring(pool: &Pool, root: Root) {
        // SAFETY: it borrows nothing.
        let job = unsafe { HeapJob::boxed(root, || ()) };
        pool.brought.push(&[job]);
    }

    fn clear(pool: &Pool) {
        while let Some(job) = pool.brought.take(None) {
            // SAFETY: just taken out of a queue, and no other thread is there.
            unsafe { pool.run(job, 0) };
        }
    }

    #[test]
    fn free_rights_are_held_back_and_come_back() {
        let pool = pool(3);
        for active in [3, 1, 2, 3] {
            assert_eq!(pool.try_set_active(active), Ok(()));
            assert_eq!((pool.active(), pool.rights.free()), (active, active));
        }
        for asked in [0, 4] {
            let built = 3;
            let error = ActiveThreadsError { asked, built };
            assert_eq!(pool.try_set_active(asked), Err(error));
            assert_eq!((pool.active(), pool.rights.free()), (3, 3));
        }
    }

    /// While a right goes from free to held back it seems to be in use. A caller that looked then saw no stuck pool.
    #[test]
    fn a_pool_that_narrows_calls_its_callers() {
        let (stuck, sleeps, root) = (pool(2), pool(1), Root::isolated(1));
        let desk = sleeps.seats[0].own_desk();
        stuck.sleepers.lock().add_caller(root, desk);
        sleeps.lie_down(desk, Some(root), false);
        bring(&stuck, root);
        stuck.set_active(1);
        assert!(desk.has_wake_up());
        clear(&stuck);
        stuck.sleepers.lock().remove_caller(root, desk);
    }

    /// No right was free for work that came while the pool was narrow. When it is wide again, threads come for it, bound or not.
    #[test]
    fn a_pool_that_widens_wakes_its_sleepers() {
        for (bound, notes) in [(Some(Root::new(1, 1)), true), (None, false)] {
            let pool = pool(2);
            pool.set_active(1);
            let number = pool.try_take(None).expect("one is free");
            let desk = pool.seats[1].own_desk();
            pool.lie_down(desk, bound, false);
            pool.sleepers.lock().waiter_at(desk).unwrap().holds = false;
            bring(&pool, Root::new(1, 1));
            assert!(!notes || !pool.note_miss());
            pool.set_active(2);
            assert!(desk.has_wake_up(), "bound to {bound:?}");
            clear(&pool);
            pool.put_down(number);
        }
    }

    /// In a child after `fork` a pool of its parent's has one thread, and its locks may be held for ever.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_pool_of_the_parent_has_one_thread_and_takes_no_lock() {
        let pool = pool(2);
        let locked = pool.sleepers.lock();
        crate::core::global_pointer::assert_well_in_child(|| {
            let may_be = [0, 1, 2].map(|active| pool.try_set_active(active).is_ok());
            pool.active() == 1 && may_be == [false, true, false]
        });
        drop(locked);
    }
}

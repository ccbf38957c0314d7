//! Callers: threads of other pools that wait for this one inside isolated calls, and are called if it is stuck, to [stand in](super::stand_in).
//!
//! The hand-shake: a thread that waits is on the list before it falls asleep, and looks behind a fence
//! whether that pool is stuck. A thread of that pool that puts its right down, or brings work, looks behind a fence whether there are callers.

use super::pool::Pool;
use crate::sync::planted;

impl Pool {
    /// Whether there is work for threads that are bound to a call, and no thread works, or would be woken for it.
    pub(super) fn is_stuck(&self) -> bool {
        let none_looks = || {
            let counts = self.idle.counts();
            counts.asleep() == 0 && counts.searching() == 0
        };
        // Twice: between two looks a thread may put its right down and begin to search, or the other way round.
        self.has_brought() && none_looks() && self.rights.in_use(0).next().is_none() && none_looks()
    }

    /// Calls the threads of other pools for whose calls there is work here, if it is left to them.
    #[cold]
    pub(super) fn call_callers(&self) {
        if !self.is_stuck() || planted!("callers") {
            return;
        }
        let lists = self.sleepers.lock();
        let callers = lists.callers().filter(|&(root, _)| self.brought.has(root));
        // A share keeps a desk when its thread is on the list no more.
        let called: Vec<_> = callers
            .map(|(_, desk)| (Pool::of(desk).share(), desk))
            .collect();
        drop(lists);
        for (pool, desk) in &called {
            pool.end_wait(desk);
        }
    }
}

//! What the packages below make once for the whole process, under locks.
//!
//! A child process after `fork` would wait for such a lock for ever if another thread of its parent was just making the thing. So all is made early, or
//! by the first fork, and a fork waits until it is.

use std::thread;

/// Makes crossbeam's garbage collector, which else the first look at a queue makes; foldhash's seed; and the beginning of time, for clocks that need one.
#[cfg(unix)]
pub(super) fn make() {
    use super::clock;
    use crate::sync::{AtomicBool, Ordering};
    use crossbeam_deque::Worker as Queue;
    use foldhash::fast::RandomState;

    static MADE: AtomicBool = AtomicBool::new(false);
    if !MADE.load(Ordering::Acquire) {
        _ = Queue::<()>::new_fifo().stealer().steal();
        _ = RandomState::default();
        clock::ticks();
        MADE.store(true, Ordering::Release);
    }
}

/// Returns when no other thread is making anything, and makes what is left: what num_cpus reads of quotas, at the first fork.
#[cfg(unix)]
pub(super) fn finish() {
    use crate::sync::{AtomicBool, Ordering};

    static READ: AtomicBool = AtomicBool::new(false);
    make();
    if !READ.load(Ordering::Acquire) {
        _ = num_cpus::get();
        READ.store(true, Ordering::Release);
    }
}

/// How many processors this process may use: the smaller of two opinions. Both respect affinity and quotas, and a quota of 1.5 is rounded up by one and down by
/// the other.
pub(super) fn processors() -> usize {
    thread::available_parallelism()
        .map_or(1, usize::from)
        .min(num_cpus::get())
}

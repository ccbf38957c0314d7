//! What the packages below make once for the whole process, under locks.
//!
//! A child process after `fork` would wait for such a lock for ever if another thread of its parent was just making the thing. So all is made early, and a fork
//! waits until it is.

use crate::sync::{AtomicUsize, Ordering};
use std::thread;

/// How many threads just ask num_cpus, or did so in the parent of this process.
static COUNTING: AtomicUsize = AtomicUsize::new(0);

/// Makes crossbeam's garbage collector, which else the first look at a queue makes; foldhash's seed; and the beginning of time, for clocks that need one.
#[cfg(unix)]
pub(super) fn make() {
    use super::clock;
    use crate::sync::AtomicBool;
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

/// Returns when no other thread is making anything.
#[cfg(unix)]
pub(super) fn finish() {
    make();
    if COUNTING.load(Ordering::Acquire) > 0 {
        _ = num_cpus::get();
    }
}

/// How many processors this process may use: the smaller of two opinions. Both respect affinity and quotas, and a quota of 1.5 is rounded up by one and down by
/// the other. num_cpus reads the quotas once. It is not asked if a program says itself how many threads it wants: these are files, which a program may be
/// forbidden to open.
pub(super) fn processors() -> usize {
    COUNTING.fetch_add(1, Ordering::AcqRel);
    let count = num_cpus::get();
    COUNTING.fetch_sub(1, Ordering::AcqRel);
    thread::available_parallelism()
        .map_or(1, usize::from)
        .min(count)
}

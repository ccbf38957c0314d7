//! Child processes: after `fork` there is one thread, and none of those that its parent's pools had.

use crate::sync::{AtomicU32, Ordering};

/// How many forks lie between this process and the first process that used the crate.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Differs between a process and its children. No model forks.
#[inline]
pub(crate) fn generation() -> u32 {
    if cfg!(filch_shuttle) {
        return 0;
    }
    FORKS.load(Ordering::Relaxed)
}

/// Whether this process is a child of one that used the crate.
pub(crate) fn is_child() -> bool {
    generation() != 0
}

/// This process has just begun, as a child.
#[cfg(unix)]
pub(crate) fn begin() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

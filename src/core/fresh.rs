//! New numbers for the [roots](super::root) of isolated calls, each of them unique in the process.

use super::root::Root;
use crate::sync::{AtomicU64, Ordering};

/// A root for work that nothing else is mixed with.
pub(super) fn new_isolated_root() -> Root {
    Root::isolated(next())
}

/// The same for a job with a handle.
pub(super) fn new_job_root() -> Root {
    Root::job(next())
}

fn next() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

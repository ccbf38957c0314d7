//! What a wait ends with, and whose work the thread does meanwhile.

use super::job::JobRef;
use super::latch::Latch;
use super::root::Root;

/// The roots whose work a thread does while it waits.
pub(super) type Roots = [Option<Root>; 2];

/// What a wait ends with, and what goes on meanwhile.
pub(super) struct Until<'a> {
    pub(super) latch: &'a Latch,
    /// The root whose jobs the thread runs meanwhile; `None`: it runs all jobs.
    pub(super) bound: Option<Root>,
    /// Another root whose jobs it runs: that of the awaited work, in another pool.
    pub(super) also: Option<Root>,
    /// If the thread finds this job, the wait ends, and the job is not run.
    pub(super) job: Option<JobRef>,
    /// The thread needs no right after the wait, because it leaves the pool.
    pub(super) leaves: bool,
}

impl<'a> Until<'a> {
    pub(super) fn new(latch: &'a Latch, bound: Option<Root>) -> Self {
        Until {
            latch,
            bound,
            also: None,
            job: None,
            leaves: false,
        }
    }

    /// The roots whose work other pools may leave to this thread meanwhile.
    pub(super) fn roots(&self) -> Roots {
        [self.bound, self.also]
    }
}

//! Branches: roots below other roots.
//!
//! A thread that waits for one call may have to run a job of another call on top of that wait: its share of a broadcast, say. The job gets a root of its own, so that
//! the thread runs nothing else of that other call while it waits inside the job. All the same the job is work of that call. What it sends back has to be run by
//! a thread that waits for that call, even if no other thread can: all of them may wait for a lock that this thread holds. So the new root is a *branch* of the
//! job's root, and a thread that waits for work of a root runs the work of all branches below it as well.
//!
//! A table of the process says which root is above a branch. It has no locks, so that a child after `fork` can use it, and room for so many branches at a time that a
//! program would need as many threads. A branch for which there is no room is a root with none above it.

use super::above::Above;
use super::fresh::next;
use super::root::Root;
use std::iter;

/// How many branches of the process the table has room for.
const PLACES: u64 = 1024;
/// How many places are tried for a new branch.
const TRIES: usize = 16;

static TABLE: [Above; PLACES as usize] = [const { Above::nothing() }; PLACES as usize];

/// The only place where `branch` may be.
fn place(branch: Root) -> &'static Above {
    &TABLE[(branch.count() % PLACES) as usize]
}

/// A branch, as long as its job runs.
pub(super) struct Branch(Root);

impl Branch {
    /// A new branch of `above`. It is the root of an isolated call or of a job with a handle.
    pub(super) fn new(above: Root, is_job: bool) -> Branch {
        let fresh = || match is_job {
            true => Root::job(next()),
            false => Root::isolated(next()),
        };
        if above == Root::NONE {
            return Branch(fresh());
        }
        let mut branches = iter::repeat_with(|| fresh().as_branch()).take(TRIES);
        let branch = branches.find(|&branch| place(branch).put(branch, above));
        Branch(branch.unwrap_or_else(fresh))
    }

    pub(super) fn root(&self) -> Root {
        self.0
    }
}

impl Drop for Branch {
    fn drop(&mut self) {
        if self.0.is_branch() {
            place(self.0).clear();
        }
    }
}

impl Root {
    /// The root above it, if this is a branch whose job still runs.
    fn above(self) -> Option<Root> {
        self.is_branch().then(|| place(self).of(self))?
    }

    /// This root, the root above it, and so on.
    pub(super) fn and_above(self) -> impl Iterator<Item = Root> {
        iter::successors(Some(self), |root| root.above())
    }

    /// Whether a thread that waits for work of `call` runs work of this root.
    #[inline]
    pub(super) fn is_within(self, call: Root) -> bool {
        self == call || self.is_branch() && self.and_above().any(|root| root == call)
    }
}

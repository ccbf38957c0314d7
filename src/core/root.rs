//! Roots: which call a job descends from.
//!
//! A thread that waits inside a call may hold a lock, so it matters what it picks up meanwhile. Every public job carries the root of the
//! call it descends from, inherited by the thread that runs it. Two kinds of waiter look at it: a *guest* (its thread belongs to the user's
//! program and may hold any lock) and every thread inside `isolate`.

/// The name of a root. Unique in its pool for as long as the pool lives; that of an isolated call in the whole process, because the call's work
/// keeps it in other pools.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Root(u64);

/// Set in the name of a root whose waiters are bound on every thread, not only on the guest's.
const ISOLATED: u64 = 1 << 63;
/// Set as well in the name of a root of a [job with a handle](super::handle), and of a foreign job that runs on top of one or on top of a guest's call. Such a
/// root is isolated because other jobs may wait for what lies below, not because that may hold a lock.
const JOB: u64 = 1 << 61;
/// Set in the name of a [sub-root](super::sub_root): in the order of roots these come last.
const SUB_ROOT: u64 = 1 << 62;
/// Set in the name of a sub-root if the root above it, or one further up, is that of a job with a handle.
const BELOW_JOB: u64 = 1 << 59;
/// Set in no name, so that a table of names can mark one with it.
pub(super) const MARK: u64 = 1 << 60;
const DESK_SHIFT: u32 = 44;

/// How many kinds of roots are told apart where threads bound to roots are counted: with the count of unbound ones, a line of the cache.
pub(crate) const KINDS: usize = 7;

impl Root {
    /// Work that descends from nothing in particular: it was installed or spawned from outside.
    pub(crate) const NONE: Root = Root(0);

    /// The `count`th root (from 1) that was born at desk `desk`; desk 0 stands for threads outside.
    pub(crate) fn new(desk: usize, count: u64) -> Root {
        Root(((desk as u64) << DESK_SHIFT) | (count & ((1 << DESK_SHIFT) - 1)))
    }

    /// The `count`th isolated root of the process.
    pub(crate) fn isolated(count: u64) -> Root {
        Root(ISOLATED | count)
    }

    /// The same of a job with a handle.
    pub(crate) fn job(count: u64) -> Root {
        Root(ISOLATED | JOB | count)
    }

    /// No sub-root comes before it in the order of roots, and no other root after it.
    pub(super) const FIRST_SUB_ROOT: Root = Root(ISOLATED | SUB_ROOT);

    /// The same root as a sub-root of `above`.
    pub(super) fn as_sub_root(self, above: Root) -> Root {
        let below_job = match above.is_of_job() {
            true => BELOW_JOB,
            false => 0,
        };
        Root(self.0 | SUB_ROOT | below_job)
    }

    pub(super) fn is_sub_root(self) -> bool {
        self.0 & (ISOLATED | SUB_ROOT) == ISOLATED | SUB_ROOT
    }

    /// Its number among the isolated roots of the process.
    pub(super) fn count(self) -> u64 {
        self.0 & !(ISOLATED | JOB | SUB_ROOT | BELOW_JOB)
    }

    pub(super) fn to_bits(self) -> u64 {
        self.0
    }

    pub(super) fn from_bits(bits: u64) -> Root {
        Root(bits)
    }

    pub(crate) fn is_job(self) -> bool {
        self.0 & (ISOLATED | JOB) == ISOLATED | JOB
    }

    /// Whether it is that of a job with a handle, or below one. The name says it, so that this takes no longer where many sub-roots are below each other.
    pub(super) fn is_of_job(self) -> bool {
        self.is_isolated() && self.0 & (JOB | BELOW_JOB) != 0
    }

    /// Whether it is that of an isolated call, in which a thread may hold a lock that all other work wants.
    pub(crate) fn may_hold_a_lock(self) -> bool {
        self.is_isolated() && !self.is_job()
    }

    pub(crate) fn is_isolated(self) -> bool {
        self.0 & ISOLATED != 0
    }

    /// Which of [`KINDS`] kinds it is. Roots of one kind are taken for each other where only hints are counted.
    pub(crate) fn kind(self) -> usize {
        let mixed = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        mixed as usize % KINDS
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::Root;
    use std::collections::BTreeSet;

    #[test]
    fn each_root_has_a_name_of_its_own() {
        let mut names = BTreeSet::from([Root::NONE]);
        for count in (1..20).chain([1 << 20, (1 << 44) - 1]) {
            let born = (0..20).map(|desk| Root::new(desk, count));
            let isolated = [Root::isolated(count), Root::job(count)];
            for root in born.chain(isolated) {
                assert!(names.insert(root), "{root:?}");
            }
            for root in isolated {
                let below = isolated.map(|above| root.as_sub_root(above));
                assert_eq!(below.map(Root::count), [count; 2]);
            }
        }
    }
}

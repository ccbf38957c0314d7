//! Which root is above a [branch](super::branch): a place for one branch at a time, which threads read without a lock while others clear and fill it.

use super::root::Root;
use crate::sync::{AtomicU64, Ordering, planted};

/// A branch and the root above it, or nothing.
pub(crate) struct Above {
    /// The branch, or [`FREE`], or [`TAKEN`].
    branch: AtomicU64,
    root: AtomicU64,
}

/// Nothing is here. No branch has this name, since branches are isolated.
const FREE: u64 = 0;
/// The same while a thread writes its branch here.
const TAKEN: u64 = 1;

impl Above {
    #[cfg(not(filch_loom))]
    pub(super) const fn nothing() -> Self {
        Above {
            branch: AtomicU64::new(FREE),
            root: AtomicU64::new(0),
        }
    }

    /// False: another branch is here.
    pub(crate) fn put(&self, branch: Root, root: Root) -> bool {
        let order = Ordering::Relaxed;
        let is_free = self.branch.compare_exchange(FREE, TAKEN, order, order);
        if is_free.is_ok() {
            // A thread that reads this has to see that the branch before is gone.
            self.root.store(root.to_bits(), Ordering::Release);
            self.branch.store(branch.to_bits(), Ordering::Release);
        }
        is_free.is_ok()
    }

    /// The branch that was put here is over.
    pub(crate) fn clear(&self) {
        self.branch.store(FREE, Ordering::Relaxed);
    }

    /// The root above `branch`, if that is here.
    pub(crate) fn of(&self, branch: Root) -> Option<Root> {
        let is_here = |order| self.branch.load(order) == branch.to_bits();
        let root = is_here(Ordering::Acquire).then(|| self.root.load(Ordering::Acquire))?;
        // The branch may have ended meanwhile. Then the root may belong to the next one here.
        let still = is_here(Ordering::Relaxed) || planted!("above");
        still.then(|| Root::from_bits(root))
    }
}

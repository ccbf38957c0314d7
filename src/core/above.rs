//! Which root is above a [sub-root](super::sub_root): a place for one sub-root at a time, which threads read without a lock while others clear and fill it.

use super::root::{MARK, Root};
use crate::sync::{AtomicU64, Ordering, planted};

/// A sub-root and the root above it, or nothing.
pub(crate) struct Above {
    /// The sub-root, perhaps with [`OVER`]; or [`FREE`], or [`TAKEN`].
    sub_root: AtomicU64,
    root: AtomicU64,
}

/// Nothing is here. No sub-root has this name, since sub-roots are isolated.
const FREE: u64 = 0;
/// The same while a thread writes its sub-root here.
const TAKEN: u64 = 1;
/// Set when the sub-root's job is over: the next sub-root may come here. Until then a thread still finds what is above, because what the job spawned may be left.
const OVER: u64 = MARK;

impl Above {
    #[cfg(not(filch_loom))]
    pub(crate) const fn nothing() -> Self {
        Above {
            sub_root: AtomicU64::new(FREE),
            root: AtomicU64::new(0),
        }
    }

    /// The same: loom's atomics are not made by constants.
    #[cfg(filch_loom)]
    pub(crate) fn nothing() -> Self {
        Above {
            sub_root: AtomicU64::new(FREE),
            root: AtomicU64::new(0),
        }
    }

    /// False: another sub-root is here, and its job runs.
    pub(crate) fn put(&self, sub_root: Root, root: Root) -> bool {
        let before = self.sub_root.load(Ordering::Relaxed);
        let may_go = before == FREE || before & OVER != 0;
        let take = || {
            let [order, failed] = [Ordering::Acquire, Ordering::Relaxed];
            // Acquire: what the thread before wrote to `root` comes before what this one writes.
            let gone = self.sub_root.compare_exchange(before, TAKEN, order, failed);
            gone.is_ok()
        };
        let goes = may_go && take();
        if goes {
            // A thread that reads this has to see that the sub-root before is gone.
            self.root.store(root.to_bits(), Ordering::Release);
            self.sub_root.store(sub_root.to_bits(), Ordering::Release);
        }
        goes
    }

    /// The job of `sub_root`, which was put here, is over.
    pub(crate) fn end(&self, sub_root: Root) {
        let over = sub_root.to_bits() | OVER;
        self.sub_root.store(over, Ordering::Release);
    }

    /// The root above `sub_root`, if that is here.
    pub(crate) fn of(&self, sub_root: Root) -> Option<Root> {
        let is_here = |order| self.sub_root.load(order) & !OVER == sub_root.to_bits();
        let root = is_here(Ordering::Acquire).then(|| self.root.load(Ordering::Acquire))?;
        // It may be gone meanwhile. Then the root may belong to the next one here.
        let still = is_here(Ordering::Relaxed) || planted!("above");
        still.then(|| Root::from_bits(root))
    }
}

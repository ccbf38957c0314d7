//! A hook for tests: decides where pieces are cut, whatever they cost. Results must not depend on it.

use crate::core::worker::Worker;
use crate::sync::{AtomicU32, Ordering};

/// Where parallel iterators are cut.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cuts {
    /// Where it is worth it: the normal case.
    Adaptive,
    /// Nowhere, but where `with_max_len` demands it.
    Never,
    /// Wherever it is possible, down to single items.
    Always,
    /// By the toss of a coin at each look.
    Random,
}

static FORCED: AtomicU32 = AtomicU32::new(0);

/// Makes all parallel iterators of the process cut as `cuts` says, from now on.
#[doc(hidden)]
pub fn force_cuts(cuts: Cuts) {
    FORCED.store(cuts as u32, Ordering::SeqCst);
}

/// Whether the hook is set.
#[inline]
pub(crate) fn is_forced() -> bool {
    FORCED.load(Ordering::Relaxed) != 0
}

/// What the hook says about a cut, if anything.
#[inline]
pub(super) fn forced(worker: Worker<'_>) -> Option<bool> {
    match FORCED.load(Ordering::Relaxed) {
        0 => None,
        forced => Some(decide(forced, worker)),
    }
}

#[cold]
fn decide(forced: u32, worker: Worker<'_>) -> bool {
    match forced {
        1 => false,
        2 => true,
        _ => worker.random() >> 40 & 1 == 0,
    }
}

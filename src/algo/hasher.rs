//! The hasher of algorithms that hash.

use crate::core::watch_forks;
use foldhash::fast::RandomState;

/// A hasher with a seed of its own. The first one makes a seed for the whole process, and a fork waits until that is done: a child would wait for ever.
pub(crate) fn new_hasher() -> RandomState {
    watch_forks();
    RandomState::default()
}

//! What a recording has of one thread: which thread it is, and its events.

use super::slots::Event;

/// Whose desk it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity {
    /// The number of the pool.
    pub(crate) pool: u64,
    /// The name of the desk in its pool; 0 stands for threads without one.
    pub(crate) desk: u64,
    /// The number of the worker.
    pub(crate) worker: Option<u64>,
}

/// What one thread did.
#[derive(Clone, PartialEq)]
pub(crate) struct Track {
    pub(crate) of: Identity,
    pub(crate) events: Vec<Event>,
    /// How many events were overwritten, at least.
    pub(crate) lost: u64,
}

//! Which bundles of a running job are done, and the blob that each has left.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use crate::blob::Blob;

/// By call and number.
pub(crate) type Notes = BTreeMap<(u32, u32), Blob>;

#[derive(Default)]
pub(crate) struct Bundles(pub(crate) Mutex<Option<State>>);

pub(crate) struct State {
    pub(crate) notes: Notes,
    pub(crate) calls: u32,
    pub(crate) written: Instant,
    /// How many blobs of notes there were.
    pub(crate) blobs: u32,
}

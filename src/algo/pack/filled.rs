//! What a sweep leaves: the stretch of slots that it filled, and the panic that stopped it, if one did.
//!
//! To join a neighbouring stretch costs the moves of its elements: see `stretch`.

use super::stretch::SlotStretch;
use crate::core::unwind::{Payload, catch};
use std::mem;

/// The outcome of a sweep that fills slots.
pub(crate) struct Filled<'a, T> {
    pub(crate) stretch: SlotStretch<'a, T>,
    /// The panic that comes first in the order of the positions.
    pub(crate) panic: Option<Payload>,
}

impl<T: Send> Filled<'_, T> {
    /// Takes in what the next stretch came to, but for its first `skip` elements.
    pub(crate) fn append(&mut self, right: Self, skip: usize) {
        self.stretch.append(right.stretch, skip);
        self.note(right.panic);
    }

    /// Takes a later panic in: only the first one goes on.
    pub(crate) fn note(&mut self, panic: Option<Payload>) {
        if self.panic.is_none() {
            self.panic = panic;
        } else if let Err(third) = catch(|| drop(panic)) {
            mem::forget(third);
        }
    }
}

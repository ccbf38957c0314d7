//! Makes a vector if only an upper bound of its length is known.
//!
//! Each fold writes its elements one after the other. A fold that was cut off begins at the place that its elements would have if there
//! were as many before them as there can be. To join two stretches closes the gap between them. Memory that is never written is never
//! touched.
//!
//! Work O(n), and each element moves up to once more for each theft before it; span O(log² n) and the moves, O(n / p). Memory: room for as many elements as there
//! can be, of which what is unused is given back.

use super::filled::{Filling, fill};
use super::stretch::SlotStretch;
use crate::core::unwind::resume;
use crate::iter::sinks::collect::trim;
use std::ops::Range;

/// What elements are made of.
pub(crate) trait EmitSource<T>: Sync {
    /// How many elements the positions before `position` make, at most. Always the same, and never less than for an earlier position.
    fn most_before(&self, position: usize) -> usize;

    /// Puts the elements that `positions` make into `out`, which has room for as many as there can be.
    fn emit(&self, positions: Range<usize>, out: &mut SlotStretch<'_, T>);
}

/// All elements that the first `len` positions of `source` make.
pub(crate) fn emit<T: Send, S: EmitSource<T>>(len: usize, source: &S) -> Vec<T> {
    let mut vec = Vec::with_capacity(source.most_before(len));
    if let Err(payload) = fill(&mut vec, len, &Emit(source)) {
        drop(vec);
        resume(payload);
    }
    trim(&mut vec);
    vec
}

struct Emit<'s, S>(&'s S);

impl<T, S: EmitSource<T>> Filling<T> for Emit<'_, S> {
    fn most_before(&self, position: usize) -> usize {
        self.0.most_before(position)
    }

    fn advance(&self, next: &mut usize, end: usize, out: &mut SlotStretch<'_, T>) {
        let positions = *next..end;
        *next = end;
        self.0.emit(positions, out);
    }
}

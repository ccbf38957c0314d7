//! Makes a vector if only an upper bound of its length is known.
//!
//! Each fold writes its elements one after the other. A fold that was cut off begins at the place that its elements would have if there
//! were as many before them as there can be. To join two stretches closes the gap between them. Memory that is never written is never
//! touched.
//!
//! Work O(n), and each element moves up to once more for each theft before it; span O(log² n) and the moves, O(n / p). Memory: room for as many elements as there
//! can be, of which what is unused is given back.

use super::filled::{Filling, fill};
use crate::core::unwind::resume;
use crate::iter::sinks::collect::trim;

/// All elements that the first `len` positions make.
pub(crate) fn emit<T: Send, F: Filling<T>>(len: usize, filling: &F) -> Vec<T> {
    let mut vec = Vec::with_capacity(filling.most_before(len));
    if let Err(payload) = fill(&mut vec, len, filling) {
        drop(vec);
        resume(payload);
    }
    trim(&mut vec);
    vec
}

//! Collecting into vectors.

pub(crate) mod grow;
pub(crate) mod place;

use crate::iter::ParallelIterator;
use crate::iter::plumbing::Length;

/// All items of `par_iter` in a vector: in place if the length is known, else in parts that are combined.
pub(crate) fn to_vec<I: ParallelIterator>(par_iter: I) -> Vec<I::Item> {
    let mut vec = Vec::new();
    extend_vec(&mut vec, par_iter);
    vec
}

/// Appends all items of `par_iter` to `vec`.
pub(crate) fn extend_vec<I: ParallelIterator>(vec: &mut Vec<I::Item>, par_iter: I) {
    // Each of the two ways is a copy of the driver's part for this chain. Where the type tells which, one is compiled, if a boolean tells it.
    if const { matches!(I::OPT_LEN, Length::Never) } {
        debug_assert!(par_iter.opt_len().is_none());
        return extend_uncounted(vec, par_iter);
    }
    let len = par_iter.opt_len();
    if const { matches!(I::OPT_LEN, Length::Always) } {
        return extend_counted(vec, len.expect("its type promises a length"), par_iter);
    }
    match len {
        Some(len) => extend_counted(vec, len, par_iter),
        None => extend_uncounted(vec, par_iter),
    }
}

/// An iterator that says how many items it has is driven by position.
fn extend_counted<I: ParallelIterator>(vec: &mut Vec<I::Item>, len: usize, par_iter: I) {
    place::collect_into(vec, len, |slots| par_iter.drive_unindexed(slots));
}

fn extend_uncounted<I: ParallelIterator>(vec: &mut Vec<I::Item>, par_iter: I) {
    let parts = grow::collect_parts(par_iter);
    if vec.is_empty() && vec.capacity() < parts.len() {
        *vec = parts.into_vec();
        return;
    }
    vec.reserve(parts.len());
    for mut part in parts.into_iter() {
        vec.append(&mut part);
    }
}

/// Whether so much of the room for `capacity` items is unused that it is freed: more than half of what the `len` items take, plus 64 items, but not more than
/// a kilobyte. To move a few items costs more than their memory is worth.
#[inline]
pub(crate) fn is_roomy<T>(len: usize, capacity: usize) -> bool {
    let few = (1024 / size_of::<T>().max(1)).min(64);
    capacity - len > len / 2 + few
}

/// Frees the memory that a finished vector does not need.
#[inline]
pub(crate) fn trim<T>(vec: &mut Vec<T>) {
    if is_roomy::<T>(vec.len(), vec.capacity()) {
        vec.shrink_to_fit();
    }
}

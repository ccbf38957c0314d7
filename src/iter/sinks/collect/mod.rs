//! Collecting into vectors.

pub(crate) mod grow;
pub(crate) mod place;

use crate::iter::ParallelIterator;

/// All items of `par_iter` in a vector: in place if the length is known, else in parts that are combined.
pub(crate) fn to_vec<I>(par_iter: I) -> Vec<I::Item>
where
    I: ParallelIterator,
{
    let mut vec = Vec::new();
    extend_vec(&mut vec, par_iter);
    vec
}

/// Appends all items of `par_iter` to `vec`.
pub(crate) fn extend_vec<I>(vec: &mut Vec<I::Item>, par_iter: I)
where
    I: ParallelIterator,
{
    match par_iter.opt_len() {
        // An iterator that says how many items it has is driven by position.
        Some(len) => place::collect_into(vec, len, |slots| par_iter.drive_unindexed(slots)),
        None => {
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
    }
}

/// Whether so much of the room for `capacity` items is unused that it is freed: more than half of what the `len` items take, plus 64 items.
#[inline]
pub(crate) fn is_roomy(len: usize, capacity: usize) -> bool {
    capacity - len > len / 2 + 64
}

/// Frees the memory that a finished vector does not need.
#[inline]
pub(crate) fn trim<T>(vec: &mut Vec<T>) {
    if is_roomy(vec.len(), vec.capacity()) {
        vec.shrink_to_fit();
    }
}

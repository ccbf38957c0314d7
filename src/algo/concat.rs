//! Joins vectors into one, in their order: all threads copy.

use super::moves::{copy, leaf_of};
use crate::iter::{IntoParallelIterator, ParallelIterator};

/// As many bytes are copied by the caller alone.
const ALONE: usize = 1 << 16;

/// The elements of all `parts`, in order, in one vector. Work O(n + parts), span O(log n + parts); no memory beside the result.
pub(in crate::algo) fn concat<T: Send>(mut parts: Vec<Vec<T>>) -> Vec<T> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let len: usize = parts.iter().map(Vec::len).sum();
    if len <= leaf_of::<T>(ALONE) {
        return parts.into_iter().flatten().collect();
    }
    let mut all = Vec::with_capacity(len);
    let mut room = &mut all.spare_capacity_mut()[..len];
    let mut moves = Vec::with_capacity(parts.len());
    for part in &mut parts {
        let len = part.len();
        // SAFETY: nothing is left to initialise. Should the elements not get to `all`, they are leaked.
        unsafe { part.set_len(0) };
        let to = room.split_off_mut(..len).expect("room for all");
        moves.push((&mut part.spare_capacity_mut()[..len], to));
    }
    moves.into_par_iter().for_each(|(from, to)| copy(from, to));
    // SAFETY: the copies filled the first `len` slots with the elements of the parts, which are in the parts no more: these have the length 0.
    unsafe { all.set_len(len) };
    all
}

//! Joins vectors into one, in their order: all threads copy.

use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::mem::MaybeUninit;
use std::ptr;

/// How many bytes are copied at a time.
const CHUNK: usize = 1 << 16;

/// The elements of all `parts`, in order, in one vector.
pub(in crate::algo) fn concat<T: Send>(mut parts: Vec<Vec<T>>) -> Vec<T> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let len: usize = parts.iter().map(Vec::len).sum();
    let chunk = (CHUNK / size_of::<T>().max(1)).max(1);
    if len <= chunk || size_of::<T>() == 0 {
        return parts.into_iter().flatten().collect();
    }
    let mut all = Vec::with_capacity(len);
    let mut room = &mut all.spare_capacity_mut()[..len];
    let mut moves = Vec::with_capacity(parts.len() + len / chunk);
    for part in &mut parts {
        let len = part.len();
        // SAFETY: nothing is left to initialise. Should the elements not get to `all`, they are leaked.
        unsafe { part.set_len(0) };
        let (to, rest) = room.split_at_mut(len);
        room = rest;
        let from = &mut part.spare_capacity_mut()[..len];
        moves.extend(from.chunks_mut(chunk).zip(to.chunks_mut(chunk)));
    }
    moves.into_par_iter().for_each(
        |(from, to): (&mut [MaybeUninit<T>], &mut [MaybeUninit<T>])| {
            // SAFETY: both slices are borrowed, hence apart, and chunks of slices of one length, hence of one length.
            unsafe { ptr::copy_nonoverlapping(from.as_ptr(), to.as_mut_ptr(), from.len()) };
        },
    );
    // SAFETY: the moves filled the first `len` slots with the elements of the parts, which are in the parts no more: these have the length 0.
    unsafe { all.set_len(len) };
    all
}

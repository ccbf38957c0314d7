//! The stable sort by keys that are computed once for each element.
//!
//! 1. Keys are computed in parallel, each with the index of its element.
//! 2. The pairs are sorted, unstably: no two are equal, since no two indices are.
//! 3. The elements are gathered, in parallel, in the order of the indices.
//!
//! If a key function or a comparison of keys panics, the elements have not moved.
//!
//! Work O(n log n) comparisons of keys, and n keys; span as that of the unstable sort. Memory: the keys with indices, and the elements once more.

use super::order::Natural;
use super::sequential;
use super::unstable::sort_unstable;
use super::{both, in_pool};
use crate::algo::buffer::Buffer;
use crate::algo::moves::{MovedFrom, replace};
use crate::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::mem::MaybeUninit;

/// Fewer elements are sorted on this thread, however costly their keys.
const SHORT: usize = 16;

/// Elements gathered by one task.
const LEAF: usize = 1 << 12;

pub(crate) fn sort_by_cached_key<T, K, F>(v: &mut [T], key: &F)
where
    T: Send,
    K: Ord + Send,
    F: Fn(&T) -> K + Sync,
{
    if v.len() < 2 {
        return;
    }
    if v.len() < SHORT {
        let pairs = v.iter().zip(0..).map(|(x, index)| (key(x), index));
        let mut pairs: Vec<(K, u32)> = pairs.collect();
        sequential::sort_unstable(&mut pairs, &Natural);
        // SAFETY: each element is paired with its index, and a sort neither loses nor doubles a pair.
        return unsafe { put_in_order(v, pairs, &|index| index as usize) };
    }
    let narrower = size_of::<(K, u32)>() < size_of::<(K, usize)>();
    in_pool(|| match narrower && u32::try_from(v.len()).is_ok() {
        true => sort_with_indices(v, key, &|index| index as u32, &|index| index as usize),
        false => sort_with_indices(v, key, &|index| index, &|index| index),
    });
}

/// Sorts with indices that `narrow` makes, and `get` undoes.
fn sort_with_indices<I, T, K, F>(
    v: &mut [T],
    key: &F,
    narrow: &(impl Fn(usize) -> I + Sync),
    get: &(impl Fn(I) -> usize + Sync),
) where
    I: Copy + Ord + Send,
    T: Send,
    K: Ord + Send,
    F: Fn(&T) -> K + Sync,
{
    // Elements need not be `Sync`, so each is lent to one thread for good.
    let elements = v.par_iter_mut().enumerate();
    let pairs = elements.map(|(index, x)| (key(x), narrow(index)));
    let mut pairs: Vec<(K, I)> = pairs.collect();
    sort_unstable(&mut pairs, &Natural);
    // SAFETY: each element was paired with its index, and a sort neither loses nor doubles a pair; a comparison of keys cannot reach the
    // index beside.
    unsafe { put_in_order(v, pairs, get) };
}

/// Moves the element whose index is in `pairs[i]` to the index `i`, for each `i`.
///
/// # Safety
///
/// The pairs hold every index of `v` exactly once, as `get` tells.
unsafe fn put_in_order<I, T, K>(v: &mut [T], pairs: Vec<(K, I)>, get: &(impl Fn(I) -> usize + Sync))
where
    I: Copy + Send,
    T: Send,
    K: Send,
{
    let mut pairs = Buffer(pairs);
    let mut buffer = Buffer::new(v.len());
    let buffer = &mut buffer.slots()[..v.len()];
    // SAFETY: by the caller, each index is inside the slice and occurs once. Before all elements are back, no code runs that can reach them
    // or the pairs, and nothing unwinds: the keys are dropped at the end.
    unsafe { gather(&MovedFrom::of(v), &mut pairs.0, buffer, get) };
    // SAFETY: `gather` moved every element to the buffer.
    unsafe { replace(v, buffer) };
}

/// Moves the element whose index is in `pairs[i]` to `out[i]`, for each `i`. Takes the pairs
/// mutably because keys need not be `Sync`.
///
/// # Safety
///
/// No index occurs twice, and each is inside the slice that `from` was made of, whose elements are forgotten.
unsafe fn gather<I, T, K>(
    from: &MovedFrom<T>,
    pairs: &mut [(K, I)],
    out: &mut [MaybeUninit<T>],
    get: &(impl Fn(I) -> usize + Sync),
) where
    I: Copy + Send,
    T: Send,
    K: Send,
{
    debug_assert_eq!(pairs.len(), out.len());
    if pairs.len() <= LEAF {
        for ((_, index), slot) in pairs.iter().zip(out) {
            // SAFETY: the caller's promise.
            unsafe { from.copy_to(get(*index), slot) };
        }
        return;
    }
    let mid = pairs.len() / 2;
    let (left, right) = pairs.split_at_mut(mid);
    let (out_left, out_right) = out.split_at_mut(mid);
    both(
        // SAFETY: the caller's promise, for a part of the indices.
        || unsafe { gather(from, left, out_left, get) },
        // SAFETY: likewise.
        || unsafe { gather(from, right, out_right, get) },
    );
}

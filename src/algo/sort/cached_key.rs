//! The stable sort by keys that are computed once for each element.
//!
//! 1. Keys are computed in parallel, each with the index of its element.
//! 2. The pairs are sorted, unstably: no two are equal, since no two indices are.
//! 3. The elements are gathered, in parallel, in the order of the indices.
//!
//! If a key function or a comparison of keys panics, the elements have not moved.
//!
//! Work O(n log n) comparisons of keys, and n keys; span as that of the unstable sort. Memory: the keys with indices, and the elements once more.

use super::in_pool;
use super::order::Natural;
use super::sequential;
use super::unstable::sort_unstable;
use crate::algo::buffer::Buffer;
use crate::algo::moves::permute;
use crate::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

/// Fewer elements are sorted on this thread, however costly their keys.
const SHORT: usize = 16;

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
        return unsafe { permute(v, &mut pairs, |&mut (_, index)| index as usize) };
    }
    let narrower = size_of::<(K, u32)>() < size_of::<(K, u64)>();
    in_pool(|| match narrower && u32::try_from(v.len()).is_ok() {
        true => sort_with_indices(v, key, |index| index as u32),
        false => sort_with_indices(v, key, |index| index as u64),
    });
}

/// Sorts with indices that `index` makes of numbers.
fn sort_with_indices<I, T, K, F>(v: &mut [T], key: &F, index: impl Fn(usize) -> I + Sync)
where
    I: Copy + Ord + Send + Into<u64>,
    T: Send,
    K: Ord + Send,
    F: Fn(&T) -> K + Sync,
{
    // Elements need not be `Sync`, so each is lent to one thread for good. So are the keys.
    let elements = v.par_iter_mut().enumerate();
    let pairs = elements.map(|(i, x)| (key(x), index(i)));
    let mut pairs: Buffer<(K, I)> = Buffer(pairs.collect());
    sort_unstable(&mut pairs.0, &Natural);
    // SAFETY: each element was paired with its index, and a sort neither loses nor doubles a pair; a comparison of keys cannot reach the
    // index beside. The keys are dropped when all elements have moved.
    unsafe { permute(v, &mut pairs.0, |pair| pair.1.into() as usize) };
}

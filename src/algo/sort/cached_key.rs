//! The stable sort by keys that are computed once for each element, and the order in which such keys are.
//!
//! 1. Keys are computed in parallel, each with the index of its element.
//! 2. The pairs are sorted, unstably: no two are equal, since no two indices are.
//! 3. The elements are moved, in parallel, in the order of the indices.
//!
//! Work O(n log n) comparisons of keys, and n keys; span as that of the unstable sort. Memory: the keys with indices, then an index for each element,
//! and the elements once more.
//!
//! If a key function, a comparison of keys or the drop of a key panics, the elements have not moved.

use super::in_pool;
use super::order::Natural;
use super::sequential;
use super::unstable::sort_unstable;
use crate::algo::permute::permute_by;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};

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
    let order: Vec<usize> = if v.len() < SHORT {
        let mut pairs: Vec<(K, usize)> = v.iter().map(key).zip(0..).collect();
        sequential::sort_unstable(&mut pairs, &Natural);
        pairs.into_iter().map(|(_, index)| index).collect()
    } else {
        // Elements need not be `Sync`, so each is lent to one thread for good.
        in_pool(|| order_of_keys(v.par_iter_mut().map(|x| key(x))))
    };
    // SAFETY: each key was paired with its index, and a sort neither loses nor doubles a pair; a comparison of keys cannot reach the index beside.
    unsafe { permute_by(v, |i| order[i]) };
}

/// The indices of the keys in the order in which a stable sort would put these.
pub(crate) fn order_of_keys<K: Ord + Send>(
    keys: impl IndexedParallelIterator<Item = K>,
) -> Vec<usize> {
    let narrower = size_of::<(K, u32)>() < size_of::<(K, usize)>();
    if narrower && u32::try_from(keys.len()).is_ok() {
        order(keys, |index| index as u32, |index: u32| index as usize)
    } else {
        order(keys, |index| index, |index| index)
    }
}

/// [`order_of_keys`] by pairs with indices of another type.
fn order<K: Ord + Send, I: Ord + Send>(
    keys: impl IndexedParallelIterator<Item = K>,
    from_index: impl Fn(usize) -> I + Sync + Send,
    to_index: impl Fn(I) -> usize + Sync + Send,
) -> Vec<usize> {
    let pairs = keys.enumerate().map(|(at, key)| (key, from_index(at)));
    let mut pairs: Vec<(K, I)> = pairs.collect();
    sort_unstable(&mut pairs, &Natural);
    let indices = pairs.into_par_iter().map(|(_, index)| to_index(index));
    indices.collect()
}

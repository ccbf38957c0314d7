//! The stable sort by keys that are computed once for each element.
//!
//! 1. Keys are computed in parallel, each with the index of its element.
//! 2. The pairs are sorted, unstably: no two are equal, since no two indices are.
//! 3. The elements are moved, in parallel, in the order of the indices.
//!
//! Work O(n log n) comparisons of keys, and n keys; span as that of the unstable sort. Memory: the keys with indices, and the elements once more.
//!
//! If a key function or a comparison of keys panics, the elements have not moved.

use super::in_pool;
use super::order::Natural;
use super::sequential;
use super::unstable::sort_unstable;
use crate::algo::permute::permute_by;
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
        let mut pairs: Vec<(K, usize)> = v.iter().map(key).zip(0..).collect();
        sequential::sort_unstable(&mut pairs, &Natural);
        return put_in_order(v, pairs, |index| index);
    }
    let narrower = size_of::<(K, u32)>() < size_of::<(K, usize)>();
    in_pool(|| {
        if narrower && u32::try_from(v.len()).is_ok() {
            sort_with_indices(v, key, |index| index as u32, |index: u32| index as usize);
        } else {
            sort_with_indices(v, key, |index| index, |index| index);
        }
    });
}

fn sort_with_indices<T, K, I>(
    v: &mut [T],
    key: &(impl Fn(&T) -> K + Sync),
    from_index: impl Fn(usize) -> I + Sync + Send,
    to_index: impl Fn(I) -> usize + Sync + Send,
) where
    T: Send,
    K: Ord + Send,
    I: Ord + Copy + Send + Sync,
{
    // Elements need not be `Sync`, so each is lent to one thread for good.
    let keyed = v.par_iter_mut().enumerate();
    let keyed = keyed.map(|(at, x)| (key(x), from_index(at)));
    let mut pairs: Vec<(K, I)> = keyed.collect();
    sort_unstable(&mut pairs, &Natural);
    put_in_order(v, pairs, to_index);
}

/// Moves the element whose index is in `pairs[i]` to the index `i`, for each `i`. The pairs are those of the elements, sorted.
fn put_in_order<T: Send, K: Send, I: Copy + Send + Sync>(
    v: &mut [T],
    pairs: Vec<(K, I)>,
    to_index: impl Fn(I) -> usize + Sync + Send,
) {
    let indices = Indices(pairs);
    // SAFETY: each element was paired with its index, and a sort neither loses nor doubles a pair; a comparison of keys cannot reach the index beside.
    unsafe { permute_by(v, |i| to_index(indices.at(i))) };
}

/// Pairs of keys and indices, for several threads that read indices.
struct Indices<K, I>(Vec<(K, I)>);

// SAFETY: a shared reference leads to indices alone, and to no key.
unsafe impl<K: Send, I: Sync> Sync for Indices<K, I> {}

impl<K, I: Copy> Indices<K, I> {
    fn at(&self, i: usize) -> I {
        self.0[i].1
    }
}

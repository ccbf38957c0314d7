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
use crate::core::leaf;
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
    if v.len() < leaf(SHORT, 2) {
        let pairs = v.iter().zip(0..).map(|(x, index)| (key(x), index));
        let mut pairs: Vec<(K, u32)> = pairs.collect();
        sequential::sort_unstable(&mut pairs, &Natural);
        // SAFETY: each element is paired with its index, and a sort neither loses nor doubles a pair.
        return unsafe { permute(v, &mut pairs, |&mut (_, index)| index as usize) };
    }
    in_pool(|| match has_short_indices::<K>(v.len()) {
        true => sort_with_indices(v, key, |index| index as u32),
        false => sort_with_indices(v, key, |index| index as u64),
    });
}

/// Whether indices of 32 bits are enough for `len` elements, and pairs of a key and an index shorter with them.
fn has_short_indices<K>(len: usize) -> bool {
    size_of::<(K, u32)>() < size_of::<(K, u64)>() && u32::try_from(len).is_ok()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThreadPoolBuilder;
    use std::cmp::Reverse;
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn each_key_is_computed_once_and_a_single_element_needs_none() {
        for len in [0, 1, 2, SHORT - 1, SHORT, 99] {
            let calls = AtomicUsize::new(0);
            let mut v = Vec::from_iter(0..len);
            sort_by_cached_key(&mut v, &|x| {
                calls.fetch_add(1, Relaxed);
                Reverse(x % 3)
            });
            let mut expected = Vec::from_iter(0..len);
            expected.sort_by_key(|x| Reverse(x % 3));
            assert_eq!(v, expected);
            assert_eq!(calls.into_inner(), if len < 2 { 0 } else { len });
        }
    }

    #[test]
    fn keys_of_few_elements_are_computed_by_two_threads() {
        let (calls, both) = (AtomicUsize::new(0), Barrier::new(2));
        let key = |x: &usize| {
            if calls.fetch_add(1, Relaxed) < 2 {
                both.wait();
            }
            Reverse(*x)
        };
        let mut v = Vec::from_iter(0..SHORT);
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| sort_by_cached_key(&mut v, &key));
        assert!(v.into_iter().eq((0..SHORT).rev()));
    }

    /// Else two elements would have the same index, so that one is lost and the other one is there twice.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn indices_are_short_if_all_fit() {
        assert!(has_short_indices::<u32>(u32::MAX as usize));
        assert!(!has_short_indices::<u32>(1 << 32));
        assert!(!has_short_indices::<u64>(2), "that would not be shorter");
    }
}

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
use crate::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::mem::MaybeUninit;
use std::ptr;

/// Fewer elements are sorted on this thread, however costly their keys.
const SHORT: usize = 16;

/// Elements gathered, or copied back, by one task.
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
        return unsafe { put_in_order(v, pairs) };
    }
    let narrower = size_of::<(K, u32)>() < size_of::<(K, usize)>();
    in_pool(|| {
        if narrower && u32::try_from(v.len()).is_ok() {
            sort_with_indices::<u32, _, _, _>(v, key);
        } else {
            sort_with_indices::<usize, _, _, _>(v, key);
        }
    });
}

/// The index of an element in a slice.
trait ElementIndex: Copy + Ord + Send {
    fn new(index: usize) -> Self;
    fn get(self) -> usize;
}

impl ElementIndex for u32 {
    fn new(index: usize) -> Self {
        index as u32
    }

    fn get(self) -> usize {
        self as usize
    }
}

impl ElementIndex for usize {
    fn new(index: usize) -> Self {
        index
    }

    fn get(self) -> usize {
        self
    }
}

fn sort_with_indices<I, T, K, F>(v: &mut [T], key: &F)
where
    I: ElementIndex,
    T: Send,
    K: Ord + Send,
    F: Fn(&T) -> K + Sync,
{
    let mut pairs: Vec<(K, I)> = keys(v, key);
    sort_unstable(&mut pairs, &Natural);
    // SAFETY: `keys` paired each element with its index, and a sort neither loses nor doubles a pair; a comparison of keys cannot reach the
    // index beside.
    unsafe { put_in_order(v, pairs) };
}

/// Moves the element whose index is in `pairs[i]` to the index `i`, for each `i`.
///
/// # Safety
///
/// The pairs hold every index of `v` exactly once.
unsafe fn put_in_order<I, T, K>(v: &mut [T], mut pairs: Vec<(K, I)>)
where
    I: ElementIndex,
    T: Send,
    K: Send,
{
    let mut buffer = Vec::with_capacity(v.len());
    let buffer = &mut buffer.spare_capacity_mut()[..v.len()];
    let source = GatheredFrom(v.as_mut_ptr().cast_const());
    // SAFETY: by the caller, each index is inside the slice and occurs once. Before all elements are back, no code runs that can reach them
    // or the pairs, and nothing unwinds: the keys are dropped at the end.
    unsafe { gather(source, &mut pairs, buffer) };
    // SAFETY: `gather` moved every element to the buffer.
    unsafe { move_back(buffer, v) };
}

/// Keys of the elements with their indices.
fn keys<I, T, K, F>(v: &mut [T], key: &F) -> Vec<(K, I)>
where
    I: ElementIndex,
    T: Send,
    K: Send,
    F: Fn(&T) -> K + Sync,
{
    // Elements need not be `Sync`, so each is lent to one thread for good.
    v.par_iter_mut()
        .enumerate()
        .map(|(index, x)| (key(x), I::new(index)))
        .collect()
}

/// The start of the slice whose elements are gathered.
struct GatheredFrom<T>(*const T);

impl<T> Clone for GatheredFrom<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for GatheredFrom<T> {}

// SAFETY: its holder may move elements of the slice to another thread, as `Send` allows, and
// nothing else.
unsafe impl<T: Send> Send for GatheredFrom<T> {}

impl<T> GatheredFrom<T> {
    /// # Safety
    ///
    /// `index` is inside the slice, and the element there is moved out no second time.
    unsafe fn move_to(self, index: usize, slot: &mut MaybeUninit<T>) {
        // SAFETY: as promised by the caller; the slot is in a buffer beside the slice.
        unsafe { ptr::copy_nonoverlapping(self.0.add(index), slot.as_mut_ptr(), 1) };
    }
}

/// Moves the element whose index is in `pairs[i]` to `out[i]`, for each `i`. Takes the pairs
/// mutably because keys need not be `Sync`.
///
/// # Safety
///
/// No index occurs twice, and each is inside the slice that `source` points to.
unsafe fn gather<I, T, K>(source: GatheredFrom<T>, pairs: &mut [(K, I)], out: &mut [MaybeUninit<T>])
where
    I: ElementIndex,
    T: Send,
    K: Send,
{
    debug_assert_eq!(pairs.len(), out.len());
    if pairs.len() <= LEAF {
        for ((_, index), slot) in pairs.iter().zip(out) {
            // SAFETY: the caller's promise.
            unsafe { source.move_to(index.get(), slot) };
        }
        return;
    }
    let mid = pairs.len() / 2;
    let (left, right) = pairs.split_at_mut(mid);
    let (out_left, out_right) = out.split_at_mut(mid);
    both(
        // SAFETY: the caller's promise, for a part of the indices.
        move || unsafe { gather(source, left, out_left) },
        // SAFETY: likewise.
        move || unsafe { gather(source, right, out_right) },
    );
}

/// Moves the elements of `buffer` over those of `v`, of which nothing is dropped.
///
/// # Safety
///
/// Both have one length, the buffer is initialised, and the elements of `v` have been moved out.
unsafe fn move_back<T: Send>(buffer: &mut [MaybeUninit<T>], v: &mut [T]) {
    debug_assert_eq!(buffer.len(), v.len());
    if v.len() <= LEAF {
        // SAFETY: the caller's promise.
        return unsafe {
            ptr::copy_nonoverlapping(buffer.as_ptr().cast(), v.as_mut_ptr(), v.len())
        };
    }
    let mid = v.len() / 2;
    let (left, right) = v.split_at_mut(mid);
    let (buffer_left, buffer_right) = buffer.split_at_mut(mid);
    both(
        // SAFETY: the caller's promise, for a part of both.
        || unsafe { move_back(buffer_left, left) },
        // SAFETY: likewise.
        || unsafe { move_back(buffer_right, right) },
    );
}

//! Elements moved by all threads: from place to place, or into another order.
//!
//! Work O(n), span O(log n) and a piece: of 64 KiB in a copy, cut by measured time in another order. Memory: none for a copy, room for
//! all elements once more for another order, and a bit for each place to copy to places by index.

use super::atomics::Bits;
use super::buffer::Buffer;
use crate::core::{both, leaf};
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator,
    IntoParallelRefMutIterator, ParallelIterator,
};
use std::mem::MaybeUninit;
use std::{ptr, slice};

/// Bytes that one task moves: that takes about 5 µs.
pub(crate) const MOVED: usize = 1 << 16;

/// So few elements are brought into another order without a look whether they should be shared.
const FEW: usize = 64;

/// How many elements so many bytes are, at least one; of elements without a size any number.
pub(crate) const fn elements_in<T>(bytes: usize) -> usize {
    match bytes.checked_div(size_of::<T>()) {
        Some(0) => 1,
        Some(elements) => elements,
        None => usize::MAX,
    }
}

/// How many elements of so many bytes in all one task moves, or as many as a test says; of elements without a size any number.
pub(crate) fn leaf_of<T>(bytes: usize) -> usize {
    match size_of::<T>() {
        0 => usize::MAX,
        _ => leaf(elements_in::<T>(bytes), 1),
    }
}

/// Calls `f` with pieces of two slices of one length, which are cut alike, by joins, until they are no longer than a leaf.
fn in_pieces<T: Send>(a: &mut [T], b: &mut [T], f: &(impl Fn(&mut [T], &mut [T]) + Sync)) {
    assert_eq!(a.len(), b.len());
    if a.len() <= leaf_of::<T>(MOVED) {
        return f(a, b);
    }
    let mid = a.len() / 2;
    let (a, rest_of_a) = a.split_at_mut(mid);
    let (b, rest_of_b) = b.split_at_mut(mid);
    both(|| in_pieces(a, b, f), || in_pieces(rest_of_a, rest_of_b, f));
}

/// Copies slots, whatever they hold. Takes them mutably to be their only user: elements need not be `Sync`.
pub(crate) fn copy<T: Send>(from: &mut [MaybeUninit<T>], to: &mut [MaybeUninit<T>]) {
    in_pieces(from, to, &|from, to| {
        // SAFETY: of one length, and apart, since both are borrowed alone; slots may be copied whatever they hold.
        unsafe { ptr::copy_nonoverlapping(from.as_ptr(), to.as_mut_ptr(), from.len()) };
    });
}

/// Exchanges two slices of one length; [`slice::swap_with_slice`] with all threads.
pub(crate) fn exchange<T: Send>(a: &mut [T], b: &mut [T]) {
    in_pieces(a, b, &|a, b| a.swap_with_slice(b));
}

/// Moves the element at `index(x)` to the place of `x` in `order`, for each `x`.
///
/// # Safety
///
/// `order` has as many items as `v` has elements. For those `index` gives every index of `v` exactly once, and neither it nor `order` panics.
pub(crate) unsafe fn permute<T, S, X>(
    v: &mut [T],
    order: S,
    index: impl Fn(X) -> usize + Sync + Send,
) where
    T: Send,
    S: IntoIterator<Item = X>,
    S: IntoParallelIterator<Item = X, Iter: IndexedParallelIterator>,
    X: Send,
{
    let mut buffer = Buffer::new(v.len());
    let slots = &mut buffer.slots()[..v.len()];
    let from = SharedPlaces(v.as_mut_ptr());
    let fill = |(slot, x): (&mut MaybeUninit<T>, X)| {
        let from = from.at(index(x));
        // SAFETY: by the caller each index is inside the slice and occurs once; the slot is in a buffer beside it. Until all are copied the
        // slice owns the elements, and then it is written over as a whole.
        unsafe { ptr::copy_nonoverlapping(from, slot.as_mut_ptr(), 1) };
    };
    match slots.len() <= leaf(FEW, 1) {
        true => slots.iter_mut().zip(order).for_each(fill),
        false => slots.par_iter_mut().zip(order).for_each(fill),
    }
    // SAFETY: a slice of elements as one of slots. Each slot of the buffer was written, with an element of its own, so that the slice gets the
    // same elements in another order.
    let to = unsafe { slice::from_raw_parts_mut(v.as_mut_ptr().cast(), v.len()) };
    copy(slots, to);
}

/// Sets the element of `out` at each index to a clone of the element of `v` beside it, if no index is there twice. If one is, says no, and nothing has changed.
///
/// # Panics
///
/// If an index is not in `out`; nothing has changed then. With the panic of a clone.
pub(crate) fn scatter<T: Clone + Send + Sync>(v: &[T], indices: &[usize], out: &mut [T]) -> bool {
    let len = out.len();
    let seen = Bits::new(len);
    let is_taken = |&i: &usize| {
        assert!(i < len, "filch: the index {i} in a slice of {len} elements");
        !seen.set(i, false)
    };
    if indices.par_iter().any(is_taken) {
        return false;
    }
    let to = SharedPlaces(out.as_mut_ptr());
    v.par_iter().zip(indices).for_each(|(x, &i)| {
        // SAFETY: an element of `out`, which is borrowed alone: `any` has found no index that it says yes for, so it has seen each, and each is below `len`.
        // No other index is the same, or its bit would have been set before.
        unsafe { &mut *to.at(i) }.clone_from(x);
    });
    true
}

/// The first of some places that several threads move elements from, or to.
pub(crate) struct SharedPlaces<T>(pub(crate) *mut T);

// SAFETY: it has an address, which can be used in unsafe code only; that may move elements to another thread, as `Send` allows.
unsafe impl<T: Send> Send for SharedPlaces<T> {}
// SAFETY: likewise.
unsafe impl<T: Send> Sync for SharedPlaces<T> {}

impl<T> SharedPlaces<T> {
    #[inline]
    pub(crate) fn at(&self, index: usize) -> *mut T {
        self.0.wrapping_add(index)
    }
}

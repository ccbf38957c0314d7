//! Elements moved by all threads: from place to place, or picked by index.
//!
//! Work O(n), span O(log n) pieces of 64 KiB; no memory.

use crate::core::both;
use std::mem::MaybeUninit;
use std::{ptr, slice};

/// Bytes that one task copies: that takes about 5 µs.
const LEAF: usize = 1 << 16;

/// Copies slots, whatever they hold. Takes them mutably to be their only user: elements need not be `Sync`.
pub(crate) fn copy<T: Send>(from: &mut [MaybeUninit<T>], to: &mut [MaybeUninit<T>]) {
    assert_eq!(from.len(), to.len());
    if from.len() <= (LEAF / size_of::<T>().max(1)).max(1) {
        // SAFETY: of one length, and apart, since both are borrowed alone; slots may be copied whatever they hold.
        unsafe { ptr::copy_nonoverlapping(from.as_ptr(), to.as_mut_ptr(), from.len()) };
        return;
    }
    let mid = from.len() / 2;
    let (from, rest_from) = from.split_at_mut(mid);
    let (to, rest_to) = to.split_at_mut(mid);
    both(|| copy(from, to), || copy(rest_from, rest_to));
}

/// Writes the elements in `slots` over those of `v`, of which nothing is dropped.
///
/// # Safety
///
/// The slots hold each element of `v` once, in some order, and nothing else.
pub(crate) unsafe fn replace<T: Send>(v: &mut [T], slots: &mut [MaybeUninit<T>]) {
    // SAFETY: a slice of elements as one of slots, which is only written to with the same elements in another order, by the caller.
    let to = unsafe { slice::from_raw_parts_mut(v.as_mut_ptr().cast(), v.len()) };
    copy(slots, to);
}

/// The start of the slice that elements are moved from.
pub(crate) struct MovedFrom<T>(*const T);

// SAFETY: its holder may move elements of the slice to another thread, as `Send` allows, and nothing else.
unsafe impl<T: Send> Send for MovedFrom<T> {}
// SAFETY: likewise; by its one method, each element goes to one thread.
unsafe impl<T: Send> Sync for MovedFrom<T> {}

impl<T> MovedFrom<T> {
    pub(crate) fn of(v: &[T]) -> Self {
        MovedFrom(v.as_ptr())
    }

    /// # Safety
    ///
    /// The slice that this was made of is still there, with `index` inside, no other call is given that, and of the element and its copy one is
    /// forgotten.
    #[inline]
    pub(crate) unsafe fn copy_to(&self, index: usize, slot: &mut MaybeUninit<T>) {
        // SAFETY: as promised by the caller; the slot is in a buffer beside the slice.
        unsafe { ptr::copy_nonoverlapping(self.0.add(index), slot.as_mut_ptr(), 1) };
    }
}

//! Room beside a slice: on the stack for a few elements, in a vector for many.
//!
//! Up to 4 KiB are on the stack, and cost nothing.

use std::mem::MaybeUninit;
use std::slice;

/// Most bytes of room on the stack.
const BYTES: usize = 1 << 12;

/// Room on the stack.
#[repr(C, align(16))]
struct OnStack([MaybeUninit<u8>; BYTES]);

/// How many elements have room on the stack.
pub(in super::super) const fn room_on_stack<T>() -> usize {
    if size_of::<T>() == 0 || align_of::<T>() > align_of::<OnStack>() {
        return 0;
    }
    BYTES / size_of::<T>()
}

/// Whether `len` elements have room on the stack.
pub(super) const fn fits_on_stack<T>(len: usize) -> bool {
    len <= room_on_stack::<T>()
}

/// Calls `f` with room for `len` elements, or a few more.
pub(in super::super) fn with_room<T, R>(
    len: usize,
    f: impl FnOnce(&mut [MaybeUninit<T>]) -> R,
) -> R {
    // Elements that the stack has no room for may need another alignment than it has, even if there are none.
    if len == 0 || !fits_on_stack::<T>(len) {
        let mut room = Vec::with_capacity(len);
        return f(room.spare_capacity_mut());
    }
    let mut room = OnStack([MaybeUninit::uninit(); BYTES]);
    // SAFETY: `len` elements fit into the bytes, whose alignment is enough; they need not be initialised. Nothing else uses them meanwhile.
    f(unsafe { slice::from_raw_parts_mut(room.0.as_mut_ptr().cast(), len) })
}

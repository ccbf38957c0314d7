//! Memory beside a slice, for as many elements: the system gives it page by page, and takes it back.
//!
//! A page takes up to half a microsecond when it is first written to, and half of that when it is freed. So a thread that writes all over fresh
//! memory would wait for most of its pages, while all others wait for their elements; and the one that frees a large buffer in the end would take
//! longer than many threads take to sort. All threads do both.
//!
//! Work O(n / page), span O(log n).

use crate::iter::ParallelIterator;
use crate::slice::ParallelSliceMut;
use std::mem::MaybeUninit;

/// Bytes of a page, or of a part of one.
const PAGE: usize = 1 << 12;

/// Fewest bytes that are given back page by page: allocators keep fewer for the next time, the usual one at least.
#[cfg(all(target_os = "linux", not(miri)))]
const LONG: usize = 1 << 25;

/// Bytes that one task gives back: a multiple of any page, and a huge page as a whole, or the system would have to split it.
#[cfg(all(target_os = "linux", not(miri)))]
const PART: usize = 1 << 21;

/// Writes to each page of some slots, which elements will be written to in no order.
pub(super) fn touch<T: Send>(slots: &mut [MaybeUninit<T>]) {
    if let Some(page @ 1..) = PAGE.checked_div(size_of::<T>()) {
        slots.par_chunks_mut(page).for_each(|page| {
            // SAFETY: a slot at least, which has a byte at least, as `T` has; it is borrowed alone, and may hold anything.
            unsafe { page.as_mut_ptr().cast::<u8>().write_volatile(0) };
        });
    }
}

/// Room for elements, or a vector that is not needed any more.
pub(crate) struct Buffer<T>(pub(crate) Vec<T>);

impl<T> Buffer<T> {
    pub(crate) fn new(len: usize) -> Self {
        Buffer(Vec::with_capacity(len))
    }

    /// As many slots as there is room for, or more.
    pub(crate) fn slots(&mut self) -> &mut [MaybeUninit<T>] {
        self.0.spare_capacity_mut()
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        self.0.clear();
        #[cfg(all(target_os = "linux", not(miri)))]
        give_back(self.0.spare_capacity_mut());
    }
}

/// Has the system take back whole pages of some slots. They can be used as before, and hold anything.
#[cfg(all(target_os = "linux", not(miri)))]
fn give_back<T>(slots: &mut [MaybeUninit<T>]) {
    let len = size_of_val(slots);
    // While a panic unwinds, no more is done than has to be.
    if len < LONG || std::thread::panicking() {
        return;
    }
    // SAFETY: the same memory, borrowed alone. Slots may hold any bytes.
    let bytes = unsafe {
        std::slice::from_raw_parts_mut(slots.as_mut_ptr().cast::<MaybeUninit<u8>>(), len)
    };
    let start = bytes.as_ptr().align_offset(PART).min(len);
    bytes[start..].par_chunks_exact_mut(PART).for_each(|part| {
        // SAFETY: whole pages, of which nothing is read before it is written again. If they are not such as can be given back, nothing happens.
        unsafe { libc::madvise(part.as_mut_ptr().cast(), PART, libc::MADV_DONTNEED) };
    });
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::{Buffer, LONG, give_back};

    /// Whatever lies before them, and they can be used again.
    #[test]
    fn only_what_holds_nothing_is_given_back() {
        for kept in [0, 1, 5_000, 300_000] {
            let len = LONG / size_of::<usize>() + kept + 777;
            let mut buffer = Buffer::new(len);
            buffer.0.extend(0..kept);
            for _ in 0..2 {
                give_back(buffer.slots());
                assert!(buffer.0.iter().copied().eq(0..kept));
                buffer.0.extend(kept..len);
                assert!(buffer.0.iter().copied().eq(0..len));
                buffer.0.truncate(kept);
            }
        }
    }
}

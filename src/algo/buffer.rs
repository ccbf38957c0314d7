//! Memory beside a slice, for as many elements: the system gives it page by page, and takes it back.
//!
//! A page takes up to half a microsecond when it is first written to, and half of that when it is freed. So a thread that writes all over fresh
//! memory would wait for most of its pages, while all others wait for their elements; and the one that frees a large buffer in the end would take
//! longer than many threads take to sort. All threads do both.
//!
//! Work O(n / page), span O(log n).

use crate::iter::ParallelIterator;
use crate::slice::ParallelSliceMut;
#[cfg(all(target_os = "linux", not(miri)))]
use crate::sync::{AtomicBool, Ordering::Relaxed};
use std::mem::MaybeUninit;

/// Bytes of a page, or of a part of one.
const PAGE: usize = 1 << 12;

/// Fewest bytes that are given back page by page: the usual allocator keeps fewer for the next time.
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
        let mut v = std::mem::take(&mut self.0);
        v.clear();
        #[cfg(all(target_os = "linux", not(miri)))]
        free(v);
    }
}

/// Whether the allocator had the system take back the last long buffer that was freed. One that keeps its memory would fetch all pages anew the next
/// time, and may have its reasons for keeping them: they are shared with a device, say. So nothing is given back before this is known.
#[cfg(all(target_os = "linux", not(miri)))]
static UNMAPS: AtomicBool = AtomicBool::new(false);

/// Frees a vector of no elements, a long one by all threads.
#[cfg(all(target_os = "linux", not(miri)))]
fn free<T>(mut v: Vec<T>) {
    // While a panic unwinds, no more is done than has to be.
    if size_of_val(v.spare_capacity_mut()) < LONG || std::thread::panicking() {
        return;
    }
    let parts = parts(v.spare_capacity_mut());
    let first = parts.as_ptr();
    if UNMAPS.load(Relaxed) {
        give_back(parts);
    }
    drop(v);
    UNMAPS.store(is_unmapped(first.cast()), Relaxed);
}

/// The bytes of some slots from the first multiple of [`PART`] on.
#[cfg(all(target_os = "linux", not(miri)))]
fn parts<T>(slots: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<u8>] {
    let len = size_of_val(slots);
    // SAFETY: the same memory, borrowed alone. Slots may hold any bytes.
    let bytes: &mut [MaybeUninit<u8>] =
        unsafe { std::slice::from_raw_parts_mut(slots.as_mut_ptr().cast(), len) };
    let start = bytes.as_ptr().align_offset(PART).min(len);
    &mut bytes[start..]
}

/// Has the system take back whole parts. They can be used as before, and hold anything.
#[cfg(all(target_os = "linux", not(miri)))]
fn give_back(parts: &mut [MaybeUninit<u8>]) {
    parts.par_chunks_exact_mut(PART).for_each(|part| {
        // SAFETY: whole pages, of which nothing is read before it is written again. If they are not such as can be given back, nothing happens.
        unsafe { libc::madvise(part.as_mut_ptr().cast(), PART, libc::MADV_DONTNEED) };
    });
}

/// Whether no page of this process begins there. (Of one that another thread maps there meanwhile this says no.)
#[cfg(all(target_os = "linux", not(miri)))]
fn is_unmapped(page: *const u8) -> bool {
    let mut resident = 0;
    // SAFETY: it looks for the page in the tables of the system, reads nothing there, and writes a byte for one page.
    let found = unsafe { libc::mincore(page.cast_mut().cast(), 1, &mut resident) } == 0;
    !found && std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOMEM)
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::{Buffer, LONG, PART, give_back, is_unmapped, parts};

    /// Whatever lies before them, and they can be used again.
    #[test]
    fn only_what_holds_nothing_is_given_back() {
        for kept in [0, 1, 5_000, 300_000] {
            let len = LONG / size_of::<usize>() + kept + 777;
            let mut buffer = Buffer::new(len);
            buffer.0.extend(0..kept);
            for _ in 0..2 {
                give_back(parts(buffer.slots()));
                assert!(buffer.0.iter().copied().eq(0..kept));
                buffer.0.extend(kept..len);
                assert!(buffer.0.iter().copied().eq(0..len));
                buffer.0.truncate(kept);
            }
        }
    }
    #[test]
    fn an_allocator_that_keeps_its_memory_is_known() {
        /// As any page is.
        #[repr(align(65536))]
        struct Page([u8; 1 << 16]);
        let page = Box::new(Page([0; 1 << 16]));
        assert!(!is_unmapped(page.0.as_ptr()));
        // Nothing is mapped so far down.
        assert!(is_unmapped(std::ptr::without_provenance(PART / 2)));
    }
}

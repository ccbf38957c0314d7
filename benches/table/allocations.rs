//! Counts what is asked of the allocator while somebody wants to know.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

static COUNTING: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// The system's allocator with a count of allocations and of the bytes asked
/// for; a reallocation counts as an allocation of its new size.
pub struct Counting;

fn count(bytes: usize) {
    if COUNTING.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes as u64, Relaxed);
    }
}

// SAFETY: every method passes its arguments unchanged to the same method of
// `System` and returns what that returns; counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps `alloc`'s contract, which is the same here.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps `alloc_zeroed`'s contract, the same here.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller keeps `realloc`'s contract; `pointer` came from
        // `System` because all blocks of this allocator do.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps `dealloc`'s contract; `pointer` came from
        // `System` because all blocks of this allocator do.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Runs `f` and returns the allocations made meanwhile, on all threads, and the
/// bytes they asked for.
pub fn during(f: impl FnOnce()) -> (u64, u64) {
    CALLS.store(0, Relaxed);
    BYTES.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    f();
    COUNTING.store(false, Relaxed);
    (CALLS.load(Relaxed), BYTES.load(Relaxed))
}

//! Counts what is asked of the allocator while a measurement runs.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed},
};

static COUNTING: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
/// Bytes allocated less those freed, and the most that this was.
static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// The system's allocator with a count of allocations, of the bytes asked
/// for, and of those held at once; a reallocation counts as an allocation of
/// its new size, and holds the old block until it is done.
pub struct Counting;

fn count(bytes: usize) {
    if COUNTING.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes as u64, Relaxed);
        let held = HELD.fetch_add(bytes as i64, Relaxed) + bytes as i64;
        PEAK.fetch_max(held, Relaxed);
    }
}

fn uncount(bytes: usize) {
    if COUNTING.load(Relaxed) {
        HELD.fetch_sub(bytes as i64, Relaxed);
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
        uncount(layout.size());
        // SAFETY: the caller keeps `realloc`'s contract; `pointer` came from
        // `System` because all blocks of this allocator do.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        uncount(layout.size());
        // SAFETY: the caller keeps `dealloc`'s contract; `pointer` came from
        // `System` because all blocks of this allocator do.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// What was asked of the allocator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    pub calls: u64,
    pub bytes: u64,
    /// The most bytes that were held at once, above those held before.
    pub peak: u64,
}

/// Runs `f` and returns what was asked of the allocator meanwhile, on all
/// threads; nothing if [`Counting`] is not the global allocator.
pub fn during(f: impl FnOnce()) -> Asked {
    CALLS.store(0, Relaxed);
    BYTES.store(0, Relaxed);
    HELD.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    f();
    COUNTING.store(false, Relaxed);
    Asked {
        calls: CALLS.load(Relaxed),
        bytes: BYTES.load(Relaxed),
        peak: PEAK.load(Relaxed).max(0) as u64,
    }
}

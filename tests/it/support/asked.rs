//! What is asked of the allocator. It counts for the whole process, so a test that wants to know runs [alone](super::alone).

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

static COUNTING: AtomicBool = AtomicBool::new(false);
static LARGEST: AtomicUsize = AtomicUsize::new(0);
static TOTAL: AtomicUsize = AtomicUsize::new(0);
static REQUESTS: AtomicUsize = AtomicUsize::new(0);
static IN_USE: AtomicIsize = AtomicIsize::new(0);
static MOST_IN_USE: AtomicIsize = AtomicIsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local!(static IS_SLOW: Cell<bool> = const { Cell::new(false) });

/// Called with the size of each request.
fn count(bytes: usize) {
    if IS_SLOW.get() {
        thread::sleep(Duration::from_millis(5));
    }
    if COUNTING.load(Relaxed) {
        LARGEST.fetch_max(bytes, Relaxed);
        TOTAL.fetch_add(bytes, Relaxed);
        REQUESTS.fetch_add(1, Relaxed);
        let bytes = bytes as isize;
        MOST_IN_USE.fetch_max(IN_USE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
    }
}

/// Called with the size of each block that goes.
fn count_back(bytes: usize) {
    if COUNTING.load(Relaxed) {
        IN_USE.fetch_sub(bytes as isize, Relaxed);
    }
}

// SAFETY: each method passes its arguments to the same method of `System`, and returns what that returns; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract, which is the same here.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        count_back(layout.size());
        // SAFETY: as in `alloc`; all blocks of this allocator are from `System`.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count_back(layout.size());
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Runs `f`, and gives the largest number of bytes that any thread of the process asked for at once meanwhile.
pub fn largest_request<R>(f: impl FnOnce() -> R) -> (R, usize) {
    LARGEST.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    let result = f();
    COUNTING.store(false, Relaxed);
    (result, LARGEST.load(Relaxed))
}

/// The same, and gives the number of bytes of all requests together.
pub fn all_requests<R>(f: impl FnOnce() -> R) -> (R, usize) {
    TOTAL.store(0, Relaxed);
    let (result, _) = largest_request(f);
    (result, TOTAL.load(Relaxed))
}

/// The same, and gives how many more bytes than before were in use at once.
pub fn most_in_use<R>(f: impl FnOnce() -> R) -> (R, isize) {
    IN_USE.store(0, Relaxed);
    MOST_IN_USE.store(0, Relaxed);
    let (result, _) = largest_request(f);
    (result, MOST_IN_USE.load(Relaxed))
}

/// The same, and gives how many requests there were.
pub fn number_of_requests<R>(f: impl FnOnce() -> R) -> (R, usize) {
    REQUESTS.store(0, Relaxed);
    let (result, _) = largest_request(f);
    (result, REQUESTS.load(Relaxed))
}

/// Runs `f`, and lets each request of this thread take 5 ms meanwhile.
pub fn with_slow_requests<R>(f: impl FnOnce() -> R) -> R {
    IS_SLOW.set(true);
    let result = f();
    IS_SLOW.set(false);
    result
}

//! Latches: one thread waits until something has happened, once.
//!
//! The rule they all keep: whoever sets a latch touches nothing of it afterwards, because the waiter may return at once and take the
//! latch's memory (its stack frame) with it. So `set` takes a raw pointer, and what the wake-up needs is read before.

use crate::sync::{AtomicU32, Condvar, Mutex, Ordering, lock};

const UNSET: u32 = 0;
const SLEEPY: u32 = 1;
const SET: u32 = 2;

/// The latch of a thread that holds a seat and helps while it waits.
#[derive(Debug)]
pub(crate) struct Latch(AtomicU32);

impl Latch {
    pub(crate) fn new() -> Self {
        Latch(AtomicU32::new(UNSET))
    }

    /// Whether it happened. If so, everything done before the `set` is visible.
    #[inline]
    pub(crate) fn probe(&self) -> bool {
        self.0.load(Ordering::Acquire) == SET
    }

    /// The waiter announces that it will sleep. False: it happened already.
    pub(crate) fn doze(&self) -> bool {
        self.0
            .compare_exchange(UNSET, SLEEPY, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }

    /// The waiter is up again, for whatever reason.
    pub(crate) fn rise(&self) {
        let _ = self
            .0
            .compare_exchange(SLEEPY, UNSET, Ordering::AcqRel, Ordering::Acquire);
    }

    /// It happened. True: the waiter sleeps, and the caller has to ring it.
    ///
    /// # Safety
    /// `this` is valid when the call starts, and is not used through this pointer when the call has returned.
    pub(crate) unsafe fn set(this: *const Self) -> bool {
        let order = if cfg!(filch_canary = "latch") {
            Ordering::Relaxed
        } else {
            Ordering::AcqRel
        };
        // SAFETY: the caller keeps `this` valid until the swap; nothing follows it.
        let asleep = unsafe { (*this).0.swap(SET, order) == SLEEPY };
        if cfg!(filch_canary = "touch") {
            // As if the system took our processor away just now.
            crate::sync::yield_now();
            // SAFETY: none; this is the bug that AddressSanitizer has to find.
            unsafe { (*this).0.load(Ordering::Relaxed) };
        }
        asleep
    }
}

/// The latch of a thread that holds no seat and can only block.
#[derive(Debug)]
pub(crate) struct LockLatch {
    happened: Mutex<bool>,
    bell: Condvar,
}

impl LockLatch {
    pub(crate) fn new() -> Self {
        LockLatch {
            happened: Mutex::new(false),
            bell: Condvar::new(),
        }
    }

    /// Blocks until it happened.
    pub(crate) fn wait(&self) {
        let mut happened = lock(&self.happened);
        while !*happened {
            happened = self
                .bell
                .wait(happened)
                .unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// It happened.
    ///
    /// # Safety
    /// `this` is valid when the call starts, and is not used through this pointer when the call has returned.
    pub(crate) unsafe fn set(this: *const Self) {
        // SAFETY: valid by the contract; the waiter cannot leave before it gets the lock, which is after our last use.
        let this = unsafe { &*this };
        let mut happened = lock(&this.happened);
        *happened = true;
        // Under the lock: after it, the latch may be gone.
        this.bell.notify_all();
    }
}

//! Latches: one thread waits until something has happened, once.
//!
//! A thread that sets a latch must not touch it afterwards, because the waiter may return at once, and the latch is in its stack frame.
//! So `set` takes a raw pointer, and its callers read what they need to wake the waiter before they call it.

use crate::sync::{AtomicU32, Condvar, Mutex, Ordering, lock, planted, wait};

const UNSET: u32 = 0;
const SLEEPY: u32 = 1;
const SET: u32 = 2;

/// The latch of a thread that is in a pool and helps while it waits.
#[derive(Debug)]
pub(crate) struct Latch(AtomicU32);

impl Latch {
    pub(crate) fn new() -> Self {
        Latch(AtomicU32::new(UNSET))
    }

    /// Whether the latch is set. If so, everything done before the `set` is visible.
    #[inline]
    pub(crate) fn probe(&self) -> bool {
        let set = self.0.load(Ordering::Acquire) == SET;
        #[cfg(filch_loom)]
        if set {
            self.end();
        }
        set
    }

    /// From here on the latch may be gone; loom reports a thread that touches it later, or has touched it in a way that the waiter does not know of.
    #[cfg(filch_loom)]
    fn end(&self) {
        let this = (&raw const self.0).cast_mut();
        // SAFETY: the model's threads take turns, and loom's atomics are names of what it keeps elsewhere.
        unsafe { (*this).with_mut(|_| ()) };
    }

    /// The waiter announces that it will sleep. False: the latch is set already.
    pub(crate) fn doze(&self) -> bool {
        let dozes = self
            .0
            .compare_exchange(UNSET, SLEEPY, Ordering::AcqRel, Ordering::Acquire);
        dozes.is_ok() || planted!("doze")
    }

    /// The waiter is up again, for whatever reason.
    pub(crate) fn rise(&self) {
        if planted!("rise") {
            return;
        }
        let _ = self
            .0
            .compare_exchange(SLEEPY, UNSET, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Sets the latch. True: the waiter sleeps or is about to, and the caller has to wake it.
    ///
    /// # Safety
    /// `this` is valid when the call starts, and is not used through this pointer when the call has returned.
    pub(crate) unsafe fn set(this: *const Self) -> bool {
        let order = if planted!("latch") {
            Ordering::Relaxed
        } else {
            Ordering::AcqRel
        };
        // SAFETY: the caller keeps `this` valid until the swap; nothing follows it.
        let asleep = unsafe { (*this).0.swap(SET, order) == SLEEPY };
        if planted!("touch") {
            // As if the system took our processor away just now.
            crate::sync::yield_now();
            // SAFETY: none; this is the bug that AddressSanitizer and loom have to find.
            unsafe { (*this).0.load(Ordering::Relaxed) };
        }
        asleep
    }
}

/// The latch of a thread that is in no pool and can only block.
#[derive(Debug)]
pub(crate) struct LockLatch {
    happened: Mutex<bool>,
    bell: Condvar,
    /// Touched by the setter together with the bell, and at the end by the waiter: loom reports it if nothing is between the two.
    #[cfg(filch_loom)]
    last: crate::sync::Cell<()>,
}

// SAFETY: `last` is loom's, which reports what is not synchronised; all else is Sync by itself.
#[cfg(filch_loom)]
unsafe impl Sync for LockLatch {}

impl LockLatch {
    pub(crate) fn new() -> Self {
        LockLatch {
            happened: Mutex::new(false),
            bell: Condvar::new(),
            #[cfg(filch_loom)]
            last: crate::sync::Cell::new(()),
        }
    }

    /// Blocks until it happened.
    pub(crate) fn wait(&self) {
        let mut happened = lock(&self.happened);
        while !*happened {
            happened = wait(&self.bell, happened);
        }
        #[cfg(filch_loom)]
        self.last.set(());
    }

    /// It happened.
    ///
    /// # Safety
    /// `this` is valid when the call starts, and is not used through this pointer when the call has returned.
    pub(crate) unsafe fn set(this: *const Self) {
        // SAFETY: valid by the contract. The waiter leaves only with the lock, so not before our unlock. The bell is rung before that, under the lock, so the unlock is the
        // last use. A mutex may go as soon as another thread has the lock: an unlock touches the memory no more after it has let that thread in.
        let this = unsafe { &*this };
        let mut happened = lock(&this.happened);
        *happened = true;
        // Under the lock: after it, the latch may be gone.
        let _locked = (!planted!("lock")).then_some(happened);
        this.bell.notify_all();
        #[cfg(filch_loom)]
        this.last.get();
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;

    #[test]
    fn a_setter_is_told_whether_the_waiter_sleeps() {
        let set = |latch: &Latch| {
            // SAFETY: it stays until the end of the test.
            unsafe { Latch::set(latch) }
        };
        for sleeps in [false, true] {
            let latch = Latch::new();
            assert!(!latch.probe() && latch.doze());
            latch.rise();
            assert!(!latch.probe() && latch.doze() && !latch.probe());
            if !sleeps {
                latch.rise();
            }
            assert_eq!(set(&latch), sleeps);
            // Too late to fall asleep.
            assert!(latch.probe() && !latch.doze());
            latch.rise();
            assert!(latch.probe());
        }
    }
}

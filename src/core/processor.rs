//! On which processor a thread was woken: a hint, where the system tells.
//!
//! The system may queue a woken thread on its waker's processor although another one is idle. On virtual machines that is common: an idle
//! processor that its host has taken away looks busy to them.

use crate::sync::{AtomicU32, Ordering};

/// No processor.
const NONE: u32 = u32::MAX;

/// The processor of the thread that woke another one, if that thread went on there.
pub(crate) struct WokenFrom(AtomicU32);

impl WokenFrom {
    pub(crate) fn new() -> Self {
        WokenFrom(AtomicU32::new(NONE))
    }

    /// The waker is this thread.
    pub(crate) fn set_here(&self) {
        self.0.store(here(), Ordering::Relaxed);
    }

    /// The waker does not go on, or does not matter.
    pub(crate) fn forget(&self) {
        self.0.store(NONE, Ordering::Relaxed);
    }

    /// Whether this thread, which was woken, has its waker's processor: while it runs, the waker does not.
    pub(crate) fn is_here(&self) -> bool {
        let processor = self.0.load(Ordering::Relaxed);
        processor != NONE && processor == here()
    }
}

/// The number of the processor that runs this. Miri has none to tell.
fn here() -> u32 {
    #[cfg(all(target_os = "linux", not(any(filch_shuttle, miri))))]
    {
        // SAFETY: it has no arguments. A failure is a negative number.
        u32::try_from(unsafe { libc::sched_getcpu() }).unwrap_or(NONE)
    }
    // Shuttle runs one thread at a time, as one processor does.
    #[cfg(filch_shuttle)]
    {
        0
    }
    #[cfg(not(any(all(target_os = "linux", not(miri)), filch_shuttle)))]
    {
        NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waker_that_is_forgotten_was_nowhere() {
        let from = WokenFrom::new();
        assert!(!from.is_here());
        from.set_here();
        from.forget();
        assert!(!from.is_here());
    }

    /// There is no processor of this number.
    #[test]
    fn a_waker_on_another_processor_is_not_here() {
        assert!(!WokenFrom(AtomicU32::new(NONE - 1)).is_here());
    }

    /// The system may move the thread between two calls.
    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn a_thread_has_its_own_processor() {
        let from = WokenFrom::new();
        assert!((0..1000).any(|_| {
            from.set_here();
            from.is_here()
        }));
    }
}

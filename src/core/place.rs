//! Where threads run: a thread that is woken should not end up behind its waker.
//!
//! On a virtual machine the kernel takes a halted processor for one that its host has descheduled. So it queues a woken thread on the processor
//! where that ran last, although another one is idle; if this is the waker's, the thread waits behind it for a millisecond or more. Which
//! processors a thread may run on is its user's business, so what is left is the choice of whom to wake. `docs/decisions.md` has the
//! measurements.

/// The processor that the calling thread runs on, where the system says.
#[cfg(all(target_os = "linux", not(filch_shuttle)))]
pub(crate) fn here() -> Option<u32> {
    // SAFETY: it has no preconditions.
    let processor = unsafe { libc::sched_getcpu() };
    u32::try_from(processor).ok()
}

/// Elsewhere nobody knows; and the threads of a model are none of the system's.
#[cfg(not(all(target_os = "linux", not(filch_shuttle))))]
pub(crate) fn here() -> Option<u32> {
    None
}

//! Getting off the waker's processor.
//!
//! On a virtual machine the kernel takes a halted processor for one that its host has descheduled, and so places a woken thread on the
//! waker's processor, behind the waker, although another one is idle. It stays there until the load is balanced, a millisecond or more later,
//! and it is placed there again at the next wake-up, because that is where it ran last. Measured on two processors: of 60 joins of two leaves
//! of 1 ms, 37 took 2 ms. So a worker that wakes up on the processor of whoever woke it moves over, once; from then on it is placed well.

/// The processor that this thread runs on, plus one; 0 if nobody knows.
#[cfg(target_os = "linux")]
pub(crate) fn here() -> usize {
    // SAFETY: it has no preconditions.
    (unsafe { libc::sched_getcpu() } + 1).max(0) as usize
}

/// Moves this thread to another processor than `place`, if it may run on another. Its affinity is left as it was.
#[cfg(target_os = "linux")]
pub(crate) fn move_off(place: usize) {
    let Some(cpu) = place.checked_sub(1) else {
        return;
    };
    let size = std::mem::size_of::<libc::cpu_set_t>();
    // SAFETY: a set of processors is plain bits, and all zeros is the empty one.
    let mut allowed: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set is ours and as large as we say; 0 means this thread.
    let known = unsafe { libc::sched_getaffinity(0, size, &mut allowed) } == 0;
    // SAFETY: the set is initialised.
    if !known || cpu >= 8 * size || unsafe { libc::CPU_COUNT(&allowed) } < 2 {
        return;
    }
    let mut others = allowed;
    // SAFETY: `cpu` is within the set.
    unsafe { libc::CPU_CLR(cpu, &mut others) };
    // SAFETY: as above. If the system refuses, we stay where we are.
    unsafe {
        if libc::sched_setaffinity(0, size, &others) == 0 {
            libc::sched_setaffinity(0, size, &allowed);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn here() -> usize {
    0
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn move_off(_: usize) {}

//! Threads and processors: a thread that looks for work must not stay behind one that works, nor be woken behind its waker.
//!
//! On a virtual machine the kernel takes a halted processor for one that its host has descheduled, so it often places a woken thread on the
//! waker's processor, behind the waker, although another one is idle; there it stays for a millisecond or more. `docs/decisions.md` has the
//! measurements. So a waker first takes its own processor away from those the sleeper may run on, and the sleeper, when it is up, puts its
//! affinity back. Where the system refuses that, everything works as before. An affinity that the user set stays in force all the time: this
//! only ever narrows it, and never to nothing.

use super::clock;
use crate::sync::yield_now;

/// For how long a thread that gives way may be off its processor and still count as awake, in microseconds. Others that also only look
/// for work are soon back; one that works keeps the processor until the system takes it away, which is thousands.
const AWAY: u64 = 100;

/// Lets other threads have this processor for a while. True: they kept it for so long that they have better use for it.
pub(crate) fn give_way() -> bool {
    let before = clock::ticks();
    yield_now();
    clock::ticks().saturating_sub(before) > AWAY * clock::per_us()
}

#[cfg(all(target_os = "linux", not(filch_shuttle)))]
mod imp {
    use crate::sync::{AtomicU32, Mutex, Ordering, lock};
    use std::mem;

    /// How to place one thread.
    pub(crate) struct Placer {
        /// The system's name of the thread; 0 before it has started.
        thread: AtomicU32,
        /// What the thread's affinity was before it was narrowed.
        before: Mutex<Option<libc::cpu_set_t>>,
    }

    impl Placer {
        pub(crate) fn new() -> Self {
            Placer {
                thread: AtomicU32::new(0),
                before: Mutex::new(None),
            }
        }

        /// It is the calling thread that is to be placed.
        pub(crate) fn adopt(&self) {
            // SAFETY: it has no preconditions.
            let thread = unsafe { libc::gettid() };
            self.thread.store(thread as u32, Ordering::Relaxed);
        }

        /// Keeps the thread, which sleeps, off the processor that the caller runs on.
        pub(crate) fn keep_off_here(&self) {
            let thread = self.thread.load(Ordering::Relaxed) as libc::pid_t;
            // SAFETY: it has no preconditions.
            let here = unsafe { libc::sched_getcpu() };
            let size = mem::size_of::<libc::cpu_set_t>();
            if thread == 0 || here < 0 || here as usize >= 8 * size {
                return;
            }
            let mut before = lock(&self.before);
            // SAFETY: a set of processors is plain bits, and all zeros is the empty one.
            let mut allowed: libc::cpu_set_t = unsafe { mem::zeroed() };
            // SAFETY: the set is ours and as large as we say. The thread exists: it sleeps on the seat that the caller claimed.
            let known = unsafe { libc::sched_getaffinity(thread, size, &mut allowed) } == 0;
            if before.is_some() || !known {
                return;
            }
            let mut others = allowed;
            // SAFETY: `here` is within the set.
            unsafe { libc::CPU_CLR(here as usize, &mut others) };
            // SAFETY: the set is initialised.
            if unsafe { libc::CPU_COUNT(&others) } == 0 {
                return;
            }
            // SAFETY: as above.
            if unsafe { libc::sched_setaffinity(thread, size, &others) } == 0 {
                *before = Some(allowed);
            }
        }

        /// Puts the affinity of the calling thread back.
        pub(crate) fn settle(&self) {
            if let Some(allowed) = lock(&self.before).take() {
                // SAFETY: the set is initialised and as large as we say; 0 means this thread.
                unsafe { libc::sched_setaffinity(0, mem::size_of::<libc::cpu_set_t>(), &allowed) };
            }
        }
    }
}

#[cfg(any(not(target_os = "linux"), filch_shuttle))]
mod imp {
    /// Elsewhere the system places threads as it likes; and the threads of a model are none of the system's.
    pub(crate) struct Placer;

    impl Placer {
        pub(crate) fn new() -> Self {
            Placer
        }
        pub(crate) fn adopt(&self) {}
        pub(crate) fn keep_off_here(&self) {}
        pub(crate) fn settle(&self) {}
    }
}

pub(crate) use imp::Placer;

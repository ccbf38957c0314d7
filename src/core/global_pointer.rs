//! Where the global pool is, and how a child process forgets it.

use super::pool::Pool;
use crate::sync::Arc;
use crate::sync::{AtomicPtr, Ordering};
use std::ptr;

/// The pool, leaked. Null before the first use, and again in a child process after `fork`.
static GLOBAL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// The global pool, if there is one.
#[inline]
pub(crate) fn get() -> Option<&'static Pool> {
    // SAFETY: null, or published by `publish` with release, and never freed.
    unsafe { GLOBAL.load(Ordering::Acquire).as_ref() }
}

/// Makes `pool` the global one, and gives that back: another one, if that was published before.
pub(crate) fn publish(pool: Arc<Pool>) -> &'static Pool {
    watch_forks();
    let raw = Arc::into_raw(pool);
    match GLOBAL.compare_exchange(
        ptr::null_mut(),
        raw.cast_mut(),
        Ordering::AcqRel,
        Ordering::Acquire,
    ) {
        // SAFETY: just leaked.
        Ok(_) => unsafe { &*raw },
        // Two threads of a forked child were here at once. The loser's pool, which has no threads, is left alone.
        // SAFETY: published before, and never freed.
        Err(other) => unsafe { &*other },
    }
}

/// Takes the global pool away, so that the next model of the process begins without one. No thread is inside any more.
#[cfg(filch_shuttle)]
pub(crate) fn take() -> Option<Arc<Pool>> {
    let pool = GLOBAL.swap(ptr::null_mut(), Ordering::AcqRel);
    // SAFETY: leaked by `publish`, and given back once.
    (!pool.is_null()).then(|| unsafe { Arc::from_raw(pool) })
}

/// Sees to it that child processes know what they are, and have nothing of their parent's pools but the memory. Comes before the first thread of a pool.
pub(crate) fn watch_forks() {
    fork::watch();
}

/// A child process has nothing of its parent's pools but their memory.
#[cfg(unix)]
mod fork {
    use super::super::child;
    use super::super::made_once;
    use super::super::worker::Worker;
    use super::GLOBAL;
    use crate::sync::{AtomicBool, Ordering};
    use std::ptr;

    extern "C" fn before() {
        made_once::finish();
    }

    extern "C" fn in_child() {
        child::begin();
        GLOBAL.store(ptr::null_mut(), Ordering::Release);
        // Whatever the thread was doing, from now on it calls from outside.
        Worker::forget();
    }

    /// No lock, which a child would find held for ever if another thread of its parent's had it. Handlers that two threads register run twice, which does no harm.
    pub(crate) fn watch() {
        static WATCHED: AtomicBool = AtomicBool::new(false);
        // No model forks, and what happens once in a process makes the first schedule differ from its replay.
        if cfg!(filch_shuttle) {
            return;
        }
        if !WATCHED.load(Ordering::Acquire) {
            // SAFETY: `in_child` only stores to atomics and to a cell of its own thread, which is safe in a child of a process with threads. `before` runs in
            // the parent, and may do anything. It allocates and opens files, which does not unwind.
            unsafe { libc::pthread_atfork(Some(before), None, Some(in_child)) };
            WATCHED.store(true, Ordering::Release);
            // Now, so that a fork has little to do.
            made_once::make();
        }
    }
}

#[cfg(not(unix))]
mod fork {
    pub(crate) fn watch() {}
}

/// Forks, and runs `work` in the child: it says whether all is well. A child that is stuck ends after ten seconds.
#[cfg(all(test, unix, not(miri)))]
#[track_caller]
pub(crate) fn assert_well_in_child(work: impl FnOnce() -> bool) {
    watch_forks();
    // SAFETY: the child is this one thread, and ends with `_exit`.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: it has no preconditions.
        unsafe { libc::alarm(10) };
        let is_well = super::unwind::catch(work).unwrap_or(false);
        // SAFETY: it has no preconditions.
        unsafe { libc::_exit(i32::from(!is_well)) };
    }
    let mut status = -1;
    // SAFETY: `status` is ours.
    let ended = unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!((ended, status), (child, 0), "how the child ended");
}

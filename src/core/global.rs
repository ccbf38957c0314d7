//! The global pool: built at first use, never torn down.

use super::build_error::ThreadPoolBuildError;
use super::builder::ThreadPoolBuilder;
use super::child;
use super::pool::{Handlers, Pool};
use super::thread_builder::DefaultSpawn;
use super::worker::Worker;
use crate::sync::Arc;
use crate::sync::{AtomicPtr, Mutex, Ordering, lock};
use std::ptr;

/// The pool, leaked. Null before the first use, and again in a child process after `fork`.
static GLOBAL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());
/// Held while the pool is being built.
static BUILDING: Mutex<State> = Mutex::new(State::Unbuilt);

#[derive(Clone, Copy, PartialEq)]
enum State {
    Unbuilt,
    Built,
}

/// The global pool; builds it with default settings if need be. Never fails: with fewer threads than wanted, down to none, if need be.
#[inline]
pub(crate) fn global() -> &'static Pool {
    let pool = GLOBAL.load(Ordering::Acquire);
    if pool.is_null() {
        return build_default();
    }
    // SAFETY: published by `publish` with release, and never freed.
    unsafe { &*pool }
}

/// The global pool, if there is one.
pub(crate) fn built() -> Option<&'static Pool> {
    // SAFETY: null, or published by `publish` with release, and never freed.
    unsafe { GLOBAL.load(Ordering::Acquire).as_ref() }
}

#[cold]
fn build_default() -> &'static Pool {
    if child::is_child() {
        // The other threads are gone, and any lock may be held by one of them for ever: so neither take one nor start threads.
        return publish(Pool::new(0, 0, Handlers::default(), true, false));
    }
    watch_forks(); // first, so that a child that is forked now does not wait for the lock
    let mut state = lock(&BUILDING);
    if *state == State::Built {
        // SAFETY: as in `global`.
        return unsafe { &*GLOBAL.load(Ordering::Acquire) };
    }
    let wanted = ThreadPoolBuilder::<DefaultSpawn>::default();
    let pool = wanted.build_with_what_there_is();
    *state = State::Built;
    publish(pool)
}

/// Makes `build`'s pool the global one, if there is none yet.
pub(crate) fn set_global(
    build: impl FnOnce() -> Result<Arc<Pool>, ThreadPoolBuildError>,
) -> Result<(), ThreadPoolBuildError> {
    let mut state = lock(&BUILDING);
    // In a child process the first use does not count as built, for it takes no lock.
    if *state == State::Built || !GLOBAL.load(Ordering::Acquire).is_null() {
        return Err(ThreadPoolBuildError::already_initialized());
    }
    let pool = build()?;
    *state = State::Built;
    publish(pool);
    Ok(())
}

/// `pool`, unless its threads are a parent process's: then the pool that the calling thread is in, else the global one, which runs on its callers.
#[inline]
pub(crate) fn living(pool: &Pool) -> &Pool {
    if pool.is_orphan() { instead() } else { pool }
}

#[cold]
fn instead<'a>() -> &'a Pool {
    Worker::current().map_or_else(|| global(), Worker::pool)
}

/// Sees to it that child processes know what they are. Comes before the first thread of a pool.
pub(crate) fn watch_forks() {
    fork::watch();
}

fn publish(pool: Arc<Pool>) -> &'static Pool {
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

/// Stops the global pool and forgets it, so that the next model of the process begins without one. Nobody is inside any more.
#[cfg(filch_shuttle)]
pub(crate) fn end_global() {
    let pool = GLOBAL.swap(ptr::null_mut(), Ordering::AcqRel);
    *lock(&BUILDING) = State::Unbuilt;
    if !pool.is_null() {
        // SAFETY: leaked by `publish`, and given back once.
        let pool = unsafe { Arc::from_raw(pool) };
        pool.let_go();
        pool.wait_until_ended();
    }
}

/// A child process has nothing of its parent's pools but their memory.
#[cfg(unix)]
mod fork {
    use super::super::child;
    use super::GLOBAL;
    use super::Worker;
    use crate::sync::Ordering;
    use std::ptr;
    use std::sync::Once;

    extern "C" fn in_child() {
        child::begin();
        GLOBAL.store(ptr::null_mut(), Ordering::Release);
        // Whatever the thread was doing, from now on it calls from outside.
        Worker::forget();
    }

    pub(crate) fn watch() {
        static ONCE: Once = Once::new();
        if !child::is_child() {
            ONCE.call_once(|| {
                // SAFETY: the handler only stores to atomics and to a cell of its own thread, which is safe in a child of a process with threads.
                unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
            });
        }
    }
}

#[cfg(not(unix))]
mod fork {
    pub(crate) fn watch() {}
}

//! The global pool: built at first use, never torn down.

use super::build_error::ThreadPoolBuildError;
use super::child;
use super::place::{self, publish, watch_forks};
use super::pool::{Handlers, Pool};
use super::start::{self, wanted_threads};
use super::worker::Worker;
use crate::sync::Arc;
use crate::sync::{Mutex, lock, per_thread};
use std::cell::Cell;

/// Whether the pool was built. Locked while it is being built.
static BUILT: Mutex<bool> = Mutex::new(false);

per_thread! {
    /// This thread has that lock, and builds the pool. Closures of the user's are called meanwhile, and the lock is not for them to wait for.
    static BUILDS: Cell<bool> = const { Cell::new(false) };
}

/// The global pool; builds it with default settings if need be. Never fails: with fewer threads than wanted, down to none, if need be.
#[inline]
pub(crate) fn global() -> &'static Pool {
    match place::get() {
        Some(pool) => pool,
        None => build_default(),
    }
}

#[cold]
fn build_default() -> &'static Pool {
    if child::is_child() {
        // The other threads are gone, and any lock may be held by one of them for ever: so neither take one nor start threads.
        return publish(Pool::new(0, 0, Handlers::default(), true, false));
    }
    watch_forks(); // first, so that a child that is forked now does not wait for the lock
    assert!(
        !BUILDS.with(Cell::get),
        "filch: a closure that is called to build the global pool used that pool, which is not there yet"
    );
    let mut built = lock(&BUILT);
    if *built && let Some(pool) = place::get() {
        return pool;
    }
    let pool = start::with_what_there_is(wanted_threads(0));
    *built = true;
    publish(pool)
}

/// Makes `build`'s pool the global one, if there is none yet.
pub(crate) fn set_global(
    build: impl FnOnce() -> Result<Arc<Pool>, ThreadPoolBuildError>,
) -> Result<(), ThreadPoolBuildError> {
    watch_forks(); // first, as above
    let built = match child::is_child() || BUILDS.with(Cell::get) {
        // A thread of the parent's may have held the lock, and there is no such thread here.
        true => BUILT.try_lock().ok(),
        false => Some(lock(&BUILT)),
    };
    let Some(mut built) = built else {
        return Err(ThreadPoolBuildError::already_initialized());
    };
    // In a child process the first use does not count as built, for it takes no lock.
    if *built || place::get().is_some() {
        return Err(ThreadPoolBuildError::already_initialized());
    }
    let pool = while_building(build)?;
    *built = true;
    publish(pool);
    Ok(())
}

/// Runs `build` on this thread, which has the lock.
fn while_building<R>(build: impl FnOnce() -> R) -> R {
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            BUILDS.with(|builds| builds.set(false));
        }
    }
    BUILDS.with(|builds| builds.set(true));
    let _end = End;
    build()
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

/// Stops the global pool and forgets it, so that the next model of the process begins without one. No thread is inside any more.
#[cfg(filch_shuttle)]
pub(crate) fn end_global() {
    let pool = place::take();
    *lock(&BUILT) = false;
    if let Some(pool) = pool {
        pool.let_go();
        pool.wait_until_ended();
    }
}

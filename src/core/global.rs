//! The global pool: built at first use, never torn down.

use super::child;
use super::global_pointer::{self, publish, watch_forks};
use super::pool::{Handlers, Pool};
use super::start::{self, NotBuilt, wanted_threads};
use super::worker::Worker;
use crate::sync::Arc;
use crate::sync::{Mutex, lock, per_thread, try_lock};
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
    match global_pointer::get() {
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
    if *built && let Some(pool) = global_pointer::get() {
        return pool;
    }
    let pool = start::with_what_there_is(wanted_threads(0));
    *built = true;
    publish(pool)
}

/// Makes `build`'s pool the global one, if there is none yet.
pub(crate) fn set_global(
    build: impl FnOnce() -> Result<Arc<Pool>, NotBuilt>,
) -> Result<(), NotBuilt> {
    watch_forks(); // first, as above
    let built = match child::is_child() || BUILDS.with(Cell::get) {
        // A thread of the parent's may have held the lock, and there is no such thread here.
        true => try_lock(&BUILT),
        false => Some(lock(&BUILT)),
    };
    let Some(mut built) = built else {
        return Err(NotBuilt::already());
    };
    // In a child process the first use does not count as built, for it takes no lock.
    if *built || global_pointer::get().is_some() {
        return Err(NotBuilt::already());
    }
    let pool = while_building(build)?;
    *built = true;
    publish(pool);
    Ok(())
}

/// Runs `build` on this thread, which has the lock.
fn while_building<R>(build: impl FnOnce() -> R) -> R {
    struct BuildEnd;
    impl Drop for BuildEnd {
        fn drop(&mut self) {
            BUILDS.with(|builds| builds.set(false));
        }
    }
    BUILDS.with(|builds| builds.set(true));
    let _end = BuildEnd;
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
    let pool = global_pointer::take();
    *lock(&BUILT) = false;
    if let Some(pool) = pool {
        pool.release();
        pool.wait_until_ended();
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use crate::ThreadPoolBuilder;
    use crate::core::thread_builder::refusal;
    use std::process::Command;
    use std::{env, thread};

    /// A thread that waits for a handler's thread, which uses the global pool, holds no lock that this needs.
    #[test]
    fn handlers_wait_for_the_global_pool_while_a_thread_is_refused() {
        const CHILD: &str = "FILCH_TEST_REFUSED";
        if env::var_os(CHILD).is_none() {
            // The global pool is built once in a process.
            let name =
                "core::global::tests::handlers_wait_for_the_global_pool_while_a_thread_is_refused";
            let mut child = Command::new(env::current_exe().unwrap());
            let status = child.args([name, "--exact"]).env(CHILD, "1").status();
            assert!(status.unwrap().success());
            return;
        }
        // SAFETY: it has no preconditions.
        #[cfg(unix)]
        unsafe {
            libc::alarm(60)
        };
        let use_it = |_| {
            let thread = thread::spawn(|| crate::join(|| 1, || 2));
            assert_eq!(thread.join().unwrap(), (1, 2));
        };
        let builder = ThreadPoolBuilder::new().num_threads(3);
        let builder = builder.start_handler(use_it).exit_handler(use_it);
        assert!(refusal::after(2, || builder.build_global()).is_err());
    }

    /// The thread is no longer at it when the attempt has failed.
    #[test]
    fn a_thread_that_failed_to_build_the_global_pool_may_use_it() {
        const CHILD: &str = "FILCH_TEST_FAILED";
        if env::var_os(CHILD).is_none() {
            let name =
                "core::global::tests::a_thread_that_failed_to_build_the_global_pool_may_use_it";
            let mut child = Command::new(env::current_exe().unwrap());
            let status = child.args([name, "--exact"]).env(CHILD, "1").status();
            assert!(status.unwrap().success());
            return;
        }
        let build = || ThreadPoolBuilder::new().num_threads(2).build_global();
        assert!(refusal::after(1, build).is_err());
        callers_take_part();
        assert!(build().is_err());
    }

    /// Whether it was built with a builder or by the first use, callers do their work in it themselves, once it has a right for them.
    fn callers_take_part() {
        // SAFETY: it has no preconditions.
        #[cfg(unix)]
        unsafe {
            libc::alarm(60)
        };
        while crate::core::stats().guests == 0 {
            assert_eq!(crate::join(|| 1, || 2), (1, 2));
        }
        assert_eq!(crate::core::missing_threads(), 0);
    }

    #[test]
    fn callers_take_part_in_a_global_pool_that_was_built() {
        const CHILD: &str = "FILCH_TEST_BUILT";
        if env::var_os(CHILD).is_none() {
            let name = "core::global::tests::callers_take_part_in_a_global_pool_that_was_built";
            let mut child = Command::new(env::current_exe().unwrap());
            let status = child.args([name, "--exact"]).env(CHILD, "1").status();
            assert!(status.unwrap().success());
            return;
        }
        let builder = ThreadPoolBuilder::new().num_threads(2);
        builder.build_global().unwrap();
        callers_take_part();
    }
}

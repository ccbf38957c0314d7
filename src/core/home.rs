//! Which pool a call goes to if it names none, such as `filch::join`, and under which root its jobs run there.
//!
//! - A thread at a desk calls into the pool of that desk.
//! - A thread from outside may work for a pool ([`at_home`]), such as one that computes an ordered iterator in the background. It calls into that pool,
//!   under a root that it was given.
//! - Any other thread calls into the global pool.

use super::global::{global, living};
use super::pool::Pool;
use super::root::Root;
use super::worker::Worker;
use crate::sync::per_thread;
use std::cell::Cell;
use std::ptr;

per_thread! {
    /// The home of the caller that this thread works for, if it does so from outside.
    static HOME: Cell<Option<Home>> = const { Cell::new(None) };
}

#[derive(Clone, Copy)]
struct Home {
    pool: *const Pool,
    root: Root,
}

/// The pool that the calling thread means if it names none.
pub(crate) fn here<'a>() -> &'a Pool {
    if let Some(worker) = Worker::current() {
        return worker.pool();
    }
    match HOME.with(Cell::get) {
        // SAFETY: `at_home` borrows the pool for as long as it is set, and the lifetime is that of frames inside of it.
        Some(home) => living(unsafe { &*home.pool }),
        None => global(),
    }
}

/// The root of all that this thread brings in from outside, if it works for a pool.
#[inline]
pub(crate) fn root() -> Option<Root> {
    HOME.with(Cell::get).map(|home| home.root)
}

/// The root of what this thread brings into `pool` from outside, if it works for that pool.
pub(crate) fn root_in(pool: &Pool) -> Option<Root> {
    let home = HOME
        .with(Cell::get)
        .filter(|_| Worker::current().is_none())?;
    ptr::eq(home.pool, pool).then_some(home.root)
}

/// The root that work keeps when this thread brings it into another pool and waits for it: nothing foreign may begin on top of what an isolated
/// thread waits for, wherever that is, and if it comes back it must not be foreign here.
pub(crate) fn lasting_root() -> Option<Root> {
    match Worker::current() {
        Some(worker) => Some(worker.own().root.get()).filter(|root| root.is_isolated()),
        None => root(),
    }
}

/// Runs `f` on a thread outside that works for `pool`: all that it brings in has the root `root`.
pub(crate) fn at_home<R>(pool: &Pool, root: Root, f: impl FnOnce() -> R) -> R {
    struct Restore(Option<Home>);
    impl Drop for Restore {
        fn drop(&mut self) {
            HOME.with(|home| home.set(self.0));
        }
    }
    let _restore = Restore(HOME.with(|home| home.replace(Some(Home { pool, root }))));
    f()
}

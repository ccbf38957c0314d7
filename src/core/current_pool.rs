//! Which pool a call goes to if it names none, such as `filch::join`, and under which root its jobs run there.
//!
//! - A thread at a desk calls into the pool of that desk.
//! - A thread outside may have [entered](enter) a pool, such as the thread that drives an ordered iterator in the background. It calls into that
//!   pool, under the root with which it entered.
//! - Any other thread calls into the global pool.

use super::global::{global, living};
use super::pool::Pool;
use super::root::Root;
use super::worker::Worker;
use crate::sync::per_thread;
use std::cell::Cell;
use std::ptr;

per_thread! {
    /// What this thread has entered, if it has.
    static ENTERED: Cell<Option<Entered>> = const { Cell::new(None) };
}

/// A pool that a thread outside has entered.
#[derive(Clone, Copy)]
struct Entered {
    pool: *const Pool,
    root: Root,
}

/// The pool that the calling thread means if it names none.
pub(crate) fn current_pool<'a>() -> &'a Pool {
    match Worker::current() {
        Some(worker) => worker.pool(),
        None => pool_from_outside().0,
    }
}

/// The pool that a thread outside means if it names none, and the root of all that it brings in, if it has entered a pool.
#[inline]
pub(super) fn pool_from_outside<'a>() -> (&'a Pool, Option<Root>) {
    match ENTERED.with(Cell::get) {
        // SAFETY: `enter` borrows the pool for as long as it is set, and the lifetime is that of frames inside of it.
        Some(entered) => (living(unsafe { &*entered.pool }), Some(entered.root)),
        None => (global(), None),
    }
}

/// The root of all that this thread brings in from outside, if it has entered a pool.
pub(super) fn entered_root() -> Option<Root> {
    ENTERED.with(Cell::get).map(|entered| entered.root)
}

/// The root of what this thread brings into `pool` from outside, if it has entered that pool.
pub(crate) fn entered_root_in(pool: &Pool) -> Option<Root> {
    let entered = ENTERED
        .with(Cell::get)
        .filter(|_| Worker::current().is_none())?;
    ptr::eq(entered.pool, pool).then_some(entered.root)
}

/// The root that work keeps when this thread brings it into another pool and waits for it: nothing foreign may begin on top of what an isolated
/// thread waits for, wherever that is, and if it comes back it must not be foreign here.
pub(crate) fn lasting_root() -> Option<Root> {
    match Worker::current() {
        Some(worker) => Some(worker.own().root.get()).filter(|root| root.is_isolated()),
        None => entered_root(),
    }
}

/// Runs `f` on a thread outside, for which `pool` is the current one meanwhile: all that it brings in has the root `root`.
pub(crate) fn enter<R>(pool: &Pool, root: Root, f: impl FnOnce() -> R) -> R {
    struct RestorePool(Option<Entered>);
    impl Drop for RestorePool {
        fn drop(&mut self) {
            ENTERED.with(|entered| entered.set(self.0));
        }
    }
    let _restore =
        RestorePool(ENTERED.with(|entered| entered.replace(Some(Entered { pool, root }))));
    f()
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::fresh::new_isolated_root;
    use crate::core::pool::Handlers;

    #[test]
    fn a_pool_is_entered_until_the_closure_ends_and_from_outside_only() {
        let [outer, inner] = [(), ()].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
        let [first, second] = [(), ()].map(|()| new_isolated_root());
        let entered = || [&outer, &inner].map(|pool| entered_root_in(pool));
        assert_eq!(entered(), [None, None]);
        enter(&outer, first, || {
            assert_eq!(entered(), [Some(first), None]);
            let panics = || {
                enter(&inner, second, || {
                    assert_eq!(entered(), [None, Some(second)]);
                    std::panic::resume_unwind(Box::new(()))
                })
            };
            let panicked: Result<(), _> = super::super::unwind::catch(panics);
            assert!(panicked.is_err());
            assert_eq!(
                (entered(), lasting_root()),
                ([Some(first), None], Some(first))
            );
            // SAFETY: the pool keeps the desk, and no other thread is there.
            let sitting = unsafe { Worker::sit(outer.seats[0].own_desk(), 0) };
            assert_eq!((entered(), lasting_root()), ([None, None], None));
            drop(sitting);
            assert_eq!(entered(), [Some(first), None]);
        });
        assert_eq!(entered(), [None, None]);
    }
}

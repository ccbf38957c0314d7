//! The ground floor: every atomic, lock and thread the crate uses comes from here.
//!
//! One place to swap them is what makes the protocols checkable: under `--cfg filch_loom` the same code runs on loom's
//! instrumented types.

#[cfg(not(filch_loom))]
mod imp {
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use std::thread::yield_now;

    pub(crate) use std::hint::spin_loop;
}

#[cfg(filch_loom)]
mod imp {
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use loom::thread::yield_now;
}

#[allow(unused_imports)] // a model uses some of these, the crate all
pub(crate) use imp::*;

/// Locks `mutex`, ignoring poison: no code of ours panics while it holds a lock, and a user's panic never runs under one.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

//! The ground floor: every atomic, lock and thread the crate uses comes from here.
//!
//! One place to swap them is what makes the protocols checkable: under `--cfg filch_loom` the same code runs on loom's
//! instrumented types, under `filch_shuttle` the whole crate runs on shuttle's threads, and under `filch_tsan` the locks, cells and shared pointers
//! are ones that ThreadSanitizer can follow. The cells of a desk come from here too, because loom then sees if two threads use one at a time.

// By path, because the models include this file by path, too.
#[cfg(filch_tsan)]
#[path = "sync/followed.rs"]
mod followed;
#[cfg(filch_shuttle)]
#[path = "sync/untimed.rs"]
mod untimed;

use std::sync::TryLockError;
/// It moves no data between threads, so models need not know it.
pub(crate) use std::sync::atomic::compiler_fence;
use std::time::Duration;

#[cfg(not(any(filch_loom, filch_shuttle)))]
mod imp {
    #[cfg(not(target_has_atomic = "64"))]
    pub(crate) use portable_atomic::AtomicU64;
    pub(crate) use std::cell::Cell;
    pub(crate) use std::hint::spin_loop;
    #[cfg(target_has_atomic = "64")]
    pub(crate) use std::sync::atomic::AtomicU64;
    pub(crate) use std::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering, fence,
    };
    #[cfg(not(filch_tsan))]
    pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, Weak};
    pub(crate) use std::thread::{Builder as Starter, sleep, yield_now};
    pub(crate) use std::thread_local as per_thread;

    #[cfg(filch_tsan)]
    pub(crate) use super::followed::{Arc, Condvar, Mutex, MutexGuard, OnceLock, Weak};
}

/// Each of these is a place where shuttle may switch threads; crossbeam's deque is not among them, and runs as one step. No time runs out.
#[cfg(filch_shuttle)]
mod imp {
    pub(crate) use super::untimed::{Condvar, sleep};
    pub(crate) use super::untimed::{forget_timed_waits, naps, timed_waits};
    pub(crate) use shuttle::hint::spin_loop;
    pub(crate) use shuttle::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };
    pub(crate) use shuttle::sync::{Arc, Mutex, MutexGuard, Weak};
    pub(crate) use shuttle::thread::{Builder as Starter, yield_now};
    pub(crate) use shuttle::thread_local as per_thread;
    pub(crate) use std::cell::Cell;
    // What it makes is made by one thread, and seen whole by all: nothing to switch in.
    pub(crate) use std::sync::OnceLock;
}

#[cfg(filch_loom)]
mod imp {
    pub(crate) use loom::cell::Cell;
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use loom::thread::yield_now;
    // Loom's own has no weak pointers.
    pub(crate) use std::sync::{Arc, OnceLock, Weak};

    /// Loom knows no time, and no model waits for any.
    pub(crate) fn sleep(_: std::time::Duration) {
        panic!("a thread waits for time to pass");
    }

    /// Loom's macro does not know `const` blocks.
    macro_rules! per_thread {
        ($(#[$attr:meta])* static $name:ident: $type:ty = const $init:block;) => {
            loom::thread_local! { $(#[$attr])* static $name: $type = $init; }
        };
    }
    pub(crate) use per_thread;
}

#[allow(unused_imports)] // a model uses some of these, the crate all
pub(crate) use imp::*;

/// Whether a bug of this name is planted, which the models or the sanitizers have to find (`verify/`).
#[cfg(not(any(filch_loom, filch_shuttle, filch_canary = "asked")))]
macro_rules! planted {
    ($bug:literal) => {
        cfg!(filch_canary = $bug)
    };
}

/// The models ask as they run, and so does `verify/recordings`, so that they are built once for all bugs.
#[cfg(any(filch_loom, filch_shuttle, filch_canary = "asked"))]
macro_rules! planted {
    ($bug:literal) => {
        $crate::sync::is_planted($bug)
    };
}

pub(crate) use planted;

/// Whether the environment variable `FILCH_CANARY` names this bug.
#[cfg(any(filch_loom, filch_shuttle, filch_canary = "asked"))]
pub(crate) fn is_planted(bug: &str) -> bool {
    static PLANTED: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    let planted = PLANTED.get_or_init(|| std::env::var("FILCH_CANARY").ok());
    planted.as_deref() == Some(bug)
}

/// Locks `mutex`, ignoring poison: no code of ours panics while it holds a lock, and a user's panic never runs under one.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Waits at `bell` with the lock of `guard` let go meanwhile, ignoring poison.
pub(crate) fn wait<'a, T>(bell: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    bell.wait(guard)
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The same, for so long at most. It may come back early.
pub(crate) fn wait_for<'a, T>(
    bell: &Condvar,
    guard: MutexGuard<'a, T>,
    most: Duration,
) -> MutexGuard<'a, T> {
    bell.wait_timeout(guard, most)
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .0
}

/// The same as [`lock`], if no thread has it locked. A thread that is gone may have left poison, too.
pub(crate) fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

//! Locks, cells and shared pointers for ThreadSanitizer, which sees only what is compiled with it.
//!
//! std comes compiled without the sanitizer, so the slow paths of its locks are hidden from it. So the locks here are parking_lot's, with
//! std's signatures. The sanitizer also does not know fences, and in std's `Arc` the last owner learns by a fence what the others did. The
//! shared pointers here have no fence.

use super::{AtomicUsize, Ordering};
use std::cell::UnsafeCell;
use std::fmt;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::Deref;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::sync::{LockResult, TryLockError, TryLockResult};
use std::time::Duration;

pub(crate) use parking_lot::MutexGuard;

#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(parking_lot::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) const fn new(value: T) -> Self {
        Mutex(parking_lot::Mutex::new(value))
    }

    pub(crate) fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        self.0.try_lock().ok_or(TryLockError::WouldBlock)
    }

    pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        Ok(self.0.lock())
    }

    pub(crate) fn into_inner(self) -> LockResult<T> {
        Ok(self.0.into_inner())
    }
}

#[derive(Debug, Default)]
pub(crate) struct Condvar(parking_lot::Condvar);

impl Condvar {
    pub(crate) const fn new() -> Self {
        Condvar(parking_lot::Condvar::new())
    }

    pub(crate) fn wait<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
    ) -> LockResult<MutexGuard<'a, T>> {
        self.0.wait(&mut guard);
        Ok(guard)
    }

    pub(crate) fn wait_timeout<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        rest: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, parking_lot::WaitTimeoutResult)> {
        let timeout = self.0.wait_for(&mut guard, rest);
        Ok((guard, timeout))
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}

/// As std's, but a value that is there was made before the lock was left, which the sanitizer sees.
pub(crate) struct OnceLock<T> {
    once: parking_lot::Once,
    /// Written inside of `once`, and by nothing else.
    value: UnsafeCell<Option<T>>,
}

// SAFETY: as for std's: any thread may make the value, read it, or drop it.
unsafe impl<T: Send + Sync> Sync for OnceLock<T> {}

impl<T> UnwindSafe for OnceLock<T> {}
impl<T> RefUnwindSafe for OnceLock<T> {}

impl<T> Default for OnceLock<T> {
    fn default() -> Self {
        OnceLock::new()
    }
}

impl<T> OnceLock<T> {
    pub(crate) const fn new() -> Self {
        OnceLock {
            once: parking_lot::Once::new(),
            value: UnsafeCell::new(None),
        }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        if !self.once.state().done() {
            return None;
        }
        // SAFETY: it was written before `once` was done, and is not written any more.
        unsafe { (*self.value.get()).as_ref() }
    }

    pub(crate) fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.get_or_init(|| value.take().expect("this runs once"));
        value.map_or(Ok(()), Err)
    }

    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        let mut make = Some(make);
        // After a panic in there, the next one makes it.
        self.once.call_once_force(|_| {
            let value = make.take().expect("this runs once")();
            // SAFETY: inside of `once` this thread is alone, and there are no readers before it is done.
            unsafe { *self.value.get() = Some(value) };
        });
        self.get().expect("just made")
    }
}

struct Inner<T> {
    /// How many owners there are.
    strong: AtomicUsize,
    /// How many weak pointers there are; all owners together count as one.
    weak: AtomicUsize,
    value: UnsafeCell<MaybeUninit<T>>,
}

/// As std's, without fences.
pub(crate) struct Arc<T>(NonNull<Inner<T>>);

/// As std's, without fences.
pub(crate) struct Weak<T>(NonNull<Inner<T>>);

// SAFETY: as for std's: owners on several threads share the value, and any of them may drop it.
unsafe impl<T: Send + Sync> Send for Arc<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Arc<T> {}
// SAFETY: as above, for it can become an owner.
unsafe impl<T: Send + Sync> Send for Weak<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Weak<T> {}

// Where the locks are std's, whatever is shared here is safe to see after a panic; parking_lot's locks do not say so.
impl<T> UnwindSafe for Arc<T> {}
impl<T> RefUnwindSafe for Arc<T> {}

impl<T> Arc<T> {
    pub(crate) fn new(value: T) -> Self {
        Self::new_cyclic(|_| value)
    }

    pub(crate) fn new_cyclic(make: impl FnOnce(&Weak<T>) -> T) -> Self {
        let inner = Box::new(Inner {
            strong: AtomicUsize::new(0),
            weak: AtomicUsize::new(1),
            value: UnsafeCell::new(MaybeUninit::uninit()),
        });
        let me = Weak(NonNull::from(Box::leak(inner)));
        let value = make(&me);
        // SAFETY: the value is not read before there are owners, and written only here.
        unsafe { (*me.inner().value.get()).write(value) };
        me.inner().strong.store(1, Ordering::Release);
        // The one weak pointer now stands for all owners.
        let me = ManuallyDrop::new(me);
        Arc(me.0)
    }

    pub(crate) fn as_ptr(this: &Self) -> *const T {
        &raw const **this
    }

    /// As std's, but it is never turned back, so the value is never dropped.
    pub(crate) fn into_raw(this: Self) -> *const T {
        Self::as_ptr(&ManuallyDrop::new(this))
    }

    pub(crate) fn downgrade(this: &Self) -> Weak<T> {
        this.inner().weak.fetch_add(1, Ordering::Relaxed);
        Weak(this.0)
    }

    #[cfg(feature = "trace")]
    pub(crate) fn strong_count(this: &Self) -> usize {
        this.inner().strong.load(Ordering::Acquire)
    }

    fn inner(&self) -> &Inner<T> {
        // SAFETY: it lives as long as there are owners.
        unsafe { self.0.as_ref() }
    }
}

impl<T> Weak<T> {
    pub(crate) fn as_ptr(&self) -> *const T {
        self.inner().value.get().cast()
    }

    pub(crate) fn strong_count(&self) -> usize {
        self.inner().strong.load(Ordering::Acquire)
    }

    pub(crate) fn upgrade(&self) -> Option<Arc<T>> {
        let more = |owners| (owners > 0).then_some(owners + 1);
        let strong = &self.inner().strong;
        let any = strong.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        any.ok().map(|_| Arc(self.0))
    }

    fn inner(&self) -> &Inner<T> {
        // SAFETY: it lives as long as there are weak pointers.
        unsafe { self.0.as_ref() }
    }
}

impl<T> Clone for Arc<T> {
    fn clone(&self) -> Self {
        self.inner().strong.fetch_add(1, Ordering::Relaxed);
        Arc(self.0)
    }
}

impl<T> Clone for Weak<T> {
    fn clone(&self) -> Self {
        self.inner().weak.fetch_add(1, Ordering::Relaxed);
        Weak(self.0)
    }
}

impl<T> Deref for Arc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: written before the first owner was made, and dropped by the last.
        unsafe { (*self.inner().value.get()).assume_init_ref() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Arc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}

impl<T> Drop for Arc<T> {
    fn drop(&mut self) {
        if self.inner().strong.fetch_sub(1, Ordering::AcqRel) == 1 {
            let _all_owners = Weak(self.0);
            // SAFETY: this was the last owner.
            unsafe { (*self.inner().value.get()).assume_init_drop() };
        }
    }
}

impl<T> Drop for Weak<T> {
    fn drop(&mut self) {
        if self.inner().weak.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: it came from a box, and this was the last pointer to it.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

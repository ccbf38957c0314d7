//! States that one fold leaves for another.

use crate::sync::{Mutex, lock};

/// Where a fold whose order does not matter leaves its state when it ends, so that the next one continues with it: then there are about as
/// many states as threads, however many folds there are.
pub(super) struct Spare<T>(Mutex<Vec<T>>);

impl<T> Spare<T> {
    pub(super) fn new() -> Self {
        Spare(Mutex::new(Vec::new()))
    }

    pub(super) fn take(&self) -> Option<T> {
        lock(&self.0).pop()
    }

    pub(super) fn put(&self, state: T) {
        lock(&self.0).push(state);
    }

    pub(super) fn into_all(self) -> Vec<T> {
        std::mem::take(&mut *lock(&self.0))
    }
}

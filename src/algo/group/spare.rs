//! Spare tables and rows of counts: a fold leaves its own when it ends, and a later fold goes on with it.

use crate::sync::{Mutex, lock};

/// Where a fold whose order does not matter leaves its state when it ends, so that the next one continues with it: then there are about as
/// many states as threads, however many folds there are.
///
/// The first has a place without an allocation: small inputs are one fold.
pub(super) struct Spare<T>(Mutex<(Option<T>, Vec<T>)>);

impl<T> Spare<T> {
    pub(super) fn new() -> Self {
        Spare(Mutex::new((None, Vec::new())))
    }

    pub(super) fn take(&self) -> Option<T> {
        let mut states = lock(&self.0);
        states.1.pop().or_else(|| states.0.take())
    }

    pub(super) fn put(&self, state: T) {
        let mut states = lock(&self.0);
        match &mut states.0 {
            Some(_) => states.1.push(state),
            first => *first = Some(state),
        }
    }

    pub(super) fn take_all(&self) -> impl Iterator<Item = T> + use<T> {
        let (first, others) = std::mem::take(&mut *lock(&self.0));
        first.into_iter().chain(others)
    }
}

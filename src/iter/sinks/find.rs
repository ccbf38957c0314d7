//! `find_any`: any item that fits. The ends that look for the first or last one are in [`find_first`](super::find_first).

use super::plain::{Plain, state_is_result};
use crate::sync::{AtomicBool, Ordering};

/// Looks for any item for which `map` returns `Some`.
pub(crate) struct FindAny<F> {
    map: F,
    found: AtomicBool,
}

impl<F> FindAny<F> {
    pub(crate) fn new(map: F) -> Self {
        FindAny {
            map,
            found: AtomicBool::new(false),
        }
    }
}

/// The first value that `map` returns.
///
/// This is a function, because the compiler knows only of a parameter that what `map` has captured can be read before the loop. A search that
/// reads it again for each item takes 1.4 times as long.
#[inline(never)]
pub(super) fn find_map<T, R>(
    mut items: impl Iterator<Item = T>,
    map: &impl Fn(T) -> Option<R>,
) -> Option<R> {
    items.find_map(map)
}

impl<T, R: Send, F: Fn(T) -> Option<R> + Sync> Plain<T> for FindAny<F> {
    state_is_result! { Option<R> }

    const STOPS_EARLY: bool = true;

    #[inline]
    fn begin(&self) -> Option<R> {
        None
    }

    #[inline]
    fn many(&self, state: Option<R>, items: impl Iterator<Item = T>) -> Option<R> {
        if state.is_some() {
            return state;
        }
        let found = find_map(items, &self.map);
        if found.is_some() {
            self.found.store(true, Ordering::Relaxed);
        }
        found
    }

    #[inline]
    fn reduce(&self, left: Option<R>, right: Option<R>) -> Option<R> {
        left.or(right)
    }

    #[inline]
    fn over(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }
}

//! `find_any`: some item that fits. The ends that care which one are in [`find_first`](super::find_first).

use super::plain::Plain;
use crate::sync::{AtomicBool, Ordering};

/// Looks for any item for which `map` gives something.
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

impl<T, R, F> Plain<T> for FindAny<F>
where
    R: Send,
    F: Fn(T) -> Option<R> + Sync,
{
    type State = Option<R>;
    type Result = Option<R>;

    #[inline]
    fn begin(&self) -> Option<R> {
        None
    }

    #[inline]
    fn one(&self, state: Option<R>, item: T) -> Option<R> {
        self.many(state, std::iter::once(item))
    }

    #[inline]
    fn many(&self, state: Option<R>, mut items: impl Iterator<Item = T>) -> Option<R> {
        if state.is_some() {
            return state;
        }
        let found = items.find_map(&self.map);
        if found.is_some() {
            self.found.store(true, Ordering::Relaxed);
        }
        found
    }

    #[inline]
    fn end(&self, state: Option<R>) -> Option<R> {
        state
    }

    #[inline]
    fn reduce(&self, left: Option<R>, right: Option<R>) -> Option<R> {
        left.or(right)
    }

    #[inline]
    fn full(&self, _: &Option<R>) -> bool {
        self.found.load(Ordering::Relaxed)
    }

    #[inline]
    fn over(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }
}

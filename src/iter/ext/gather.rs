//! Collects the items of a round into a vector, and stops if they are no longer wanted.

use crate::iter::sinks::plain::{Plain, state_is_result};
use crate::sync::{AtomicBool, Ordering};

/// Collects, until it is stopped.
pub(super) struct GatherEnd {
    /// A hint that publishes nothing: relaxed.
    stop: AtomicBool,
}

impl GatherEnd {
    pub(super) fn new() -> Self {
        GatherEnd {
            stop: AtomicBool::new(false),
        }
    }

    /// Says that the collected items are no longer wanted.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl<T: Send> Plain<T> for GatherEnd {
    state_is_result! { Vec<T> }

    const STOPS_EARLY: bool = true;

    #[inline]
    fn begin(&self) -> Vec<T> {
        Vec::new()
    }

    #[inline]
    fn one(&self, mut items: Vec<T>, item: T) -> Vec<T> {
        items.push(item);
        items
    }

    #[inline]
    fn many(&self, mut items: Vec<T>, more: impl Iterator<Item = T>) -> Vec<T> {
        if !self.is_stopped() {
            items.extend(more);
        }
        items
    }

    #[inline]
    fn reduce(&self, mut left: Vec<T>, mut right: Vec<T>) -> Vec<T> {
        left.append(&mut right);
        left
    }

    #[inline]
    fn full(&self, _: &Vec<T>) -> bool {
        self.is_stopped()
    }

    #[inline]
    fn over(&self) -> bool {
        self.is_stopped()
    }
}

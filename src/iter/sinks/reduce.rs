//! `reduce`, `count`, `min` and `max`.

use super::plain::{Plain, state_is_result};
use crate::iter::fold_in_place::fold_in_place;
use std::cmp::Ordering;

/// Combines items.
pub(crate) struct Reduce<F, OP> {
    /// What a fold begins with; if that is nothing, it begins with its first item.
    pub(crate) first: F,
    pub(crate) op: OP,
}

impl<T, F, OP> Plain<T> for Reduce<F, OP>
where
    T: Send,
    F: Fn() -> Option<T> + Sync,
    OP: Fn(T, T) -> T + Sync,
{
    state_is_result! { Option<T> }

    #[inline]
    fn begin(&self) -> Option<T> {
        (self.first)()
    }

    #[inline]
    fn one(&self, state: Option<T>, item: T) -> Option<T> {
        Some(match state {
            Some(state) => (self.op)(state, item),
            None => item,
        })
    }

    #[inline]
    fn many(&self, state: Option<T>, mut items: impl Iterator<Item = T>) -> Option<T> {
        let first = state.or_else(|| items.next())?;
        Some(fold_in_place(items, first, &self.op))
    }

    #[inline]
    fn reduce(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        match (left, right) {
            (Some(left), Some(right)) => Some((self.op)(left, right)),
            (left, right) => left.or(right),
        }
    }
}

/// The smaller of two, the first if they are equal: as std's `min_by`.
#[inline]
pub(crate) fn smaller<T>(order: impl Fn(&T, &T) -> Ordering) -> impl Fn(T, T) -> T {
    move |a, b| match order(&a, &b) {
        Ordering::Greater => b,
        _ => a,
    }
}

/// The larger of two, the second if they are equal: as std's `max_by`.
#[inline]
pub(crate) fn larger<T>(order: impl Fn(&T, &T) -> Ordering) -> impl Fn(T, T) -> T {
    move |a, b| match order(&a, &b) {
        Ordering::Greater => a,
        _ => b,
    }
}

/// Counts.
pub(crate) struct Count;

impl<T> Plain<T> for Count {
    state_is_result! { usize }

    #[inline]
    fn begin(&self) -> usize {
        0
    }

    #[inline]
    fn one(&self, state: usize, _: T) -> usize {
        state + 1
    }

    #[inline]
    fn many(&self, state: usize, items: impl Iterator<Item = T>) -> usize {
        state + items.count()
    }

    #[inline]
    fn reduce(&self, left: usize, right: usize) -> usize {
        left + right
    }
}

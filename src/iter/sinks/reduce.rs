//! `reduce`, `count`, `min` and `max`.

use super::plain::Plain;
use crate::iter::fold_in_place::fold_in_place;
use std::cmp::Ordering;

/// Combines items, beginning each fold with an identity.
pub(crate) struct Reduce<ID, OP> {
    pub(crate) identity: ID,
    pub(crate) op: OP,
}

impl<T, ID, OP> Plain<T> for Reduce<ID, OP>
where
    T: Send,
    ID: Fn() -> T + Sync,
    OP: Fn(T, T) -> T + Sync,
{
    type State = T;
    type Result = T;

    #[inline]
    fn begin(&self) -> T {
        (self.identity)()
    }

    #[inline]
    fn one(&self, state: T, item: T) -> T {
        (self.op)(state, item)
    }

    #[inline]
    fn many(&self, state: T, items: impl Iterator<Item = T>) -> T {
        fold_in_place(items, state, &self.op)
    }

    #[inline]
    fn end(&self, state: T) -> T {
        state
    }

    #[inline]
    fn reduce(&self, left: T, right: T) -> T {
        (self.op)(left, right)
    }
}

/// Combines items, beginning each fold with its first item.
pub(crate) struct ReduceWith<OP>(pub(crate) OP);

impl<T, OP> Plain<T> for ReduceWith<OP>
where
    T: Send,
    OP: Fn(T, T) -> T + Sync,
{
    type State = Option<T>;
    type Result = Option<T>;

    #[inline]
    fn begin(&self) -> Option<T> {
        None
    }

    #[inline]
    fn one(&self, state: Option<T>, item: T) -> Option<T> {
        Some(match state {
            Some(state) => (self.0)(state, item),
            None => item,
        })
    }

    #[inline]
    fn many(&self, state: Option<T>, mut items: impl Iterator<Item = T>) -> Option<T> {
        let first = state.or_else(|| items.next())?;
        Some(fold_in_place(items, first, &self.0))
    }

    #[inline]
    fn end(&self, state: Option<T>) -> Option<T> {
        state
    }

    #[inline]
    fn reduce(&self, left: Option<T>, right: Option<T>) -> Option<T> {
        match (left, right) {
            (Some(left), Some(right)) => Some((self.0)(left, right)),
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
    type State = usize;
    type Result = usize;

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
    fn end(&self, state: usize) -> usize {
        state
    }

    #[inline]
    fn reduce(&self, left: usize, right: usize) -> usize {
        left + right
    }
}

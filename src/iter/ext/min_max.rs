//! `min_max`: the smallest and the largest item in one pass.

use crate::iter::sinks::plain::{Plain, state_is_result};
use std::cmp::Ordering;

/// The smallest and the largest of some items, which may be fewer than two; what [`min_max`](crate::ext::ParallelMinMax::min_max) returns.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let ends = [3, 1, 2].par_iter().min_max();
/// assert_eq!(ends, MinMax::Two { min: &1, max: &3 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MinMax<T> {
    /// There was no item.
    Empty,
    /// There was one item, which is both.
    One(T),
    /// The smallest, the first of several equal ones; and the largest, the last of several equal ones.
    Two {
        /// What std's `min` returns.
        min: T,
        /// What std's `max` returns.
        max: T,
    },
}

impl<T> MinMax<T> {
    /// Both, if there was an item. A single item is cloned.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// assert_eq!([7].par_iter().min_max().into_pair(), Some((&7, &7)));
    /// ```
    pub fn into_pair(self) -> Option<(T, T)>
    where
        T: Clone,
    {
        match self {
            MinMax::Empty => None,
            MinMax::One(item) => Some((item.clone(), item)),
            MinMax::Two { min, max } => Some((min, max)),
        }
    }

    pub(super) fn map<U>(self, f: impl Fn(T) -> U) -> MinMax<U> {
        match self {
            MinMax::Empty => MinMax::Empty,
            MinMax::One(item) => MinMax::One(f(item)),
            MinMax::Two { min, max } => MinMax::Two {
                min: f(min),
                max: f(max),
            },
        }
    }
}

/// Finds the smallest and the largest item by an order.
pub(super) struct MinMaxEnd<F>(pub(super) F);

impl<F> MinMaxEnd<F> {
    /// The two after a later item was added.
    #[inline]
    fn widen<T>(&self, min: T, max: T, item: T) -> (T, T)
    where
        F: Fn(&T, &T) -> Ordering,
    {
        // `min` is not above `max`, so an item below `min` is not the largest, unless the order is not total.
        if (self.0)(&min, &item) == Ordering::Greater {
            (item, max)
        } else if (self.0)(&max, &item) == Ordering::Greater {
            (min, max)
        } else {
            (min, item)
        }
    }

    /// Two items, in the order in which they came.
    #[inline]
    fn pair<T>(&self, first: T, second: T) -> (T, T)
    where
        F: Fn(&T, &T) -> Ordering,
    {
        match (self.0)(&first, &second) {
            Ordering::Greater => (second, first),
            _ => (first, second),
        }
    }
}

impl<T: Send, F: Fn(&T, &T) -> Ordering + Sync> Plain<T> for MinMaxEnd<F> {
    state_is_result! { MinMax<T> }

    #[inline]
    fn begin(&self) -> MinMax<T> {
        MinMax::Empty
    }

    #[inline]
    fn many(&self, state: MinMax<T>, mut items: impl Iterator<Item = T>) -> MinMax<T> {
        let first = match state {
            MinMax::Two { min, max } => {
                let (min, max) =
                    items.fold((min, max), |(min, max), item| self.widen(min, max, item));
                return MinMax::Two { min, max };
            }
            MinMax::One(first) => first,
            MinMax::Empty => match items.next() {
                Some(first) => first,
                None => return MinMax::Empty,
            },
        };
        let Some(second) = items.next() else {
            return MinMax::One(first);
        };
        let pair = self.pair(first, second);
        let (min, max) = items.fold(pair, |(min, max), item| self.widen(min, max, item));
        MinMax::Two { min, max }
    }

    fn reduce(&self, left: MinMax<T>, right: MinMax<T>) -> MinMax<T> {
        match (left, right) {
            (left, MinMax::Empty) => left,
            (MinMax::Empty, right) => right,
            (left, MinMax::One(item)) => self.one(left, item),
            (MinMax::One(item), MinMax::Two { min, max }) => {
                // The item comes first: if it ties, it becomes the smallest, but not the largest.
                if (self.0)(&item, &min) != Ordering::Greater {
                    MinMax::Two { min: item, max }
                } else if (self.0)(&item, &max) == Ordering::Greater {
                    MinMax::Two { min, max: item }
                } else {
                    MinMax::Two { min, max }
                }
            }
            (
                MinMax::Two { min, max },
                MinMax::Two {
                    min: least,
                    max: most,
                },
            ) => MinMax::Two {
                min: self.pair(min, least).0,
                max: self.pair(max, most).1,
            },
        }
    }
}

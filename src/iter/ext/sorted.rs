//! `is_sorted`: whether each item is in order with the next one.

use crate::iter::sinks::plain::{Plain, state_is_result};
use crate::sync::{AtomicBool, Ordering};

/// Compares neighbours, including those on both sides of a cut.
pub(super) struct SortedEnd<F> {
    in_order: F,
    /// Two neighbours were out of order. A hint to stop, which publishes nothing: relaxed.
    over: AtomicBool,
}

impl<F> SortedEnd<F> {
    pub(super) fn new(in_order: F) -> Self {
        SortedEnd {
            in_order,
            over: AtomicBool::new(false),
        }
    }
}

/// What is known of a stretch of items.
pub(super) enum SortedRun<T> {
    Empty,
    One(T),
    /// In order; only its first and last items matter.
    Sorted(T, T),
    Unsorted,
}

impl<T> SortedRun<T> {
    pub(super) fn is_sorted(&self) -> bool {
        !matches!(self, SortedRun::Unsorted)
    }
}

impl<T: Send, F: Fn(&T, &T) -> bool + Sync> Plain<T> for SortedEnd<F> {
    state_is_result! { SortedRun<T> }

    const STOPS_EARLY: bool = true;

    #[inline]
    fn begin(&self) -> SortedRun<T> {
        SortedRun::Empty
    }

    #[inline]
    fn many(&self, run: SortedRun<T>, mut items: impl Iterator<Item = T>) -> SortedRun<T> {
        let (first, last) = match run {
            SortedRun::Unsorted => return SortedRun::Unsorted,
            SortedRun::Sorted(first, last) => (Some(first), Some(last)),
            SortedRun::One(item) => (None, Some(item)),
            SortedRun::Empty => (None, items.next()),
        };
        let Some(mut last) = last else {
            return SortedRun::Empty;
        };
        // A single item becomes the first one as soon as another comes after it.
        let first = match first {
            Some(first) => first,
            None => match items.next() {
                None => return SortedRun::One(last),
                Some(next) if (self.in_order)(&last, &next) => std::mem::replace(&mut last, next),
                Some(_) => return self.unsorted(),
            },
        };
        let sorted = items.all(|next| {
            let in_order = (self.in_order)(&last, &next);
            last = next;
            in_order
        });
        if sorted {
            SortedRun::Sorted(first, last)
        } else {
            self.unsorted()
        }
    }

    /// When a fold is over, others end before their last item. So two stretches need not be neighbours, and are not compared.
    fn reduce(&self, left: SortedRun<T>, right: SortedRun<T>) -> SortedRun<T> {
        if self.over() {
            return SortedRun::Unsorted;
        }
        let (first, seam) = match left {
            SortedRun::Empty => return right,
            SortedRun::Unsorted => return SortedRun::Unsorted,
            SortedRun::One(item) => (None, item),
            SortedRun::Sorted(first, last) => (Some(first), last),
        };
        let (next, last) = match right {
            SortedRun::Empty => {
                return match first {
                    Some(first) => SortedRun::Sorted(first, seam),
                    None => SortedRun::One(seam),
                };
            }
            SortedRun::Unsorted => return SortedRun::Unsorted,
            SortedRun::One(item) => (item, None),
            SortedRun::Sorted(next, last) => (next, Some(last)),
        };
        if !(self.in_order)(&seam, &next) {
            return self.unsorted();
        }
        SortedRun::Sorted(first.unwrap_or(seam), last.unwrap_or(next))
    }

    #[inline]
    fn full(&self, _: &SortedRun<T>) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    #[inline]
    fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

impl<F> SortedEnd<F> {
    #[cold]
    fn unsorted<T>(&self) -> SortedRun<T> {
        self.over.store(true, Ordering::Relaxed);
        SortedRun::Unsorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another fold has found disorder, and the left one ended before its last item.
    #[test]
    fn what_need_not_be_neighbours_is_not_compared() {
        let in_order = |x: &u32, y: &u32| {
            assert_eq!(x.abs_diff(*y), 1, "not neighbours");
            x < y
        };
        let end = SortedEnd::new(in_order);
        let fold = |items: &[u32]| end.end(end.many(end.begin(), items.iter().copied()));
        let (left, middle) = (fold(&[0, 1, 2]), fold(&[5, 6]));
        let right = fold(&[8, 7]);
        assert!(end.over());
        let left = end.reduce(left, middle);
        assert!(!end.reduce(left, right).is_sorted());
    }
}

//! `is_sorted`: whether each item is in order with the next one.

use crate::iter::sinks::plain::Plain;
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
pub(super) enum Run<T> {
    Empty,
    One(T),
    /// In order; only its first and last items matter.
    Sorted(T, T),
    Unsorted,
}

impl<T> Run<T> {
    pub(super) fn is_sorted(&self) -> bool {
        !matches!(self, Run::Unsorted)
    }
}

impl<T, F> Plain<T> for SortedEnd<F>
where
    T: Send,
    F: Fn(&T, &T) -> bool + Sync,
{
    type State = Run<T>;
    type Result = Run<T>;

    #[inline]
    fn begin(&self) -> Run<T> {
        Run::Empty
    }

    #[inline]
    fn one(&self, run: Run<T>, item: T) -> Run<T> {
        self.many(run, std::iter::once(item))
    }

    #[inline]
    fn many(&self, run: Run<T>, mut items: impl Iterator<Item = T>) -> Run<T> {
        let (first, last) = match run {
            Run::Unsorted => return Run::Unsorted,
            Run::Sorted(first, last) => (Some(first), Some(last)),
            Run::One(item) => (None, Some(item)),
            Run::Empty => (None, items.next()),
        };
        let Some(mut last) = last else {
            return Run::Empty;
        };
        // A single item becomes the first one as soon as another comes after it.
        let first = match first {
            Some(first) => first,
            None => match items.next() {
                None => return Run::One(last),
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
            Run::Sorted(first, last)
        } else {
            self.unsorted()
        }
    }

    #[inline]
    fn end(&self, run: Run<T>) -> Run<T> {
        run
    }

    fn reduce(&self, left: Run<T>, right: Run<T>) -> Run<T> {
        let (first, seam) = match left {
            Run::Empty => return right,
            Run::Unsorted => return Run::Unsorted,
            Run::One(item) => (None, item),
            Run::Sorted(first, last) => (Some(first), last),
        };
        let (next, last) = match right {
            Run::Empty => {
                return match first {
                    Some(first) => Run::Sorted(first, seam),
                    None => Run::One(seam),
                };
            }
            Run::Unsorted => return Run::Unsorted,
            Run::One(item) => (item, None),
            Run::Sorted(next, last) => (next, Some(last)),
        };
        if !(self.in_order)(&seam, &next) {
            return self.unsorted();
        }
        Run::Sorted(first.unwrap_or(seam), last.unwrap_or(next))
    }

    #[inline]
    fn full(&self, _: &Run<T>) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    #[inline]
    fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

impl<F> SortedEnd<F> {
    #[cold]
    fn unsorted<T>(&self) -> Run<T> {
        self.over.store(true, Ordering::Relaxed);
        Run::Unsorted
    }
}

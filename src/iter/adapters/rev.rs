//! `rev`.

use super::adaptor;
use super::reindex::{Reindex, indexed_adaptor, reindex};
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Indexed, Producer, as_producer};

adaptor! {
    /// Yields the last item first; made by [`rev`](IndexedParallelIterator::rev).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let back: filch::iter::Rev<_> = (0..3).into_par_iter().rev();
    /// assert_eq!(back.collect::<Vec<_>>(), [2, 1, 0]);
    /// ```
    pub struct Rev<I> { base: I }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] Rev<I> => I::Item;
    len(self) { self.base.len() }
    give(self, callback) { reindex(self.base, Reverse, callback) }
}

struct Reverse;

impl<T> Reindex<T> for Reverse {
    type Item = T;
    type Producer<P: Producer<Item = T>> = Reversed<P>;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> Reversed<P> {
        Reversed { base }
    }
}

struct Reversed<P> {
    base: Indexed<P>,
}

impl<P: Producer> Producer for Reversed<P> {
    type Item = P::Item;
    type IntoIter = Backwards<P::IntoIter>;

    as_producer! { P: base.producer }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        Backwards(self.base.producer.into_iter())
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let at = self.base.len - index;
        let (left, right) = self.base.split_at(at);
        (Reversed { base: right }, Reversed { base: left })
    }
}

/// std's `Rev`, but with a counted loop. std's compares pointers, and is vectorised only where the compiler also sees the slice that they
/// come from. That is rare in a loop that the driver enters again and again.
struct Backwards<I>(I);

impl<I: DoubleEndedIterator + ExactSizeIterator> Iterator for Backwards<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.0.next_back()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        self.0.nth_back(n)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn fold<R, F: FnMut(R, I::Item) -> R>(mut self, init: R, mut f: F) -> R {
        let mut folded = init;
        for _ in 0..self.0.len() {
            match self.0.next_back() {
                Some(item) => folded = f(folded, item),
                None => break,
            }
        }
        folded
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> DoubleEndedIterator for Backwards<I> {
    #[inline]
    fn next_back(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<I::Item> {
        self.0.nth(n)
    }

    #[inline]
    fn rfold<R, F: FnMut(R, I::Item) -> R>(self, init: R, f: F) -> R {
        self.0.fold(init, f)
    }
}

impl<I: DoubleEndedIterator + ExactSizeIterator> ExactSizeIterator for Backwards<I> {}

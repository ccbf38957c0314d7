//! `rev`.

use super::reindex::{Measured, Reindex, indexed_adaptor, reindex};
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::Producer;
use std::iter;

/// Yields the last item first; made by [`rev`](IndexedParallelIterator::rev).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Debug, Clone)]
pub struct Rev<I> {
    base: I,
}

impl<I> Rev<I> {
    #[inline]
    pub(crate) fn new(base: I) -> Self {
        Rev { base }
    }
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
    fn wrap<P: Producer<Item = T>>(self, producer: P, len: usize) -> Reversed<P> {
        Reversed(Measured { producer, len })
    }
}

struct Reversed<P>(Measured<P>);

impl<P: Producer> Producer for Reversed<P> {
    type Item = P::Item;
    type IntoIter = iter::Rev<P::IntoIter>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.producer.into_iter().rev()
    }

    #[inline]
    fn min_len(&self) -> usize {
        self.0.producer.min_len()
    }

    #[inline]
    fn max_len(&self) -> usize {
        self.0.producer.max_len()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let at = self.0.len - index;
        let (left, right) = self.0.split_at(at);
        (Reversed(right), Reversed(left))
    }
}

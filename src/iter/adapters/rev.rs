//! `rev`.

use super::adaptor;
use super::exact::Exact;
use super::reindex::{Reindex, indexed_adaptor, reindex};
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Indexed, Producer, as_producer};
use std::iter;

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
    type IntoIter = Exact<iter::Rev<P::IntoIter>, true>;

    as_producer! { P: base.producer }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        Exact(self.base.producer.into_iter().rev())
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let at = self.base.len - index;
        let (left, right) = self.base.split_at(at);
        (Reversed { base: right }, Reversed { base: left })
    }
}

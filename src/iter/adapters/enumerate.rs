//! `enumerate`.

use super::adaptor;
use super::reindex::{Reindex, indexed_adaptor, reindex};
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Folder, Indexed, Producer, as_producer};
use std::iter::Zip;
use std::ops::Range;

adaptor! {
    /// Pairs each item with its index; made by [`enumerate`](IndexedParallelIterator::enumerate).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let numbered: filch::iter::Enumerate<_> = ["a", "b"].par_iter().enumerate();
    /// assert_eq!(numbered.collect::<Vec<_>>(), [(0, &"a"), (1, &"b")]);
    /// ```
    pub struct Enumerate<I> { base: I }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] Enumerate<I> => (usize, I::Item);
    len(self) { self.base.len() }
    give(self, callback) { reindex(self.base, Number, callback) }
}

struct Number;

impl<T> Reindex<T> for Number {
    type Item = (usize, T);
    type Producer<P: Producer<Item = T>> = Enumerated<P>;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> Enumerated<P> {
        let (base, indices) = (base.producer, 0..base.len);
        Enumerated { base, indices }
    }
}

struct Enumerated<P> {
    base: P,
    indices: Range<usize>,
}

impl<P: Producer> Producer for Enumerated<P> {
    type Item = (usize, P::Item);
    type IntoIter = Zip<Range<usize>, P::IntoIter>;

    as_producer! { P: base }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.indices.zip(self.base.into_iter())
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.base.split_at(index);
        let Range { start, end } = self.indices;
        let middle = start + index;
        let part = |base, indices| Enumerated { base, indices };
        (part(left, start..middle), part(right, middle..end))
    }

    #[inline]
    fn fold_with<F: Folder<Self::Item>>(self, folder: F) -> F {
        let next = self.indices.start;
        self.base.fold_with(CountingFolder { folder, next }).folder
    }
}

/// Passes the index on with each item.
struct CountingFolder<F> {
    folder: F,
    next: usize,
}

impl<T, F: Folder<(usize, T)>> Folder<T> for CountingFolder<F> {
    type Result = F::Result;

    #[inline]
    fn consume(self, item: T) -> Self {
        CountingFolder {
            folder: self.folder.consume((self.next, item)),
            next: self.next + 1,
        }
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let next = &mut self.next;
        self.folder = self.folder.consume_iter(iter.into_iter().map(|item| {
            let index = *next;
            *next += 1;
            (index, item)
        }));
        self
    }

    #[inline]
    fn complete(self) -> F::Result {
        self.folder.complete()
    }

    #[inline]
    fn full(&self) -> bool {
        self.folder.full()
    }
}

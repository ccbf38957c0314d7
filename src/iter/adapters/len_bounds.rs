//! `with_min_len` and `with_max_len`.

use super::adaptor;
use super::reindex::{Reindex, indexed_adaptor, reindex};
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Folder, Indexed, Producer};

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Yields the same items in pieces of a minimum length; made by [`with_min_len`](IndexedParallelIterator::with_min_len).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let loops: filch::iter::MinLen<_> = (0..100).into_par_iter().with_min_len(10);
    /// assert_eq!(loops.count(), 100);
    /// ```
    pub struct MinLen<I> { base: I, min: usize }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] MinLen<I> => I::Item;
    len(self) { self.base.len() }
    give(self, callback) {
        reindex(self.base, Bounds { min: self.min, max: usize::MAX }, callback)
    }
}

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Yields the same items in pieces of a maximum length; made by [`with_max_len`](IndexedParallelIterator::with_max_len).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let loops: filch::iter::MaxLen<_> = (0..100).into_par_iter().with_max_len(10);
    /// assert!(loops.fold(|| 0, |n, _| n + 1).max() <= Some(10));
    /// ```
    pub struct MaxLen<I> { base: I, max: usize }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] MaxLen<I> => I::Item;
    len(self) { self.base.len() }
    give(self, callback) {
        reindex(self.base, Bounds { min: 1, max: self.max }, callback)
    }
}

#[derive(Clone, Copy)]
struct Bounds {
    min: usize,
    max: usize,
}

impl<T> Reindex<T> for Bounds {
    type Item = T;
    type Producer<P: Producer<Item = T>> = Bounded<P>;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> Bounded<P> {
        let (base, bounds) = (base.producer, self);
        Bounded { base, bounds }
    }
}

struct Bounded<P> {
    base: P,
    bounds: Bounds,
}

impl<P: Producer> Producer for Bounded<P> {
    type Item = P::Item;
    type IntoIter = P::IntoIter;
    const REPRODUCIBLE: bool = P::REPRODUCIBLE;
    const CAN_PAUSE: bool = P::CAN_PAUSE;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.base.into_iter()
    }

    #[inline]
    fn min_len(&self) -> usize {
        self.base.min_len().max(self.bounds.min)
    }

    #[inline]
    fn max_len(&self) -> usize {
        self.base.max_len().min(self.bounds.max)
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.base.split_at(index);
        let bounds = self.bounds;
        let part = |base| Bounded { base, bounds };
        (part(left), part(right))
    }

    #[inline]
    fn fold_with<F: Folder<P::Item>>(self, folder: F) -> F {
        self.base.fold_with(folder)
    }
}

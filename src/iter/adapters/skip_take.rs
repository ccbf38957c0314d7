//! `skip` and `take`: items are cut off the producer before anything is folded.

use super::adaptor;
use super::reindex::{Reindex, indexed_adaptor, reindex};
use crate::iter::IndexedParallelIterator;
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Indexed, Producer};

adaptor! {
    debug where [I: std::fmt::Debug];
    /// Leaves out the first items; made by [`skip`](IndexedParallelIterator::skip).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let rest: filch::iter::Skip<_> = (0..5).into_par_iter().skip(3);
    /// assert_eq!(rest.collect::<Vec<_>>(), [3, 4]);
    /// ```
    pub struct Skip<I> { base: I, n: usize }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] Skip<I> => I::Item;
    len(self) { self.base.len() - self.n }
    give(self, callback) { reindex(self.base, Without(self.n), callback) }
}

struct Without(usize);

impl<T: Send> Reindex<T> for Without {
    type Item = T;
    type Producer<P: Producer<Item = T>> = P;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> P {
        let (skipped, rest) = base.split_at(self.0);
        if skipped.len > 0 {
            // A `map` before this may have side effects, so its closure is called on the skipped items too, as in std.
            skipped.for_each(drop);
        }
        rest.producer
    }
}

adaptor! {
    debug where [I: std::fmt::Debug];
    /// Yields only the first items; made by [`take`](IndexedParallelIterator::take).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let first: filch::iter::Take<_> = (0..5).into_par_iter().take(2);
    /// assert_eq!(first.collect::<Vec<_>>(), [0, 1]);
    /// ```
    pub struct Take<I> { base: I, n: usize }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] Take<I> => I::Item;
    len(self) { self.n }
    give(self, callback) { reindex(self.base, Only(self.n), callback) }
}

struct Only(usize);

impl<T> Reindex<T> for Only {
    type Item = T;
    type Producer<P: Producer<Item = T>> = P;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> P {
        base.up_to(self.0)
    }
}

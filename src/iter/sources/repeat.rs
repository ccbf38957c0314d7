//! `repeat`.

use super::repeat_n::{RepeatN, repeat_n};
use super::unindexed_source;
use crate::iter::plumbing::{Folder, RoundSource, UnindexedConsumer, UnindexedProducer, round_len};
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator, Zip};
use std::iter;

/// A parallel iterator that yields clones of an element without end.
///
/// Something must end it: [`take`](Repeat::take), [`zip`](Repeat::zip), or an end that stops early on any item. The element is cloned for
/// each item and for each split.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!(filch::iter::repeat(5).take(3).sum::<u32>(), 15);
/// ```
pub fn repeat<T: Clone + Send>(element: T) -> Repeat<T> {
    Repeat { element }
}

/// Clones of an element, without end; made by [`repeat`].
///
/// ```
/// use filch::prelude::*;
///
/// let ones: filch::iter::Repeat<u8> = filch::iter::repeat(1);
/// assert_eq!(ones.take(3).collect::<Vec<_>>(), [1, 1, 1]);
/// ```
#[derive(Debug, Clone)]
pub struct Repeat<T> {
    element: T,
}

impl<T: Clone + Send> Repeat<T> {
    /// Yields only the first `n` of them.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!(filch::iter::repeat(1).take(4).len(), 4);
    /// ```
    pub fn take(self, n: usize) -> RepeatN<T> {
        repeat_n(self.element, n)
    }

    /// Yields pairs of the element and each item of `zip_op`, as many as `zip_op` has.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let pairs: Vec<_> = filch::iter::repeat('x').zip([1, 2]).collect();
    /// assert_eq!(pairs, [('x', 1), ('x', 2)]);
    /// ```
    pub fn zip<Z>(self, zip_op: Z) -> Zip<RepeatN<T>, Z::Iter>
    where
        Z: IntoParallelIterator<Iter: IndexedParallelIterator>,
    {
        let others = zip_op.into_par_iter();
        self.take(others.len()).zip(others)
    }
}

unindexed_source! {
    impl[T: Clone + Send] Repeat<T> => T;
    producer(self) { Endless(self.element) }
    rounds(self) { Endless(self.element) }
}

/// Every part of it is endless too, and there is always a next round.
struct Endless<T>(T);

impl<T: Clone + Send> UnindexedProducer for Endless<T> {
    type Item = T;

    #[inline]
    fn split(self) -> (Self, Option<Self>) {
        let right = Endless(self.0.clone());
        (self, Some(right))
    }

    #[inline]
    fn fold_with<F: Folder<T>>(self, folder: F) -> F {
        folder.consume_iter(iter::repeat(self.0))
    }

    const CAN_PAUSE: bool = true;

    #[inline]
    fn fold_some<F: Folder<T>>(self, folder: F, budget: usize) -> (F, Option<Self>) {
        let folder = folder.consume_iter(iter::repeat_n(&self.0, budget).cloned());
        (folder, Some(self))
    }
}

impl<T: Clone + Send> RoundSource for Endless<T> {
    type Item = T;

    fn round<C: UnindexedConsumer<T>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        let element = self.0.clone();
        Some(match round_len(n) {
            Some(n) => repeat_n(element, n).drive_unindexed(consumer),
            None => repeat(element).drive_unindexed(consumer),
        })
    }
}

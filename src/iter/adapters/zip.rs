//! `zip` and `zip_eq`.

use super::adaptor;
use super::reindex::{Combine, combine, indexed_adaptor};
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Indexed, Producer, as_producer};
use std::iter;

adaptor! {
    /// Pairs the items of two iterators; made by [`zip`](IndexedParallelIterator::zip).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let pairs: filch::iter::Zip<_, _> = [1, 2, 3].par_iter().zip([4, 5].par_iter());
    /// assert_eq!(pairs.map(|(a, b)| a * b).sum::<i32>(), 14);
    /// ```
    pub struct Zip<A, B> { a: A, b: B }
}

indexed_adaptor! {
    impl[A: IndexedParallelIterator, B: IndexedParallelIterator] Zip<A, B> => (A::Item, B::Item);
    len(self) { self.a.len().min(self.b.len()) }
    give(self, callback) { combine(self.a, self.b, InStep, callback) }
}

adaptor! {
    debug where [A: std::fmt::Debug, B: std::fmt::Debug];
    /// Pairs the items of two iterators of the same length; made by [`zip_eq`](IndexedParallelIterator::zip_eq).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let pairs: filch::iter::ZipEq<_, _> = [1, 2].par_iter().zip_eq([4, 5].par_iter());
    /// assert_eq!(pairs.map(|(a, b)| a * b).sum::<i32>(), 14);
    /// ```
    pub struct ZipEq<A, B> { zip: Zip<A, B> }
}

indexed_adaptor! {
    impl[A: IndexedParallelIterator, B: IndexedParallelIterator] ZipEq<A, B> => (A::Item, B::Item);
    len(self) { self.zip.len() }
    give(self, callback) { self.zip.with_producer(callback) }
}

struct InStep;

impl<T, U> Combine<T, U> for InStep {
    type Item = (T, U);
    type Producer<P: Producer<Item = T>, Q: Producer<Item = U>> = Paired<P, Q>;

    #[inline]
    fn wrap<P, Q>(self, a: Indexed<P>, b: Indexed<Q>) -> Paired<P, Q>
    where
        P: Producer<Item = T>,
        Q: Producer<Item = U>,
    {
        // Items without a partner are cut off here, so that they are never made, from whichever end the pairs are taken.
        let len = a.len.min(b.len);
        Paired {
            a: a.up_to(len),
            b: b.up_to(len),
        }
    }
}

/// Two producers of the same length.
struct Paired<P, Q> {
    a: P,
    b: Q,
}

impl<P: Producer, Q: Producer> Producer for Paired<P, Q> {
    type Item = (P::Item, Q::Item);
    type IntoIter = iter::Zip<P::IntoIter, Q::IntoIter>;

    as_producer! { P: a, Q: b }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.a.into_iter().zip(self.b.into_iter())
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (a_left, a_right) = self.a.split_at(index);
        let (b_left, b_right) = self.b.split_at(index);
        let part = |a, b| Paired { a, b };
        (part(a_left, b_left), part(a_right, b_right))
    }
}

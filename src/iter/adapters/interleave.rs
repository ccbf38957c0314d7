//! `interleave` and `interleave_shortest`.

use super::adaptor;
use super::reindex::{Combine, add_lens, combine, indexed_adaptor};
use super::skip_take::Take;
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Indexed, Producer, as_producer};
use std::cmp::Ordering;
use std::iter::Fuse;

adaptor! {
    /// Takes items in turn from two iterators, then the rest of the longer one; made by
    /// [`interleave`](IndexedParallelIterator::interleave).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let mixed: filch::iter::Interleave<_, _> = [1, 3].par_iter().interleave([2, 4, 5].par_iter());
    /// assert_eq!(mixed.copied().collect::<Vec<i32>>(), [1, 2, 3, 4, 5]);
    /// ```
    pub struct Interleave<I, J> { i: I, j: J }
}

indexed_adaptor! {
    impl[I, J] Interleave<I, J> => I::Item, where [
        I: IndexedParallelIterator,
        J: IndexedParallelIterator<Item = I::Item>
    ];
    len(self) { add_lens(self.i.len(), self.j.len()) }
    give(self, callback) { combine(self.i, self.j, InTurn, callback) }
}

adaptor! {
    debug where [I: std::fmt::Debug, J: std::fmt::Debug];
    /// Takes items in turn from two iterators until one has no more; made by
    /// [`interleave_shortest`](IndexedParallelIterator::interleave_shortest).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let mixed: filch::iter::InterleaveShortest<_, _> = [1, 3].par_iter().interleave_shortest([2, 4, 5].par_iter());
    /// assert_eq!(mixed.copied().collect::<Vec<i32>>(), [1, 2, 3, 4]);
    /// ```
    pub struct InterleaveShortest<I, J> { interleave: Interleave<Take<I>, Take<J>> }
}

indexed_adaptor! {
    impl[I, J] InterleaveShortest<I, J> => I::Item, where [
        I: IndexedParallelIterator,
        J: IndexedParallelIterator<Item = I::Item>
    ];
    len(self) { self.interleave.len() }
    give(self, callback) { self.interleave.with_producer(callback) }
}

struct InTurn;

impl<T> Combine<T, T> for InTurn {
    type Item = T;
    type Producer<P: Producer<Item = T>, Q: Producer<Item = T>> = Interleaved<P, Q>;

    #[inline]
    fn wrap<P, Q>(self, a: Indexed<P>, b: Indexed<Q>) -> Interleaved<P, Q>
    where
        P: Producer<Item = T>,
        Q: Producer<Item = T>,
    {
        let b_is_next = false;
        Interleaved { a, b, b_is_next }
    }
}

struct Interleaved<P, Q> {
    a: Indexed<P>,
    b: Indexed<Q>,
    b_is_next: bool,
}

/// Of the first `index` items, how many come from each side. The side that begins has `first` items, the other side `second`.
#[inline]
fn taken_from_each(index: usize, first: usize, second: usize) -> (usize, usize) {
    let of_first = index.div_ceil(2).clamp(index.saturating_sub(second), first);
    (of_first, index - of_first)
}

impl<P: Producer, Q: Producer<Item = P::Item>> Producer for Interleaved<P, Q> {
    type Item = P::Item;
    type IntoIter = InterleavedIter<P::IntoIter, Q::IntoIter>;

    as_producer! { P: a.producer, Q: b.producer }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        InterleavedIter {
            a: self.a.producer.into_iter().fuse(),
            b: self.b.producer.into_iter().fuse(),
            b_is_next: self.b_is_next,
        }
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (of_a, of_b) = if self.b_is_next {
            let (of_b, of_a) = taken_from_each(index, self.b.len, self.a.len);
            (of_a, of_b)
        } else {
            taken_from_each(index, self.a.len, self.b.len)
        };
        let (a_left, a_right) = self.a.split_at(of_a);
        let (b_left, b_right) = self.b.split_at(of_b);
        // Once one side is used up, it makes no difference which side is next.
        let b_is_next = self.b_is_next != (index % 2 == 1);
        let part = |a, b, b_is_next| Interleaved { a, b, b_is_next };
        (
            part(a_left, b_left, self.b_is_next),
            part(a_right, b_right, b_is_next),
        )
    }
}

struct InterleavedIter<A, B> {
    a: Fuse<A>,
    b: Fuse<B>,
    b_is_next: bool,
}

impl<A, B> Iterator for InterleavedIter<A, B>
where
    A: ExactSizeIterator,
    B: ExactSizeIterator<Item = A::Item>,
{
    type Item = A::Item;

    #[inline]
    fn next(&mut self) -> Option<A::Item> {
        let b_is_next = self.b_is_next;
        self.b_is_next = !b_is_next;
        if b_is_next {
            self.b.next().or_else(|| self.a.next())
        } else {
            self.a.next().or_else(|| self.b.next())
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.a.len() + self.b.len();
        (len, Some(len))
    }

    /// The loop alternates without checking `b_is_next` each time.
    fn fold<R, F: FnMut(R, A::Item) -> R>(mut self, init: R, mut f: F) -> R {
        let mut folded = init;
        if self.b_is_next {
            match self.b.next() {
                Some(item) => folded = f(folded, item),
                None => return self.a.fold(folded, f),
            }
        }
        loop {
            match self.a.next() {
                Some(item) => folded = f(folded, item),
                None => return self.b.fold(folded, f),
            }
            match self.b.next() {
                Some(item) => folded = f(folded, item),
                None => return self.a.fold(folded, f),
            }
        }
    }
}

impl<A, B> DoubleEndedIterator for InterleavedIter<A, B>
where
    A: DoubleEndedIterator + ExactSizeIterator,
    B: DoubleEndedIterator<Item = A::Item> + ExactSizeIterator,
{
    /// The longer side has the last item. If both are equally long, the side that does not begin has it.
    #[inline]
    fn next_back(&mut self) -> Option<A::Item> {
        match self.a.len().cmp(&self.b.len()) {
            Ordering::Less => self.b.next_back(),
            Ordering::Equal if !self.b_is_next => self.b.next_back(),
            _ => self.a.next_back(),
        }
    }
}

impl<A, B> ExactSizeIterator for InterleavedIter<A, B>
where
    A: ExactSizeIterator,
    B: ExactSizeIterator<Item = A::Item>,
{
}

//! Adaptors that change the positions of items: they wrap the producers of their bases in another producer.
//!
//! Such an adaptor says what it makes of one producer ([`Reindex`]) or of two ([`Combine`]). The callbacks that bring it to the producers,
//! whose types cannot be named, are written once, here.

use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Indexed, Producer, ProducerCallback};
use crate::iter::sources::indexed_source;
/// The macro for sources also implements the iterator traits for adaptors that have a length and a producer.
pub(crate) use crate::iter::sources::indexed_source as indexed_adaptor;

/// Makes another producer of a producer of `T`.
pub(crate) trait Reindex<T> {
    type Item;
    type Producer<P: Producer<Item = T>>: Producer<Item = Self::Item>;

    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> Self::Producer<P>;
}

/// Makes one producer of a producer of `T` and one of `U`.
pub(crate) trait Combine<T, U> {
    type Item;
    type Producer<P: Producer<Item = T>, Q: Producer<Item = U>>: Producer<Item = Self::Item>;

    fn wrap<P, Q>(self, a: Indexed<P>, b: Indexed<Q>) -> Self::Producer<P, Q>
    where
        P: Producer<Item = T>,
        Q: Producer<Item = U>;
}

// A part of an iterator is an iterator again, to be driven by itself.
indexed_source! {
    impl[P: Producer<Item: Send>] Indexed<P> => P::Item;
    len(self) { self.len }
    producer(self) { self.producer }
}

/// `with_producer` of an adaptor with one base.
#[inline]
pub(crate) fn reindex<I, R, CB>(base: I, op: R, callback: CB) -> CB::Output
where
    I: IndexedParallelIterator,
    R: Reindex<I::Item>,
    CB: ProducerCallback<R::Item>,
{
    let len = base.len();
    base.with_producer(WithOne { len, op, callback })
}

struct WithOne<R, CB> {
    len: usize,
    op: R,
    callback: CB,
}

impl<T, R: Reindex<T>, CB: ProducerCallback<R::Item>> ProducerCallback<T> for WithOne<R, CB> {
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, producer: P) -> CB::Output {
        let len = self.len;
        self.callback
            .callback(self.op.wrap(Indexed { producer, len }))
    }
}

/// `with_producer` of an adaptor with two bases.
#[inline]
pub(crate) fn combine<I, J, R, CB>(a: I, b: J, op: R, callback: CB) -> CB::Output
where
    I: IndexedParallelIterator,
    J: IndexedParallelIterator,
    R: Combine<I::Item, J::Item>,
    CB: ProducerCallback<R::Item>,
{
    let len = a.len();
    a.with_producer(WithFirst {
        len,
        b,
        op,
        callback,
    })
}

struct WithFirst<J, R, CB> {
    len: usize,
    b: J,
    op: R,
    callback: CB,
}

impl<T, J, R, CB> ProducerCallback<T> for WithFirst<J, R, CB>
where
    J: IndexedParallelIterator,
    R: Combine<T, J::Item>,
    CB: ProducerCallback<R::Item>,
{
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, producer: P) -> CB::Output {
        let len = self.len;
        let a = Indexed { producer, len };
        reindex(self.b, WithSecond { a, op: self.op }, self.callback)
    }
}

/// [`Combine`] of a first producer with the second one.
struct WithSecond<P, R> {
    a: Indexed<P>,
    op: R,
}

impl<U, P: Producer, R: Combine<P::Item, U>> Reindex<U> for WithSecond<P, R> {
    type Item = R::Item;
    type Producer<Q: Producer<Item = U>> = R::Producer<P, Q>;

    #[inline]
    fn wrap<Q: Producer<Item = U>>(self, b: Indexed<Q>) -> R::Producer<P, Q> {
        self.op.wrap(self.a, b)
    }
}

/// The sum of two lengths.
///
/// # Panics
///
/// If it exceeds `usize::MAX`.
#[inline]
#[track_caller]
pub(crate) fn add_lens(a: usize, b: usize) -> usize {
    a.checked_add(b)
        .unwrap_or_else(|| panic!("overflow: {a} and {b} items have no common length"))
}

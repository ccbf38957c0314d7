//! Adaptors that change the positions of items: they wrap the producers of their bases in another producer.
//!
//! Such an adaptor says what it makes of one producer ([`Reindex`]) or of two ([`Combine`]). The callbacks that bring it to the producers,
//! whose types cannot be named, are written once, here.

use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Producer, ProducerCallback};
use crate::iter::sources::indexed_source;
/// The macro for sources also implements the iterator traits for adaptors that have a length and a producer.
pub(crate) use crate::iter::sources::indexed_source as indexed_adaptor;

/// Makes another producer of a producer of `T`.
pub(crate) trait Reindex<T> {
    type Item;
    type Producer<P: Producer<Item = T>>: Producer<Item = Self::Item>;

    /// `len` is the length of `base`.
    fn wrap<P: Producer<Item = T>>(self, base: P, len: usize) -> Self::Producer<P>;
}

/// Makes one producer of a producer of `T` and one of `U`.
pub(crate) trait Combine<T, U> {
    type Item;
    type Producer<P: Producer<Item = T>, Q: Producer<Item = U>>: Producer<Item = Self::Item>;

    fn wrap<P, Q>(self, a: Measured<P>, b: Measured<Q>) -> Self::Producer<P, Q>
    where
        P: Producer<Item = T>,
        Q: Producer<Item = U>;
}

/// A producer and its length. It is also a parallel iterator, to drive a part of another one by itself.
pub(crate) struct Measured<P> {
    pub(crate) producer: P,
    pub(crate) len: usize,
}

indexed_source! {
    impl[P: Producer<Item: Send>] Measured<P> => P::Item;
    len(self) { self.len }
    producer(self) { self.producer }
}

impl<P: Producer> Measured<P> {
    /// Splits at `index`, which is at most the length.
    #[inline]
    pub(crate) fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.producer.split_at(index);
        let left = Measured {
            producer: left,
            len: index,
        };
        let right = Measured {
            producer: right,
            len: self.len - index,
        };
        (left, right)
    }

    /// The first `len` items (`len` is at most the length). The others are dropped.
    #[inline]
    pub(crate) fn up_to(self, len: usize) -> P {
        if len == self.len {
            return self.producer;
        }
        self.producer.split_at(len).0
    }
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
    base.with_producer(One { len, op, callback })
}

struct One<R, CB> {
    len: usize,
    op: R,
    callback: CB,
}

impl<T, R, CB> ProducerCallback<T> for One<R, CB>
where
    R: Reindex<T>,
    CB: ProducerCallback<R::Item>,
{
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, base: P) -> CB::Output {
        self.callback.callback(self.op.wrap(base, self.len))
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
    a.with_producer(First {
        len,
        b,
        op,
        callback,
    })
}

struct First<J, R, CB> {
    len: usize,
    b: J,
    op: R,
    callback: CB,
}

impl<T, J, R, CB> ProducerCallback<T> for First<J, R, CB>
where
    J: IndexedParallelIterator,
    R: Combine<T, J::Item>,
    CB: ProducerCallback<R::Item>,
{
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, producer: P) -> CB::Output {
        let a = Measured {
            producer,
            len: self.len,
        };
        let len = self.b.len();
        self.b.with_producer(Second {
            a,
            len,
            op: self.op,
            callback: self.callback,
        })
    }
}

struct Second<P, R, CB> {
    a: Measured<P>,
    len: usize,
    op: R,
    callback: CB,
}

impl<U, P, R, CB> ProducerCallback<U> for Second<P, R, CB>
where
    P: Producer,
    R: Combine<P::Item, U>,
    CB: ProducerCallback<R::Item>,
{
    type Output = CB::Output;

    #[inline]
    fn callback<Q: Producer<Item = U>>(self, producer: Q) -> CB::Output {
        let b = Measured {
            producer,
            len: self.len,
        };
        self.callback.callback(self.op.wrap(self.a, b))
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

//! `intersperse`.

use super::intersperse_consumer::{drive, drive_into};
use super::reindex::{Reindex, reindex};
use crate::iter::plumbing::{
    Consumer, Folded, Length, Producer, ProducerCallback, UnindexedConsumer, as_producer, bridge,
};
use crate::iter::{IndexedParallelIterator, ParallelIterator};

/// Puts clones of a value between the items; made by [`intersperse`](ParallelIterator::intersperse).
///
/// ```
/// use filch::prelude::*;
///
/// let line: filch::iter::Intersperse<_> = vec!["a", "b"].into_par_iter().intersperse(", ");
/// assert_eq!(line.collect::<String>(), "a, b");
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct Intersperse<I>
where
    I: ParallelIterator,
{
    base: I,
    item: I::Item,
}

impl<I: ParallelIterator> Intersperse<I> {
    #[inline]
    pub(crate) fn new(base: I, item: I::Item) -> Self {
        Intersperse { base, item }
    }
}

/// How many items come out of `len` items; `None` if that is too many.
#[inline]
fn interspersed(len: usize) -> Option<usize> {
    len.checked_add(len.saturating_sub(1))
}

impl<I: ParallelIterator<Item: Clone>> ParallelIterator for Intersperse<I> {
    type Item = I::Item;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<I::Item>,
    {
        let placed = self.opt_len().is_some();
        drive(self.base, self.item, placed, consumer)
    }

    #[inline]
    fn opt_len(&self) -> Option<usize> {
        interspersed(self.base.opt_len()?)
    }

    const OPT_LEN: Length = I::OPT_LEN.of_both(I::OPT_LEN);

    #[inline]
    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<I::Item>,
    {
        let placed = self.opt_len().is_some();
        drive_into::<_, C>(self.base, self.item, placed, folder)
    }
}

impl<I: IndexedParallelIterator<Item: Clone>> IndexedParallelIterator for Intersperse<I> {
    fn len(&self) -> usize {
        let len = self.base.len();
        interspersed(len).unwrap_or_else(|| {
            panic!("filch: overflow: {len} items with others in between are more than a usize can count")
        })
    }

    #[inline]
    fn drive<C: Consumer<I::Item>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    #[inline]
    fn with_producer<CB: ProducerCallback<I::Item>>(self, callback: CB) -> CB::Output {
        let len = self.len();
        let item = self.item;
        reindex(self.base, Spacer { item, len }, callback)
    }
}

/// The value between the items, and how many values come out.
struct Spacer<T> {
    item: T,
    len: usize,
}

impl<T: Clone + Send> Reindex<T> for Spacer<T> {
    type Item = T;
    type Producer<P: Producer<Item = T>> = IntersperseProducer<P, T>;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: P, _: usize) -> IntersperseProducer<P, T> {
        IntersperseProducer {
            base,
            item: self.item,
            len: self.len,
            item_first: false,
        }
    }
}

/// A stretch of the alternating sequence: it may begin and end with either kind.
struct IntersperseProducer<P, T> {
    base: P,
    /// The value between the items.
    item: T,
    /// How many values come out, of both kinds.
    len: usize,
    /// Whether the value between the items comes first.
    item_first: bool,
}

impl<P, T> Producer for IntersperseProducer<P, T>
where
    T: Clone + Send,
    P: Producer<Item = T>,
{
    type Item = T;
    type IntoIter = IntersperseIter<P::IntoIter, T>;

    as_producer! { P: base }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        IntersperseIter {
            base: self.base.into_iter(),
            item: self.item,
            len: self.len,
            item_first: self.item_first,
        }
    }

    fn split_at(self, index: usize) -> (Self, Self) {
        debug_assert!(index <= self.len);
        // Half of the first `index` values are the base's. If `index` is odd, the kind that comes first has one more.
        let of_base = index / 2 + usize::from(index % 2 == 1 && !self.item_first);
        let (left, right) = self.base.split_at(of_base);
        let left = IntersperseProducer {
            base: left,
            item: self.item.clone(),
            len: index,
            item_first: self.item_first,
        };
        let right = IntersperseProducer {
            base: right,
            item: self.item,
            len: self.len - index,
            item_first: (index % 2 == 1) != self.item_first,
        };
        (left, right)
    }
}

struct IntersperseIter<I, T> {
    base: I,
    item: T,
    len: usize,
    item_first: bool,
}

impl<T: Clone, I: Iterator<Item = T>> Iterator for IntersperseIter<I, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        let item_now = self.item_first;
        self.item_first = !item_now;
        if item_now {
            Some(self.item.clone())
        } else {
            self.base.next()
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len, Some(self.len))
    }
}

impl<T: Clone, I: DoubleEndedIterator<Item = T>> DoubleEndedIterator for IntersperseIter<I, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        let item_last = (self.len % 2 == 1) == self.item_first;
        self.len = self.len.checked_sub(1)?;
        if item_last {
            Some(self.item.clone())
        } else {
            self.base.next_back()
        }
    }
}

impl<T: Clone, I: ExactSizeIterator<Item = T>> ExactSizeIterator for IntersperseIter<I, T> {}

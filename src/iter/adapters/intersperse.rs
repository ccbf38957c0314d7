//! `intersperse`.

use super::adaptor;
use super::interleave::Interleave;
use super::intersperse_consumer::{drive, drive_into};
use crate::iter::plumbing::{
    Consumer, Folded, Length, ProducerCallback, UnindexedConsumer, bridge,
};
use crate::iter::{IndexedParallelIterator, ParallelIterator, repeat_n};

adaptor! {
    debug where [I: ParallelIterator + std::fmt::Debug, I::Item: std::fmt::Debug];
    /// Puts clones of a value between the items; made by [`intersperse`](ParallelIterator::intersperse).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let line: filch::iter::Intersperse<_> = vec!["a", "b"].into_par_iter().intersperse(", ");
    /// assert_eq!(line.collect::<String>(), "a, b");
    /// ```
    pub struct Intersperse<I: ParallelIterator> { base: I, item: I::Item }
}

/// How many items come out of `len` items; `None` if that is too many.
#[inline]
fn interspersed(len: usize) -> Option<usize> {
    len.checked_add(len.saturating_sub(1))
}

impl<I: ParallelIterator<Item: Clone>> ParallelIterator for Intersperse<I> {
    type Item = I::Item;

    #[inline]
    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
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
        let between = self.len() - self.base.len();
        Interleave::new(self.base, repeat_n(self.item, between)).with_producer(callback)
    }
}

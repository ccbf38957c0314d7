//! Parallel iterators over inclusive ranges: `(1..=n).into_par_iter()`.
//!
//! Indexed for `u8`, `u16`, `i8`, `i16` and `char`, whose inclusive ranges are never too long for a `usize`. The others are plain parallel
//! iterators, which know their length if it fits into a `usize`.

use crate::iter::plumbing::{
    Consumer, Folded, Length, ProducerCallback, RoundsCallback, UnindexedConsumer,
};
use crate::iter::sources::integer::{Integer, Interval, IntervalRounds, counted, integers};
use crate::iter::sources::same_as;
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use crate::range::{character, ordinal};
use std::ops::{Range, RangeInclusive};

/// Over the items of an inclusive range.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!((1..=100u64).into_par_iter().sum::<u64>(), 5050);
/// assert_eq!((250..=255u8).into_par_iter().len(), 6);
/// ```
#[derive(Debug, Clone)]
pub struct Iter<T> {
    range: RangeInclusive<T>,
}

impl<T> IntoParallelIterator for RangeInclusive<T>
where
    Iter<T>: ParallelIterator,
{
    type Item = <Iter<T> as ParallelIterator>::Item;
    type Iter = Iter<T>;

    #[inline]
    fn into_par_iter(self) -> Iter<T> {
        Iter { range: self }
    }
}

use private::{IndexedRangeInteger, RangeInteger};

mod private {
    use super::Integer;

    /// A primitive integer: what ranges are made of.
    pub trait RangeInteger: Integer {}

    /// An integer type whose inclusive ranges a `usize` can count.
    pub trait IndexedRangeInteger: RangeInteger {}
}

macro_rules! mark {
    ($Trait:ident: $($Int:ident)*) => { $(impl $Trait for $Int {})* };
}
mark! { RangeInteger: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
mark! { IndexedRangeInteger: u8 u16 i8 i16 }

/// The items of a range, unless it is empty or used up.
#[inline]
fn interval<T: Integer>(range: &RangeInclusive<T>) -> Option<Interval<T>> {
    (!range.is_empty()).then(|| Interval {
        first: *range.start(),
        last: *range.end(),
    })
}

impl<T: RangeInteger> ParallelIterator for Iter<T> {
    type Item = T;

    #[inline]
    fn drive_unindexed<C: UnindexedConsumer<T>>(self, consumer: C) -> C::Result {
        self.integers().drive_unindexed(consumer)
    }

    #[inline]
    fn opt_len(&self) -> Option<usize> {
        interval(&self.range).map_or(Some(0), Interval::len)
    }

    const OPT_LEN: Length = match size_of::<T>() < size_of::<usize>() {
        true => Length::Always,
        false => Length::Sometimes,
    };

    #[inline]
    fn drive_into<C: UnindexedConsumer<T>>(
        self,
        folder: C::Folder,
    ) -> Folded<C::Folder, C::Result> {
        self.integers().drive_into::<C>(folder)
    }

    #[inline]
    fn with_rounds<CB: RoundsCallback<T>>(self, callback: CB) -> CB::Output {
        callback.callback(IntervalRounds(interval(&self.range)))
    }
}

impl<T: RangeInteger> Iter<T> {
    #[inline]
    fn integers(self) -> impl ParallelIterator<Item = T> {
        integers(*self.range.start(), interval(&self.range))
    }
}

impl<T: IndexedRangeInteger> Iter<T> {
    #[inline]
    fn counted(self) -> impl IndexedParallelIterator<Item = T> {
        counted(*self.range.start(), self.len())
    }
}

impl<T: IndexedRangeInteger> IndexedParallelIterator for Iter<T> {
    #[inline]
    fn len(&self) -> usize {
        self.opt_len().expect("at most 2^16 items")
    }

    #[inline]
    fn drive<C: Consumer<T>>(self, consumer: C) -> C::Result {
        self.counted().drive(consumer)
    }

    #[inline]
    fn with_producer<CB: ProducerCallback<T>>(self, callback: CB) -> CB::Output {
        self.counted().with_producer(callback)
    }
}

/// The ordinals of the characters of a range.
#[inline]
fn ordinals(range: &RangeInclusive<char>) -> Range<u32> {
    if range.is_empty() {
        return 0..0;
    }
    ordinal(*range.start())..ordinal(*range.end()) + 1
}

same_as! {
    impl[] Iter<char> => char;
    len(self) { ordinals(&self.range).len() }
    iter(self) { ordinals(&self.range).into_par_iter().map(character) }
}

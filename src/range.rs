//! Parallel iterators over ranges: `(0..n).into_par_iter()`.
//!
//! Ranges of `u8` to `u32`, `i8` to `i32`, `usize`, `isize` and `char` are indexed, as in rayon: their length fits into a `usize` of 32 bits or
//! more. Those of longer types are plain parallel iterators, which know their length if it fits into a `usize`.

use crate::iter::plumbing::{
    Consumer, Folded, Length, Producer, ProducerCallback, RoundsCallback, UnindexedConsumer,
    bridge, bridge_into,
};
use crate::iter::sources::integer::{Integer, Interval, IntervalRounds, integers};
use crate::iter::sources::same_as;
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::ops::Range;

/// Over the items of a range.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!((1..101u64).into_par_iter().sum::<u64>(), 5050);
/// assert_eq!(('a'..'e').into_par_iter().map(|c| c as u32).sum::<u32>(), 394);
/// ```
#[derive(Debug, Clone)]
pub struct Iter<T> {
    range: Range<T>,
}

impl<T> IntoParallelIterator for Range<T>
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

use private::{IndexedRangeInteger, RangeInteger, StdRange};

mod private {
    use super::*;

    /// A primitive integer: what ranges are made of.
    pub trait RangeInteger: Integer {
        fn drive_unindexed<C: UnindexedConsumer<Self>>(
            range: Range<Self>,
            consumer: C,
        ) -> C::Result;

        fn drive_into<C: UnindexedConsumer<Self>>(
            range: Range<Self>,
            folder: C::Folder,
        ) -> Folded<C::Folder, C::Result>;

        fn opt_len(range: &Range<Self>) -> Option<usize>;
    }

    /// An integer type whose ranges a `usize` can count.
    pub trait IndexedRangeInteger: RangeInteger {
        type Producer: Producer<Item = Self>;

        fn len(range: &Range<Self>) -> usize;

        fn producer(range: Range<Self>) -> Self::Producer;
    }

    /// A range that std counts as well, so that its own iterator runs in the inner loop.
    pub struct StdRange<T>(pub(super) Range<T>);
}

impl<T: RangeInteger> ParallelIterator for Iter<T> {
    type Item = T;

    #[inline]
    fn drive_unindexed<C: UnindexedConsumer<T>>(self, consumer: C) -> C::Result {
        T::drive_unindexed(self.range, consumer)
    }

    #[inline]
    fn opt_len(&self) -> Option<usize> {
        T::opt_len(&self.range)
    }

    const OPT_LEN: Length = match size_of::<T>() <= size_of::<usize>() {
        true => Length::Always,
        false => Length::Sometimes,
    };

    #[inline]
    fn drive_into<C: UnindexedConsumer<T>>(
        self,
        folder: C::Folder,
    ) -> Folded<C::Folder, C::Result> {
        T::drive_into::<C>(self.range, folder)
    }

    #[inline]
    fn with_rounds<CB: RoundsCallback<T>>(self, callback: CB) -> CB::Output {
        callback.callback(IntervalRounds(interval(&self.range)))
    }
}

impl<T: IndexedRangeInteger> IndexedParallelIterator for Iter<T> {
    #[inline]
    fn len(&self) -> usize {
        T::len(&self.range)
    }

    #[inline]
    fn drive<C: Consumer<T>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    #[inline]
    fn with_producer<CB: ProducerCallback<T>>(self, callback: CB) -> CB::Output {
        callback.callback(T::producer(self.range))
    }
}

macro_rules! indexed {
    ($($Int:ident)*) => {$(
        impl RangeInteger for $Int {
            #[inline]
            fn drive_unindexed<C: UnindexedConsumer<$Int>>(
                range: Range<$Int>,
                consumer: C,
            ) -> C::Result {
                bridge(Iter { range }, consumer)
            }

            #[inline]
            fn drive_into<C: UnindexedConsumer<$Int>>(
                range: Range<$Int>,
                folder: C::Folder,
            ) -> Folded<C::Folder, C::Result> {
                bridge_into::<_, C>(Iter { range }, folder)
            }

            #[inline]
            fn opt_len(range: &Range<$Int>) -> Option<usize> {
                Some(range.len())
            }
        }

        impl IndexedRangeInteger for $Int {
            type Producer = StdRange<$Int>;

            #[inline]
            fn len(range: &Range<$Int>) -> usize {
                range.len()
            }

            #[inline]
            fn producer(range: Range<$Int>) -> StdRange<$Int> {
                StdRange(range)
            }
        }

        impl Producer for StdRange<$Int> {
            const BOUNDED: bool = false;
            const CAN_PAUSE: bool = true;
            type Item = $Int;
            type IntoIter = Range<$Int>;

            #[inline]
            fn into_iter(self) -> Range<$Int> {
                self.0
            }

            #[inline]
            fn split_at(self, index: usize) -> (Self, Self) {
                let Range { start, end } = self.0;
                assert!(index <= (start..end).len());
                let middle = start.offset(index);
                (StdRange(start..middle), StdRange(middle..end))
            }
        }
    )*};
}
indexed! { u8 u16 u32 usize i8 i16 i32 isize }

/// The items of a range, unless it is empty.
#[inline]
fn interval<T: Integer>(range: &Range<T>) -> Option<Interval<T>> {
    let Range { start, end } = *range;
    (start < end).then(|| Interval {
        first: start,
        last: end.before(),
    })
}

macro_rules! long {
    ($($Int:ident)*) => {$(
        impl RangeInteger for $Int {
            #[inline]
            fn drive_unindexed<C: UnindexedConsumer<$Int>>(
                range: Range<$Int>,
                consumer: C,
            ) -> C::Result {
                integers(range.start, interval(&range)).drive_unindexed(consumer)
            }

            #[inline]
            fn drive_into<C: UnindexedConsumer<$Int>>(
                range: Range<$Int>,
                folder: C::Folder,
            ) -> Folded<C::Folder, C::Result> {
                integers(range.start, interval(&range)).drive_into::<C>(folder)
            }

            #[inline]
            fn opt_len(range: &Range<$Int>) -> Option<usize> {
                interval(range).map_or(Some(0), Interval::len)
            }
        }
    )*};
}
long! { u64 u128 i64 i128 }

/// How many code points in the midst of `char`'s are no characters, and the first of them.
const SURROGATES: u32 = 0x800;
const FIRST_SURROGATE: u32 = 0xD800;

/// Which of all characters `c` is.
#[inline]
pub(crate) fn ordinal(c: char) -> u32 {
    let code = c as u32;
    if code < FIRST_SURROGATE {
        code
    } else {
        code - SURROGATES
    }
}

/// The character of an ordinal.
#[inline]
pub(crate) fn character(ordinal: u32) -> char {
    let code = if ordinal < FIRST_SURROGATE {
        ordinal
    } else {
        ordinal + SURROGATES
    };
    char::from_u32(code).expect("an ordinal below the number of characters")
}

same_as! {
    impl[] Iter<char> => char;
    len(self) { (ordinal(self.range.start)..ordinal(self.range.end)).len() }
    iter(self) {
        (ordinal(self.range.start)..ordinal(self.range.end))
            .into_par_iter()
            .map(character)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_every_index() {
        for (start, end) in [(-3i8, 4), (i8::MIN, i8::MAX), (5, 2)] {
            let len = (start..end).len();
            for index in 0..=len {
                let (left, right) = StdRange(start..end).split_at(index);
                assert_eq!((left.0.len(), right.0.len()), (index, len - index));
                assert!(left.0.chain(right.0).eq(start..end));
            }
        }
    }

    #[test]
    #[should_panic(expected = "index <= ")]
    fn splits_at_no_index_beyond_its_length() {
        _ = StdRange(0u8..10).split_at(11);
    }

    #[test]
    fn every_character_has_an_ordinal() {
        assert!(('\0'..=char::MAX).map(ordinal).eq(0..=ordinal(char::MAX)));
        assert!(('\0'..=char::MAX).eq((0..=ordinal(char::MAX)).map(character)));
    }
}

//! The integers that ranges consist of, and ranges whose length exceeds `usize`.

use super::unindexed_source;
use crate::iter::plumbing::{Folder, RoundSource, UnindexedConsumer, UnindexedProducer, round_len};
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use either::Either::{self, Left, Right};

/// A primitive integer.
pub trait Integer: Copy + Send + Sync + PartialOrd {
    /// How often 1 must be added to reach `end`, which is not less.
    fn steps_to(self, end: Self) -> u128;

    /// `self - 1`, for a `self` that is not the minimum.
    fn before(self) -> Self;

    /// The middle between `self` and `end`, which is not less; rounded down.
    fn halfway_to(self, end: Self) -> Self;

    /// `self + n`, for an `n` with which the sum fits the type.
    fn offset(self, n: usize) -> Self;
}

macro_rules! integer {
    ($($Int:ident)*) => {$(
        impl Integer for $Int {
            #[inline]
            fn steps_to(self, end: Self) -> u128 {
                // Sign extension makes the difference right for signed types, modulo 2^128.
                (end as u128).wrapping_sub(self as u128)
            }

            #[inline]
            fn before(self) -> Self {
                self - 1
            }

            #[inline]
            fn halfway_to(self, end: Self) -> Self {
                self.wrapping_add((self.steps_to(end) / 2) as $Int)
            }

            #[inline]
            fn offset(self, n: usize) -> Self {
                // If the sum fits the type, it is right modulo the type's size, even if `n` by itself is too large for the type.
                self.wrapping_add(n as $Int)
            }
        }
    )*};
}
integer! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

/// All integers from `first` to `last`, inclusive. Every range that is not empty becomes an interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval<T> {
    pub(crate) first: T,
    pub(crate) last: T,
}

impl<T: Integer> Interval<T> {
    /// How many there are; `None` if that exceeds `usize`.
    #[inline]
    pub(crate) fn len(self) -> Option<usize> {
        let more = usize::try_from(self.first.steps_to(self.last)).ok()?;
        more.checked_add(1)
    }
}

/// The integers of an interval, or none from `start` on: an indexed iterator if their number fits `usize`, so that `collect` knows all positions.
#[inline]
pub(crate) fn integers<T: Integer>(
    start: T,
    interval: Option<Interval<T>>,
) -> Either<impl IndexedParallelIterator<Item = T>, Interval<T>> {
    match interval {
        None => Left(counted(start, 0)),
        Some(interval) => match interval.len() {
            Some(len) => Left(counted(start, len)),
            None => Right(interval),
        },
    }
}

unindexed_source! {
    impl[T: Integer] Interval<T> => T;
    producer(self) { self }
    rounds(self) { IntervalRounds(Some(self)) }
}

/// An interval that is driven from the front, stretch by stretch.
pub(crate) struct IntervalRounds<T>(pub(crate) Option<Interval<T>>);

impl<T: Integer> RoundSource for IntervalRounds<T> {
    type Item = T;

    fn round<C: UnindexedConsumer<T>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        let mut now = self.0.take()?;
        if let Some(n) = round_len(n)
            && now.len().is_none_or(|len| n < len)
        {
            let (first, last) = (now.first.offset(n), now.last);
            self.0 = Some(Interval { first, last });
            now.last = now.first.offset(n - 1);
        }
        Some(integers(now.first, Some(now)).drive_unindexed(consumer))
    }
}

/// `len` integers from `first` on.
#[inline]
pub(crate) fn counted<T: Integer>(first: T, len: usize) -> impl IndexedParallelIterator<Item = T> {
    (0..len).into_par_iter().map(move |i| first.offset(i))
}

impl<T: Integer> UnindexedProducer for Interval<T> {
    type Item = T;

    fn split(self) -> (Self, Option<Self>) {
        let Interval { first, last } = self;
        if first == last {
            return (self, None);
        }
        let middle = first.halfway_to(last);
        let part = |first, last| Interval { first, last };
        (part(first, middle), Some(part(middle.offset(1), last)))
    }

    fn fold_with<F: Folder<T>>(self, mut folder: F) -> F {
        let mut rest = Some(self);
        while let Some(interval) = rest {
            if folder.full() {
                break;
            }
            (folder, rest) = interval.fold_some(folder, usize::MAX);
        }
        folder
    }

    /// A length that does not fit counts as the largest number, so that a search from the right gets to the end at once.
    #[inline]
    fn weight(&self) -> Option<usize> {
        Some(self.len().unwrap_or(usize::MAX))
    }

    const CAN_PAUSE: bool = true;

    #[inline]
    fn fold_some<F: Folder<T>>(self, folder: F, budget: usize) -> (F, Option<Self>) {
        let Interval { first, last } = self;
        let (n, rest) = match self.len() {
            Some(len) if len <= budget => (len, None),
            _ => {
                let first = first.offset(budget);
                (budget, Some(Interval { first, last }))
            }
        };
        let folder = folder.consume_iter((0..n).map(|i| first.offset(i)));
        (folder, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects.
    struct List(Vec<i128>);

    impl Folder<i128> for List {
        type Result = ();

        fn consume(mut self, item: i128) -> Self {
            self.0.push(item);
            self
        }

        fn complete(self) {}

        fn full(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_span_of_everything() {
        let interval = Interval {
            first: i128::MIN,
            last: i128::MAX,
        };
        assert_eq!(interval.len(), None);
        let (left, right) = interval.split();
        assert_eq!((left.first, left.last), (i128::MIN, -1));
        let (right, _) = right.unwrap().fold_some(List(Vec::new()), 3);
        assert_eq!(right.0, [0, 1, 2]);
    }

    #[test]
    fn a_span_that_is_just_too_long() {
        let last = usize::MAX as u128;
        assert_eq!(Interval { first: 1, last }.len(), Some(usize::MAX));
        assert_eq!(Interval { first: 0, last }.len(), None);
        assert_eq!(
            Interval {
                first: i8::MIN,
                last: i8::MAX
            }
            .len(),
            Some(256)
        );
    }

    #[test]
    fn small_steps() {
        let mut rest = Some(Interval {
            first: -3i128,
            last: 3,
        });
        let mut list = List(Vec::new());
        while let Some(interval) = rest {
            (list, rest) = interval.fold_some(list, 2);
        }
        assert!(list.0.into_iter().eq(-3..=3));
    }
}

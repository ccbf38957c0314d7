//! `sum_compensated`: a sum of floats that corrects its rounding errors.
//!
//! Neumaier's variant of Kahan's summation (Zeitschrift für Angewandte Mathematik und Mechanik 54, 1974): a second number collects the
//! rounding error of each addition to the running sum, and is added at the very end. The error is computed without a branch (Knuth, The Art
//! of Computer Programming 2, 4.2.2), which gives the same number.

use crate::iter::sinks::plain::Plain;

/// A floating-point number, or a reference to one: what [`sum_compensated`](crate::ext::ParallelSumCompensated::sum_compensated) adds.
///
/// Implemented for `f32`, `f64` and references to them; it cannot be implemented elsewhere.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// fn total<T: Summand + Copy + Sync>(numbers: &[T]) -> T::Sum {
///     numbers.par_iter().copied().sum_compensated()
/// }
/// assert_eq!(total(&[0.5, 0.25]), 0.75);
/// assert_eq!(0.5f32.value(), 0.5);
/// ```
pub trait Summand: sealed::Sealed + Send {
    /// The type of the sum.
    type Sum: Float;

    /// The number itself, where it may be a reference.
    fn value(self) -> Self::Sum;
}

/// `f32` or `f64`.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// fn norm<F: Float>(lengths: &[F]) -> F
/// where
///     for<'a> &'a F: Summand<Sum = F>,
/// {
///     lengths.par_iter().sum_compensated()
/// }
/// assert_eq!(norm(&[0.5f32, 0.25]), 0.75);
/// ```
pub trait Float: sealed::Sealed + Copy + Send + Sync {
    /// Zero.
    const ZERO: Self;

    /// The sum, and its rounding error.
    #[doc(hidden)]
    fn two_sum(self, other: Self) -> (Self, Self);

    #[doc(hidden)]
    fn plus(self, other: Self) -> Self;

    #[doc(hidden)]
    fn is_number(self) -> bool;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! float {
    ($($Float:ident)*) => {$(
        impl sealed::Sealed for $Float {}
        impl sealed::Sealed for &$Float {}

        impl Float for $Float {
            const ZERO: Self = 0.0;

            #[inline]
            fn two_sum(self, other: Self) -> (Self, Self) {
                let sum = self + other;
                let part = sum - self;
                (sum, (self - (sum - part)) + (other - part))
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline]
            fn is_number(self) -> bool {
                self.is_finite()
            }
        }

        impl Summand for $Float {
            type Sum = $Float;

            #[inline]
            fn value(self) -> $Float {
                self
            }
        }

        impl Summand for &$Float {
            type Sum = $Float;

            #[inline]
            fn value(self) -> $Float {
                *self
            }
        }
    )*};
}
float! { f32 f64 }

/// How many sums run side by side in a fold, because each addition waits for the one before it.
const LANES: usize = 4;

/// After how many additions the errors are added to the sum. They are added up with plain additions, so they must stay small compared with
/// the sum.
const STRIDE: usize = 256;

/// A sum, and its rounding error.
#[derive(Clone, Copy)]
pub(super) struct Carried<F> {
    sum: F,
    lost: F,
}

impl<F: Float> Carried<F> {
    const ZERO: Self = Carried {
        sum: F::ZERO,
        lost: F::ZERO,
    };

    #[inline]
    fn add(self, value: F) -> Self {
        let (sum, lost) = self.sum.two_sum(value);
        Carried {
            sum,
            lost: self.lost.plus(lost),
        }
    }

    #[inline]
    fn merge(self, other: Self) -> Self {
        let both = self.add(other.sum);
        let lost = both.lost.plus(other.lost);
        Carried { lost, ..both }.settle()
    }

    /// The same number, with as much of it in `sum` as fits there.
    #[inline]
    fn settle(self) -> Self {
        // If the sum is an infinity or a NaN, it is the result; the error has no meaning.
        if !self.sum.is_number() {
            return self;
        }
        let (sum, lost) = self.sum.two_sum(self.lost);
        Carried { sum, lost }
    }

    pub(super) fn total(self) -> F {
        self.settle().sum
    }
}

pub(super) struct SumEnd;

impl<T: Summand> Plain<T> for SumEnd {
    type State = [Carried<T::Sum>; LANES];
    type Result = Carried<T::Sum>;

    #[inline]
    fn begin(&self) -> Self::State {
        [Carried::ZERO; LANES]
    }

    #[inline]
    fn many(&self, mut lanes: Self::State, mut items: impl Iterator<Item = T>) -> Self::State {
        loop {
            for _ in 0..STRIDE {
                for lane in &mut lanes {
                    match items.next() {
                        Some(item) => *lane = lane.add(item.value()),
                        None => return lanes.map(Carried::settle),
                    }
                }
            }
            lanes = lanes.map(Carried::settle);
        }
    }

    #[inline]
    fn end(&self, lanes: Self::State) -> Self::Result {
        lanes.into_iter().fold(Carried::ZERO, Carried::merge)
    }

    #[inline]
    fn reduce(&self, left: Self::Result, right: Self::Result) -> Self::Result {
        left.merge(right)
    }
}

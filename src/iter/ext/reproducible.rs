//! `reproducible`: results that do not depend on threads or timing.

use crate::iter::IndexedParallelIterator;
use crate::iter::adapters::adaptor;
use crate::iter::adapters::reindex::{Reindex, indexed_adaptor, reindex};
use crate::iter::plumbing::{Folder, Indexed, Producer};

/// Results that are the same in every run, to the last bit.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let tenths = vec![0.1; 10_000];
/// let sum = || tenths.par_iter().reproducible().sum::<f64>();
/// assert_eq!(sum().to_bits(), sum().to_bits());
/// ```
pub trait ParallelReproducible: IndexedParallelIterator {
    /// Yields the same items. How their results are combined depends on their number alone, never on threads, timing or the machine.
    ///
    /// Floating-point addition is not associative, so a plain parallel `sum` may differ in the last bits from run to run. With this, the
    /// items are cut into leaves of 4,096, each leaf is folded from left to right, and the results of leaves are combined in a tree whose
    /// shape is a function of the length. That holds for `sum`, `product`, `reduce`, `reduce_with`,
    /// [`sum_compensated`](super::traits::ParallelSumCompensated::sum_compensated), for `fold`, which yields one item for each leaf, and for
    /// reductions and aggregates [by key](crate::algo::group), unless leaves are made longer than 4,096.
    ///
    /// It works with indexed adaptors and with those that treat items one by one (`map`, `filter`, `zip`, `enumerate`, `rev`,
    /// `flat_map_iter`, ...), before and after this one. In a `chain`, both parts must be reproducible, or the chain as a whole. It does not
    /// work with `flat_map` and `flatten`, whose inner iterators are cut by their own rules, with adaptors that depend on timing (`take_any`)
    /// or go in rounds (`by_uniform_blocks`, `take_while`), and with ends that stop early.
    ///
    /// A leaf is never shared, so expensive items want smaller leaves: `with_max_len(n)` before or after this makes them `n` long. That is
    /// another shape, but just as reproducible. Cost: a fold and a reduction for each leaf, within a few per cent even for the cheapest
    /// items.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let v: Vec<f64> = (1..100_000).map(|i| 1.0 / i as f64).collect();
    /// let sum: f64 = v.par_iter().reproducible().sum();
    /// for _ in 0..10 {
    ///     assert_eq!(v.par_iter().reproducible().sum::<f64>().to_bits(), sum.to_bits());
    /// }
    /// ```
    #[doc(alias("parallel_deterministic_reduce", "deterministic"))]
    fn reproducible(self) -> Reproducible<Self> {
        Reproducible::new(self)
    }
}

impl<I: IndexedParallelIterator> ParallelReproducible for I {}

adaptor! {
    /// Yields the same items; results of them are the same in every run. Made by [`reproducible`](ParallelReproducible::reproducible).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let floats = vec![0.1; 10_000];
    /// let parts: filch::ext::Reproducible<_> = floats.par_iter().reproducible();
    /// assert_eq!(parts.sum::<f64>(), floats.par_iter().reproducible().sum::<f64>());
    /// ```
    pub struct Reproducible<I> { base: I }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] Reproducible<I> => I::Item;
    len(self) { self.base.len() }
    give(self, callback) { reindex(self.base, Reproduce, callback) }
}

struct Reproduce;

impl<T> Reindex<T> for Reproduce {
    type Item = T;
    type Producer<P: Producer<Item = T>> = MarkedProducer<P>;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> MarkedProducer<P> {
        MarkedProducer(base.producer)
    }
}

struct MarkedProducer<P>(P);

impl<P: Producer> Producer for MarkedProducer<P> {
    const BOUNDED: bool = P::BOUNDED;
    const CAN_PAUSE: bool = P::CAN_PAUSE;
    type Item = P::Item;
    type IntoIter = P::IntoIter;
    const REPRODUCIBLE: bool = true;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }

    #[inline]
    fn min_len(&self) -> usize {
        self.0.min_len()
    }

    #[inline]
    fn max_len(&self) -> usize {
        self.0.max_len()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.0.split_at(index);
        (MarkedProducer(left), MarkedProducer(right))
    }

    #[inline]
    fn fold_with<F: Folder<P::Item>>(self, folder: F) -> F {
        self.0.fold_with(folder)
    }
}

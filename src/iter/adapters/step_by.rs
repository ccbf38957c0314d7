//! `step_by`.

use super::adaptor;
use super::reindex::{Reindex, indexed_adaptor, reindex};
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::{Indexed, Producer, as_producer};
use std::iter;

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Yields every `step`th item; made by [`step_by`](IndexedParallelIterator::step_by).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let steps: filch::iter::StepBy<_> = (0..10).into_par_iter().step_by(4);
    /// assert_eq!(steps.collect::<Vec<_>>(), [0, 4, 8]);
    /// ```
    pub struct StepBy<I> { base: I, step: usize }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] StepBy<I> => I::Item;
    len(self) { self.base.len().div_ceil(self.step) }
    give(self, callback) { reindex(self.base, Stride(self.step), callback) }
}

struct Stride(usize);

impl<T> Reindex<T> for Stride {
    type Item = T;
    type Producer<P: Producer<Item = T>> = Stepping<P>;

    #[inline]
    fn wrap<P: Producer<Item = T>>(self, base: Indexed<P>) -> Stepping<P> {
        Stepping { base, step: self.0 }
    }
}

/// Begins with an item that is yielded; may end with up to `step - 1` items that are not.
struct Stepping<P> {
    base: Indexed<P>,
    step: usize,
}

impl<P: Producer> Producer for Stepping<P> {
    type Item = P::Item;
    type IntoIter = iter::StepBy<P::IntoIter>;

    as_producer! { P: base.producer; every step }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.base.producer.into_iter().step_by(self.step)
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let step = self.step;
        let at = index.saturating_mul(step).min(self.base.len);
        let (left, right) = self.base.split_at(at);
        let part = |base| Stepping { base, step };
        (part(left), part(right))
    }
}

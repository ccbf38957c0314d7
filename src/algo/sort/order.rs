//! What a sort asks of an order: comparisons.

use std::cmp::Ordering;

/// An order on `T`. It may be a senseless one: whatever it answers, a sort ends, and keeps every element.
pub(crate) trait Less<T> {
    fn is_less(&self, a: &T, b: &T) -> bool;
}

/// An order that threads may share.
pub(crate) trait Order<T>: Less<T> + Sync {}

impl<T, O: Less<T> + Sync> Order<T> for O {}

/// The order of `T` itself.
pub(crate) struct Natural;

impl<T: Ord> Less<T> for Natural {
    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        a.lt(b)
    }
}

/// The order given by a comparator.
pub(crate) struct By<F>(pub(crate) F);

impl<T, F: Fn(&T, &T) -> Ordering> Less<T> for By<F> {
    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        (self.0)(a, b).is_lt()
    }
}

/// The order of a key, computed anew for each comparison.
pub(crate) struct ByKey<F>(pub(crate) F);

impl<T, K: Ord, F: Fn(&T) -> K> Less<T> for ByKey<F> {
    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        (self.0)(a).lt(&(self.0)(b))
    }
}

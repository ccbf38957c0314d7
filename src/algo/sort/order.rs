//! What a sort asks of an order: comparisons, and std's sorts under the comparator as it was given.

use std::cmp::Ordering;

/// An order on `T`, and std's sequential sorts by it, which see the comparator as the caller gave
/// it.
pub(crate) trait Order<T>: Sync {
    fn compare(&self, a: &T, b: &T) -> Ordering;
    fn is_less(&self, a: &T, b: &T) -> bool;
    fn sort(&self, v: &mut [T]);
    fn sort_unstable(&self, v: &mut [T]);
}

/// The order of `T` itself.
pub(crate) struct Natural;

impl<T: Ord> Order<T> for Natural {
    #[inline(always)]
    fn compare(&self, a: &T, b: &T) -> Ordering {
        a.cmp(b)
    }

    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        a.lt(b)
    }

    fn sort(&self, v: &mut [T]) {
        v.sort();
    }

    fn sort_unstable(&self, v: &mut [T]) {
        v.sort_unstable();
    }
}

/// The order given by a comparator.
pub(crate) struct By<F>(pub(crate) F);

impl<T, F: Fn(&T, &T) -> Ordering + Sync> Order<T> for By<F> {
    #[inline(always)]
    fn compare(&self, a: &T, b: &T) -> Ordering {
        (self.0)(a, b)
    }

    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        (self.0)(a, b).is_lt()
    }

    fn sort(&self, v: &mut [T]) {
        v.sort_by(&self.0);
    }

    fn sort_unstable(&self, v: &mut [T]) {
        v.sort_unstable_by(&self.0);
    }
}

/// The order of a key, computed anew for each comparison.
pub(crate) struct ByKey<F>(pub(crate) F);

impl<T, K: Ord, F: Fn(&T) -> K + Sync> Order<T> for ByKey<F> {
    #[inline(always)]
    fn compare(&self, a: &T, b: &T) -> Ordering {
        (self.0)(a).cmp(&(self.0)(b))
    }

    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        (self.0)(a).lt(&(self.0)(b))
    }

    fn sort(&self, v: &mut [T]) {
        v.sort_by_key(&self.0);
    }

    fn sort_unstable(&self, v: &mut [T]) {
        v.sort_unstable_by_key(&self.0);
    }
}

//! What a sort asks of an order: comparisons, and std's sorts under the comparator as it was given.
//!
//! std's sorts panic when they notice that a comparator is no total order, and which inputs they notice it on changes from version to version.
//! rayon's do not: `partial_cmp(..).unwrap_or(Equal)` over some NaNs just leaves them somewhere. So neither do
//! ours. std's message still gets to the panic hook, and where a panic cannot be caught (`panic = "abort"`) it ends the process.

use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// An order on `T`, and std's sequential sorts by it, which see the comparator as the caller gave
/// it.
pub(crate) trait Order<T>: Sync {
    fn compare(&self, a: &T, b: &T) -> Ordering;
    fn is_less(&self, a: &T, b: &T) -> bool;
    fn sort(&self, v: &mut [T]);
    fn sort_unstable(&self, v: &mut [T]);
    /// Brings the element that belongs at `index` there, and what is less to its left.
    fn select(&self, v: &mut [T], index: usize);
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
        tolerant(self, v, <[T]>::sort);
    }

    fn sort_unstable(&self, v: &mut [T]) {
        tolerant(self, v, <[T]>::sort_unstable);
    }

    fn select(&self, v: &mut [T], index: usize) {
        v.select_nth_unstable(index);
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
        tolerant(self, v, |v| v.sort_by(&self.0));
    }

    fn sort_unstable(&self, v: &mut [T]) {
        tolerant(self, v, |v| v.sort_unstable_by(&self.0));
    }

    fn select(&self, v: &mut [T], index: usize) {
        v.select_nth_unstable_by(index, &self.0);
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
        tolerant(self, v, |v| v.sort_by_key(&self.0));
    }

    fn sort_unstable(&self, v: &mut [T]) {
        tolerant(self, v, |v| v.sort_unstable_by_key(&self.0));
    }

    fn select(&self, v: &mut [T], index: usize) {
        v.select_nth_unstable_by_key(index, &self.0);
    }
}

/// What std's sorts panic with when they notice.
const NO_TOTAL_ORDER: &str =
    "user-provided comparison function does not correctly implement a total order";

/// Sorts with one of std's sorts; if it notices that the order is not total, with one that does not care. (Nothing is stable then.)
fn tolerant<T, O: Order<T> + ?Sized>(order: &O, v: &mut [T], sort: impl FnOnce(&mut [T])) {
    // A sort that unwinds leaves every element in the slice.
    if !is_sorted_by_std(|| sort(v)) {
        heap_sort(order, v);
    }
}

/// Calls one of std's sorts. False: it noticed that the order is not total.
pub(super) fn is_sorted_by_std(sort: impl FnOnce()) -> bool {
    let Err(payload) = catch_unwind(AssertUnwindSafe(sort)) else {
        return true;
    };
    if payload.downcast_ref::<&str>() != Some(&NO_TOTAL_ORDER) {
        resume_unwind(payload);
    }
    false
}

/// Williams' heap sort: whatever the comparator answers, it ends after O(n log n) comparisons.
pub(super) fn heap_sort<T, O: Order<T> + ?Sized>(order: &O, v: &mut [T]) {
    for root in (0..v.len() / 2).rev() {
        sift_down(order, v, root);
    }
    for last in (1..v.len()).rev() {
        v.swap(0, last);
        sift_down(order, &mut v[..last], 0);
    }
}

fn sift_down<T, O: Order<T> + ?Sized>(order: &O, heap: &mut [T], mut at: usize) {
    loop {
        let mut child = 2 * at + 1;
        if child >= heap.len() {
            return;
        }
        if child + 1 < heap.len() && order.is_less(&heap[child], &heap[child + 1]) {
            child += 1;
        }
        if !order.is_less(&heap[at], &heap[child]) {
            return;
        }
        heap.swap(at, child);
        at = child;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heap_sort_sorts() {
        for n in 0..200 {
            let mut v: Vec<usize> = (0..n).map(|i| i * 7919 % 211 % 50).collect();
            heap_sort(&Natural, &mut v);
            assert!(v.is_sorted());
        }
    }

    #[test]
    fn other_panics_go_on() {
        let panics = |_: &mut [i32]| resume_unwind(Box::new("mine"));
        let unwound = catch_unwind(|| tolerant(&Natural, &mut [3, 1, 2], panics));
        assert_eq!(unwound.unwrap_err().downcast_ref(), Some(&"mine"));
    }
}

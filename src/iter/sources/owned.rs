//! Elements that are yielded by value, out of memory that belongs to another value, which frees it.

use crate::iter::plumbing::Producer;
use std::iter::FusedIterator;
use std::mem::{self, MaybeUninit};
use std::slice;

/// A stretch of elements: a producer, and an iterator, that owns them, in slots that it borrows.
///
/// A split moves each slot, and its element, into exactly one of the halves, so no element can be given away twice. Elements that were not
/// taken are dropped with it. That holds after a panic, and if a folder was full. If it is leaked, its elements are leaked, and nothing else
/// happens.
pub(crate) struct Owned<'a, T: Send> {
    /// Every slot that it has not passed yet holds an element, which it owns.
    slots: slice::IterMut<'a, MaybeUninit<T>>,
}

impl<'a, T: Send> Owned<'a, T> {
    /// Takes ownership of the elements in `slots`.
    ///
    /// # Safety
    ///
    /// - Every slot holds a valid element.
    /// - Nothing else reads or drops these elements afterwards: the slots count as uninitialised once the borrow ends.
    #[inline]
    pub(crate) unsafe fn new(slots: &'a mut [MaybeUninit<T>]) -> Self {
        let slots = slots.iter_mut();
        Owned { slots }
    }
}

impl<T: Send> Drop for Owned<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let rest: *mut [MaybeUninit<T>] = mem::take(&mut self.slots).into_slice();
        // SAFETY: the slots that it has not passed hold valid elements that nothing else drops, by the invariant of the field, which is empty
        // now; they are exclusively borrowed and aligned, and `MaybeUninit<T>` has the layout of `T`.
        unsafe { (rest as *mut [T]).drop_in_place() }
    }
}

impl<T: Send> Producer for Owned<'_, T> {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = T;
    type IntoIter = Self;

    #[inline]
    fn into_iter(self) -> Self {
        self
    }

    #[inline]
    fn split_at(mut self, index: usize) -> (Self, Self) {
        // The field is empty now, so `Drop` drops nothing.
        let slots = mem::take(&mut self.slots).into_slice();
        let (left, right) = slots.split_at_mut(index);
        let [left, right] = [left, right].map(|slots| Owned {
            slots: slots.iter_mut(),
        });
        (left, right)
    }
}

impl<T: Send> Iterator for Owned<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let slot = self.slots.next()?;
        // SAFETY: the slot held an element that this iterator owned; the iterator has passed it, so it is not read again.
        Some(unsafe { slot.assume_init_read() })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl<T: Send> DoubleEndedIterator for Owned<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        let slot = self.slots.next_back()?;
        // SAFETY: as in `next`.
        Some(unsafe { slot.assume_init_read() })
    }
}

impl<T: Send> ExactSizeIterator for Owned<'_, T> {}
impl<T: Send> FusedIterator for Owned<'_, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Counted<'c>(&'c AtomicUsize, bool);

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
            assert!(!self.1, "dropped");
        }
    }

    fn slots<T>(elements: impl IntoIterator<Item = T>) -> Vec<MaybeUninit<T>> {
        elements.into_iter().map(MaybeUninit::new).collect()
    }

    #[test]
    fn everything_is_dropped_once_however_far_it_came() {
        for index in 0..=5 {
            for taken in 0..=5 - index {
                let drops = AtomicUsize::new(0);
                let mut slots = slots((0..5).map(|_| Counted(&drops, false)));
                // SAFETY: all slots are initialised, and `MaybeUninit` never drops.
                let owned = unsafe { Owned::new(&mut slots) };
                let (left, right) = owned.split_at(index);
                let mut items = right;
                let half = taken / 2;
                assert_eq!(items.by_ref().take(half).count(), half);
                assert_eq!(
                    items.by_ref().rev().take(taken - half).count(),
                    taken - half
                );
                assert_eq!(drops.load(Ordering::Relaxed), taken);
                assert_eq!(items.len(), 5 - index - taken);
                drop((left, items));
                assert_eq!(drops.load(Ordering::Relaxed), 5);
            }
        }
    }

    #[test]
    fn a_panicking_drop_does_not_spare_the_others() {
        let drops = AtomicUsize::new(0);
        let mut slots = slots((0..5).map(|i| Counted(&drops, i == 1)));
        // SAFETY: as above.
        let owned = unsafe { Owned::new(&mut slots) };
        assert!(catch_unwind(AssertUnwindSafe(|| drop(owned))).is_err());
        assert_eq!(drops.load(Ordering::Relaxed), 5);
    }
}

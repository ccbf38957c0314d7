//! Elements that are yielded by value, out of memory that belongs to another value, which frees it.

use crate::iter::plumbing::Producer;
use std::iter::FusedIterator;
use std::mem::{self, MaybeUninit};
use std::slice;

/// A stretch of elements: a producer that owns them, in slots that it borrows.
///
/// A split moves each slot, and its element, into exactly one of the halves, so no element can be given away twice. Elements that were not
/// taken are dropped with the producer, or with the iterator made of it. That holds after a panic, and if a folder was full. If one of the
/// two is leaked, its elements are leaked, and nothing else happens.
pub(crate) struct Owned<'a, T: Send> {
    /// All of them hold an element, which this producer owns.
    slots: &'a mut [MaybeUninit<T>],
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
        Owned { slots }
    }
}

/// Drops the elements in all slots.
///
/// # Safety
///
/// - Every slot holds a valid element.
/// - Nothing else reads or drops these elements afterwards.
unsafe fn drop_all<T>(slots: &mut [MaybeUninit<T>]) {
    let elements: *mut [T] = slots as *mut [MaybeUninit<T>] as *mut [T];
    // SAFETY: the slots hold valid elements that nothing else drops, by contract; they are exclusively borrowed and aligned, and
    // `MaybeUninit<T>` has the layout of `T`.
    unsafe { elements.drop_in_place() }
}

impl<T: Send> Drop for Owned<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the slots hold elements that this producer owns, by the invariant of the field; the field is not used after `drop`.
        unsafe { drop_all(self.slots) }
    }
}

impl<'a, T: Send> Producer for Owned<'a, T> {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = T;
    type IntoIter = OwnedIter<'a, T>;

    #[inline]
    fn into_iter(mut self) -> OwnedIter<'a, T> {
        // The field is empty now, so `Drop` drops nothing.
        OwnedIter {
            slots: mem::take(&mut self.slots).iter_mut(),
        }
    }

    #[inline]
    fn split_at(mut self, index: usize) -> (Self, Self) {
        let (left, right) = mem::take(&mut self.slots).split_at_mut(index);
        (Owned { slots: left }, Owned { slots: right })
    }
}

/// Gives the elements of an [`Owned`] away one by one.
pub(crate) struct OwnedIter<'a, T: Send> {
    /// Every slot that it has not passed yet holds an element, which this iterator owns.
    slots: slice::IterMut<'a, MaybeUninit<T>>,
}

impl<T: Send> Iterator for OwnedIter<'_, T> {
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

impl<T: Send> DoubleEndedIterator for OwnedIter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        let slot = self.slots.next_back()?;
        // SAFETY: as in `next`.
        Some(unsafe { slot.assume_init_read() })
    }
}

impl<T: Send> ExactSizeIterator for OwnedIter<'_, T> {}
impl<T: Send> FusedIterator for OwnedIter<'_, T> {}

impl<T: Send> Drop for OwnedIter<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let rest = mem::take(&mut self.slots).into_slice();
        // SAFETY: the slots that the iterator has not passed hold elements that it owns, by the invariant of the field; the field is empty
        // now.
        unsafe { drop_all(rest) }
    }
}

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
                let mut items = right.into_iter();
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

//! Elements that are handed out by value from memory that somebody else frees.

use crate::iter::plumbing::Producer;
use std::iter::FusedIterator;
use std::mem::{self, MaybeUninit};
use std::slice;

/// A stretch of elements: a producer that owns them, in slots that it borrows.
///
/// Splitting moves slots, and with them the elements, into exactly one of the halves, so no element can be handed out twice. Elements that
/// nobody took are dropped with the producer or with the iterator made of it, whether a panic brought that about or a folder that was full.
/// Leaking either of them leaks elements, no more.
pub(crate) struct Owned<'a, T: Send> {
    /// All of them hold an element, which is ours.
    slots: &'a mut [MaybeUninit<T>],
}

impl<'a, T: Send> Owned<'a, T> {
    /// Takes the elements in `slots` over.
    ///
    /// # Safety
    ///
    /// - Every slot holds a valid element.
    /// - Nobody reads or drops these elements afterwards: the slots count as uninitialised once the borrow ends.
    #[inline]
    pub(crate) unsafe fn new(slots: &'a mut [MaybeUninit<T>]) -> Self {
        Owned { slots }
    }
}

/// Drops what every slot holds.
///
/// # Safety
///
/// - Every slot holds a valid element.
/// - Nobody reads or drops these elements afterwards.
unsafe fn drop_all<T>(slots: &mut [MaybeUninit<T>]) {
    let elements: *mut [T] = slots as *mut [MaybeUninit<T>] as *mut [T];
    // SAFETY: the slots hold valid elements that nobody else drops, by contract; they are exclusively borrowed and aligned, and
    // `MaybeUninit<T>` has the layout of `T`.
    unsafe { elements.drop_in_place() }
}

impl<T: Send> Drop for Owned<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the slots hold elements that are ours, by the invariant of the field; nobody uses the field after `drop`.
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
        // What is dropped here are no slots at all.
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

/// Hands the elements of an [`Owned`] out one by one.
pub(crate) struct OwnedIter<'a, T: Send> {
    /// Every slot that it has not passed yet holds an element, which is ours.
    slots: slice::IterMut<'a, MaybeUninit<T>>,
}

impl<T: Send> Iterator for OwnedIter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let slot = self.slots.next()?;
        // SAFETY: the slot held an element of ours until now; the iterator has passed it, so nobody reads it again.
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
        // SAFETY: what the iterator has not passed holds elements of ours, by the invariant of the field; the field is empty now.
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

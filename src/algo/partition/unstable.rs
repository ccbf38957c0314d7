//! The unstable partition: elements are only swapped.
//!
//! Each fold swaps accepted elements to the front of its stretch. When two stretches are joined, the rejected elements at the end of the left one
//! are exchanged with the accepted elements at the front of the right one.
//!
//! Work O(n) swaps, and an exchange for each cut; span O(log² n) and O(n / p) swaps. No memory.

use crate::algo::moves::exchange;
use crate::algo::pack::{Filled, Filling, SlotStretch, fill_slots};
use crate::core::unwind::resume;
use std::mem::{self, MaybeUninit};
use std::slice;

/// Moves the elements for which `goes_first` returns true to the front, and returns how many come first. The order is not kept.
///
/// `goes_first` is called once for each element; nothing is allocated. See the [module](super) for costs and panics.
///
/// ```
/// let mut v = [3, 1, 4, 1, 5, 9, 2, 6];
/// assert_eq!(filch::algo::partition_in_place_unstable(&mut v, |&x| x > 3), 4);
/// v[..4].sort();
/// assert_eq!(v[..4], [4, 5, 6, 9]);
/// ```
///
/// # Panics
///
/// With the panic of `goes_first`. The slice then holds every element once, in some order.
#[doc(alias("partition"))]
pub fn partition_in_place_unstable<T, F>(v: &mut [T], goes_first: F) -> usize
where
    T: Send,
    F: Fn(&T) -> bool + Sync + Send,
{
    let len = v.len();
    // SAFETY: the same memory, borrowed alone. Every slot holds an element at all times, since they are only swapped.
    let slots = unsafe { slice::from_raw_parts_mut(v.as_mut_ptr().cast::<MaybeUninit<T>>(), len) };
    let partition = UnstablePartition { goes_first };
    let Filled { stretch, panic } = fill_slots(slots, len, &partition);
    if let Some(payload) = panic {
        resume(payload);
    }
    stretch.filled()
}

/// How the sweep goes over slots that all hold elements, at all times. Those that it calls filled go first.
struct UnstablePartition<F> {
    goes_first: F,
}

impl<T: Send, F: Fn(&T) -> bool + Sync> Filling<T> for UnstablePartition<F> {
    fn advance(&self, next: &mut usize, end: usize, stretch: &mut SlotStretch<'_, T>) {
        let (start, stretch_end) = stretch.bounds();
        assert!(end <= stretch_end);
        let (from, to) = (mem::replace(next, end) - start, end - start);
        // SAFETY: the slots are ours, and hold elements.
        let elements = unsafe { slice::from_raw_parts_mut(stretch.slot(start), to) };
        let mut filled = stretch.filled();
        for i in from..to {
            let is_first = (self.goes_first)(&elements[i]);
            elements.swap(filled, i);
            filled += usize::from(is_first);
        }
        // SAFETY: they hold elements, as all slots do, and those up to here go first.
        unsafe { stretch.set_filled(filled) };
    }

    /// Exchanges as many elements as both sides have in the other's place. Then there is no gap, or nothing to move there.
    fn give_up(&self, left: &mut Filled<'_, T>, right: &mut SlotStretch<'_, T>) -> usize {
        let ((start, mid), (_, end)) = (left.stretch.bounds(), right.bounds());
        let (low, high) = (left.stretch.filled(), right.filled());
        // SAFETY: the slots of both are ours, and hold elements.
        let elements = unsafe { slice::from_raw_parts_mut(left.stretch.slot(start), end - start) };
        let (belongs_last, belongs_first) = elements.split_at_mut(mid - start);
        let (belongs_last, belongs_first) = (&mut belongs_last[low..], &mut belongs_first[..high]);
        let len = belongs_last.len().min(high);
        exchange(&mut belongs_last[..len], &mut belongs_first[high - len..]);
        // SAFETY: all slots hold elements, and so many go first on either side now.
        unsafe { left.stretch.set_filled(low + len) };
        // SAFETY: as above.
        unsafe { right.set_filled(high - len) };
        0
    }
}

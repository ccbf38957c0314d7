//! The unstable partition: elements are only swapped.
//!
//! Each fold swaps accepted elements to the front of its stretch. When two stretches are joined, the rejected elements at the end of the left one
//! are exchanged with the accepted elements at the front of the right one.
//!
//! Work O(n) swaps, and an exchange for each cut; span O(log² n) and O(n / p) swaps. No memory.

use crate::algo::pack::SlotStretch;
use crate::algo::reorder::exchange;
use crate::algo::sweep::{self, Sweep};
use std::mem::MaybeUninit;
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
    let sweep = UnstablePartition {
        first: SlotStretch::new(slots),
        next: 0,
        goes_first: &goes_first,
    };
    sweep::run(len, sweep).filled()
}

/// All slots of the stretch hold elements; those that it calls filled go first.
struct UnstablePartition<'a, T, F> {
    first: SlotStretch<'a, T>,
    next: usize,
    goes_first: &'a F,
}

impl<'a, T: Send, F: Fn(&T) -> bool + Sync> Sweep for UnstablePartition<'a, T, F> {
    type Outcome = SlotStretch<'a, T>;

    fn advance(&mut self, count: usize) {
        let (start, end) = self.first.bounds();
        assert!(count <= end - self.next);
        let mut filled = self.first.filled();
        let (from, to) = (self.next - start, self.next - start + count);
        // SAFETY: the slots are ours, and hold elements.
        let elements = unsafe { slice::from_raw_parts_mut(self.first.slot(start), to) };
        for i in from..to {
            let is_first = (self.goes_first)(&elements[i]);
            elements.swap(filled, i);
            filled += usize::from(is_first);
        }
        self.next += count;
        // SAFETY: they hold elements, as all slots do, and those up to here go first.
        unsafe { self.first.set_filled(filled) };
    }

    fn split_off(&mut self, at: usize) -> Self {
        let cut = self.next + at;
        UnstablePartition {
            first: self.first.split_off(cut),
            next: cut,
            goes_first: self.goes_first,
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.first.rejoin(right.first);
    }

    fn finish(self) -> SlotStretch<'a, T> {
        self.first
    }

    fn follow(mut left: SlotStretch<'a, T>, mut right: SlotStretch<'a, T>) -> SlotStretch<'a, T> {
        let ((start, mid), (_, end)) = (left.bounds(), right.bounds());
        let (low, high) = (left.filled(), right.filled());
        // SAFETY: the slots of both are ours, and hold elements.
        let elements = unsafe { slice::from_raw_parts_mut(left.slot(start), end - start) };
        let (belongs_last, belongs_first) = elements.split_at_mut(mid - start);
        let (belongs_last, belongs_first) = (&mut belongs_last[low..], &mut belongs_first[..high]);
        let len = belongs_last.len().min(high);
        exchange(&mut belongs_last[..len], &mut belongs_first[high - len..]);
        // SAFETY: none of its slots has to go first for what follows.
        unsafe { right.set_filled(0) };
        left.rejoin(right);
        // SAFETY: all slots hold elements, and so many go first now.
        unsafe { left.set_filled(low + high) };
        left
    }
}

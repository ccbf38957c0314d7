//! The stable partition: accepted elements move to the front of their stretch, the others to a buffer, and back behind the accepted ones in the end.
//!
//! Every small element is written to both places, and only the count of the place where it belongs grows. So the loop has no branch.
//!
//! Work O(n): two writes for each small element, and one more for those that come back from the buffer; span O(log² n) and O(n / p) moves.
//! Memory for n elements.

use crate::algo::buffer::Buffer;
use crate::algo::moves::copy;
use crate::algo::pack::{Filled, SlotStretch};
use crate::algo::sweep::{self, Sweep};
use crate::core::unwind::{AbortOnDrop, Payload, catch, resume};
use std::mem::MaybeUninit;
use std::{mem, ptr, slice};

/// The largest element that is better copied twice than moved by a branch, in bytes.
const SMALL: usize = 32;

/// Moves the elements for which `goes_first` returns true to the front, keeps the order on both sides, and returns how many come first.
///
/// `goes_first` is called once for each element. See the [module](super) for costs and panics.
///
/// ```
/// let mut v = [3, 1, 4, 1, 5, 9, 2, 6];
/// assert_eq!(filch::algo::partition_in_place(&mut v, |&x| x > 3), 4);
/// assert_eq!(v, [4, 5, 9, 6, 3, 1, 1, 2]);
/// ```
///
/// # Panics
///
/// With the panic of `goes_first`. The slice then holds every element once, in some order.
#[doc(alias("stable_partition"))]
pub fn partition_in_place<T, F>(v: &mut [T], goes_first: F) -> usize
where
    T: Send,
    F: Fn(&T) -> bool + Sync + Send,
{
    let len = v.len();
    let mut buffer = Buffer::<T>::new(len);
    let buffer = &mut buffer.slots()[..len];
    // SAFETY: the same memory, borrowed alone. All slots hold elements again when this function ends: the sweep moves them, and does not
    // unwind; if anything else did, the process would end with it.
    let slots = unsafe { slice::from_raw_parts_mut(v.as_mut_ptr().cast::<MaybeUninit<T>>(), len) };
    let guard = AbortOnDrop("a partition that could not bring its elements home");
    let (mut first, mut others) = sweep::run(
        len,
        StablePartition {
            first: SlotStretch::new(slots),
            others: SlotStretch::new(buffer),
            next: 0,
            goes_first: &goes_first,
            panic: None,
        },
    );
    let mid = first.stretch.filled();
    copy(others.filled_slots(), first.stretch.room());
    mem::forget(guard);
    if let Some(payload) = first.panic {
        resume(payload);
    }
    mid
}

struct StablePartition<'a, T, F> {
    /// Over the slice. The elements from `next` to the end of it are still to be asked about.
    first: SlotStretch<'a, T>,
    /// Over the buffer.
    others: SlotStretch<'a, T>,
    next: usize,
    goes_first: &'a F,
    panic: Option<Payload>,
}

impl<T, F: Fn(&T) -> bool> StablePartition<'_, T, F> {
    fn move_up_to(&mut self, end: usize) {
        let (start, _) = self.first.bounds();
        let goes_first = self.goes_first;
        let mut walk = PartitionWalk {
            start,
            read: self.next,
            first: self.first.filled(),
            partition: self,
        };
        while walk.read < end {
            let element = walk.partition.first.slot(walk.read);
            // SAFETY: it was not moved yet, and is ours.
            let is_first = goes_first(unsafe { &*element });
            if size_of::<T>() <= SMALL || is_first {
                let target = walk.partition.first.slot(start + walk.first);
                // SAFETY: to its own slot, or to one whose element was moved.
                unsafe { ptr::copy(element, target, 1) };
            }
            if size_of::<T>() <= SMALL || !is_first {
                let target = walk.partition.others.slot(start + walk.others());
                // SAFETY: the buffer has a slot for each element, and none is in this one.
                unsafe { ptr::copy_nonoverlapping(element, target, 1) };
            }
            walk.read += 1;
            walk.first += usize::from(is_first);
        }
    }
}

/// Positions that live in registers, and go home however the loop ends.
struct PartitionWalk<'p, 'a, T, F> {
    start: usize,
    read: usize,
    /// How many elements so far go first.
    first: usize,
    partition: &'p mut StablePartition<'a, T, F>,
}

impl<T, F> PartitionWalk<'_, '_, T, F> {
    /// How many elements so far do not.
    #[inline]
    fn others(&self) -> usize {
        self.read - self.start - self.first
    }
}

impl<T, F> Drop for PartitionWalk<'_, '_, T, F> {
    #[inline]
    fn drop(&mut self) {
        let (first, others) = (self.first, self.others());
        self.partition.next = self.read;
        // SAFETY: so many elements were moved there.
        unsafe { self.partition.first.set_filled(first) };
        // SAFETY: as above.
        unsafe { self.partition.others.set_filled(others) };
    }
}

impl<'a, T: Send, F: Fn(&T) -> bool + Sync> Sweep for StablePartition<'a, T, F> {
    /// The slice, the first of which go first, and the buffer.
    type Outcome = (Filled<'a, T>, SlotStretch<'a, T>);

    fn advance(&mut self, count: usize) {
        if self.is_stuck() {
            return;
        }
        let end = self.next + count;
        assert!(end <= self.first.bounds().1);
        self.panic = catch(|| self.move_up_to(end)).err();
    }

    fn split_off(&mut self, at: usize) -> Self {
        let cut = self.next + at;
        StablePartition {
            first: self.first.split_off(cut),
            others: self.others.split_off(cut),
            next: cut,
            goes_first: self.goes_first,
            panic: None,
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.first.rejoin(right.first);
        self.others.rejoin(right.others);
    }

    fn finish(mut self) -> Self::Outcome {
        // After a panic there are some that were not asked about: they go first.
        let (_, end) = self.first.bounds();
        let rest = end - self.next;
        let (from, to) = (self.first.slot(self.next), self.first.front());
        // SAFETY: they are elements of this stretch, which move up to those before them.
        unsafe { ptr::copy(from, to, rest) };
        let filled = self.first.filled() + rest;
        // SAFETY: see above.
        unsafe { self.first.set_filled(filled) };
        let first = Filled {
            stretch: self.first,
            panic: self.panic,
        };
        (first, self.others)
    }

    fn follow(mut left: Self::Outcome, right: Self::Outcome) -> Self::Outcome {
        left.0.append(right.0, 0);
        left.1.append(right.1, 0);
        left
    }

    fn is_stuck(&self) -> bool {
        self.panic.is_some()
    }
}

//! The stable partition: accepted elements move to the front of their stretch, the others to a buffer, and back behind the accepted ones in the end.
//!
//! Every small element is written to both places, and only the count of the place where it belongs grows. So the loop has no branch.
//!
//! Work O(n): two writes for each small element, and one more for those that come back from the buffer; span O(log² n) and O(n / p) moves.
//! Memory for n elements.

use crate::algo::buffer::Buffer;
use crate::algo::moves::{SharedPlaces, copy};
use crate::algo::pack::{ElementWalk, Filled, Filling, SlotStretch, close_gap, fill_slots};
use crate::core::unwind::{AbortOnDrop, resume};
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
    let partition = StablePartition {
        others: SharedPlaces(buffer.as_mut_ptr().cast()),
        goes_first,
    };
    let Filled { mut stretch, panic } = fill_slots(slots, len, &partition);
    let mid = stretch.filled();
    copy(&mut buffer[..len - mid], stretch.room());
    mem::forget(guard);
    if let Some(payload) = panic {
        resume(payload);
    }
    mid
}

/// Fills the front of a stretch with the elements that go first, and the front of the same stretch of the buffer with the others.
/// It is only made for slots that all hold elements, and a buffer with a slot for each.
struct StablePartition<T, F> {
    /// The first slot of the buffer.
    others: SharedPlaces<T>,
    goes_first: F,
}

impl<T: Send, F: Fn(&T) -> bool + Sync> Filling<T> for StablePartition<T, F> {
    fn advance(&self, next: &mut usize, end: usize, stretch: &mut SlotStretch<'_, T>) {
        // SAFETY: all slots held elements, by what the type says, and only walks move any.
        let mut walk = unsafe { ElementWalk::new(next, end, stretch) };
        let start = walk.write - walk.kept();
        while walk.read < end {
            let element = walk.slot(walk.read);
            // SAFETY: it was not moved yet, and is ours.
            let is_first = (self.goes_first)(unsafe { &*element });
            if size_of::<T>() <= SMALL || is_first {
                // SAFETY: to its own slot, or to one whose element was moved.
                unsafe { ptr::copy(element, walk.slot(walk.write), 1) };
            }
            if size_of::<T>() <= SMALL || !is_first {
                let target = self.others.at(start + (walk.read - walk.write));
                // SAFETY: the buffer has a slot for each element, those of this stretch are used by nothing else, and none is in this one.
                unsafe { ptr::copy_nonoverlapping(element, target, 1) };
            }
            walk.read += 1;
            walk.write += usize::from(is_first);
        }
    }

    /// After a panic there are some that were not asked about: they go first.
    fn finish(&self, mut next: usize, stretch: &mut SlotStretch<'_, T>) {
        let reached = next;
        // SAFETY: as in `advance`.
        unsafe { ElementWalk::new(&mut next, reached, stretch) }.keep_rest();
    }

    /// None of those that go first. The others of `right` move up to those of `left`.
    fn give_up(&self, left: &mut Filled<'_, T>, right: &mut SlotStretch<'_, T>) -> usize {
        let ((_, mid), (_, end)) = (left.stretch.bounds(), right.bounds());
        // In the buffer as many slots are free behind the others of `left` as elements of it go first.
        let (gap, len) = (left.stretch.filled(), end - mid - right.filled());
        let free = self.others.at(mid - gap);
        // SAFETY: the two are neighbours, and both have ended. So these are slots of the buffer behind the others of `left`, up to the last of the others
        // of `right`, which belong to these two stretches alone.
        unsafe { close_gap(free, gap, len) };
        0
    }
}

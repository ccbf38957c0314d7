//! Collecting an iterator of known length: each item goes straight to its final place.
//!
//! A consumer owns a stretch of slots by value, so that no slot has two writers. A result owns the slots it has written, and drops their
//! items if it is dropped itself. So after a panic every item is dropped once, wherever the panic happened.

use crate::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
use std::marker::PhantomData;
use std::mem::{self, MaybeUninit};
use std::ptr;
use std::slice;

/// Appends `len` items to `vec`, those that `drive` gives the consumer that it gets, by position.
///
/// Allocates once, before any item is produced; panics then if the capacity overflows.
pub(crate) fn collect_into<T>(
    vec: &mut Vec<T>,
    len: usize,
    drive: impl for<'v> FnOnce(Slots<'v, T>) -> Written<'v, T>,
) {
    vec.reserve(len);
    let slots = &mut vec.spare_capacity_mut()[..len];
    let written = drive(Slots::new(slots));
    let count = written.done;
    assert!(
        count == len,
        "filch: expected {len} total writes, but got {count}: the iterator is shorter than its `len` says"
    );
    written.release();
    let old = vec.len();
    // SAFETY: the slots behind the old length were written, from the first on, and given up by `written`.
    unsafe { vec.set_len(old + len) };
}

/// A stretch of slots to write to: positions `start..end` from `base`.
///
/// All stretches keep the base pointer they were made from, so that two neighbours can be joined again.
pub(crate) struct Slots<'v, T> {
    base: *mut T,
    start: usize,
    end: usize,
    marker: PhantomData<&'v mut [T]>,
}

// SAFETY: it stands for a `&mut [MaybeUninit<T>]` to its stretch, which is Send if T is.
unsafe impl<T: Send> Send for Slots<'_, T> {}

impl<'v, T> Slots<'v, T> {
    pub(crate) fn new(slots: &'v mut [MaybeUninit<T>]) -> Self {
        Slots {
            base: slots.as_mut_ptr().cast(),
            start: 0,
            end: slots.len(),
            marker: PhantomData,
        }
    }

    /// Splits off the stretch from `at` on.
    fn split_off(&mut self, at: usize) -> Self {
        assert!(
            self.start <= at && at <= self.end,
            "filch: a consumer of slots {}..{} was split at {at}",
            self.start,
            self.end,
        );
        let end = mem::replace(&mut self.end, at);
        Slots {
            start: at,
            end,
            ..*self
        }
    }
}

/// The items that were written to a stretch, from its start on.
pub(crate) struct Written<'v, T> {
    slots: Slots<'v, T>,
    /// How many of the slots hold items.
    done: usize,
}

impl<T> Written<'_, T> {
    /// Leaves the items in their slots; the owner of the slots owns them now.
    pub(crate) fn release(self) -> usize {
        let done = self.done;
        mem::forget(self);
        done
    }

    /// The slots that are still free.
    #[inline]
    fn free(&mut self) -> &mut [MaybeUninit<T>] {
        let at = self.slots.start + self.done;
        // SAFETY: the stretch lies in one allocation, which outlives 'v, and is ours alone; slots need not be initialised.
        unsafe { slice::from_raw_parts_mut(self.slots.base.add(at).cast(), self.slots.end - at) }
    }
}

impl<T> Drop for Written<'_, T> {
    fn drop(&mut self) {
        // SAFETY: the first `done` slots of the stretch hold items, and nothing else owns them.
        unsafe {
            let first = self.slots.base.add(self.slots.start);
            ptr::drop_in_place(ptr::slice_from_raw_parts_mut(first, self.done));
        }
    }
}

impl<'v, T: Send> Consumer<T> for Slots<'v, T> {
    type Folder = Written<'v, T>;
    type Reducer = Adjoin;
    type Result = Written<'v, T>;

    fn split_at(mut self, index: usize) -> (Self, Self, Adjoin) {
        let at = self.start.saturating_add(index);
        let right = self.split_off(at);
        (self, right, Adjoin)
    }

    fn into_folder(self) -> Written<'v, T> {
        Written {
            slots: self,
            done: 0,
        }
    }

    fn full(&self) -> bool {
        false
    }

    const SPLITS_LIVE: bool = true;

    fn split_folder(folder: &mut Written<'v, T>, at: usize) -> (Self, Adjoin) {
        let at = (folder.slots.start + folder.done).saturating_add(at);
        (folder.slots.split_off(at), Adjoin)
    }

    fn rejoin_folder(folder: &mut Written<'v, T>, right: Self) {
        let slots = &mut folder.slots;
        assert!(
            ptr::eq(slots.base, right.base) && slots.end == right.start,
            "filch: a fold of slots {}..{} was rejoined with a consumer of slots {}..{}",
            slots.start,
            slots.end,
            right.start,
            right.end,
        );
        slots.end = right.end;
    }
}

/// So that it can be driven through [`ParallelIterator::drive_unindexed`], the only method that an iterator with an `opt_len` is sure to
/// have.
impl<T: Send> UnindexedConsumer<T> for Slots<'_, T> {
    fn split_off_left(&self) -> Self {
        panic!("filch: an iterator with a known `opt_len` was not driven by position")
    }

    fn to_reducer(&self) -> Adjoin {
        Adjoin
    }
}

#[cold]
#[inline(never)]
fn too_many(room: usize) -> ! {
    panic!(
        "filch: too many values pushed to a consumer of {room} slots: the producer is longer than its length says"
    )
}

impl<'v, T: Send> Folder<T> for Written<'v, T> {
    type Result = Self;

    #[inline]
    fn consume(mut self, item: T) -> Self {
        let Some(slot) = self.free().first_mut() else {
            too_many(self.slots.end - self.slots.start)
        };
        slot.write(item);
        self.done += 1;
        self
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let iter = iter.into_iter();
        let (least, most) = iter.size_hint();
        let free = self.free();
        if Some(least) != most || least > free.len() {
            // No length is promised, or it does not fit: count item by item.
            for item in iter {
                self = self.consume(item);
            }
            return self;
        }
        // One loop over two iterators of the same known length: this vectorises. So does a count in a register, which the guard writes back
        // however the loop ends.
        let free: *mut [MaybeUninit<T>] = &mut free[..least];
        // SAFETY: the slots do not overlap `self`, and `self` is used for nothing but its count until the loop ends.
        let free = unsafe { &mut *free };
        let mut count = WrittenCount {
            done: self.done,
            home: &mut self.done,
        };
        free.iter_mut().zip(iter).for_each(|(slot, item)| {
            slot.write(item);
            count.done += 1;
        });
        drop(count);
        self
    }

    fn complete(self) -> Self {
        self
    }

    fn full(&self) -> bool {
        false
    }
}

/// A count that is written back when it is dropped.
struct WrittenCount<'a> {
    done: usize,
    home: &'a mut usize,
}

impl Drop for WrittenCount<'_> {
    #[inline]
    fn drop(&mut self) {
        *self.home = self.done;
    }
}

/// Joins the items of neighbouring stretches.
pub(crate) struct Adjoin;

impl<'v, T> Reducer<Written<'v, T>> for Adjoin {
    fn reduce(self, mut left: Written<'v, T>, right: Written<'v, T>) -> Written<'v, T> {
        // If the left stretch is not full, the right is dropped, and the count at the end shows it.
        let neighbours = left.slots.start + left.done == right.slots.start;
        if neighbours && ptr::eq(left.slots.base, right.slots.base) {
            left.slots.end = right.slots.end;
            left.done += right.release();
        }
        left
    }
}

//! Stretches of slots that are filled from the front, and the closing of the gaps between them.
//!
//! To close a gap before n elements is O(n) moves. A wide gap, of n / 8 and more, is closed in up to eight rounds that all threads share; a narrow one in halves,
//! with room for as many elements as the gap is wide, at each cut; what lies between the two by one thread.

use crate::algo::moves::copy;
use crate::core::{both, leaf};
use std::marker::PhantomData;
use std::mem::{self, MaybeUninit};
use std::{ptr, slice};

/// Bytes that one task moves within a vector.
const LEAF: usize = 1 << 18;

/// Into how many equal rounds a move by less than its length is cut at most.
const ROUNDS: usize = 8;

/// Whether it is cheaper to write an element that is not kept than to branch before: it is small, and needs no drop.
pub(super) const fn is_cheap<T>() -> bool {
    !mem::needs_drop::<T>() && size_of::<T>() <= 32
}

/// A stretch of slots, the first of which hold elements.
///
/// It owns them, but does not drop them: a leak of it leaks them, and the code that ends it says where they belong from then on.
pub(crate) struct SlotStretch<'a, T> {
    /// Slots `start..end` from here are ours alone, and the first `filled` of them hold elements that are ours.
    base: *mut T,
    start: usize,
    filled: usize,
    end: usize,
    borrow: PhantomData<&'a mut [MaybeUninit<T>]>,
}

// SAFETY: it stands for slots that it borrows alone, and for elements that it owns.
unsafe impl<T: Send> Send for SlotStretch<'_, T> {}

impl<'a, T> SlotStretch<'a, T> {
    /// All of `slots`, none filled.
    pub(crate) fn new(slots: &'a mut [MaybeUninit<T>]) -> Self {
        SlotStretch {
            base: slots.as_mut_ptr().cast(),
            start: 0,
            filled: 0,
            end: slots.len(),
            borrow: PhantomData,
        }
    }

    pub(crate) fn filled(&self) -> usize {
        self.filled
    }

    /// Where the stretch begins and ends, as distances from the first of the slots that it was made of.
    pub(crate) fn bounds(&self) -> (usize, usize) {
        (self.start, self.end)
    }

    /// The slot at `at`, from the first of the slots that the stretch was made of. Not to be used beyond the stretch's bounds.
    #[inline]
    pub(crate) fn slot(&self, at: usize) -> *mut T {
        debug_assert!(self.start <= at && at <= self.end);
        self.base.wrapping_add(at)
    }

    /// The first slot that is not filled.
    #[inline]
    pub(crate) fn front(&self) -> *mut T {
        self.slot(self.start + self.filled)
    }

    /// The elements.
    pub(crate) fn elements(&mut self) -> &mut [T] {
        // SAFETY: they are initialised, and ours alone, by the invariant.
        unsafe { slice::from_raw_parts_mut(self.slot(self.start), self.filled) }
    }

    /// The slots behind the elements.
    pub(crate) fn room(&mut self) -> &mut [MaybeUninit<T>] {
        let len = self.end - self.start - self.filled;
        // SAFETY: the slots are ours alone, by the invariant, and need not be initialised.
        unsafe { slice::from_raw_parts_mut(self.front().cast(), len) }
    }

    /// Says how many slots are filled.
    ///
    /// # Safety
    ///
    /// The first `filled` slots hold elements that this owns. When this is dropped or given up, none of them has another owner.
    #[inline]
    pub(crate) unsafe fn set_filled(&mut self, filled: usize) {
        debug_assert!(filled <= self.end - self.start);
        self.filled = filled;
    }

    /// Puts an element behind the others.
    ///
    /// # Panics
    ///
    /// If there is no room.
    #[inline]
    pub(crate) fn push(&mut self, element: T) {
        self.room()[0].write(element);
        self.filled += 1;
    }

    /// Puts clones of elements behind the others.
    ///
    /// # Panics
    ///
    /// If there is no room, and with a clone's panic. What was made before that is there, or needs no drop.
    pub(crate) fn extend_from_slice(&mut self, elements: &[T])
    where
        T: Clone,
    {
        if mem::needs_drop::<T>() {
            elements.iter().for_each(|x| self.push(x.clone()));
            return;
        }
        let room = &mut self.room()[..elements.len()];
        for (slot, x) in room.iter_mut().zip(elements) {
            slot.write(x.clone());
        }
        // SAFETY: so many more slots were written.
        unsafe { self.set_filled(self.filled + elements.len()) };
    }

    /// Puts those elements behind the others that are wanted: `elements` says of each whether it is, and how it is made.
    ///
    /// # Panics
    ///
    /// If there is no room, and with the panic of a closure. What was made before that is there, or needs no drop.
    #[inline]
    pub(crate) fn extend_wanted<F: FnOnce() -> T>(
        &mut self,
        elements: impl Iterator<Item = (bool, F)>,
    ) {
        if !is_cheap::<T>() {
            let wanted = elements.filter(|(is_wanted, _)| *is_wanted);
            return wanted.for_each(|(_, make)| self.push(make()));
        }
        // Written whether it is wanted or not: without a branch.
        let (room, mut kept) = (self.room(), 0);
        for (is_wanted, make) in elements {
            room[kept].write(make());
            kept += usize::from(is_wanted);
        }
        // SAFETY: so many more slots were written.
        unsafe { self.set_filled(self.filled + kept) };
    }

    /// Gives away the slots from `at` on, which come behind those that are filled.
    pub(crate) fn split_off(&mut self, at: usize) -> Self {
        assert!(self.start + self.filled <= at && at <= self.end);
        let end = self.end;
        self.end = at;
        SlotStretch {
            start: at,
            filled: 0,
            end,
            ..*self
        }
    }

    /// Takes back a stretch that was split off, which is not filled.
    pub(crate) fn rejoin(&mut self, right: Self) {
        self.assert_next(&right);
        assert_eq!(right.filled, 0);
        self.end = right.end;
    }

    /// Moves the elements of the next stretch behind our own, in parallel if they are many; but forgets its first `skip` ones.
    pub(crate) fn append(&mut self, right: Self, skip: usize)
    where
        T: Send,
    {
        self.assert_next(&right);
        let len = right
            .filled
            .checked_sub(skip)
            .expect("no more is skipped than there is");
        let gap = self.end - self.start - self.filled + skip;
        // SAFETY: what is free in our slots and to be forgotten in the next ones, and the elements behind that.
        unsafe { close_gap(self.front(), gap, len) };
        self.filled += len;
        self.end = right.end;
    }

    /// That `right` begins where this ends, among the same slots.
    pub(super) fn assert_next(&self, right: &Self) {
        assert!(ptr::eq(self.base, right.base) && self.end == right.start);
    }
}

/// Moves `len` elements to the front of the `gap` slots before them, in parallel if they are many.
///
/// # Safety
///
/// The slots from `front` on, `gap` and `len` of them, are the caller's alone. What the last `gap` hold then is unspecified.
pub(crate) unsafe fn close_gap<T: Send>(front: *mut T, gap: usize, len: usize) {
    if gap > 0 && len > 0 && size_of::<T>() > 0 {
        // SAFETY: by the caller.
        let slots = unsafe { slice::from_raw_parts_mut(front.cast::<MaybeUninit<T>>(), gap + len) };
        move_down(slots, gap);
    }
}

/// Moves what is in all but the first `by` slots to the front, in parallel. What the last `by` ones hold then is unspecified.
fn move_down<T: Send>(slots: &mut [MaybeUninit<T>], by: usize) {
    let len = slots.len() - by;
    let leaf = leaf(LEAF / size_of::<T>(), 1);
    if len > leaf && by >= leaf && by >= len / ROUNDS {
        // In rounds of `by` slots, each to where the one before came from.
        for start in (0..len).step_by(by) {
            let count = by.min(len - start);
            let (to, from) = slots[start..].split_at_mut(by);
            copy(&mut from[..count], &mut to[..count]);
        }
    } else if len > leaf && by <= len / 4 {
        // In halves. The first ones of the right half go where the last ones of the left half came from, so they wait aside.
        let mid = len / 2;
        let mut aside = Vec::with_capacity(by);
        let aside = &mut aside.spare_capacity_mut()[..by];
        let (left, right) = slots.split_at_mut(by + mid);
        copy(&mut right[..by], aside);
        both(|| move_down(left, by), || move_down(right, by));
        copy(aside, &mut slots[mid..mid + by]);
    } else {
        // SAFETY: both ranges are in `slots`, which as such may be copied whatever they hold.
        unsafe { ptr::copy(slots.as_ptr().add(by), slots.as_mut_ptr(), len) };
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAF, SlotStretch, close_gap, move_down};
    use crate::core::unwind::catch;
    use std::mem::MaybeUninit;

    /// Elements of a few to a leaf, so that all ways are gone.
    type Large = [usize; LEAF / 64];

    #[test]
    fn closes_gaps_of_every_width() {
        for len in [0, 1, 7, 8, 9, 20, 70] {
            for by in (1..20).chain([30, 70]) {
                let number = |i: usize| MaybeUninit::new([i.wrapping_sub(by); LEAF / 64]);
                let mut slots: Vec<MaybeUninit<Large>> = (0..by + len).map(number).collect();
                move_down(&mut slots, by);
                for (i, slot) in slots[..len].iter().enumerate() {
                    // SAFETY: all slots are initialised.
                    let element = unsafe { slot.assume_init() };
                    assert!(element == [i; LEAF / 64], "{len} by {by}");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn no_more_is_pushed_than_there_is_room_for() {
        let mut slots = [MaybeUninit::uninit(); 4];
        let mut stretch = SlotStretch::new(&mut slots);
        let mut middle = stretch.split_off(1);
        let _rest = middle.split_off(3);
        (0..3).for_each(|x: u8| middle.push(x));
    }

    #[test]
    fn closes_gaps_of_bytes() {
        let mut slots = *b"-gap?";
        // SAFETY: these slots are ours alone, and hold bytes whatever is moved.
        unsafe { close_gap(slots.as_mut_ptr(), 1, 4) };
        assert_eq!(slots[..4], *b"gap?");
    }

    #[test]
    fn elements_that_are_more_than_a_task_moves_may_have_no_gap() {
        let mut room = Vec::<[u8; LEAF + 1]>::with_capacity(3);
        // SAFETY: these slots are ours alone.
        unsafe { close_gap(room.as_mut_ptr(), 0, 3) };
    }

    #[test]
    fn only_what_lies_side_by_side_is_put_together() {
        let mut slots = [const { MaybeUninit::uninit() }; 10];
        let mut first = SlotStretch::new(&mut slots);
        let mut second = first.split_off(4);
        let third = second.split_off(8);
        second.push('s');
        assert!(catch(|| _ = second.split_off(4)).is_err(), "has an element");
        assert!(
            catch(|| _ = second.split_off(9)).is_err(),
            "belongs to the third"
        );
        assert!(catch(|| first.append(third, 0)).is_err(), "no neighbour");
        let fourth = second.split_off(8);
        assert!(catch(|| first.rejoin(fourth)).is_err(), "no neighbour");
        assert!(catch(|| first.rejoin(second)).is_err(), "has an element");
        assert_eq!(first.bounds(), (0, 4));
    }

    #[test]
    fn stretches_are_cut_and_appended() {
        let mut slots = [const { MaybeUninit::uninit() }; 10];
        let mut first = SlotStretch::new(&mut slots);
        first.push(0);
        let mut third = first.split_off(7);
        let mut second = first.split_off(3);
        third.push(4);
        third.push(5);
        (1..4).for_each(|i| second.push(i));
        second.append(third, 1);
        first.append(second, 0);
        assert_eq!(first.elements(), [0, 1, 2, 3, 5]);
        assert_eq!((first.bounds(), first.room().len()), ((0, 10), 5));
    }
}

//! A walk over a stretch of elements that moves some of them to the front.
//!
//! Work and moves are those of the loop that does it; no memory.

use super::stretch::SlotStretch;
use std::ptr;

/// Where a fold is in a stretch whose slots all held elements when it began. The positions live in registers, and go home however the loop ends.
///
/// Those from `start` to `write` stay at the front, those from `write` to `read` were moved or given up, and those from `read` on are still to come.
pub(crate) struct ElementWalk<'w, 'a, T> {
    start: usize,
    pub(crate) read: usize,
    pub(crate) write: usize,
    next: &'w mut usize,
    stretch: &'w mut SlotStretch<'a, T>,
}

impl<'w, 'a, T> ElementWalk<'w, 'a, T> {
    /// From `next` on, behind the elements of `stretch`.
    ///
    /// # Safety
    ///
    /// All slots of the stretch held elements of ours when the first walk through it began. The first walk began at the first slot, each other one begins where the
    /// one before ended, and nothing else has moved or dropped any of the elements since, but for those that a walk gave up.
    ///
    /// # Panics
    ///
    /// If `end`, where the walk is to end, is behind the end of the stretch.
    #[inline]
    pub(crate) unsafe fn new(
        next: &'w mut usize,
        end: usize,
        stretch: &'w mut SlotStretch<'a, T>,
    ) -> Self {
        let (start, stretch_end) = stretch.bounds();
        assert!(end <= stretch_end);
        ElementWalk {
            start,
            read: *next,
            write: start + stretch.filled(),
            next,
            stretch,
        }
    }

    #[inline]
    pub(crate) fn slot(&self, at: usize) -> *mut T {
        self.stretch.slot(at)
    }

    /// How many elements stay at the front.
    #[inline]
    pub(crate) fn kept(&self) -> usize {
        self.write - self.start
    }

    /// Ends a walk that was left before its end: the elements that it has not reached stay, too.
    #[inline]
    pub(crate) fn keep_rest(mut self) {
        let (_, end) = self.stretch.bounds();
        let rest = end - self.read;
        debug_assert!(self.write <= self.read);
        // SAFETY: they are elements of this stretch, by `new`, and move behind those that stay: they take up no more slots than they had.
        unsafe { ptr::copy(self.slot(self.read), self.slot(self.write), rest) };
        (self.read, self.write) = (end, self.write + rest);
    }
}

impl<T> Drop for ElementWalk<'_, '_, T> {
    #[inline]
    fn drop(&mut self) {
        *self.next = self.read;
        let kept = self.kept();
        // SAFETY: what stays was moved there, or was there from the beginning.
        unsafe { self.stretch.set_filled(kept) };
    }
}

#[cfg(test)]
mod tests {
    use super::{ElementWalk, SlotStretch};
    use std::mem::MaybeUninit;

    #[test]
    #[should_panic(expected = "end <= stretch_end")]
    fn a_walk_ends_in_its_stretch() {
        let mut slots = [MaybeUninit::new(0), MaybeUninit::new(1)];
        let mut stretch = SlotStretch::new(&mut slots);
        let _rest = stretch.split_off(1);
        let mut next = 0;
        // SAFETY: all slots hold elements, and this is the first walk.
        unsafe { ElementWalk::new(&mut next, 2, &mut stretch) };
    }
}

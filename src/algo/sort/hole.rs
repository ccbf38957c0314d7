//! An element that has been taken out of a slice, and goes back whatever happens.

use std::mem::ManuallyDrop;
use std::ptr;

/// An element outside its slice, and the place that is kept for it.
///
/// The element lives here, so what a comparator changes in it is kept. The drop writes it to the place.
///
/// Invariant: `place` is valid for writes and holds no element that has an owner.
pub(super) struct Hole<T> {
    element: ManuallyDrop<T>,
    place: *mut T,
}

impl<T> Hole<T> {
    /// Takes the element out of `place`.
    ///
    /// # Safety
    ///
    /// - `place` holds an initialised element, which nothing uses there as long as this lives.
    /// - `place` is valid for writes until this is dropped.
    #[inline(always)]
    pub(super) unsafe fn at(place: *mut T) -> Self {
        // SAFETY: initialised, and from now on owned by this value alone.
        let element = ManuallyDrop::new(unsafe { ptr::read(place) });
        Hole { element, place }
    }

    #[inline(always)]
    pub(super) fn element(&self) -> &T {
        &self.element
    }

    /// Fills the place with the element at `from`, which becomes the place.
    ///
    /// # Safety
    ///
    /// - `from` holds an initialised element, or is the place itself.
    /// - It is valid for writes until this is dropped, and nothing uses what it holds.
    #[inline(always)]
    pub(super) unsafe fn fill_from(&mut self, from: *mut T) {
        // SAFETY: the place holds nothing; `copy` allows that both are one.
        unsafe { ptr::copy(from, self.place, 1) };
        self.place = from;
    }
}

impl<T> Drop for Hole<T> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the place is valid for writes and holds nothing, by the invariant.
        unsafe { ptr::copy_nonoverlapping(&*self.element, self.place, 1) };
    }
}

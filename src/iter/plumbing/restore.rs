//! A guard that sets a cell, and gives it its old value back when it is dropped.

use std::cell::Cell;

/// When this is dropped, even by a panic, the cell gets its old value back.
pub(crate) struct Restore<'c, T: Copy> {
    cell: &'c Cell<T>,
    before: T,
}

impl<'c, T: Copy> Restore<'c, T> {
    #[inline]
    pub(super) fn after(cell: &'c Cell<T>, now: T) -> Self {
        let before = cell.replace(now);
        Restore { cell, before }
    }

    /// The old value.
    #[inline]
    pub(super) fn before(&self) -> T {
        self.before
    }
}

impl<T: Copy> Drop for Restore<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.cell.set(self.before);
    }
}

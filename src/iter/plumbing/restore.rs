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

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    #[test]
    fn the_old_value_comes_back_even_after_a_panic() {
        let cell = Cell::new(1);
        {
            let restore = Restore::after(&cell, 2);
            assert_eq!((restore.before(), cell.get()), (1, 2));
        }
        assert_eq!(cell.get(), 1);
        let panics = catch_unwind(AssertUnwindSafe(|| {
            let _restore = Restore::after(&cell, 2);
            resume_unwind(Box::new(()));
        }));
        assert!(panics.is_err() && cell.get() == 1);
    }
}

//! Drains a collection that consists of a vector: a heap, for example, lends its vector, and gets it back.

use std::mem;

/// The elements of a collection as a vector, until they are put back.
///
/// For collections that become vectors and back without an allocation. So draining them keeps their capacity.
pub(super) struct Lent<'a, T, C: From<Vec<T>>> {
    home: &'a mut C,
    pub(super) items: Vec<T>,
}

impl<'a, T, C> Lent<'a, T, C>
where
    C: From<Vec<T>> + Default,
    Vec<T>: From<C>,
{
    pub(super) fn from(home: &'a mut C) -> Self {
        Lent {
            items: mem::take(home).into(),
            home,
        }
    }
}

impl<T, C: From<Vec<T>>> Drop for Lent<'_, T, C> {
    fn drop(&mut self) {
        *self.home = mem::take(&mut self.items).into();
    }
}

//! Sources with one item or none.

use crate::iter::plumbing::Producer;
use std::option;

/// The producer of a source that has at most one item.
pub(crate) struct Optional<T>(pub(crate) Option<T>);

impl<T: Send> Producer for Optional<T> {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = T;
    type IntoIter = option::IntoIter<T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        if index == 0 {
            (Optional(None), self)
        } else {
            (self, Optional(None))
        }
    }
}

/// Implements the iterator traits for a struct with one field, an `Option` with the only item.
macro_rules! optional_source {
    (impl[$($generics:tt)*] $Source:ty => $Item:ty; $field:ident) => {
        $crate::iter::sources::indexed_source! {
            impl[$($generics)*] $Source => $Item;
            len(self) { self.$field.is_some() as usize }
            producer(self) { $crate::iter::sources::optional::Optional(self.$field) }
            few(self) { true } { self.$field }
        }
    };
}
pub(crate) use optional_source;

//! `empty`.

use super::indexed_source;
use super::optional::Optional;
use std::fmt;
use std::marker::PhantomData;

/// A parallel iterator without items.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!(filch::iter::empty::<u32>().sum::<u32>(), 0);
/// ```
pub fn empty<T: Send>() -> Empty<T> {
    Empty { item: PhantomData }
}

/// A parallel iterator without items; made by [`empty`].
///
/// ```
/// use filch::prelude::*;
///
/// let none: filch::iter::Empty<u8> = filch::iter::empty();
/// assert_eq!(none.count(), 0);
/// ```
pub struct Empty<T> {
    /// As in rayon, it is `Send` and `Sync` if its item type is.
    item: PhantomData<T>,
}

impl<T> Clone for Empty<T> {
    fn clone(&self) -> Self {
        Empty { item: PhantomData }
    }
}

impl<T: Send> fmt::Debug for Empty<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Empty")
    }
}

indexed_source! {
    impl[T: Send] Empty<T> => T;
    len(self) { 0 }
    producer(self) { Optional(None) }
    few(self) { true } { None }
}

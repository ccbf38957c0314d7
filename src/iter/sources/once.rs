//! `once`.

use super::optional::optional_source;

/// A parallel iterator over one item.
///
/// Good for chaining one item to others.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!(filch::iter::once(7).map(|x| x + 1).sum::<u32>(), 8);
/// ```
pub fn once<T: Send>(item: T) -> Once<T> {
    Once { item: Some(item) }
}

/// A parallel iterator over one item; made by [`once`].
///
/// ```
/// use filch::prelude::*;
///
/// let one: filch::iter::Once<u8> = filch::iter::once(7);
/// assert_eq!(one.collect::<Vec<_>>(), [7]);
/// ```
#[derive(Clone, Debug)]
pub struct Once<T> {
    /// Always `Some`.
    item: Option<T>,
}

optional_source!(impl[T: Send] Once<T> => T; item);

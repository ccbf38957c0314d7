//! `repeat_n`.

use super::indexed_source;
use crate::iter::plumbing::{Folder, Producer};
use either::Either::{self, Left, Right};
use std::iter;

/// A parallel iterator that yields `n` times the same element.
///
/// The element is cloned for each split and for each item but the last, which is the element itself.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!(filch::iter::repeat_n(7, 3).sum::<u32>(), 21);
/// ```
pub fn repeat_n<T: Clone + Send>(element: T, n: usize) -> RepeatN<T> {
    let element = (n > 0).then_some(element);
    let copies = Copies { element, n };
    RepeatN { copies }
}

/// The old name of [`repeat_n`].
///
/// ```
/// # #![allow(deprecated)]
/// use filch::prelude::*;
///
/// assert_eq!(filch::iter::repeatn(1, 3).collect::<Vec<_>>(), [1, 1, 1]); // `repeat_n` is the new name
/// ```
#[deprecated(note = "use `repeat_n`")]
pub fn repeatn<T: Clone + Send>(element: T, n: usize) -> RepeatN<T> {
    repeat_n(element, n)
}

/// A fixed number of clones of an element; made by [`repeat_n`].
///
/// ```
/// use filch::prelude::*;
///
/// let ones: filch::iter::RepeatN<u8> = filch::iter::repeat_n(1, 3);
/// assert_eq!(ones.collect::<Vec<_>>(), [1, 1, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct RepeatN<T> {
    copies: Copies<T>,
}

indexed_source! {
    impl[T: Clone + Send] RepeatN<T> => T;
    len(self) { self.copies.n }
    producer(self) { self.copies }
}

/// The producer. (std's type cannot be made empty without an element.)
#[derive(Clone, Debug)]
pub(crate) struct Copies<T> {
    /// `Some` unless `n` is 0.
    element: Option<T>,
    n: usize,
}

impl<T: Clone + Send> Producer for Copies<T> {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = T;
    type IntoIter = Either<iter::RepeatN<T>, iter::Empty<T>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        match self.element {
            Some(element) => Left(iter::repeat_n(element, self.n)),
            None => Right(iter::empty()),
        }
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        assert!(index <= self.n);
        let (left, right) = match index {
            0 => (None, self.element),
            _ if index == self.n => (self.element, None),
            _ => (self.element.clone(), self.element),
        };
        let part = |element, n| Copies { element, n };
        (part(left, index), part(right, self.n - index))
    }

    #[inline]
    fn fold_with<F: Folder<T>>(self, folder: F) -> F {
        match self.element {
            Some(element) => folder.consume_iter(iter::repeat_n(element, self.n)),
            None => folder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_every_index() {
        for n in 0..5 {
            for index in 0..=n {
                let (left, right) = repeat_n("x", n).copies.split_at(index);
                let (left, right) = (left.into_iter(), right.into_iter());
                assert_eq!((left.len(), right.len()), (index, n - index));
                assert_eq!(left.collect::<Vec<_>>(), vec!["x"; index]);
                assert_eq!(right.rev().collect::<Vec<_>>(), vec!["x"; n - index]);
            }
        }
    }

    #[test]
    #[should_panic(expected = "index <= self.n")]
    fn splits_at_no_index_beyond_its_length() {
        _ = repeat_n("x", 3).copies.split_at(4);
    }
}

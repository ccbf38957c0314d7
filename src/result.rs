//! Parallel iterators over results, which have one item if they are `Ok` and none otherwise.

use crate::iter::IntoParallelIterator;
use crate::iter::sources::optional::optional_source;

impl<T: Send, E> IntoParallelIterator for Result<T, E> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        IntoIter { value: self.ok() }
    }
}

impl<'a, T: Sync, E> IntoParallelIterator for &'a Result<T, E> {
    type Item = &'a T;
    type Iter = Iter<'a, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, T> {
        Iter {
            value: self.as_ref().ok(),
        }
    }
}

impl<'a, T: Send, E> IntoParallelIterator for &'a mut Result<T, E> {
    type Item = &'a mut T;
    type Iter = IterMut<'a, T>;

    #[inline]
    fn into_par_iter(self) -> IterMut<'a, T> {
        IterMut {
            value: self.as_mut().ok(),
        }
    }
}

/// Over the value of an `Ok`; an error is dropped.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!("3".parse::<u32>().into_par_iter().sum::<u32>(), 3);
/// assert_eq!("x".parse::<u32>().into_par_iter().sum::<u32>(), 0);
/// ```
#[derive(Debug, Clone)]
pub struct IntoIter<T> {
    value: Option<T>,
}

optional_source!(impl[T: Send] IntoIter<T> => T; value);

/// Over a reference to the value of an `Ok`; made by `par_iter`.
///
/// ```
/// use filch::prelude::*;
///
/// let value = Ok::<_, ()>(1);
/// let iter: filch::result::Iter<'_, _> = value.par_iter();
/// assert_eq!(iter.sum::<i32>(), 1);
/// ```
#[derive(Debug)]
pub struct Iter<'a, T> {
    value: Option<&'a T>,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter { value: self.value }
    }
}

optional_source!(impl['a, T: Sync] Iter<'a, T> => &'a T; value);

/// Over a mutable reference to the value of an `Ok`; made by `par_iter_mut`.
///
/// ```
/// use filch::prelude::*;
///
/// let mut value = Ok::<_, ()>(1);
/// let iter: filch::result::IterMut<'_, _> = value.par_iter_mut();
/// iter.for_each(|n| *n += 1);
/// assert_eq!(value, Ok::<_, ()>(2));
/// ```
#[derive(Debug)]
pub struct IterMut<'a, T> {
    value: Option<&'a mut T>,
}

optional_source!(impl['a, T: Send] IterMut<'a, T> => &'a mut T; value);

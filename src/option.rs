//! Parallel iterators over options, which have one item or none.

use crate::iter::IntoParallelIterator;
use crate::iter::sources::optional::optional_source;

impl<T: Send> IntoParallelIterator for Option<T> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        IntoIter { option: self }
    }
}

impl<'a, T: Sync> IntoParallelIterator for &'a Option<T> {
    type Item = &'a T;
    type Iter = Iter<'a, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, T> {
        Iter {
            option: self.as_ref(),
        }
    }
}

impl<'a, T: Send> IntoParallelIterator for &'a mut Option<T> {
    type Item = &'a mut T;
    type Iter = IterMut<'a, T>;

    #[inline]
    fn into_par_iter(self) -> IterMut<'a, T> {
        IterMut {
            option: self.as_mut(),
        }
    }
}

/// Over the value of an option, if there is one.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!(Some(3).into_par_iter().sum::<u32>(), 3);
/// assert_eq!(None::<u32>.into_par_iter().sum::<u32>(), 0);
/// ```
#[derive(Debug, Clone)]
pub struct IntoIter<T> {
    option: Option<T>,
}

optional_source!(impl[T: Send] IntoIter<T> => T; option);

/// Over a reference to the value of an option, if there is one; made by `par_iter`.
///
/// ```
/// use filch::prelude::*;
///
/// let value = Some(1);
/// let iter: filch::option::Iter<'_, _> = value.par_iter();
/// assert_eq!(iter.sum::<i32>(), 1);
/// ```
#[derive(Debug)]
pub struct Iter<'a, T> {
    option: Option<&'a T>,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter {
            option: self.option,
        }
    }
}

optional_source!(impl['a, T: Sync] Iter<'a, T> => &'a T; option);

/// Over a mutable reference to the value of an option, if there is one; made by `par_iter_mut`.
///
/// ```
/// use filch::prelude::*;
///
/// let mut value = Some(1);
/// let iter: filch::option::IterMut<'_, _> = value.par_iter_mut();
/// iter.for_each(|n| *n += 1);
/// assert_eq!(value, Some(2));
/// ```
#[derive(Debug)]
pub struct IterMut<'a, T> {
    option: Option<&'a mut T>,
}

optional_source!(impl['a, T: Send] IterMut<'a, T> => &'a mut T; option);

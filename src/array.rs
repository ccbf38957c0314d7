//! Parallel iterators over arrays.

use crate::iter::IntoParallelIterator;
use crate::iter::sources::indexed_source;
use crate::iter::sources::owned::Owned;
use crate::slice;
use std::mem::MaybeUninit;
use std::slice::from_raw_parts_mut;

impl<'data, T: Sync + 'data, const N: usize> IntoParallelIterator for &'data [T; N] {
    type Item = &'data T;
    type Iter = slice::Iter<'data, T>;

    #[inline]
    fn into_par_iter(self) -> Self::Iter {
        self.as_slice().into_par_iter()
    }
}

impl<'data, T: Send + 'data, const N: usize> IntoParallelIterator for &'data mut [T; N] {
    type Item = &'data mut T;
    type Iter = slice::IterMut<'data, T>;

    #[inline]
    fn into_par_iter(self) -> Self::Iter {
        self.as_mut_slice().into_par_iter()
    }
}

impl<T: Send, const N: usize> IntoParallelIterator for [T; N] {
    type Item = T;
    type Iter = IntoIter<T, N>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T, N> {
        IntoIter { array: self }
    }
}

/// Up to this length an array inside a `flat_map` is folded as it is: looking for a thread to share it with would cost more than its items
/// usually do.
const FEW: usize = 16;

/// Over the elements of an array, by value.
///
/// ```
/// use filch::prelude::*;
/// assert_eq!([1, 2, 3].into_par_iter().map(|x| x * x).sum::<i32>(), 14);
/// ```
#[derive(Debug, Clone)]
pub struct IntoIter<T, const N: usize> {
    array: [T; N],
}

indexed_source! {
    impl[T: Send, const N: usize] IntoIter<T, N> => T;
    len(self) { N }
    give(self, callback) {
        let mut array = MaybeUninit::new(self.array);
        let first: *mut MaybeUninit<T> = array.as_mut_ptr().cast();
        // SAFETY: an array of `N` elements is `N` slots in a row, aligned as the elements are; `array` lives to the end of this function and is
        // not used by itself again.
        let slots = unsafe { from_raw_parts_mut(first, N) };
        // SAFETY: all slots are initialised from an array that `MaybeUninit` will never read or drop.
        let producer = unsafe { Owned::new(slots) };
        callback.callback(producer)
    }
    few(self) { N <= FEW } { self.array }
}

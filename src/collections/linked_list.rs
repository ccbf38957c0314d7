//! Parallel iterators over [`LinkedList`].

use crate::iter::IntoParallelIterator;
use crate::iter::sources::unindexed_source;
use crate::iter::sources::walk_in_place::WalkInPlace;
use std::collections::linked_list::{self, LinkedList};

/// Over a list's elements by value; made by `into_par_iter`.
#[derive(Debug, Clone)]
pub struct IntoIter<T> {
    inner: linked_list::IntoIter<T>,
}

unindexed_source! {
    impl[T: Send] IntoIter<T> => T;
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<T: Send> IntoParallelIterator for LinkedList<T> {
    type Item = T;
    type Iter = IntoIter<T>;

    #[inline]
    fn into_par_iter(self) -> IntoIter<T> {
        IntoIter {
            inner: self.into_iter(),
        }
    }
}

/// Over references to a list's elements; made by `par_iter`.
#[derive(Debug)]
pub struct Iter<'a, T> {
    inner: linked_list::Iter<'a, T>,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter {
            inner: self.inner.clone(),
        }
    }
}

unindexed_source! {
    impl['a, T: Sync + 'a] Iter<'a, T> => &'a T;
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<'a, T: Sync> IntoParallelIterator for &'a LinkedList<T> {
    type Item = &'a T;
    type Iter = Iter<'a, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'a, T> {
        Iter { inner: self.iter() }
    }
}

/// Over mutable references to a list's elements; made by `par_iter_mut`.
#[derive(Debug)]
pub struct IterMut<'a, T> {
    inner: linked_list::IterMut<'a, T>,
}

unindexed_source! {
    impl['a, T: Send + 'a] IterMut<'a, T> => &'a mut T;
    producer(self) { WalkInPlace::new(self.inner) }
}

impl<'a, T: Send> IntoParallelIterator for &'a mut LinkedList<T> {
    type Item = &'a mut T;
    type Iter = IterMut<'a, T>;

    #[inline]
    fn into_par_iter(self) -> IterMut<'a, T> {
        IterMut {
            inner: self.iter_mut(),
        }
    }
}

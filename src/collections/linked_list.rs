//! Parallel iterators over [`LinkedList`].

use super::walked::walked_source;
use crate::iter::IntoParallelIterator;
use std::collections::linked_list::{self, LinkedList};

walked_source! {
    /// The elements of a list by value; made by `into_par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::LinkedList;
    ///
    /// let values = LinkedList::from([1, 2]);
    /// let iter: filch::collections::linked_list::IntoIter<_> = values.into_par_iter();
    /// assert_eq!(iter.sum::<i32>(), 3);
    /// ```
    #[derive(Clone)]
    IntoIter<T>(linked_list::IntoIter<T>): [T: Send] => T;
    impl[T: Send] IntoParallelIterator::into_par_iter for LinkedList<T> { self => self.into_iter() }
}

walked_source! {
    /// References to the elements of a list; made by `par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::LinkedList;
    ///
    /// let values = LinkedList::from([1, 2]);
    /// let iter: filch::collections::linked_list::Iter<'_, _> = values.par_iter();
    /// assert_eq!(iter.sum::<i32>(), 3);
    /// ```
    Iter<'a, T>(linked_list::Iter<'a, T>) with Clone['a, T]: ['a, T: Sync + 'a] => &'a T;
    impl['a, T: Sync] IntoParallelIterator::into_par_iter for &'a LinkedList<T> { self => self.iter() }
}

walked_source! {
    /// Mutable references to the elements of a list; made by `par_iter_mut`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::LinkedList;
    ///
    /// let mut values = LinkedList::from([1, 2]);
    /// let iter: filch::collections::linked_list::IterMut<'_, _> = values.par_iter_mut();
    /// iter.for_each(|n| *n += 1);
    /// assert!(values.iter().eq(&[2, 3]));
    /// ```
    IterMut<'a, T>(linked_list::IterMut<'a, T>): ['a, T: Send + 'a] => &'a mut T;
    impl['a, T: Send] IntoParallelIterator::into_par_iter for &'a mut LinkedList<T> { self => self.iter_mut() }
}

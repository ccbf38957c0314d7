//! Parallel iterators over [`LinkedList`].

use super::walked::walked_source;
use crate::iter::IntoParallelIterator;
use std::collections::linked_list::{self, LinkedList};

walked_source! {
    /// Over a list's elements by value; made by `into_par_iter`.
    #[derive(Clone)]
    IntoIter<T>(linked_list::IntoIter<T>): [T: Send] => T;
    impl[T: Send] IntoParallelIterator::into_par_iter for LinkedList<T> { self => self.into_iter() }
}

walked_source! {
    /// Over references to a list's elements; made by `par_iter`.
    Iter<'a, T>(linked_list::Iter<'a, T>) with Clone['a, T]: ['a, T: Sync + 'a] => &'a T;
    impl['a, T: Sync] IntoParallelIterator::into_par_iter for &'a LinkedList<T> { self => self.iter() }
}

walked_source! {
    /// Over mutable references to a list's elements; made by `par_iter_mut`.
    IterMut<'a, T>(linked_list::IterMut<'a, T>): ['a, T: Send + 'a] => &'a mut T;
    impl['a, T: Send] IntoParallelIterator::into_par_iter for &'a mut LinkedList<T> { self => self.iter_mut() }
}

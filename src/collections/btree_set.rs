//! Parallel iterators over [`BTreeSet`].

use super::walked::walked_source;
use crate::iter::IntoParallelIterator;
use std::collections::btree_set::{self, BTreeSet};

// The set itself: std's iterator over it must not outlive what its items borrow.
walked_source! {
    /// The elements of a B-tree set by value, in ascending order; made by `into_par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::BTreeSet;
    ///
    /// let values = BTreeSet::from([1, 2]);
    /// let iter: filch::collections::btree_set::IntoIter<_> = values.into_par_iter();
    /// assert_eq!(iter.sum::<i32>(), 3);
    /// ```
    IntoIter<T>(BTreeSet<T>): [T: Send] => T;
    impl[T: Send] IntoParallelIterator::into_par_iter for BTreeSet<T> { self => self }
}

walked_source! {
    /// References to the elements of a B-tree set, in ascending order; made by `par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::BTreeSet;
    ///
    /// let values = BTreeSet::from([1, 2]);
    /// let iter: filch::collections::btree_set::Iter<'_, _> = values.par_iter();
    /// assert_eq!(iter.sum::<i32>(), 3);
    /// ```
    Iter<'a, T>(btree_set::Iter<'a, T>) with Clone['a, T]: ['a, T: Sync + 'a] => &'a T;
    impl['a, T: Sync] IntoParallelIterator::into_par_iter for &'a BTreeSet<T> { self => self.iter() }
}

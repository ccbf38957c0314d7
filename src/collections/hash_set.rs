//! Parallel iterators over [`HashSet`].

use super::walked::walked_source;
use crate::iter::{IntoParallelIterator, ParallelDrainFull};
use std::collections::hash_set::{self, HashSet};

walked_source! {
    /// The elements of a hash set by value, in the order of `iter`; made by `into_par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashSet;
    ///
    /// let values = HashSet::from([1, 2]);
    /// let iter: filch::collections::hash_set::IntoIter<_> = values.into_par_iter();
    /// assert_eq!(iter.sum::<i32>(), 3);
    /// ```
    IntoIter<T>(hash_set::IntoIter<T>): [T: Send] => T;
    impl[T: Send, S] IntoParallelIterator::into_par_iter for HashSet<T, S> { self => self.into_iter() }
}

walked_source! {
    /// References to the elements of a hash set, in the order of `iter`; made by `par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashSet;
    ///
    /// let values = HashSet::from([1, 2]);
    /// let iter: filch::collections::hash_set::Iter<'_, _> = values.par_iter();
    /// assert_eq!(iter.sum::<i32>(), 3);
    /// ```
    Iter<'a, T>(hash_set::Iter<'a, T>) with Clone['a, T]: ['a, T: Sync + 'a] => &'a T;
    impl['a, T: Sync, S] IntoParallelIterator::into_par_iter for &'a HashSet<T, S> { self => self.iter() }
}

walked_source! {
    /// Moves all elements out of a hash set, which keeps its capacity; made by `par_drain`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashSet;
    ///
    /// let mut values = HashSet::from([1, 2]);
    /// let iter: filch::collections::hash_set::Drain<'_, _> = values.par_drain();
    /// assert_eq!(iter.sum::<i32>(), 3);
    /// assert!(values.is_empty());
    /// ```
    Drain<'a, T>(hash_set::Drain<'a, T>): ['a, T: Send] => T;
    impl['a, T: Send, S] ParallelDrainFull::par_drain for &'a mut HashSet<T, S> { self => self.drain() }
}

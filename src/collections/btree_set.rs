//! Parallel iterators over [`BTreeSet`].

use super::walked::walked_source;
use crate::iter::IntoParallelIterator;
use std::collections::btree_set::{self, BTreeSet};

walked_source! {
    /// Over a B-tree set's elements by value, from the least to the greatest; made by `into_par_iter`.
    IntoIter<T>(btree_set::IntoIter<T>): [T: Send] => T;
    impl[T: Send] IntoParallelIterator::into_par_iter for BTreeSet<T> { self => self.into_iter() }
}

walked_source! {
    /// Over references to a B-tree set's elements, from the least to the greatest; made by `par_iter`.
    Iter<'a, T>(btree_set::Iter<'a, T>) with Clone['a, T]: ['a, T: Sync + 'a] => &'a T;
    impl['a, T: Sync] IntoParallelIterator::into_par_iter for &'a BTreeSet<T> { self => self.iter() }
}

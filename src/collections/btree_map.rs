//! Parallel iterators over [`BTreeMap`].

use super::map_mut::PairsMut;
use super::walked::walked_source;
use crate::iter::IntoParallelIterator;
use std::collections::btree_map::{self, BTreeMap};

// The map itself: std's iterator over it must not outlive what its items borrow.
walked_source! {
    /// The entries of a B-tree map by value, in the order of the keys; made by `into_par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::BTreeMap;
    ///
    /// let values = BTreeMap::from([(1, "a")]);
    /// let iter: filch::collections::btree_map::IntoIter<_, _> = values.into_par_iter();
    /// assert_eq!(iter.collect::<Vec<_>>(), [(1, "a")]);
    /// ```
    IntoIter<K, V>(BTreeMap<K, V>): [K: Send, V: Send] => (K, V);
    impl[K: Send, V: Send] IntoParallelIterator::into_par_iter for BTreeMap<K, V> { self => self }
}

walked_source! {
    /// References to the entries of a B-tree map, in the order of the keys; made by `par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::BTreeMap;
    ///
    /// let values = BTreeMap::from([(1, "a")]);
    /// let iter: filch::collections::btree_map::Iter<'_, _, _> = values.par_iter();
    /// assert_eq!(iter.collect::<Vec<_>>(), [(&1, &"a")]);
    /// ```
    Iter<'a, K, V>(btree_map::Iter<'a, K, V>) with Clone['a, K, V]: ['a, K: Sync + 'a, V: Sync + 'a] => (&'a K, &'a V);
    impl['a, K: Sync, V: Sync] IntoParallelIterator::into_par_iter for &'a BTreeMap<K, V> { self => self.iter() }
}

walked_source! {
    /// References to the keys of a B-tree map, and mutable references to their values, in the order of the keys; made by `par_iter_mut`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::BTreeMap;
    ///
    /// let mut values = BTreeMap::from([(1, "a")]);
    /// let iter: filch::collections::btree_map::IterMut<'_, _, _> = values.par_iter_mut();
    /// iter.for_each(|(_, text)| *text = "b");
    /// assert_eq!(values[&1], "b");
    /// ```
    IterMut<'a, K, V>(PairsMut<btree_map::IterMut<'a, K, V>>): ['a, K: Sync + 'a, V: Send + 'a] => (&'a K, &'a mut V);
    impl['a, K: Sync, V: Send] IntoParallelIterator::into_par_iter for &'a mut BTreeMap<K, V> { self => PairsMut(self.iter_mut()) }
}

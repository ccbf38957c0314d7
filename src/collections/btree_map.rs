//! Parallel iterators over [`BTreeMap`].

use super::map_mut::PairsMut;
use super::walked::walked_source;
use crate::iter::IntoParallelIterator;
use std::collections::btree_map::{self, BTreeMap};

walked_source! {
    /// Over a B-tree map's entries by value, in the order of the keys; made by `into_par_iter`.
    IntoIter<K, V>(btree_map::IntoIter<K, V>): [K: Send, V: Send] => (K, V);
    impl[K: Send, V: Send] IntoParallelIterator::into_par_iter for BTreeMap<K, V> { self => self.into_iter() }
}

walked_source! {
    /// Over references to a B-tree map's entries, in the order of the keys; made by `par_iter`.
    Iter<'a, K, V>(btree_map::Iter<'a, K, V>) with Clone['a, K, V]: ['a, K: Sync + 'a, V: Sync + 'a] => (&'a K, &'a V);
    impl['a, K: Sync, V: Sync] IntoParallelIterator::into_par_iter for &'a BTreeMap<K, V> { self => self.iter() }
}

walked_source! {
    /// Over references to a B-tree map's keys and mutable references to their values, in the order of the keys; made by `par_iter_mut`.
    IterMut<'a, K, V>(PairsMut<btree_map::IterMut<'a, K, V>>): ['a, K: Sync + 'a, V: Send + 'a] => (&'a K, &'a mut V);
    impl['a, K: Sync, V: Send] IntoParallelIterator::into_par_iter for &'a mut BTreeMap<K, V> { self => PairsMut(self.iter_mut()) }
}

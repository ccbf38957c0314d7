//! Parallel iterators over [`HashMap`].

use super::map_mut::PairsMut;
use super::walked::walked_source;
use crate::iter::{IntoParallelIterator, ParallelDrainFull};
use std::collections::hash_map::{self, HashMap};

walked_source! {
    /// The entries of a hash map by value, in the order of `iter`; made by `into_par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashMap;
    ///
    /// let values = HashMap::from([(1, "a")]);
    /// let iter: filch::collections::hash_map::IntoIter<_, _> = values.into_par_iter();
    /// assert_eq!(iter.collect::<Vec<_>>(), [(1, "a")]);
    /// ```
    IntoIter<K, V>(hash_map::IntoIter<K, V>): [K: Send, V: Send] => (K, V);
    impl[K: Send, V: Send, S] IntoParallelIterator::into_par_iter for HashMap<K, V, S> { self => self.into_iter() }
}

walked_source! {
    /// References to the entries of a hash map, in the order of `iter`; made by `par_iter`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashMap;
    ///
    /// let values = HashMap::from([(1, "a")]);
    /// let iter: filch::collections::hash_map::Iter<'_, _, _> = values.par_iter();
    /// assert_eq!(iter.collect::<Vec<_>>(), [(&1, &"a")]);
    /// ```
    Iter<'a, K, V>(hash_map::Iter<'a, K, V>) with Clone['a, K, V]: ['a, K: Sync + 'a, V: Sync + 'a] => (&'a K, &'a V);
    impl['a, K: Sync, V: Sync, S] IntoParallelIterator::into_par_iter for &'a HashMap<K, V, S> { self => self.iter() }
}

walked_source! {
    /// References to the keys of a hash map, and mutable references to their values, in the order of `iter`; made by `par_iter_mut`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashMap;
    ///
    /// let mut values = HashMap::from([(1, "a")]);
    /// let iter: filch::collections::hash_map::IterMut<'_, _, _> = values.par_iter_mut();
    /// iter.for_each(|(_, text)| *text = "b");
    /// assert_eq!(values[&1], "b");
    /// ```
    IterMut<'a, K, V>(PairsMut<hash_map::IterMut<'a, K, V>>): ['a, K: Sync + 'a, V: Send + 'a] => (&'a K, &'a mut V);
    impl['a, K: Sync, V: Send, S] IntoParallelIterator::into_par_iter for &'a mut HashMap<K, V, S> { self => PairsMut(self.iter_mut()) }
}

walked_source! {
    /// Moves all entries out of a hash map, which keeps its capacity; made by `par_drain`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashMap;
    ///
    /// let mut values = HashMap::from([(1, "a")]);
    /// let iter: filch::collections::hash_map::Drain<'_, _, _> = values.par_drain();
    /// assert_eq!(iter.collect::<Vec<_>>(), [(1, "a")]);
    /// assert!(values.is_empty());
    /// ```
    Drain<'a, K, V>(hash_map::Drain<'a, K, V>): ['a, K: Send, V: Send] => (K, V);
    impl['a, K: Send, V: Send, S] ParallelDrainFull::par_drain for &'a mut HashMap<K, V, S> { self => self.drain() }
}

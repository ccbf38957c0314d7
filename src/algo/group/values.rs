//! All values of a key side by side: what grouping gives.

use super::Map;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use crate::slice::ParallelSliceMut;
use std::fmt;
use std::hash::Hash;
use std::ops::Range;

/// Values grouped by key: all in one vector, those of a key side by side and in their order.
///
/// Made by [`group_by_key`](super::ParallelByKey::group_by_key) and [`ByKey::group`](super::ByKey::group).
///
/// ```
/// use filch::{ext::*, prelude::*};
/// let pairs = vec![("b", 1), ("a", 2), ("b", 3)];
/// let mut groups = pairs.into_par_iter().group_by_key();
/// groups.sort();
/// assert_eq!(groups.iter().collect::<Vec<_>>(), [(&"a", &[2][..]), (&"b", &[1, 3])]);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Groups<K, V> {
    pub(super) groups: Vec<(K, Range<usize>)>,
    pub(super) values: Vec<V>,
}

impl<K, V> Groups<K, V> {
    /// How many keys there are.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// assert_eq!([(1, 'a'), (1, 'b')].into_par_iter().group_by_key().len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is no key at all.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// assert!(Vec::<(u8, u8)>::new().into_par_iter().group_by_key().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Each key with its values.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [(7, 'a'), (7, 'b')].into_par_iter().group_by_key();
    /// assert_eq!(groups.iter().next(), Some((&7, &['a', 'b'][..])));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &[V])> {
        let Groups { groups, values } = self;
        groups
            .iter()
            .map(|(key, range)| (key, &values[range.clone()]))
    }

    /// Each key with its values, in parallel.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [(1, 2.0), (3, 4.0), (1, 5.0)].into_par_iter().group_by_key();
    /// let largest = groups.par_iter().map(|(_, values)| values.len()).max();
    /// assert_eq!(largest, Some(2));
    /// ```
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = (&K, &[V])>
    where
        K: Sync,
        V: Sync,
    {
        let Groups { groups, values } = self;
        groups
            .par_iter()
            .map(|(key, range)| (key, &values[range.clone()]))
    }

    /// All values, in the order in which they lie in memory: those of a key side by side.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [(7, 'a'), (7, 'b')].into_par_iter().group_by_key();
    /// assert_eq!(groups.values(), ['a', 'b']);
    /// ```
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// The keys, each with the range of its values in the vector beside.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let (groups, values) = [(7, 'a'), (7, 'b')].into_par_iter().group_by_key().into_parts();
    /// assert_eq!((groups, values), (vec![(7, 0..2)], vec!['a', 'b']));
    /// ```
    pub fn into_parts(self) -> (Vec<(K, Range<usize>)>, Vec<V>) {
        (self.groups, self.values)
    }

    /// The values of each key by look-up, where they lie.
    ///
    /// Work O(k) for k keys, on this thread.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [("b", 1), ("a", 2), ("b", 3)].into_par_iter().group_by_key();
    /// let by_key = groups.to_map();
    /// assert_eq!(by_key[&"b"], [1, 3]);
    /// assert_eq!(by_key.get(&"c"), None);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `Hash` or `Eq`.
    pub fn to_map(&self) -> Map<&K, &[V]>
    where
        K: Eq + Hash,
    {
        self.iter().collect()
    }

    /// A map from keys to vectors of their values.
    ///
    /// Work O(n + k log k) for n values of k keys, on this thread, and an allocation per key. For look-ups alone, [`to_map`](Self::to_map) moves no
    /// value.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [("b", 1), ("a", 2), ("b", 3)].into_par_iter().group_by_key();
    /// let mut lists = groups.into_map();
    /// assert_eq!(lists.remove("b"), Some(vec![1, 3]));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `Hash` or `Eq`.
    pub fn into_map(self) -> Map<K, Vec<V>>
    where
        K: Eq + Hash,
    {
        self.into_lists().collect()
    }

    /// Each key with a vector of its values, in the order of the keys.
    ///
    /// Work O(n + k log k) for n values of k keys, and an allocation per key.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [("b", 1), ("a", 2), ("b", 3)].into_par_iter().group_by_key();
    /// assert_eq!(groups.into_sorted_vec(), [("a", vec![2]), ("b", vec![1, 3])]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    pub fn into_sorted_vec(self) -> Vec<(K, Vec<V>)>
    where
        K: Ord + Send,
        V: Send,
    {
        let mut lists: Vec<(K, Vec<V>)> = self.into_lists().collect();
        lists.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
        lists
    }

    /// Each key with a vector of its values, in the order in which these lie in memory.
    fn into_lists(mut self) -> impl ExactSizeIterator<Item = (K, Vec<V>)> {
        self.groups.sort_unstable_by_key(|(_, range)| range.start);
        let mut values = self.values.into_iter();
        self.groups
            .into_iter()
            .map(move |(key, range)| (key, values.by_ref().take(range.len()).collect()))
    }

    /// Puts the groups in the order of their keys. The values stay where they are.
    ///
    /// Work O(k log k) for k keys.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let mut groups = (0..100).into_par_iter().map(|i| (i % 3, i)).group_by_key();
    /// groups.sort();
    /// assert!(groups.iter().map(|(key, _)| *key).eq(0..3));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    pub fn sort(&mut self)
    where
        K: Ord + Send,
    {
        self.groups.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
    }
}

impl<K: Send, V: Send> Groups<K, (usize, V)> {
    /// Orders groups by the number that stands beside the first of their values, and strips the numbers.
    pub(super) fn into_numbered_order(mut self) -> Groups<K, V> {
        let values = &self.values;
        let mut groups: Vec<(usize, (K, Range<usize>))> = Vec::with_capacity(self.groups.len());
        groups.extend(
            self.groups
                .drain(..)
                .map(|group| (values[group.1.start].0, group)),
        );
        groups.par_sort_unstable_by_key(|(first, _)| *first);
        Groups {
            groups: groups.into_iter().map(|(_, group)| group).collect(),
            values: self
                .values
                .into_par_iter()
                .map(|(_, value)| value)
                .collect(),
        }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Groups<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

//! What there is for each key, and the shapes in which it is handed out.

use crate::algo::concat::concat;
use crate::algo::top_k::ParallelTopK;
use crate::iter::sinks::collect::trim;
use crate::iter::{IntoParallelIterator, ParallelIterator};
use crate::slice::ParallelSliceMut;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, Hash};

/// One result for each key, in no particular order; made by the ends of [`ByKey`](super::ByKey).
///
/// The results are in parts, as the threads left them. A vector costs one parallel copy; a map is filled by one thread, which keeps to one
/// part of the map at a time.
///
/// ```
/// use filch::{ext::*, prelude::*};
/// let lengths = ["one", "two", "four"].into_par_iter().by_key(|word| word.len());
/// assert_eq!(lengths.count().into_sorted_vec(), [(3, 2), (4, 1)]);
/// ```
pub struct Entries<K, A, S> {
    pub(super) merged: Merged<K, A, S>,
}

/// The entries, one a key.
pub(super) enum Merged<K, A, S> {
    Map(HashMap<K, A, S>),
    Parts(Vec<Vec<(K, A)>>, S),
}

impl<K, A, S> Entries<K, A, S> {
    /// How many keys there are.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// assert_eq!((0..100).into_par_iter().by_key(|i| i % 7).count().len(), 7);
    /// ```
    pub fn len(&self) -> usize {
        match &self.merged {
            Merged::Map(map) => map.len(),
            Merged::Parts(parts, _) => parts.iter().map(Vec::len).sum(),
        }
    }

    /// Whether there is no key at all.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// assert!((0..0).into_par_iter().by_key(|i| i % 7).count().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A map from keys to results, with the hasher that was used.
    ///
    /// Free if one fold's table has all results; else O(k) for k keys, on this thread.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let map = (0..100).into_par_iter().by_key(|i| i % 7).count().into_map();
    /// assert_eq!(map[&6], 14);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `Hash` or `Eq`.
    pub fn into_map(self) -> HashMap<K, A, S>
    where
        K: Eq + Hash,
        S: BuildHasher,
    {
        let len = self.len();
        match self.merged {
            Merged::Map(map) => map,
            Merged::Parts(parts, hasher) => {
                let mut map = HashMap::with_capacity_and_hasher(len, hasher);
                map.extend(parts.into_iter().flatten());
                map
            }
        }
    }

    /// Pairs of keys and results, in no particular order.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let pairs = (0..100).into_par_iter().by_key(|i| i % 7).count().into_vec();
    /// assert_eq!(pairs.len(), 7);
    /// ```
    pub fn into_vec(self) -> Vec<(K, A)>
    where
        K: Send,
        A: Send,
    {
        match self.merged {
            Merged::Map(map) => map.into_iter().collect(),
            Merged::Parts(parts, _) => concat(parts),
        }
    }

    /// Pairs of keys and results, in the order of the keys.
    ///
    /// Work O(k log k) for k keys.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let pairs = (0..100).into_par_iter().by_key(|i| i % 3).count().into_sorted_vec();
    /// assert_eq!(pairs, [(0, 34), (1, 33), (2, 33)]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    pub fn into_sorted_vec(self) -> Vec<(K, A)>
    where
        K: Ord + Send,
        A: Send,
    {
        let mut pairs = self.into_vec();
        pairs.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
        pairs
    }

    /// The pairs that come first by an order, in that order: at most `k`.
    ///
    /// Work O(d + k log k) for d keys.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let counts = ["a", "b", "a"].into_par_iter().by_key(|word| *word).count();
    /// assert_eq!(counts.first_by(1, |a, b| b.1.cmp(&a.1)), [("a", 2)]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `order`.
    pub fn first_by<F>(self, k: usize, order: F) -> Vec<(K, A)>
    where
        K: Send,
        A: Send,
        F: Fn(&(K, A), &(K, A)) -> Ordering + Sync,
    {
        if k > self.len() / 2 {
            // `bottom_k_by` would keep most of them in each fold, and merge them on one thread.
            let mut pairs = self.into_vec();
            pairs.par_sort_unstable_by(order);
            pairs.truncate(k);
            trim(&mut pairs);
            return pairs;
        }
        match self.merged {
            Merged::Map(map) => {
                let pairs: Vec<(K, A)> = map.into_iter().collect();
                pairs.into_par_iter().bottom_k_by(k, order)
            }
            Merged::Parts(parts, _) => {
                let parts = parts.into_par_iter();
                parts.flatten_iter().bottom_k_by(k, order)
            }
        }
    }
}

impl<K: fmt::Debug, A: fmt::Debug, S> fmt::Debug for Entries<K, A, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.merged {
            Merged::Map(map) => map.fmt(f),
            Merged::Parts(parts, _) => {
                let pairs = parts.iter().flatten().map(|(key, result)| (key, result));
                f.debug_map().entries(pairs).finish()
            }
        }
    }
}

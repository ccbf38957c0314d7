//! Pairs of keys and values, and the options for combining them.

use super::entries::Entries;
use super::gather::group;
use super::grouping::Grouping;
use super::op::{Op, aggregate, count, numbered, reduce};
use super::values::Groups;
use crate::algo::hasher::new_hasher;
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use crate::slice::ParallelSliceMut;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// Pairs of keys and values that are about to be combined, key by key.
///
/// Made by [`ParallelByKey::by_key`](super::ParallelByKey::by_key), or by [`new`](Self::new) from pairs. Nothing happens before one of the
/// ends is called: [`count`](Self::count), [`reduce`](Self::reduce), [`aggregate`](Self::aggregate), [`group`](Self::group).
///
/// The values of a key are combined in the order of the items. See the [module](super) for costs, memory and panics.
///
/// ```
/// use filch::{algo::group::ByKey, prelude::*};
/// let pairs = [("a", 1), ("b", 5), ("a", 2)].into_par_iter();
/// let sums = ByKey::new(pairs).reduce(|sum, x| *sum += x);
/// assert_eq!(sums.into_sorted_vec(), [("a", 3), ("b", 5)]);
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing happens before an end is called"]
pub struct ByKey<I, S = RandomState> {
    pairs: I,
    hasher: S,
}

impl<I: ParallelIterator> ByKey<I> {
    /// From pairs, with a fast hasher that gets a new seed for each call.
    ///
    /// ```
    /// use filch::{algo::group::ByKey, prelude::*};
    /// let pairs = (0..10).into_par_iter().map(|i| (i % 2, i));
    /// assert_eq!(ByKey::new(pairs).count().into_map()[&0], 5);
    /// ```
    pub fn new(pairs: I) -> Self {
        ByKey {
            pairs,
            hasher: new_hasher(),
        }
    }
}

impl<I, S> ByKey<I, S> {
    /// Hashes keys by `hasher`.
    ///
    /// Bits 12 to 19 of a hash choose one of 256 parts, and one thread works on a part. So the hasher should mix its bits. One that returns
    /// small integers unchanged puts all keys below 4,096 into one part.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// use std::{collections::HashMap, hash::RandomState};
    /// let counts: HashMap<u32, usize> = (0..10u32)
    ///     .into_par_iter()
    ///     .by_key(|i| i % 2)
    ///     .with_hasher(RandomState::new())
    ///     .count()
    ///     .into_map();
    /// assert_eq!(counts[&1], 5);
    /// ```
    pub fn with_hasher<S2>(self, hasher: S2) -> ByKey<I, S2> {
        ByKey {
            pairs: self.pairs,
            hasher,
        }
    }

    /// Gives the results in the order in which the keys first came, which is the same in each run.
    ///
    /// Costs 8 bytes more for each item that is distributed to parts and for each key, and a sort of the keys by position.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let words = ["so", "it", "is", "so"];
    /// let counts = words.into_par_iter().by_key(|word| *word).first_seen().count();
    /// assert_eq!(counts, [("so", 2), ("it", 1), ("is", 1)]);
    /// ```
    pub fn first_seen(self) -> FirstSeen<I, S> {
        FirstSeen(self)
    }
}

impl<K, V, I, S> ByKey<I, S>
where
    I: ParallelIterator<Item = (K, V)>,
    K: Eq + Hash + Send,
    V: Send,
    S: BuildHasher + Clone + Send + Sync,
{
    /// As `run(op).into_map()`, but the map is filled by whatever thread is free.
    pub(super) fn run_to_map<O: Op<V>>(self, op: &O) -> HashMap<K, O::Acc, S> {
        let (grouping, stretches) = Grouping::stretches(self.pairs, op, &self.hasher);
        grouping.merge_to_map(stretches)
    }

    fn run<O: Op<V>>(self, op: &O) -> Entries<K, O::Acc, S> {
        let (grouping, stretches) = Grouping::stretches(self.pairs, op, &self.hasher);
        Entries {
            merged: grouping.merge(stretches),
        }
    }

    /// How many values each key has.
    ///
    /// The results are in no particular order. Work O(n) and at most four hashes per item; span O(n / p) if no key has most of the items;
    /// memory as the [module](crate::algo::group) says. There is no map to fill.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let counts = "banana".par_chars().by_key(|c| *c).count();
    /// assert_eq!(counts.into_sorted_vec(), [('a', 3), ('b', 1), ('n', 2)]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `Hash` or `Eq`. What was combined until then is dropped.
    pub fn count(self) -> Entries<K, usize, S> {
        let pairs = self.pairs.map(|(key, _)| (key, ()));
        let hasher = self.hasher;
        ByKey { pairs, hasher }.run(&count())
    }

    /// Combines the values of each key by `op`, which adds its second argument to the first.
    ///
    /// `op` must be associative, and need not be commutative. It is called n - k times for n items with k keys. For the cost, see
    /// [`count`](Self::count).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let largest = (0..10).into_par_iter().by_key(|i| i % 3).reduce(|a, b| *a = b.max(*a));
    /// assert_eq!(largest.into_sorted_vec(), [(0, 9), (1, 7), (2, 8)]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `op`, `Hash` or `Eq`. What was combined until then is dropped.
    pub fn reduce<F>(self, op: F) -> Entries<K, V, S>
    where
        F: Fn(&mut V, V) + Sync,
    {
        self.run(&reduce(&op))
    }

    /// Folds the values of each key into accumulators that begin as `init()`, and merges the accumulators of a key, the later one into the earlier.
    ///
    /// `fold` and `merge` must fit together: the result must not depend on where the values of a key are cut.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let means = (0..10)
    ///     .into_par_iter()
    ///     .by_key(|i| i % 2)
    ///     .aggregate(
    ///         || (0, 0),
    ///         |(sum, n), i| (*sum, *n) = (*sum + i, *n + 1),
    ///         |a, b| *a = (a.0 + b.0, a.1 + b.1),
    ///     );
    /// assert_eq!(means.into_sorted_vec(), [(0, (20, 5)), (1, (25, 5))]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a closure, `Hash` or `Eq`. What was combined until then is dropped.
    pub fn aggregate<A, ID, F, M>(self, init: ID, fold: F, merge: M) -> Entries<K, A, S>
    where
        A: Send,
        ID: Fn() -> A + Sync,
        F: Fn(&mut A, V) + Sync,
        M: Fn(&mut A, A) + Sync,
    {
        self.run(&aggregate(init, &fold, merge))
    }

    /// Collects the values of each key, in their order.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let mut groups = (0..6).into_par_iter().by_key(|i| i % 2).group();
    /// groups.sort();
    /// assert_eq!(groups.iter().nth(1), Some((&1, &[1, 3, 5][..])));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `Hash` or `Eq`. What was combined until then is dropped.
    pub fn group(self) -> Groups<K, V> {
        group(self.pairs, &self.hasher)
    }
}

/// [`ByKey`] with its results in the order in which the keys first came; made by [`first_seen`](ByKey::first_seen).
///
/// The ends are those of [`ByKey`].
///
/// ```
/// use filch::{algo::group::ByKey, prelude::*};
/// let pairs = [("b", 1), ("a", 5), ("b", 2)].into_par_iter();
/// let sums = ByKey::new(pairs).first_seen().reduce(|sum, x| *sum += x);
/// assert_eq!(sums, [("b", 3), ("a", 5)]);
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing happens before an end is called"]
pub struct FirstSeen<I, S = RandomState>(ByKey<I, S>);

impl<K, V, I, S> FirstSeen<I, S>
where
    I: IndexedParallelIterator<Item = (K, V)>,
    K: Eq + Hash + Send,
    V: Send,
    S: BuildHasher + Clone + Send + Sync,
{
    /// How often each key comes, in the order in which the keys first came. See [`ByKey::count`].
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let counts = [3, 1, 3].into_par_iter().by_key(|i| *i).first_seen().count();
    /// assert_eq!(counts, [(3, 2), (1, 1)]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ByKey::count`].
    pub fn count(self) -> Vec<(K, usize)> {
        let pairs = self.0.pairs.map(|(key, _)| (key, ()));
        let hasher = self.0.hasher;
        FirstSeen(ByKey { pairs, hasher }).run(&count())
    }

    /// One value for each key, in the order in which the keys first came. See [`ByKey::reduce`].
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let sums = [3, 1, 3].into_par_iter().by_key(|i| *i).first_seen().reduce(|a, b| *a += b);
    /// assert_eq!(sums, [(3, 6), (1, 1)]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ByKey::reduce`].
    pub fn reduce<F>(self, op: F) -> Vec<(K, V)>
    where
        F: Fn(&mut V, V) + Sync,
    {
        self.run(&reduce(&op))
    }

    /// One result for each key, in the order in which the keys first came. See [`ByKey::aggregate`].
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let words = ["to", "be", "too"].into_par_iter().by_key(|word| word.len()).first_seen();
    /// let texts = words.aggregate(String::new, |text, word| text.push_str(word), |a, b| a.push_str(&b));
    /// assert_eq!(texts, [(2, "tobe".to_string()), (3, "too".to_string())]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ByKey::aggregate`].
    pub fn aggregate<A, ID, F, M>(self, init: ID, fold: F, merge: M) -> Vec<(K, A)>
    where
        A: Send,
        ID: Fn() -> A + Sync,
        F: Fn(&mut A, V) + Sync,
        M: Fn(&mut A, A) + Sync,
    {
        self.run(&aggregate(init, &fold, merge))
    }

    /// The values of each key, in the order in which the keys first came. Until this returns, each value has a number beside it. See
    /// [`ByKey::group`].
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let words = ["to", "too", "be"].into_par_iter();
    /// let groups = words.by_key(|word| word.len()).first_seen().group();
    /// assert_eq!(groups.iter().next(), Some((&2, &["to", "be"][..])));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`ByKey::group`].
    pub fn group(self) -> Groups<K, V> {
        group(number(self.0.pairs), &self.0.hasher).into_numbered_order()
    }

    fn run<O: Op<V, Log = ()>>(self, op: &O) -> Vec<(K, O::Acc)> {
        let pairs = number(self.0.pairs);
        let hasher = self.0.hasher;
        let mut entries = ByKey { pairs, hasher }.run(&numbered(op)).into_vec();
        entries.par_sort_unstable_by_key(|(_, (first, _))| *first);
        entries
            .into_iter()
            .map(|(key, (_, result))| (key, result))
            .collect()
    }
}

/// Pairs whose values stand beside their positions.
fn number<I, K, V>(pairs: I) -> impl IndexedParallelIterator<Item = (K, (usize, V))>
where
    I: IndexedParallelIterator<Item = (K, V)>,
    K: Send,
    V: Send,
{
    pairs
        .enumerate()
        .map(|(position, (key, value))| (key, (position, value)))
}

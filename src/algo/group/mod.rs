//! Map-reduce by key: counts, reductions, aggregates and groups of the items that share a key.
//!
//! The short forms are methods of [`ParallelByKey`] on every parallel iterator (`use filch::ext::*`): [`count_by_key`], [`reduce_by_key`],
//! [`aggregate_by_key`], [`group_by_key`], [`top_k_by_count`] and [`histogram`]. They hash with foldhash, with a new seed for each call, and return a
//! `HashMap` of std with that hasher ([`Map`]). The long form begins with [`by_key`], which takes another hasher or the option of a
//! reproducible order, and hands out a map, a vector, a sorted vector, or the first few by some order ([`Entries`]).
//!
//! ```
//! use filch::{ext::*, prelude::*};
//!
//! let text = "the fox and the dog and the cat";
//! let counts = text.par_split_whitespace().count_by_key(|word| word);
//! assert_eq!(counts["the"], 3);
//!
//! let by_length = text.par_split_whitespace().by_key(|word| word.len());
//! assert_eq!(by_length.count().into_sorted_vec(), [(3, 8)]);
//! ```
//!
//! [`by_key`]: ParallelByKey::by_key
//! [`count_by_key`]: ParallelByKey::count_by_key
//! [`reduce_by_key`]: ParallelByKey::reduce_by_key
//! [`aggregate_by_key`]: ParallelByKey::aggregate_by_key
//! [`group_by_key`]: ParallelByKey::group_by_key
//! [`top_k_by_count`]: ParallelByKey::top_k_by_count
//! [`histogram`]: ParallelByKey::histogram
//!
//! # Which one
//!
//! | keys | what |
//! |---|---|
//! | small integers, known beforehand | [`histogram`]: no hashing at all |
//! | anything hashable; one number or value for each key | [`count_by_key`], [`reduce_by_key`], [`aggregate_by_key`] |
//! | all values are needed | [`group_by_key`]; not `aggregate_by_key` into vectors, which allocates a vector for each key |
//! | results in an order | [`by_key`] and [`into_sorted_vec`](Entries::into_sorted_vec) or [`first_seen`](ByKey::first_seen) |
//!
//! If the next step goes through all results anyway, [`into_vec`](Entries::into_vec) is cheaper than a map, which one thread has to fill.
//!
//! # How it works
//!
// | file | idea |
// |---|---|
// | `grouping` | items brought into stretches, by folds of all threads |
// | `fold` | how a fold takes items: into a table while keys come again, into parts while they do not |
// | `stretch` | what comes out: a table, and parts |
// | `judge` | whether a table pays |
// | `front_slots` | a few keys in front of a table |
// | `heavy` | keys that have much of what is dealt |
// | `merge` | from the folds' parts to one entry a key, all parts at the same time |
// | `fill` | a map filled meanwhile |
// | `gather` | the values of each key put side by side |
// | `spare` | what a fold leaves when it ends, for a later fold to go on with |
// | `op`, `entries`, `values`, `by_key`, `histogram` | operations, results, groups, options, fixed bins |
//!
//! - **Tables.** Each fold has a table of its own, no larger than a second-level cache. An item whose key is in the table goes there at
//!   once. If the keys are few, most of them have a slot in front of the table (256 KiB of slots at most), which takes half the time of a look-up.
//! - **Parts.** When the table is full, items with other keys are *dealt*: distributed by hash to 256 parts. When fewer than three quarters
//!   of the items find their key in the table, the table is put aside, and all items are dealt. It is put aside earlier, when it is a
//!   quarter full, if there are many items, and known keys have come so seldom that the table will not have room for most keys.
//! - **Heavy keys** are those with at least 0.8 % of a sample. Their items are not dealt: each thread combines them at once. So no part is
//!   much longer than the others.
//! - **The end.** The small tables of neighbouring folds are merged as the folds end. Then each part is finished with a table that stays in
//!   a cache, all parts at the same time. If there are a few tables and nothing was dealt, the tables are merged directly.
//! - **Groups** do the same with counts instead of values. The values stay where the folds wrote them, each beside the number of its key
//!   and the number of values of that key before it. When all counts are known, all threads put the values into their places.
//!
//! Dealing is the radix partitioning of main-memory joins and aggregations: S. Manegold, P. Boncz, M. Kersten, "Optimizing main-memory join on
//! modern hardware" (2002). The choice between tables and parts follows J. Cieslewicz, K. Ross, "Adaptive aggregation on chip
//! multiprocessors" (2007). Heavy keys are those of Y. Gu, J. Shun, Y. Sun, G. Blelloch, "A top-down parallel semisort" (2015).
//!
//! # What holds for all
//!
//! - **Order**: the values of a key are combined in the order of the items, so an operation need only be associative. Results come in no
//!   particular order, unless you ask for one.
//! - **Work** O(n): one hash for each item if keys are few, four at most, and one more for each key that goes into a map. Where
//!   small pieces are asked for (by `with_max_len` or `reproducible`) and keys are many, there are more: up to about fifteen in pieces of one item.
//!   For when two tables are merged, the keys of the right one are hashed again, until both have 4,096 entries together. **Span**: O(n /
//!   p) on p threads, if no part has much more than its share, and O(k) to fill a map with k keys. One thread at a time fills the map; the
//!   short forms begin that while other threads still combine.
//! - **Memory** of tables: at most about 2 MiB each, twice that as its slots are rounded up to a power of two, and a quarter of a MiB of slots
//!   for few keys. But a table may always grow to 4,096 entries, in 8,192 slots: so it takes more if a key and its result have more than about 450
//!   bytes, and 8 MiB if they have 1,024. There is a table for each thread if
//!   items are counted, else one for each fold: a few per thread. Adaptors that ask for small pieces make many folds, but their tables are
//!   merged until each has a few thousand entries. So memory is in proportion to the entries.
//! - **Memory** of many keys: one copy of keys and values, on pages of about 128 KiB, and a page more for each fold. A page has
//!   4,096 items at least, so it is larger if a key and its value have more than 32 bytes. To fill a map takes the results once more. A map of few keys may have up to eight times the room that it needs, up to about 4 MiB. Groups: all values and
//!   eight bytes for each, and the result.
//! - **[`reproducible`](crate::ext::ParallelReproducible::reproducible)** holds for reductions and aggregates, if its leaves are not made longer
//!   than 4,096 items: each leaf has a table of its own.
//! - **Small inputs** are a single fold into one table, on the caller.
//! - **Panics** in a closure, in `Hash` or in `Eq` reach the caller. All values are dropped, each once.
//! - If `Hash` and `Eq` of the keys disagree, the result is wrong, and nothing worse happens. Groups panic if one part of the hashes has 2^24 keys.
//! - `K` needs to be `Send` only: a key is never compared by two threads at once.
//!
//! # Measured
//!
//! <!-- measured: count_by_key, 1,000 keys -->
//! Measured, `count_by_key` of 1,000,000 numbers with 1,000 keys: work 1.6 ms, span 16 µs, so up to 99 threads can be of use.
//!
//! <!-- measured: group_by_key -->
//! Measured, `group_by_key` of 1,000,000 numbers with 1,000 keys: work 3.9 ms, span 45 µs, so up to 88 threads can be of use.
//!
//! <!-- measured: group_by_key, 64 folds -->
//! Measured, `group_by_key` of 1,000,000 numbers with 1,000 keys, in 64 folds: work 6.0 ms, span 120 µs, so up to 53 threads can be of use.
//!
//! <!-- measured: histogram, 256 bins -->
//! Measured, `histogram` of 1,000,000 numbers in 256 bins: work 250 µs, span 5.0 µs, so up to 50 threads can be of use.

mod by_key;
mod entries;
mod fill;
mod fold;
mod front_slots;
mod gather;
mod grouping;
mod heavy;
mod histogram;
mod judge;
mod merge;
mod op;
mod spare;
mod stretch;
mod values;

pub use by_key::{ByKey, FirstSeen};
pub use entries::Entries;
pub use foldhash::fast::RandomState;
pub use values::Groups;

use crate::iter::{Map as Mapped, ParallelIterator};
use op::{aggregate, count, reduce};
use std::collections::HashMap;
use std::hash::Hash;

/// What the short forms return: a map of std with a fast hasher.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let counts: filch::algo::group::Map<char, usize> = "noon".par_chars().count_by_key(|c| c);
/// assert_eq!(counts[&'o'], 2);
/// ```
pub type Map<K, A> = HashMap<K, A, RandomState>;

/// Map-reduce by key: `use filch::ext::*`.
///
/// See the [module](self) for costs, memory and panics.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let sums = [("a", 1), ("b", 2), ("a", 3)].into_par_iter().reduce_by_key(|sum, n| *sum += n);
/// assert_eq!((sums["a"], sums["b"]), (4, 2));
/// ```
pub trait ParallelByKey: ParallelIterator {
    /// The items beside their keys, to be counted, reduced, aggregated or grouped, with options.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let words = ["bee", "ant", "bat"].into_par_iter();
    /// let mut groups = words.by_key(|word| word.as_bytes()[0]).group();
    /// groups.sort();
    /// assert_eq!(groups.iter().nth(1), Some((&b'b', &["bee", "bat"][..])));
    /// ```
    #[allow(clippy::type_complexity)] // what it returns is a ByKey; the rest says which pairs are in it
    fn by_key<K, F>(
        self,
        key: F,
    ) -> ByKey<Mapped<Self, impl Fn(Self::Item) -> (K, Self::Item) + Sync + Send>>
    where
        K: Send,
        F: Fn(&Self::Item) -> K + Sync + Send,
    {
        ByKey::new(self.map(move |item| (key(&item), item)))
    }

    /// How many items have each key.
    ///
    /// The map is in no particular order. Work O(n): one hash per item if keys are few, four at most (more in small pieces), and one more for
    /// each key. Span O(n / p + k) for k keys. Memory: a table for each thread, of about 2 MiB or 4,096 keys; if keys are many, the keys once
    /// more. See the [module](crate::algo::group).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let counts = "banana".par_chars().count_by_key(|c| c);
    /// assert_eq!((counts[&'a'], counts[&'b']), (3, 1));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `key`, `Hash` or `Eq`. What was combined until then is dropped.
    #[doc(alias("counts", "histogram", "word_count"))]
    fn count_by_key<K, F>(self, key: F) -> Map<K, usize>
    where
        K: Eq + Hash + Send,
        F: Fn(Self::Item) -> K + Sync + Send,
    {
        ByKey::new(self.map(|item| (key(item), ()))).run_to_map(&count())
    }

    /// Combines the values of each key by `op`, which adds its second argument to the first.
    ///
    /// `op` must be associative. It need not be commutative: the values of a key come in the order of the items. `op` is called n - k times
    /// for n items with k keys. The map is in no particular order. Hashes and span are those of [`count_by_key`](Self::count_by_key); there
    /// is a table for each fold, a few per thread. See the [module](crate::algo::group).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let orders = [("tea", 3), ("cake", 1), ("tea", 2)];
    /// let totals = orders.into_par_iter().reduce_by_key(|total, n| *total += n);
    /// assert_eq!(totals["tea"], 5);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `op`, `Hash` or `Eq`. What was combined until then is dropped.
    #[doc(alias("map_reduce", "into_grouping_map"))]
    fn reduce_by_key<K, V, F>(self, op: F) -> Map<K, V>
    where
        Self: ParallelIterator<Item = (K, V)>,
        K: Eq + Hash + Send,
        V: Send,
        F: Fn(&mut V, V) + Sync,
    {
        ByKey::new(self).run_to_map(&reduce(&op))
    }

    /// Folds the values of each key into accumulators that begin as `init()`, and merges the accumulators of a key, the later one into the earlier.
    ///
    /// `fold` and `merge` must fit together: the result must not depend on where the values of a key are cut. `fold` is called once for each
    /// item, for a key in the order of its items, and `merge` where two accumulators of a key meet. The map is in no particular order. The cost is that
    /// of [`reduce_by_key`](Self::reduce_by_key).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// use std::collections::BTreeSet;
    /// let visits = [("ann", 3), ("bob", 1), ("ann", 3), ("ann", 2)];
    /// let pages = visits.into_par_iter().aggregate_by_key(
    ///     BTreeSet::new,
    ///     |pages, page| { pages.insert(page); },
    ///     |pages, mut later| pages.append(&mut later),
    /// );
    /// assert_eq!(pages["ann"], BTreeSet::from([2, 3]));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a closure, `Hash` or `Eq`. What was combined until then is dropped.
    #[doc(alias("fold_by_key", "combine_by_key"))]
    fn aggregate_by_key<K, V, A, ID, F, M>(self, init: ID, fold: F, merge: M) -> Map<K, A>
    where
        Self: ParallelIterator<Item = (K, V)>,
        K: Eq + Hash + Send,
        V: Send,
        A: Send,
        ID: Fn() -> A + Sync,
        F: Fn(&mut A, V) + Sync,
        M: Fn(&mut A, A) + Sync,
    {
        ByKey::new(self).run_to_map(&aggregate(init, &fold, merge))
    }

    /// Collects the values of each key, in their order, all in one vector.
    ///
    /// The keys are in no particular order. Work O(n) and at most four hashes per item; span O(n / p) if no key has most of the items.
    /// Memory: all values once more, and eight bytes for each. See the [module](crate::algo::group).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = (0..6).into_par_iter().map(|i| (i % 2, i)).group_by_key();
    /// for (odd, numbers) in groups.iter() {
    ///     assert_eq!(numbers, [*odd, odd + 2, odd + 4]);
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `Hash` or `Eq`. What was combined until then is dropped.
    #[doc(alias("into_group_map", "group_by", "chunk_by"))]
    fn group_by_key<K, V>(self) -> Groups<K, V>
    where
        Self: ParallelIterator<Item = (K, V)>,
        K: Eq + Hash + Send,
        V: Send,
    {
        ByKey::new(self).group()
    }

    /// How many items have each of the indices below `bins`.
    ///
    /// Each thread counts in a vector of its own, of `bins` numbers. Work O(n + p `bins`) for p threads, span O(n / p + p `bins`).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let tens = [5, 12, 17, 38].into_par_iter().histogram(4, |x| x / 10);
    /// assert_eq!(tens, [1, 2, 0, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// If an index is not below `bins`.
    #[doc(alias("bincount"))]
    fn histogram<F>(self, bins: usize, index: F) -> Vec<usize>
    where
        F: Fn(Self::Item) -> usize + Sync + Send,
    {
        histogram::histogram(self, bins, index)
    }

    /// The `k` most frequent keys, each with its count; all keys, if there are fewer than `k`.
    ///
    /// The most frequent key comes first. Of two equally frequent keys the smaller comes first, so the result is the same in each run. The
    /// cost is that of [`count_by_key`](Self::count_by_key) without the map, and a [`top_k`](crate::algo::top_k()) of all keys.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let words = "the fox and the dog and the cat".par_split_whitespace();
    /// assert_eq!(words.top_k_by_count(3, |word| word), [("the", 3), ("and", 2), ("cat", 1)]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `key`, `Hash`, `Eq` or a comparison. What was combined until then is dropped.
    #[doc(alias("most_common", "mode"))]
    fn top_k_by_count<K, F>(self, k: usize, key: F) -> Vec<(K, usize)>
    where
        K: Eq + Hash + Ord + Send,
        F: Fn(Self::Item) -> K + Sync + Send,
    {
        ByKey::new(self.map(|item| (key(item), ())))
            .count()
            .first_by(k, |a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)))
    }
}

impl<I: ParallelIterator> ParallelByKey for I {}

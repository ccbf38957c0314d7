//! The extension traits whose methods are short.

use super::array_chunks::ArrayChunks;
use super::compensated::{SumEnd, Summand};
use super::map_while::{MapWhile, TakeWhile};
use super::min_max::{MinMax, MinMaxEnd};
use super::nth::Nth;
use super::skip_while::SkipWhile;
use super::sorted::SortedEnd;
use crate::iter::sinks::plain;
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use std::cmp::Ordering;

/// Adaptors that end, or begin, at the first item by position that a closure rejects.
///
/// They yield exactly what std's adaptors of the same names yield, in the same order. The rest of the chain never sees another item. The
/// closure may be called on items behind the border, on several threads at once.
///
/// The iterator is asked for its items in rounds, each twice as long as the one before, so that all threads work near the front first. Inside
/// a round, pieces behind a border that was found stop. What cannot be cut at a given place is a single round:
/// [`with_ordered_iter`](crate::ext::ParallelOrdered::with_ordered_iter) lists it. If a thread cannot know yet whether an item is yielded, the item is kept in a vector meanwhile: at most the items of the
/// round. What was kept is cut anew, so a [minimum](IndexedParallelIterator::with_min_len) or [maximum](IndexedParallelIterator::with_max_len) length of pieces does not hold behind these adaptors.
///
/// So a round has to end. If it does not, the end of the chain may never see what was kept, and the memory fills: an iterator inside a [`flat_map`](ParallelIterator::flat_map) or
/// [`flat_map_iter`](ParallelIterator::flat_map_iter) that has no end is a part of one round, and so is a tree without an end. There a search for an item that std's adaptors would come to may go on
/// for ever. Behind [`par_bridge`](crate::iter::ParallelBridge::par_bridge), a source that waits for the result of one of its items may wait for ever for an item that is kept.
///
/// Work: the closure is called on all items before the border. While one thread works its way to the border, each of the others may call it as often
/// on items behind it.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let first: Vec<_> = [1, 2, 9, 1].par_iter().take_while(|&&n| n < 5).collect();
/// assert_eq!(first, [&1, &2]);
/// ```
pub trait ParallelWhile: ParallelIterator {
    /// Yields the items before the first one that `predicate` rejects.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let v: Vec<i32> = [1, 2, 9, 3].into_par_iter().take_while(|&x| x < 5).collect();
    /// assert_eq!(v, [1, 2]);
    /// ```
    fn take_while<P>(self, predicate: P) -> TakeWhile<Self, P>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        TakeWhile::new(self, predicate)
    }

    /// Yields what `map_op` makes of the items, up to the first for which it returns `None`.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let words = ["4", "2", "many", "1"];
    /// let v: Vec<u32> = words.par_iter().map_while(|word| word.parse().ok()).collect();
    /// assert_eq!(v, [4, 2]);
    /// ```
    fn map_while<F, R>(self, map_op: F) -> MapWhile<Self, F>
    where
        F: Fn(Self::Item) -> Option<R> + Sync + Send,
        R: Send,
    {
        MapWhile::new(self, map_op)
    }

    /// Yields the items from the first one that `predicate` rejects.
    ///
    /// Once the border is found, `predicate` is no longer called, except by threads that have not noticed yet.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let v: Vec<i32> = [1, 2, 9, 3].into_par_iter().skip_while(|&x| x < 5).collect();
    /// assert_eq!(v, [9, 3]);
    /// ```
    fn skip_while<P>(self, predicate: P) -> SkipWhile<Self, P>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        SkipWhile::new(self, predicate)
    }
}

impl<I: ParallelIterator> ParallelWhile for I {}

/// The smallest and the largest item in one pass.
///
/// Of several smallest items the first is returned, and of several largest the last, as by std's `min` and `max`. Work: at most two
/// comparisons for each item. Nothing is allocated.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// assert_eq!([3, 1, 2].par_iter().min_max().into_pair(), Some((&1, &3)));
/// ```
pub trait ParallelMinMax: ParallelIterator {
    /// The smallest and the largest item.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// assert_eq!([3, 1, 2].into_par_iter().min_max(), MinMax::Two { min: 1, max: 3 });
    /// assert_eq!([3].into_par_iter().min_max(), MinMax::One(3));
    /// assert_eq!([0; 0].into_par_iter().min_max(), MinMax::Empty);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    #[doc(alias("minmax", "minmax_element"))]
    fn min_max(self) -> MinMax<Self::Item>
    where
        Self::Item: Ord,
    {
        self.min_max_by(Ord::cmp)
    }

    /// The smallest and the largest item by an order.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let pair = [0.5f64, -1.5, 1.0].par_iter().min_max_by(|a, b| a.total_cmp(b)).into_pair();
    /// assert_eq!(pair, Some((&-1.5, &1.0)));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `order`.
    fn min_max_by<F>(self, order: F) -> MinMax<Self::Item>
    where
        F: Fn(&Self::Item, &Self::Item) -> Ordering + Sync + Send,
    {
        plain::run(self, &MinMaxEnd(order))
    }

    /// The items with the smallest and the largest key; `key` is called once for each item.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let words = ["three", "a", "of"];
    /// let pair = words.par_iter().min_max_by_key(|word| word.len()).into_pair();
    /// assert_eq!(pair, Some((&"a", &"three")));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `key` or of a comparison of keys.
    fn min_max_by_key<K, F>(self, key: F) -> MinMax<Self::Item>
    where
        K: Ord + Send,
        F: Fn(&Self::Item) -> K + Sync + Send,
    {
        self.map(|item| (key(&item), item))
            .min_max_by(|a, b| a.0.cmp(&b.0))
            .map(|(_, item)| item)
    }
}

impl<I: ParallelIterator> ParallelMinMax for I {}

/// Whether the items are in order.
///
/// As std's methods of the same names: true for fewer than two items, and false if two neighbours cannot be compared. All threads stop soon
/// after two neighbours out of order are found. Work: at most one comparison per item. Nothing is allocated.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// assert!(["a", "bb"].par_iter().map(|word| word.len()).is_sorted());
/// ```
#[allow(clippy::wrong_self_convention)] // std's names
pub trait ParallelIsSorted: ParallelIterator {
    /// Whether each item is less than or equal to the next one.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// assert!([1, 2, 2, 9].par_iter().is_sorted());
    /// assert!(![1.0, f64::NAN].par_iter().is_sorted());
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of a comparison.
    #[doc(alias("is_sorted_until"))]
    fn is_sorted(self) -> bool
    where
        Self::Item: PartialOrd,
    {
        self.is_sorted_by(|a, b| a <= b)
    }

    /// Whether `in_order` holds for each item and the next one.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// assert!(![1, 2, 2, 9].par_iter().is_sorted_by(|a, b| a < b));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `in_order`.
    fn is_sorted_by<F>(self, in_order: F) -> bool
    where
        F: Fn(&Self::Item, &Self::Item) -> bool + Sync + Send,
    {
        plain::run(self, &SortedEnd::new(in_order)).is_sorted()
    }

    /// Whether the keys are in order; `key` is called once for each item.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// assert!(["c", "bb", "aaa"].par_iter().is_sorted_by_key(|word| word.len()));
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `key` or of a comparison of keys.
    fn is_sorted_by_key<K, F>(self, key: F) -> bool
    where
        K: PartialOrd + Send,
        F: Fn(Self::Item) -> K + Sync + Send,
    {
        self.map(key).is_sorted()
    }
}

impl<I: ParallelIterator> ParallelIsSorted for I {}

/// The last item of a parallel iterator.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// assert_eq!([3, 8, 5, 2].par_iter().filter(|&&n| n > 4).last(), Some(&5));
/// ```
pub trait ParallelLast: ParallelIterator {
    /// The last item by position.
    ///
    /// The iterator is cut until the part at the right end is small, and all items of that part are computed. If a `filter` rejects all of them, the part before
    /// it follows. (Other threads may compute parts before it meanwhile.)
    ///
    /// The part should take less than 40 µs, by what an item took in earlier calls from the same place. In a first call that is not known. Then the part has
    /// at most 64 items. If there are n items in all, and not more than 64, it has less than n / (2p) of them with p threads, or one.
    ///
    /// Nothing is allocated. If the position is known, [`nth`](ParallelNth::nth) computes one item only.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let odd = (0..100).into_par_iter().filter(|x| x % 2 == 1);
    /// assert_eq!(odd.last(), Some(99));
    /// ```
    fn last(self) -> Option<Self::Item> {
        self.find_map_last(Some)
    }
}

impl<I: ParallelIterator> ParallelLast for I {}

/// The item at a position.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// assert_eq!([3, 1, 2].par_iter().nth(1), Some(&1));
/// ```
pub trait ParallelNth: IndexedParallelIterator {
    /// The item at position `n`, counted from 0; `None` if there are not that many.
    ///
    /// The producer is cut before and behind the item, which is then computed on the calling thread. Adaptors that treat each item by itself
    /// see no other item. [`skip`](IndexedParallelIterator::skip) still computes the items that it skips, in the pool. The other items of a
    /// collection that was given by value are dropped.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().map(|x| x * x).nth(7), Some(49));
    /// assert_eq!((0..100).into_par_iter().nth(100), None);
    /// ```
    fn nth(self, n: usize) -> Option<Self::Item> {
        let len = self.len();
        if n >= len {
            return None;
        }
        self.with_producer(Nth { at: n, len })
    }
}

impl<I: IndexedParallelIterator> ParallelNth for I {}

/// A sum of floats that hardly depends on how it is grouped.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let numbers = [1e16, 1.0, -1e16];
/// assert_eq!(numbers.par_iter().sum_compensated(), 1.0); // a plain sum is 0 or 1
/// ```
pub trait ParallelSumCompensated: ParallelIterator<Item: Summand> {
    /// The sum of `f32`s or `f64`s, corrected by the rounding errors of the additions (Neumaier 1974).
    ///
    /// The error is about one rounding, while a plain sum of `n` numbers may be off by `n` roundings. The last bit may still depend on how
    /// the work was shared; call [`reproducible`](crate::ext::ParallelReproducible::reproducible) before this to get the same number every
    /// time. If there is an infinity or a NaN among the numbers, or a partial sum overflows, the result is an infinity or NaN, as that of a plain sum in some order. A sum of
    /// zeros is `0.0`, even if all of them are `-0.0`.
    ///
    /// About 7 additions for each item instead of one, in four lanes.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let v = [1e100, 1.0, -1e100];
    /// assert_eq!(v.par_iter().sum::<f64>(), 0.0);
    /// assert_eq!(v.par_iter().sum_compensated(), 1.0);
    /// ```
    #[doc(alias("kahan", "neumaier"))]
    fn sum_compensated(self) -> <Self::Item as Summand>::Sum {
        plain::run(self, &SumEnd).total()
    }
}

impl<I: ParallelIterator<Item: Summand>> ParallelSumCompensated for I {}

/// Consecutive items as arrays.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let pairs: Vec<[i32; 2]> = (0..5).into_par_iter().array_chunks().collect();
/// assert_eq!(pairs, [[0, 1], [2, 3]]);
/// ```
pub trait ParallelArrayChunks: IndexedParallelIterator {
    /// Yields every `N` items as an array, from the start.
    ///
    /// Items at the end that do not fill an array are neither computed nor yielded. An `N` of 0 is a compile error. Nothing is allocated.
    /// Indexed: the length is that of the base divided by `N`, rounded down.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let v: Vec<[u32; 3]> = (0..8).into_par_iter().array_chunks().collect();
    /// assert_eq!(v, [[0, 1, 2], [3, 4, 5]]);
    /// ```
    #[doc(alias("as_chunks", "chunks_exact"))]
    fn array_chunks<const N: usize>(self) -> ArrayChunks<Self, N> {
        ArrayChunks::new(self)
    }
}

impl<I: IndexedParallelIterator> ParallelArrayChunks for I {}

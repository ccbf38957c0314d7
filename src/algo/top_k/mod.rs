//! The k greatest or least items, in order.
//!
//! Each fold keeps the best items so far, in a vector of at most 2k items. The k-th best of them is the *threshold*: an item that does not
//! beat it is dropped after one comparison. When the vector is full, a selection cuts it to k items. When two folds are combined, the earlier
//! one takes the items of the later one in the same way. Of items that compare equal, the earlier one is better. The winners are sorted in
//! the end.
//!
//! Of n items in random order, about k ln(n / k) beat the threshold. If each item beats all before it, work is still O(n + k log k).
//! Memory: 2k items and their numbers for each fold. There is one fold, and one more for each piece that another thread takes. If k is a
//! large part of n, a sort is faster.
//!
//! # Measured
//!
//! <!-- measured: top_k, k = 100 -->
//! Measured, `top_k` of 1,000,000 numbers in no order, the best 100: work 250 µs, span 7.2 µs, so up to 35 threads can be of use.

mod of_slices;

use crate::algo::sort::{By, Less, Order, sequential, sort_unstable};
use crate::iter::ParallelIterator;
use crate::iter::sinks::collect::trim;
use crate::iter::sinks::plain::{self, Plain};
use std::cmp::Ordering;

pub use of_slices::{
    ParallelSliceTopK, bottom_k, bottom_k_by, bottom_k_by_key, top_k, top_k_by, top_k_by_key,
};

/// Items that are gathered before the first cut, if k is smaller.
const FEW: usize = 32;

/// The best items of a fold so far.
struct Best<T> {
    /// The best `k` that were met before the last cut, the worst of them behind the others; then what came later.
    items: Vec<NumberedItem<T>>,
    /// The number of the next item; those of `items` are less, and all different.
    next: u64,
    /// Whether there was a cut.
    is_cut: bool,
}

/// An item, and when it was met among those that were kept.
struct NumberedItem<T> {
    item: T,
    number: u64,
}

/// How many win, and the order: what is less is better.
struct Contest<F> {
    k: usize,
    compare: F,
}

impl<F> Contest<F> {
    fn of<I>(&self, items: I) -> Vec<I::Item>
    where
        I: ParallelIterator,
        F: Fn(&I::Item, &I::Item) -> Ordering + Sync,
    {
        if self.k == 0 {
            return Vec::new();
        }
        let mut best = plain::run(items, self);
        self.cut(&mut best);
        sort_unstable(&mut best.items, &self.order());
        without(best.items, |numbered| numbered.item)
    }

    /// No two items are equal in it.
    fn order<T>(&self) -> impl Order<NumberedItem<T>>
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        By(|a: &NumberedItem<T>, b: &NumberedItem<T>| {
            (self.compare)(&a.item, &b.item).then(a.number.cmp(&b.number))
        })
    }

    /// Leaves the best of what has been gathered.
    fn cut<T>(&self, best: &mut Best<T>)
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        if best.items.len() >= self.k {
            sequential::select(&mut best.items, self.k - 1, &self.order());
            best.items.truncate(self.k);
            best.is_cut = true;
        }
    }

    fn add<T>(&self, best: &mut Best<T>, item: T)
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        let number = best.next;
        best.next += 1;
        self.keep(best, NumberedItem { item, number });
    }

    /// Whether an item can be among the best. It may be earlier than the k-th best.
    fn may_win<T>(&self, best: &Best<T>, item: &NumberedItem<T>) -> bool
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        !best.is_cut || self.order().is_less(item, &best.items[self.k - 1])
    }

    fn keep<T>(&self, best: &mut Best<T>, item: NumberedItem<T>)
    where
        F: Fn(&T, &T) -> Ordering + Sync,
    {
        best.items.push(item);
        if best.items.len() >= self.k.saturating_add(self.k.max(FEW)) {
            self.cut(best);
        }
    }
}

impl<T: Send, F: Fn(&T, &T) -> Ordering + Sync> Plain<T> for Contest<F> {
    type State = Best<T>;
    type Result = Best<T>;

    fn begin(&self) -> Best<T> {
        Best {
            items: Vec::new(),
            next: 0,
            is_cut: false,
        }
    }

    #[inline]
    fn many(&self, mut best: Best<T>, mut items: impl Iterator<Item = T>) -> Best<T> {
        loop {
            let next = if best.is_cut {
                let worst = &best.items[self.k - 1].item;
                items.find(|item| (self.compare)(item, worst).is_lt())
            } else {
                items.next()
            };
            let Some(item) = next else { return best };
            self.add(&mut best, item);
        }
    }

    fn end(&self, mut best: Best<T>) -> Best<T> {
        self.cut(&mut best);
        best
    }

    /// Takes as long as the right side, whose items are in no order. If each reduce cut, a chain of them would take k for each, however little is on the right.
    fn reduce(&self, mut left: Best<T>, right: Best<T>) -> Best<T> {
        for NumberedItem { item, number } in right.items {
            let number = left.next + number;
            let item = NumberedItem { item, number };
            if self.may_win(&left, &item) {
                self.keep(&mut left, item);
            }
        }
        left.next += right.next;
        left
    }
}

/// Compares the keys that items have been given.
fn by_key<K: Ord, T>(a: &(K, T), b: &(K, T)) -> Ordering {
    a.0.cmp(&b.0)
}

fn keyed<K, T>(key: impl Fn(&T) -> K) -> impl Fn(T) -> (K, T) {
    move |item| (key(&item), item)
}

fn without_keys<K, T>(items: Vec<(K, T)>) -> Vec<T> {
    without(items, |(_, item)| item)
}

/// The items alone. `std` reuses the memory where it can, and then there is room for more of them than there were with something beside.
fn without<S, T>(items: Vec<S>, item: impl Fn(S) -> T) -> Vec<T> {
    let mut items = items.into_iter().map(item).collect();
    trim(&mut items);
    items
}

/// The greatest or least items of a parallel iterator, in order.
///
/// The result is that of a stable sort of all items, cut to `k`. If there are fewer items, it has all of them. Of items that compare equal,
/// those that come first in the iterator are taken, and stay in their order. That holds on any number of threads, unless the iterator has
/// no order.
///
/// Work: one comparison for an item that does not beat the k-th best so far. An item that does beat it costs about four more, and the best
/// are sorted in the end: O(n + k log k) as a rule, in any order of the items, and O(n log k) at most. Of items in random order, only about
/// k ln(n / k) beat it. Span O(n / p + k log k log p). Memory: 2k items and their numbers for each fold. There is one fold, and one more
/// for each piece that another thread takes.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// assert_eq!([3, 9, 4].into_par_iter().top_k(2), [9, 4]);
/// ```
pub trait ParallelTopK: ParallelIterator {
    /// The `k` greatest items, the greatest first.
    ///
    /// ```
    /// use filch::{ext::ParallelTopK, prelude::*};
    /// assert_eq!([3, 1, 4, 1, 5, 9].par_iter().top_k(3), [&9, &5, &4]);
    /// assert_eq!((0..10).into_par_iter().map(|x| x * 7 % 10).top_k(2), [9, 8]);
    /// ```
    ///
    /// # Panics
    ///
    /// With a comparison's panic.
    #[doc(alias("k_largest", "largest"))]
    fn top_k(self, k: usize) -> Vec<Self::Item>
    where
        Self::Item: Ord,
    {
        self.top_k_by(k, Ord::cmp)
    }

    /// The `k` greatest items by a comparator, the greatest first.
    ///
    /// ```
    /// use filch::{ext::ParallelTopK, prelude::*};
    /// let top = [0.5, -2.0, 8.0].into_par_iter().top_k_by(2, f64::total_cmp);
    /// assert_eq!(top, [8.0, 0.5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`top_k`](Self::top_k).
    fn top_k_by<F>(self, k: usize, compare: F) -> Vec<Self::Item>
    where
        F: Fn(&Self::Item, &Self::Item) -> Ordering + Sync,
    {
        let compare = |a: &Self::Item, b: &Self::Item| compare(b, a);
        Contest { k, compare }.of(self)
    }

    /// The `k` items with the greatest keys, the greatest first; each key is computed once.
    ///
    /// ```
    /// use filch::{ext::ParallelTopK, prelude::*};
    /// let words = ["a", "list", "of", "four"];
    /// assert_eq!(words.into_par_iter().top_k_by_key(2, |w| w.len()), ["list", "four"]);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `key` or of a comparison of keys.
    fn top_k_by_key<K, F>(self, k: usize, key: F) -> Vec<Self::Item>
    where
        K: Ord + Send,
        F: Fn(&Self::Item) -> K + Sync + Send,
    {
        without_keys(self.map(keyed(key)).top_k_by(k, by_key))
    }

    /// The `k` least items, the least first.
    ///
    /// ```
    /// use filch::{ext::ParallelTopK, prelude::*};
    /// assert_eq!([3, 1, 4, 1, 5, 9].par_iter().bottom_k(3), [&1, &1, &3]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`top_k`](Self::top_k).
    #[doc(alias("k_smallest", "smallest"))]
    fn bottom_k(self, k: usize) -> Vec<Self::Item>
    where
        Self::Item: Ord,
    {
        self.bottom_k_by(k, Ord::cmp)
    }

    /// The `k` least items by a comparator, the least first.
    ///
    /// ```
    /// use filch::{ext::ParallelTopK, prelude::*};
    /// let bottom = [0.5, -2.0, 8.0].into_par_iter().bottom_k_by(2, f64::total_cmp);
    /// assert_eq!(bottom, [-2.0, 0.5]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`top_k`](Self::top_k).
    fn bottom_k_by<F>(self, k: usize, compare: F) -> Vec<Self::Item>
    where
        F: Fn(&Self::Item, &Self::Item) -> Ordering + Sync,
    {
        Contest { k, compare }.of(self)
    }

    /// The `k` items with the least keys, the least first; each key is computed once.
    ///
    /// ```
    /// use filch::{ext::ParallelTopK, prelude::*};
    /// let words = ["a", "list", "of", "four"];
    /// assert_eq!(words.into_par_iter().bottom_k_by_key(2, |w| w.len()), ["a", "of"]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`top_k_by_key`](Self::top_k_by_key).
    fn bottom_k_by_key<K, F>(self, k: usize, key: F) -> Vec<Self::Item>
    where
        K: Ord + Send,
        F: Fn(&Self::Item) -> K + Sync + Send,
    {
        without_keys(self.map(keyed(key)).bottom_k_by(k, by_key))
    }
}

impl<I: ParallelIterator> ParallelTopK for I {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key, and a number that tells equal keys apart.
    type Item = (u32, u32);

    fn scramble(x: u32) -> u32 {
        (x ^ x >> 15).wrapping_mul(0x85EB_CA6B) >> 7
    }

    /// A selection leaves equal items in no order. A reduce that cuts amid them keeps the earliest.
    #[test]
    fn a_reduce_keeps_the_earliest_of_equal_items() {
        let compare = |a: &Item, b: &Item| b.0.cmp(&a.0);
        for seed in 0..300 {
            let random = |x: u32| scramble(seed << 16 ^ x);
            let k = 40 + random(0) as usize % 60;
            // Each piece beats most of what is before it, and many of its items are equal.
            let mut items: Vec<Item> = Vec::new();
            let contest = Contest { k, compare };
            let folds = (1..5).map(|i| {
                let from = items.len() as u32;
                let piece = from..from + random(i) % 200;
                items.extend(piece.map(|x| (i + random(x) % 4, x)));
                let piece = &items[from as usize..];
                let state = contest.many(contest.begin(), piece.iter().copied());
                contest.end(state)
            });
            let mut best = folds.reduce(|a, b| contest.reduce(a, b)).unwrap();
            contest.cut(&mut best);
            sort_unstable(&mut best.items, &contest.order());
            let best = without(best.items, |numbered| numbered.item);
            items.sort_by_key(|x| std::cmp::Reverse(x.0));
            items.truncate(k);
            assert_eq!(best, items, "seed {seed}, k = {k}");
        }
    }
}

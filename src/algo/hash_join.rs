//! Joins two slices by hash: all pairs of a left and a right element whose keys are equal.
//!
//! | function | gives |
//! |---|---|
//! | [`hash_join`] | each pair of a left and a right element with equal keys |
//! | [`hash_left_join`] | the same, and each left element without a partner by itself |
//!
//! Pairs come in the order of the left slice. The pairs of one left element come in the order of the right slice. Both hold on any number
//! of threads. If both slices are sorted by the key, [`merge_join`](crate::algo::merge_join()) needs no table.
//!
//! If there are more than 16,384 right elements, they are distributed by hash to 256 parts. Each part makes a table of its keys, with a
//! list of the elements of each key. Then all threads look up the left elements. (The parts are from Shatdal, Kant and Naughton, *Cache
//! conscious algorithms for relational query processing*, 1994. Here only the right side is distributed, so a left key that is very
//! frequent does not load one thread.)
//!
//! # Cost
//!
//! With *m* left elements, *n* right ones and *k* pairs: work O(m + n + k), with one hash for each element, and a comparison for each
//! look-up that finds something. Span O((m + n + k) / p), but one thread puts all right elements with one key into the table (up to 16,384 right
//! elements with any keys, whatever a comparison costs), and one thread makes all pairs of one left element. Memory beside the result: about eight words for each right element. So make the smaller
//! slice the right one.
//!
//! # Panics
//!
//! With the panic of `Hash`, `Eq` or a key, or if one of the parts has 2^32 - 1 right elements or more and then another key: a trillion of them, unless
//! hashes are all alike. If `Hash` and `Eq` disagree, pairs may be missing; none comes twice.
//!
//! # Measured
//!
//! <!-- measured: hash_join -->
//! Measured, `hash_join` of two slices of 1,000,000 numbers: work 160 ms, span 290 µs, so up to 540 threads can be of use.

use crate::algo::dealt::{Dealt, PARTS, columns, part_of};
use crate::algo::hasher::new_hasher;
use crate::algo::places::Places;
use crate::core::leaf;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hash};
use std::{iter, mem};

/// This many right elements are not dealt out: one thread makes a table of all.
const FEW: usize = 1 << 14;

/// Each pair of an element of `left` and one of `right` whose keys are equal.
///
/// The keys may borrow from the elements; each left key is computed once, each right key twice, and once more for each comparison. See the [module](self) for
/// order, costs and panics.
///
/// ```
/// let people = [("Ada", 1), ("Alan", 2), ("Grace", 1)];
/// let cities = [(1, "London"), (2, "Wilmslow"), (3, "Paris")];
/// let lives = filch::algo::hash_join(&people, &cities, |p| p.1, |c| c.0);
/// let lives: Vec<_> = lives.into_iter().map(|(p, c)| (p.0, c.1)).collect();
/// assert_eq!(lives, [("Ada", "London"), ("Alan", "Wilmslow"), ("Grace", "London")]);
///
/// let words = ["one".to_string(), "two".to_string()];
/// let numbers = [("two".to_string(), 2)];
/// let pairs = filch::algo::hash_join(&words, &numbers, |w| w.as_str(), |n| n.0.as_str());
/// assert_eq!(pairs, [(&words[1], &numbers[0])]);
/// ```
///
/// # Panics
///
/// With the panic of a key, `Hash` or `Eq`. All pairs so far are dropped.
#[doc(alias("inner_join", "equi_join"))]
pub fn hash_join<'a, 'b, L, R, K, F, G>(
    left: &'a [L],
    right: &'b [R],
    left_key: F,
    right_key: G,
) -> Vec<(&'a L, &'b R)>
where
    L: Sync,
    R: Sync,
    K: Hash + Eq,
    F: Fn(&'a L) -> K + Sync + Send,
    G: Fn(&'b R) -> K + Sync + Send,
{
    let index = Index::of(right, right_key);
    let pairs = left.par_iter().flat_map_iter(|l| {
        let partners = index.find(&left_key(l));
        partners.map(move |at| (l, &right[at]))
    });
    let pairs = pairs.collect();
    index.end();
    pairs
}

/// Each pair of an element of `left` and one of `right` whose keys are equal, and each left element that has no partner with `None`.
///
/// See the [module](self) for order, costs and panics.
///
/// ```
/// let pairs = filch::algo::hash_left_join(&[10, 25], &[2, 3, 5, 5], |l| l / 5, |r| *r);
/// assert_eq!(pairs, [(&10, Some(&2)), (&25, Some(&5)), (&25, Some(&5))]);
/// let alone = filch::algo::hash_left_join(&[1], &[2], |l| *l, |r| *r);
/// assert_eq!(alone, [(&1, None)]);
/// ```
///
/// # Panics
///
/// With the panic of a key, `Hash` or `Eq`. All pairs so far are dropped.
#[doc(alias("left_outer_join"))]
pub fn hash_left_join<'a, 'b, L, R, K, F, G>(
    left: &'a [L],
    right: &'b [R],
    left_key: F,
    right_key: G,
) -> Vec<(&'a L, Option<&'b R>)>
where
    L: Sync,
    R: Sync,
    K: Hash + Eq,
    F: Fn(&'a L) -> K + Sync + Send,
    G: Fn(&'b R) -> K + Sync + Send,
{
    let index = Index::of(right, right_key);
    let pairs = left.par_iter().flat_map_iter(|l| {
        let mut partners = index.find(&left_key(l)).peekable();
        let alone = partners.peek().is_none().then_some((l, None));
        let found = partners.map(move |at| (l, Some(&right[at])));
        alone.into_iter().chain(found)
    });
    let pairs = pairs.collect();
    index.end();
    pairs
}

/// Where the elements with each key are.
struct Index<'b, R, G> {
    elements: &'b [R],
    key: G,
    state: RandomState,
    /// One, or one for each part of the hashes.
    buckets: Vec<Bucket>,
}

/// The elements whose hashes lead here.
struct Bucket {
    /// Of each key, the number of its first element here.
    table: Places,
    /// For each element its position, and the number of the next one with its key, or its own.
    elements: Vec<(usize, usize)>,
}

impl<'b, R, K, G> Index<'b, R, G>
where
    R: Sync,
    K: Hash + Eq,
    G: Fn(&'b R) -> K + Sync + Send,
{
    fn of(elements: &'b [R], key: G) -> Self {
        let mut index = Index {
            elements,
            key,
            state: new_hasher(),
            buckets: Vec::new(),
        };
        let hash = |(at, x): (usize, &'b R)| (index.state.hash_one((index.key)(x)), at);
        let hashed = elements.par_iter().enumerate().map(hash);
        if elements.len() <= leaf(FEW, 0) {
            let hashed: Vec<(u64, usize)> = hashed.collect();
            index.buckets = vec![index.bucket(hashed, elements.len())];
            return index;
        }
        let dealt = hashed.fold(Dealt::new, |mut dealt, (hash, at)| {
            dealt.push(part_of(hash), (hash, at));
            dealt
        });
        let dealt: Vec<Dealt<(u64, usize)>> = dealt.collect();
        let pages = dealt
            .into_par_iter()
            .flat_map_iter(|dealt| dealt.into_pages(0));
        let mut pages: Vec<_> = pages.collect();
        let room = elements.len() / PARTS;
        let columns = columns(&mut pages).into_par_iter();
        let buckets = columns.map(|column| index.bucket(column.flatten(), room));
        index.buckets = buckets.collect();
        pages.into_par_iter().for_each(drop);
        index
    }

    /// Of about so many elements.
    fn bucket(&self, hashed: impl IntoIterator<Item = (u64, usize)>, room: usize) -> Bucket {
        let mut table = Places::with_capacity(room);
        let mut elements: Vec<(usize, usize)> = Vec::with_capacity(room);
        // The last element with the key of each first one.
        let mut last = Vec::with_capacity(room);
        for (hash, at) in hashed {
            let key = (self.key)(&self.elements[at]);
            let own = elements.len();
            let same = |first: usize| (self.key)(&self.elements[elements[first].0]) == key;
            let first = table.find_or_take(hash, own, same).unwrap_or(own);
            elements.push((at, own));
            last.push(own);
            let before = mem::replace(&mut last[first], own);
            elements[before].1 = own;
        }
        Bucket { table, elements }
    }

    /// Frees the memory: so much that all threads do it.
    fn end(self) {
        self.buckets.into_par_iter().for_each(drop);
    }

    /// The positions of the elements with this key, ascending.
    fn find(&self, key: &K) -> impl Iterator<Item = usize> + use<'_, R, K, G> {
        let hash = self.state.hash_one(key);
        let Bucket { table, elements } = &self.buckets[part_of(hash) & (self.buckets.len() - 1)];
        let same = |first: usize| (self.key)(&self.elements[elements[first].0]) == *key;
        let numbers = iter::successors(table.find(hash, same), |&own| {
            let next = elements[own].1;
            (next != own).then_some(next)
        });
        numbers.map(|own| elements[own].0)
    }
}

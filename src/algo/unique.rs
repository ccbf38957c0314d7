//! Equal elements anywhere in a vector, reduced to the first of them, by hash.
//!
//! A *kind* is a set of equal elements. How it works:
//!
//! 1. The vector is cut into blocks. In each block, a table finds the first element of each kind. (If nearly all elements at the beginning
//!    of a block are of different kinds, all are passed on.)
//! 2. These elements are distributed to parts by their hashes. So equal ones come to the same part, in their order.
//! 3. In each part, a table finds the first element of each kind in the whole vector, and marks it.
//! 4. The marked elements are kept, as by [`retain`](crate::algo::retain).
//!
//! All steps are parallel, over blocks or over parts. The tables of blocks stay in a cache, and those of parts too, up to some ten
//! million elements. (A single table of many kinds would not.) If kinds are few, hardly any element gets to step 2.
//!
//! # Cost
//!
//! Work O(n): one hash for each element, at most two look-ups, and a comparison for each look-up that finds something. Span O(n / p), but
//! in step 3 one thread handles all elements of one kind, at most one for each block. Memory: a byte for each element,
//! 8 bytes for each that is the first of its kind in a block, 4 bytes for each part of each block, and 256 KiB and a table for each thread.
//!
//! Up to 4,096 elements (1,024 by key), and any number on one thread, are looked up in a single table of 16 to 80 bytes for each kind. If
//! there are several threads and at least 512 elements, the hashes are computed in parallel before that, and take 8 bytes each.
//!
//! The order of the elements is kept. If the vector is sorted, [`dedup`](crate::algo::dedup()) does the same without a table.
//!
//! # A panic in `Hash` or `Eq`
//!
//! The vector is as it was.
//!
//! # Measured
//!
//! <!-- measured: par_unique -->
//! Measured, `par_unique` of 1,000,000 numbers, few equal: work 9.2 ms, span 130 µs, so up to 72 threads can be of use.

use super::atomics::lay_out;
use crate::algo::hasher::new_hasher;
use crate::algo::pack::{Beside, filter};
use crate::algo::places::Places;
use crate::core::{leaf, threads};
use crate::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use crate::slice::ParallelSlice;
use crate::sync::{AtomicBool, Ordering};
use std::hash::{BuildHasher, Hash};

/// The longest block: its table takes 256 KiB at most.
const BLOCK: usize = 1 << 14;

/// The shortest block: this many elements are looked up on one thread sooner than shared out.
const MIN_BLOCK: usize = 1 << 12;

/// And if a comparison takes two calls of a closure.
const MIN_BLOCK_BY_KEY: usize = 1 << 10;

/// How many elements of a block show whether kinds are many.
const SAMPLE: usize = 1 << 9;

/// How many elements of a part are aimed at.
const PART: usize = 1 << 13;

/// The most parts.
const MOST_PARTS: usize = 1 << 10;

/// Keeps the first of all elements that are equal, in their order, and drops the others.
///
/// See the [module](self) for costs and panics.
///
/// ```
/// let mut v = vec![3, 1, 3, 2, 1];
/// filch::algo::unique(&mut v);
/// assert_eq!(v, [3, 1, 2]);
/// ```
///
/// # Panics
///
/// With the panic of `Hash` or `Eq`. The vector is then as it was.
#[doc(alias("distinct"))]
pub fn unique<T: Hash + Eq + Send + Sync>(vec: &mut Vec<T>) {
    let state = new_hasher();
    keep_firsts(vec, MIN_BLOCK, |x| state.hash_one(x), T::eq);
}

/// Keeps the first of all elements whose keys are equal, in their order, and drops the others.
///
/// `key` is called once for each element, and twice more for each comparison. See the [module](self) for costs and panics.
///
/// ```
/// let mut words = vec!["deer", "cat", "dog", "duck", "cow"];
/// filch::algo::unique_by_key(&mut words, |w| w.as_bytes()[0]);
/// assert_eq!(words, ["deer", "cat"]);
/// ```
///
/// # Panics
///
/// With the panic of `key`, `Hash` or `Eq`. The vector is then as it was.
#[doc(alias("distinct"))]
pub fn unique_by_key<T, K, F>(vec: &mut Vec<T>, key: F)
where
    T: Send + Sync,
    K: Hash + Eq,
    F: Fn(&T) -> K + Sync + Send,
{
    let state = new_hasher();
    let hash = |x: &T| state.hash_one(key(x));
    keep_firsts(vec, MIN_BLOCK_BY_KEY, hash, |a, b| key(a) == key(b));
}

/// Keeps the first element of each kind.
fn keep_firsts<T: Send + Sync>(
    vec: &mut Vec<T>,
    min_block: usize,
    hash: impl Fn(&T) -> u64 + Sync + Send,
    same: impl Fn(&T, &T) -> bool + Sync + Send,
) {
    let kinds = Kinds {
        elements: vec,
        hash,
        same,
        min_block,
    };
    let marks = kinds.mark_firsts();
    filter(vec, Beside::Nothing, |index, _, _| {
        marks[index].load(Ordering::Relaxed)
    });
}

/// Elements, and what makes them equal.
struct Kinds<'a, T, H, E> {
    elements: &'a [T],
    hash: H,
    same: E,
    min_block: usize,
}

/// An element that is the first of its kind in a block: half of its hash, and its position there.
#[derive(Clone, Copy)]
struct FirstOfKind {
    hash: u32,
    at: u32,
}

/// The firsts of a block, part by part, and in their order in each part.
struct DealtFirsts {
    firsts: Vec<FirstOfKind>,
    /// Where those of each part end.
    ends: Vec<u32>,
}

impl DealtFirsts {
    /// Deals out elements, given by their hashes and positions, by a counting sort.
    fn new(found: &[(u64, u32)], parts: usize) -> Self {
        // By the upper half: the table of the part uses the other one.
        let part = |hash: u64| (((hash >> 32) * parts as u64) >> 32) as usize;
        let mut next = vec![0u32; parts];
        for &(hash, _) in found {
            next[part(hash)] += 1;
        }
        let mut end = 0;
        for count in &mut next {
            end += std::mem::replace(count, end);
        }
        let mut firsts = vec![FirstOfKind { hash: 0, at: 0 }; found.len()];
        for &(hash, at) in found {
            let slot = &mut next[part(hash)];
            let hash = hash as u32;
            firsts[*slot as usize] = FirstOfKind { hash, at };
            *slot += 1;
        }
        // What was the start of each part is its end by now.
        DealtFirsts { firsts, ends: next }
    }

    fn part(&self, part: usize) -> &[FirstOfKind] {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.firsts[start as usize..self.ends[part] as usize]
    }
}

impl<T, H, E> Kinds<'_, T, H, E>
where
    T: Sync,
    H: Fn(&T) -> u64 + Sync + Send,
    E: Fn(&T, &T) -> bool + Sync + Send,
{
    /// For each element, whether it is the first of its kind.
    fn mark_firsts(&self) -> Vec<AtomicBool> {
        let (len, threads) = (self.elements.len(), threads());
        let marks = lay_out(len, || AtomicBool::new(false));
        let mark = |at: usize| marks[at].store(true, Ordering::Relaxed);
        let block = (len / (4 * threads)).clamp(self.min_block, BLOCK);
        let block = leaf(block, 1);
        if len <= block || threads == 1 && len < u32::MAX as usize {
            let mut table = Places::with_capacity(len.min(SAMPLE));
            let first = |_, at| mark(at);
            if threads == 1 || len < SAMPLE {
                let hashed = self.elements.iter().map(&self.hash).enumerate();
                self.find_firsts(self.elements, hashed, &mut table, first);
            } else {
                // Where that takes long, the driver has it done by several threads.
                let hashes: Vec<u64> = self.elements.par_iter().map(&self.hash).collect();
                let hashed = (0..).zip(hashes);
                self.find_firsts(self.elements, hashed, &mut table, first);
            }
            return marks;
        }
        let parts = (len / PART).min(MOST_PARTS).max(4 * threads);
        let blocks: Vec<DealtFirsts> = self
            .elements
            .par_chunks(block)
            .map(|elements| self.firsts_of_block(elements, parts))
            .collect();
        let room = || (Vec::new(), Places::default());
        let parts = (0..parts).into_par_iter();
        parts.for_each_init(room, |(firsts, table), part| {
            firsts.clear();
            table.clear();
            let dealt = blocks.iter().map(|block| block.part(part));
            for (start, candidates) in (0..).step_by(block).zip(dealt) {
                for &FirstOfKind { hash, at } in candidates {
                    let at = start + at as usize;
                    let other = |place: usize| &self.elements[firsts[place]];
                    let same = |place| (self.same)(other(place), &self.elements[at]);
                    if table
                        .find_or_take(hash.into(), firsts.len(), same)
                        .is_none()
                    {
                        firsts.push(at);
                        mark(at);
                    }
                }
            }
        });
        marks
    }

    /// The firsts of a block; or all of its elements, if it begins with so many firsts that it is not worth looking for them.
    fn firsts_of_block(&self, elements: &[T], parts: usize) -> DealtFirsts {
        let mut found = Vec::new();
        let mut hashed = elements.iter().map(&self.hash).enumerate();
        let sample = elements.len().min(SAMPLE);
        let mut table = Places::with_capacity(sample);
        let few = hashed.by_ref().take(sample);
        self.find_firsts(elements, few, &mut table, |hash, at| {
            found.push((hash, at as u32));
        });
        if 2 * found.len() <= sample {
            self.find_firsts(elements, hashed, &mut table, |hash, at| {
                found.push((hash, at as u32));
            });
        } else {
            found.extend(hashed.map(|(at, hash)| (hash, at as u32)));
        }
        DealtFirsts::new(&found, parts)
    }

    /// Calls `first` with the hash and position of each of these elements whose kind is not yet in the table of places.
    fn find_firsts(
        &self,
        elements: &[T],
        hashed: impl Iterator<Item = (usize, u64)>,
        table: &mut Places,
        mut first: impl FnMut(u64, usize),
    ) {
        for (at, hash) in hashed {
            let same = |place: usize| (self.same)(&elements[place], &elements[at]);
            if table.find_or_take(hash, at, same).is_none() {
                first(hash, at);
            }
        }
    }
}

/// A vector without equal elements: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
///
/// ```
/// use filch::ext::*;
///
/// let mut v = vec![3, 1, 3, 2];
/// v.par_unique();
/// assert_eq!(v, [3, 1, 2]);
/// ```
pub trait ParallelUnique<T: Send>: AsMut<Vec<T>> {
    /// Keeps the first of all elements that are equal. See [`unique`].
    ///
    /// ```
    /// use filch::ext::ParallelUnique;
    /// let mut v = vec![3, 1, 3];
    /// v.par_unique();
    /// assert_eq!(v, [3, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`unique`].
    #[doc(alias("distinct"))]
    fn par_unique(&mut self)
    where
        T: Hash + Eq + Sync,
    {
        unique(self.as_mut());
    }

    /// Keeps the first of all elements whose keys are equal. See [`unique_by_key`].
    ///
    /// ```
    /// use filch::ext::ParallelUnique;
    /// let mut v = vec![3, -1, -3];
    /// v.par_unique_by_key(|x: &i32| x.abs());
    /// assert_eq!(v, [3, -1]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`unique_by_key`].
    #[doc(alias("distinct", "unique_by"))]
    fn par_unique_by_key<K, F>(&mut self, key: F)
    where
        T: Sync,
        K: Hash + Eq,
        F: Fn(&T) -> K + Sync + Send,
    {
        unique_by_key(self.as_mut(), key);
    }
}

impl<T: Send> ParallelUnique<T> for Vec<T> {}

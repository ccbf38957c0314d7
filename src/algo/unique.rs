//! Equal elements anywhere in a vector, reduced to the first of them, by hash.
//!
//! 1. The vector is cut into blocks. In each one, a table finds the elements that are the first of their kind there; unless at the
//!    beginning most are, and then all are passed on.
//! 2. These are dealt out by their hashes into parts, so that equal ones come to the same part, in their order.
//! 3. In each part, a table finds those that are the first of their kind anywhere, and marks them.
//! 4. What is marked is kept, as by [`retain`](crate::algo::retain).
//!
//! All steps are parallel, over blocks or over parts. Blocks and parts are so small that their tables stay in a cache, which a single table of
//! many kinds does not. Where kinds are few, hardly anything gets to step 2.
//!
//! # Cost
//!
//! Work O(n): one hash for each element, two look-ups at most, and a comparison for each that is found. Span O(n / p), but the copies of one
//! element that are in different blocks are on one thread in step 3, one a block. Memory: a byte an element, and 16 to 48 bytes for each that
//! is the first of its kind in a block.
//!
//! Order is kept, and none is needed. Of a sorted vector, [`dedup`](crate::algo::dedup()) takes equal elements with no memory at all.
//!
//! # A panic in `Hash` or `Eq`
//!
//! The vector is as it was.

use crate::algo::pack::{Beside, Judge, filter};
use crate::algo::places::Places;
use crate::current_num_threads;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use crate::slice::ParallelSlice;
use crate::sync::{AtomicBool, Ordering};
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hash};

/// The longest block: its table takes some 200 KiB.
const BLOCK: usize = 1 << 14;

/// The shortest block, so that there is something to find in it.
const MIN_BLOCK: usize = 1 << 10;

/// How many elements of a block show whether kinds are many.
const SAMPLE: usize = 1 << 9;

/// How many elements of a part are aimed at.
const PART: usize = 1 << 13;

/// Keeps the first of all elements that are equal, in their order, and drops the others.
///
/// See the [module](self) for costs and panics.
///
/// ```
/// let mut v = vec![3, 1, 3, 2, 1];
/// filch::algo::unique(&mut v);
/// assert_eq!(v, [3, 1, 2]);
/// ```
pub fn unique<T: Hash + Eq + Send + Sync>(vec: &mut Vec<T>) {
    let state = RandomState::default();
    let kinds = Kinds {
        elements: vec,
        hash: |x: &T| state.hash_one(x),
        same: |a: &T, b: &T| a == b,
    };
    let marks = kinds.mark_firsts();
    filter(vec, &Marked(marks));
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
pub fn unique_by_key<T, K, F>(vec: &mut Vec<T>, key: F)
where
    T: Send + Sync,
    K: Hash + Eq,
    F: Fn(&T) -> K + Sync + Send,
{
    let state = RandomState::default();
    let kinds = Kinds {
        elements: vec,
        hash: |x: &T| state.hash_one(key(x)),
        same: |a: &T, b: &T| key(a) == key(b),
    };
    let marks = kinds.mark_firsts();
    filter(vec, &Marked(marks));
}

/// Keeps what is marked.
struct Marked(Vec<AtomicBool>);

impl<T> Judge<T> for Marked {
    const BESIDE: Beside = Beside::Nothing;

    #[inline]
    fn keeps(&self, index: usize, _: &mut T, _: Option<&mut T>) -> bool {
        self.0[index].load(Ordering::Relaxed)
    }
}

/// Elements, and what makes them equal.
struct Kinds<'a, T, H, E> {
    elements: &'a [T],
    hash: H,
    same: E,
}

/// An element that is the first of its kind somewhere: its hash and its position.
type First = (u64, usize);

impl<T, H, E> Kinds<'_, T, H, E>
where
    T: Sync,
    H: Fn(&T) -> u64 + Sync + Send,
    E: Fn(&T, &T) -> bool + Sync + Send,
{
    /// For each element, whether it is the first of its kind.
    fn mark_firsts(&self) -> Vec<AtomicBool> {
        let len = self.elements.len();
        let marks: Vec<AtomicBool> = (0..len).map(|_| AtomicBool::new(false)).collect();
        let mark = |firsts: &[First]| {
            for &(_, at) in firsts {
                marks[at].store(true, Ordering::Relaxed);
            }
        };
        let block = (len / (8 * current_num_threads())).clamp(MIN_BLOCK, BLOCK);
        if len <= block {
            let hashed = self.elements.iter().map(&self.hash).zip(0..);
            let mut firsts = Vec::new();
            self.find_firsts(hashed, &mut Places::default(), &mut firsts);
            mark(&firsts);
            return marks;
        }
        let blocks: Vec<Vec<First>> = self
            .elements
            .par_chunks(block)
            .enumerate()
            .map(|(i, elements)| self.firsts_of_block(i * block, elements))
            .collect();
        let found: usize = blocks.iter().map(Vec::len).sum();
        let parts = (found / PART).min(1 << 12).max(4 * current_num_threads());
        let dealt: Vec<Dealt> = blocks
            .par_iter()
            .map(|firsts| Dealt::new(firsts, parts))
            .collect();
        (0..parts).into_par_iter().for_each(|part| {
            let candidates = || dealt.iter().map(|block| block.part(part));
            let most = candidates().map(<[First]>::len).sum::<usize>().min(BLOCK);
            let mut firsts = Vec::with_capacity(most);
            let mut table = Places::with_capacity(most);
            for candidates in candidates() {
                self.find_firsts(candidates.iter().copied(), &mut table, &mut firsts);
            }
            mark(&firsts);
        });
        marks
    }

    /// The firsts of a block; or all of its elements, if it begins with so many firsts that it is not worth looking for them.
    fn firsts_of_block(&self, start: usize, elements: &[T]) -> Vec<First> {
        let hashed = |(at, x)| ((self.hash)(x), at);
        let mut hashed = (start..).zip(elements).map(hashed);
        let sample = elements.len().min(SAMPLE);
        let mut firsts = Vec::with_capacity(sample);
        let mut table = Places::with_capacity(sample);
        self.find_firsts(hashed.by_ref().take(sample), &mut table, &mut firsts);
        if firsts.len() > sample / 2 {
            firsts.reserve_exact(elements.len() - sample);
            firsts.extend(hashed);
        } else {
            self.find_firsts(hashed, &mut table, &mut firsts);
        }
        firsts
    }

    /// Adds those elements to `firsts` whose kind is not yet there; `table` holds their places.
    fn find_firsts(
        &self,
        elements: impl Iterator<Item = First>,
        table: &mut Places,
        firsts: &mut Vec<First>,
    ) {
        for (hash, at) in elements {
            let same = |place: usize| {
                let (other, first) = firsts[place];
                other == hash && (self.same)(&self.elements[first], &self.elements[at])
            };
            if table.find_or_take(hash, firsts.len(), same).is_none() {
                firsts.push((hash, at));
            }
        }
    }
}

/// The firsts of a block by the part that they belong to, each part in the order of the elements.
struct Dealt {
    firsts: Vec<First>,
    /// Where each part begins, and where the last one ends.
    starts: Vec<usize>,
}

impl Dealt {
    fn new(firsts: &[First], parts: usize) -> Self {
        // By the middle bits: the tables use the others.
        let part_of =
            |first: &First| ((((first.0 >> 24) & 0xFFFF_FFFF) * parts as u64) >> 32) as usize;
        let mut starts = vec![0; parts + 1];
        for first in firsts {
            starts[part_of(first) + 1] += 1;
        }
        for part in 0..parts {
            starts[part + 1] += starts[part];
        }
        let mut next = starts.clone();
        let mut dealt = vec![(0, 0); firsts.len()];
        for first in firsts {
            let place = &mut next[part_of(first)];
            dealt[*place] = *first;
            *place += 1;
        }
        Dealt {
            firsts: dealt,
            starts,
        }
    }

    fn part(&self, part: usize) -> &[First] {
        &self.firsts[self.starts[part]..self.starts[part + 1]]
    }
}

/// A vector without equal elements: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
pub trait ParallelUnique<T> {
    /// [`unique`]: keeps the first of all elements that are equal.
    ///
    /// ```
    /// use filch::ext::ParallelUnique;
    /// let mut v = vec![3, 1, 3];
    /// v.par_unique();
    /// assert_eq!(v, [3, 1]);
    /// ```
    fn par_unique(&mut self)
    where
        T: Hash + Eq + Sync;

    /// [`unique_by_key`]: keeps the first of all elements whose keys are equal.
    ///
    /// ```
    /// use filch::ext::ParallelUnique;
    /// let mut v = vec![3, -1, -3];
    /// v.par_unique_by_key(|x: &i32| x.abs());
    /// assert_eq!(v, [3, -1]);
    /// ```
    fn par_unique_by_key<K, F>(&mut self, key: F)
    where
        T: Sync,
        K: Hash + Eq,
        F: Fn(&T) -> K + Sync + Send;
}

impl<T: Send> ParallelUnique<T> for Vec<T> {
    fn par_unique(&mut self)
    where
        T: Hash + Eq + Sync,
    {
        unique(self);
    }

    fn par_unique_by_key<K, F>(&mut self, key: F)
    where
        T: Sync,
        K: Hash + Eq,
        F: Fn(&T) -> K + Sync + Send,
    {
        unique_by_key(self, key);
    }
}

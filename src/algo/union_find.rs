//! Sets of numbers that are united by many threads at once.
//!
//! The sets are trees: each number points to a lesser one of its set, and the least to itself. Each search for a root halves the path to it
//! for later searches. (Jayanti and Tarjan, *Concurrent disjoint set union*, 2021. They order numbers at random; here the numbers
//! themselves are the order, so the root of a set is always its least number.)
//!
//! A search is O(log n) steps as a rule, and so is a union; memory: a word for each number.

use super::atomics::plain;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use crate::sync::{AtomicUsize, Ordering::Relaxed};

/// Steps of a path that is short.
const SHORT: usize = 8;

/// Disjoint sets of the numbers below some number.
///
/// Invariants: no node points to a greater one. A root is linked by a compare-exchange, once, and is none from then on; any other node is only
/// ever pointed at one that it led to already. Nothing else is told by the words, so their order with other memory does not matter.
pub(super) struct UnionFind(pub(super) Vec<AtomicUsize>);

impl UnionFind {
    /// Each number below `n` by itself.
    #[inline]
    pub(super) fn new(n: usize) -> Self {
        UnionFind((0..n).into_par_iter().map(AtomicUsize::new).collect())
    }

    /// The least number of the set, unless others are uniting it.
    #[inline]
    pub(super) fn find(&self, node: usize) -> usize {
        // A store will do: the node is no root, and leads to the same root by what another thread may have written.
        self.find_by(node, |word, _, above| word.store(above, Relaxed))
    }

    /// The same. For each node on the way, `halve` gets its word, its parent and its grandparent, and may point the word at the grandparent.
    #[inline]
    fn find_by(&self, mut node: usize, halve: impl Fn(&AtomicUsize, usize, usize)) -> usize {
        loop {
            let parent = self.0[node].load(Relaxed);
            if parent == node {
                return node;
            }
            let above = self.0[parent].load(Relaxed);
            if above == parent {
                return parent;
            }
            halve(&self.0[node], parent, above);
            node = above;
        }
    }

    /// Makes one set of those of two numbers. True: they were two, and no other call is told so.
    #[inline]
    pub(super) fn unite(&self, mut a: usize, mut b: usize) -> bool {
        loop {
            (a, b) = (self.find(a), self.find(b));
            if a == b {
                return false;
            }
            let (low, high) = (a.min(b), a.max(b));
            // Only a root is linked, so each link unites two sets.
            let linked = self.0[high].compare_exchange(high, low, Relaxed, Relaxed);
            if linked.is_ok() {
                return true;
            }
        }
    }

    /// For each number the least one of its set.
    #[inline]
    pub(super) fn into_roots(self) -> Vec<usize> {
        let nodes = self.0.par_iter().enumerate();
        nodes.for_each(|(node, word)| word.store(self.root_for_good(node), Relaxed));
        plain(self.0)
    }

    /// The root of a node where nodes are given their roots. Short paths are not halved, since each node on them gets its root soon.
    #[inline]
    fn root_for_good(&self, mut node: usize) -> usize {
        for _ in 0..SHORT {
            let parent = self.0[node].load(Relaxed);
            if parent == node {
                return node;
            }
            node = parent;
        }
        // Not by a store: another thread may have given a node its root meanwhile, which it has to keep.
        self.find_by(node, |word, parent, above| {
            let _ = word.compare_exchange(parent, above, Relaxed, Relaxed);
        })
    }

    /// # Panics
    ///
    /// If there is no such number.
    pub(super) fn check(&self, node: usize) {
        let n = self.0.len();
        assert!(node < n, "filch: node {node} in a graph of {n} nodes");
    }
}

//! Connected components, and minimum spanning forests.
//!
//! A graph is a list of edges between the nodes `0..n`, in any order. An edge leads both ways. It may lead from a node to itself, or be there
//! several times. The results are the same on any number of threads.
//!
//! [`par_components`] handles all edges in parallel, on sets that many threads unite at the same time (Jayanti and Tarjan, *Concurrent disjoint set
//! union*, 2021). [`par_spanning_forest`] is Borůvka's algorithm (1926): in each round, every tree takes the least edge that leads out of it, and
//! edges inside trees are dropped. Of equal edges the earlier one counts as less, so the forest is unique.
//!
//! | | work | span | memory |
//! |---|---|---|---|
//! | [`par_components`] | O(n + m), and for each edge the paths from its ends to the roots of their sets: O(log n) as a rule | O((n + m) / p), and the longest such path | none beside the result |
//! | [`par_spanning_forest`] | O((n + m) log n), and mostly O(n + m log n) since trees at least halve in number | O((n + m) log n / p) | 3n + m words |
//!
//! *m* is the number of edges. Paths to roots are long only if a graph was numbered to make them long.
//!
//! # Measured
//!
//! <!-- measured: par_components -->
//! Measured, `par_components` of 1,000,000 nodes and as many edges: work 7.5 ms, span 18 µs, so up to 430 threads can be of use.
//!
//! <!-- measured: par_spanning_forest -->
//! Measured, `par_spanning_forest` of 1,000,000 nodes and as many edges: work 85 ms, span 540 µs, so up to 160 threads can be of use.

use super::atomics::numbers;
use super::buffer::Buffer;
use super::union_find::UnionFind;
use crate::algo::pack::retain;
use crate::iter::{
    IntoParallelIterator, IntoParallelRefIterator, ParallelExtend, ParallelIterator,
};
use crate::slice::ParallelSliceMut;
use crate::sync::{AtomicUsize, Ordering::Relaxed};
use std::cmp::Ordering;

/// Computes for each of the nodes `0..n` the least node of its component.
///
/// See the [module](self) for the algorithm and what it costs.
///
/// ```
/// // 0 - 3 - 2   1 - 4
/// let components = filch::algo::par_components(5, &[(0, 3), (4, 1), (3, 2)]);
/// assert_eq!(components, [0, 1, 0, 0, 1]);
/// ```
///
/// # Panics
///
/// If a node is not below `n`.
#[doc(alias("connected_components", "union_find", "disjoint_sets"))]
#[inline]
pub fn par_components(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let sets = UnionFind::new(n);
    edges.par_iter().for_each(|&(a, b)| {
        sets.check(a);
        sets.check(b);
        sets.unite(a, b);
    });
    sets.into_roots()
}

/// The indices of the edges of a minimum spanning forest of the nodes `0..n`, in ascending order. It has a tree for each component, and the
/// sum of the weights is the least.
///
/// An edge is `(from, to, weight)`. Of equal weights the edge with the lesser index is taken. See the [module](self) for the algorithm and
/// what it costs.
///
/// ```
/// let roads = [(0, 1, 7), (1, 2, 5), (2, 0, 9), (3, 4, 1)];
/// assert_eq!(filch::algo::par_spanning_forest(5, &roads), [0, 1, 3]);
/// ```
///
/// # Panics
///
/// If a node is not below `n`, or with the panic of a comparison.
#[doc(alias("minimum_spanning_tree", "boruvka", "kruskal"))]
pub fn par_spanning_forest<W: Ord + Sync>(n: usize, edges: &[(usize, usize, W)]) -> Vec<usize> {
    par_spanning_forest_by(n, edges, W::cmp)
}

/// The indices of the edges of a minimum spanning forest, by a comparison of weights; see [`par_spanning_forest`].
///
/// See the [module](self) for costs.
///
/// If the comparison is not a total order, the edges are still those of a tree for each component, but their sum need not be the least.
///
/// ```
/// let roads = [(0, 1, 0.5), (1, 2, 0.2), (2, 0, 0.1)];
/// assert_eq!(filch::algo::par_spanning_forest_by(3, &roads, f64::total_cmp), [1, 2]);
/// ```
///
/// # Panics
///
/// If a node is not below `n`, or with the panic of the comparison.
pub fn par_spanning_forest_by<W, F>(n: usize, edges: &[(usize, usize, W)], compare: F) -> Vec<usize>
where
    W: Sync,
    F: Fn(&W, &W) -> Ordering + Sync + Send,
{
    let sets = UnionFind::new(n);
    edges.par_iter().for_each(|edge| {
        sets.check(edge.0);
        sets.check(edge.1);
    });
    let compare = |a: usize, b: usize| compare(&edges[a].2, &edges[b].2).then(a.cmp(&b));
    let least = numbers(n, NONE);
    let mut roots: Vec<usize> = (0..n).into_par_iter().collect();
    let mut open: Vec<usize> = (0..edges.len()).into_par_iter().collect();
    let mut taken: Vec<usize> = Vec::new();
    loop {
        retain(&mut open, |&edge| {
            let (a, b) = (sets.find(edges[edge].0), sets.find(edges[edge].1));
            if a == b {
                return false;
            }
            offer(&least[a], edge, compare);
            offer(&least[b], edge, compare);
            true
        });
        if open.is_empty() {
            taken.par_sort_unstable();
            drop(([sets.0, least].map(Buffer), [roots, open].map(Buffer)));
            return taken;
        }
        // An edge that is the least of both its trees unites them once. An order that is none may offer a circle, and `unite` leaves out the
        // edge that would close it.
        taken.par_extend(roots.par_iter().filter_map(|&root| {
            let edge = least[root].swap(NONE, Relaxed);
            let (a, b) = edges.get(edge).map(|edge| (edge.0, edge.1))?;
            sets.unite(a, b).then_some(edge)
        }));
        retain(&mut roots, |&root| sets.find(root) == root);
    }
}

/// No edge.
const NONE: usize = usize::MAX;

/// Puts an edge in the place of what is there, if it is less.
fn offer(place: &AtomicUsize, edge: usize, compare: impl Fn(usize, usize) -> Ordering) {
    let is_less = |known| known == NONE || compare(edge, known).is_lt();
    // What is there already may stay.
    let _ = place.fetch_update(Relaxed, Relaxed, |known| is_less(known).then_some(edge));
}

//! Shortest paths over graphs whose edges have lengths.
//!
//! This is delta-stepping (Meyer and Sanders, *Δ-stepping: a parallelizable shortest path algorithm*, 2003), without the distinction of
//! light and heavy edges. Nodes are handled in *levels*: the first has the nodes at distances below `delta`, the second those below `2 *
//! delta`, and so on. All threads handle the nodes of one level, in rounds: what a round finds on its own level is
//! the next round. So a node may be handled more than once before its level ends, but once in a round. With `delta` 1 this is Dijkstra's
//! order, and no node is handled twice, unless edges have length 0. With a very large `delta` the whole graph is one level, as
//! in Bellman and Ford's algorithm.
//!
//! How to choose `delta`: the smaller it is, the less work is done twice, but each level must have enough nodes for all threads. The mean
//! length of an edge is a good start.
//!
//! Work: O((n + m) log k) if `delta` is at most the length of the shortest edge, for *m* edges and *k* levels that wait at a time. In
//! practice it is a few times that if `delta` is about the mean length of an edge, and O(n m) at the worst. Span: the number of rounds,
//! which is at most that of the levels with nodes, times the longest chain of edges within one level. Memory: a word for each node, and two for each path that waits: a node may have several, and O(m) wait at the most. For other work with priorities see
//! [`for_each_spawn_by_level`](super::for_each_spawn_by_level).
//!
//! # Measured
//!
//! <!-- measured: par_shortest_paths -->
//! Measured, `par_shortest_paths` of 1,000,000 nodes with two edges of length 1 to 100 each: work 40 ms, span 260 µs, so up to 150 threads can be of use.

use super::atomics::lay_out;
use super::work_list::by_level;
use crate::sync::{AtomicU64, Ordering::Relaxed};

/// The distance of a node that no path leads to.
///
/// ```
/// assert_eq!(filch::algo::NO_PATH, u64::MAX);
/// ```
pub const NO_PATH: u64 = u64::MAX;

/// Computes how far each of the nodes `0..n` is from the nearest of `sources`: [`NO_PATH`] if no path leads there.
///
/// `edges(node)` returns the edges that lead from `node`, as pairs of a node and a length. It is called whenever a shorter path to the node was found,
/// so it should be cheap. The result does not depend on `delta` or on the number of threads. A path of [`NO_PATH`] or more counts as none.
/// See the [module](self) for what `delta` is, and for costs.
///
/// ```
/// use filch::algo::{NO_PATH, par_shortest_paths};
///
/// let roads: [&[(usize, u64)]; 5] = [&[(1, 7), (2, 2)], &[(3, 1)], &[(1, 3), (3, 9)], &[], &[]];
/// let far = par_shortest_paths(5, [0], 4, |place| roads[place].iter().copied());
/// assert_eq!(far, [0, 5, 2, 6, NO_PATH]);
/// ```
///
/// # Panics
///
/// If a node is not below `n`, if `delta` is 0, or if `edges` panics.
#[doc(alias("dijkstra", "delta_stepping", "sssp", "bellman_ford"))]
pub fn par_shortest_paths<N, I>(
    n: usize,
    sources: impl IntoIterator<Item = usize>,
    delta: u64,
    edges: N,
) -> Vec<u64>
where
    N: Fn(usize) -> I + Sync,
    I: IntoIterator<Item = (usize, u64)>,
{
    assert!(delta > 0, "filch: levels of no distance: delta is 0");
    let distances = lay_out(n, || AtomicU64::new(NO_PATH));
    // Distances only ever fall, and are all that threads tell each other, so their order with other memory does not matter.
    let is_shorter = |node: usize, distance: u64| match distances.get(node) {
        Some(known) => {
            known.load(Relaxed) > distance && known.fetch_min(distance, Relaxed) > distance
        }
        None => panic!("filch: node {node} in a graph of {n} nodes"),
    };
    let sources = sources.into_iter().filter(|&node| is_shorter(node, 0));
    let first = sources.map(|node| ((0, 0usize), (node, 0)));
    // Each round is a level of its own: items of one level come in any order, also the longest ways first, of which there may be 2^n.
    by_level(first, |(node, distance), (level, round), _, later| {
        // A shorter way was found since, and is on the list.
        if distances[node].load(Relaxed) < distance {
            return;
        }
        for (next, length) in edges(node) {
            let there = distance.saturating_add(length);
            if is_shorter(next, there) {
                let next_level = there / delta;
                let round = if next_level == level { round + 1 } else { 0 };
                later.push(((next_level, round), (next, there)));
            }
        }
    });
    distances.into_iter().map(AtomicU64::into_inner).collect()
}

//! Breadth-first search over graphs whose nodes are numbers.
//!
//! | function | what it gives |
//! |---|---|
//! | [`par_bfs`] | how far each node is from the nearest source |
//! | [`par_bfs_parents`] | a tree of shortest paths |
//! | [`par_bfs_levels`] | the nodes of each level, as they are found, until the caller has seen enough |
//!
//! # What is guaranteed
//!
//! - `neighbours` is called once for each node that is reached, and all nodes of a level are done before any of the next.
//! - Distances, and the set of nodes of each level, are the same on any number of threads. The order of the nodes within a level may differ, and
//!   so may the path that a tree has, if there are several shortest ones.
//! - Stack use does not depend on the graph.
//!
//! # Cost
//!
//! Work: O(n + edges looked at); [`par_bfs_levels`] O(n / 64 + edges looked at). Span: the number of levels times the largest number of neighbours of a
//! node (one thread looks through all of them), and the time to fill the result. Memory: the nodes of two levels, the result, and a bit for each node
//! (no bits in [`par_bfs`] of up to 65,536 nodes).
//!
//! Threads share the nodes of one level at a time. So a wide graph is searched faster by more threads, and a long chain is not. The rest of
//! a level is shared if it should take longer than about 20 µs. Otherwise the caller goes on alone, and reads the clock now and then. If
//! there is nothing to share, this is the sequential search.
//!
//! # Measured
//!
//! <!-- measured: par_bfs -->
//! Measured, `par_bfs` of 1,000,000 nodes with two edges each: work 12 ms, span 69 µs, so up to 170 threads can be of use.

use super::atomics::{Bits, lay_out, numbers, plain};
use super::buffer::Buffer;
use super::lists::FoundLists;
use super::pace::Pace;
use crate::core::leaf;
use crate::iter::{IntoParallelRefIterator, ParallelIterator};
use crate::sync::{AtomicU32, Ordering::Relaxed};
use std::convert::Infallible;
use std::mem;
use std::ops::ControlFlow::{self, Continue};

/// The distance of a node that no path leads to.
///
/// ```
/// use filch::algo::{UNREACHED, par_bfs};
///
/// let edges = [vec![1], vec![], vec![0]]; // 2 -> 0 -> 1
/// assert_eq!(par_bfs(3, [0], |node| edges[node].iter().copied()), [0, 1, UNREACHED]);
/// ```
pub const UNREACHED: u32 = u32::MAX;

/// Up to this many nodes, the distances stay in the cache, and a look at them costs no more than one at bits.
const SMALL: usize = 1 << 16;

/// The parent of a node that has none: a source, or one that no path leads to.
///
/// ```
/// use filch::algo::{NO_PARENT, par_bfs_parents};
///
/// let edges = [vec![1], vec![], vec![0]]; // 2 -> 0 -> 1
/// let parents = par_bfs_parents(3, [0], |node| edges[node].iter().copied());
/// assert_eq!(parents, [NO_PARENT, 0, NO_PARENT]);
/// ```
pub const NO_PARENT: usize = usize::MAX;

/// Computes how many edges lead from the nearest of `sources` to each of the nodes `0..n`: [`UNREACHED`] if there is no path.
///
/// `neighbours(node)` returns the nodes to which an edge leads from `node`, in any order. A node may be there twice. The result is the same on any
/// number of threads. Work, span and memory: as the [module](self) says.
///
/// ```
/// use filch::algo::{UNREACHED, par_bfs};
///
/// // 0 - 1 - 2 - 3   4
/// let edges = [vec![1], vec![0, 2], vec![1, 3], vec![2], vec![]];
/// let distances = par_bfs(5, [0], |node| edges[node].iter().copied());
/// assert_eq!(distances, [0, 1, 2, 3, UNREACHED]);
/// ```
///
/// # Panics
///
/// If a source or a neighbour is not below `n`, if there are more than `u32::MAX` levels, or if `neighbours` panics.
#[doc(alias("breadth_first_search", "shortest_paths"))]
pub fn par_bfs<N, I>(n: usize, sources: impl IntoIterator<Item = usize>, neighbours: N) -> Vec<u32>
where
    N: Fn(usize) -> I + Sync,
    I: IntoIterator<Item = usize>,
{
    let distances = lay_out(n, || AtomicU32::new(UNREACHED));
    if n <= leaf(SMALL, 0) {
        let nodes = &distances[..];
        let reach = move |alone, level, _, node| is_first(nodes, alone, level, node);
        GraphSearch { neighbours, reach }.finish(sources);
    } else {
        let reach = by_bits(n, |level, _, node| distances[node].store(level, Relaxed));
        GraphSearch { neighbours, reach }.finish(sources);
    }
    distances.into_iter().map(AtomicU32::into_inner).collect()
}

/// Computes for each of the nodes `0..n` the node before it on a shortest path from one of `sources`, or [`NO_PARENT`] for the sources and
/// for nodes to which no path leads.
///
/// Following parents leads to the nearest source. If there are several shortest paths, any of them may be taken, and another one in the
/// next call. Work, span and memory: as the [module](self) says.
///
/// ```
/// use filch::algo::{NO_PARENT, par_bfs_parents};
///
/// // 0 - 1 - 2 - 3   4
/// let edges = [vec![1], vec![0, 2], vec![1, 3], vec![2], vec![]];
/// let parents = par_bfs_parents(5, [0], |node| edges[node].iter().copied());
/// assert_eq!(parents, [NO_PARENT, 0, 1, 2, NO_PARENT]);
/// ```
///
/// # Panics
///
/// As [`par_bfs`].
#[doc(alias("breadth_first_search", "shortest_path_tree"))]
pub fn par_bfs_parents<N, I>(
    n: usize,
    sources: impl IntoIterator<Item = usize>,
    neighbours: N,
) -> Vec<usize>
where
    N: Fn(usize) -> I + Sync,
    I: IntoIterator<Item = usize>,
{
    let parents = numbers(n, NO_PARENT);
    let reach = by_bits(n, |_, from, node| parents[node].store(from, Relaxed));
    GraphSearch { neighbours, reach }.finish(sources);
    plain(parents)
}

/// Calls `visit` with the nodes of each level of a breadth-first search from `sources` through the nodes `0..n`, until it returns `Break`.
///
/// `visit(level, nodes)` is called on the calling thread, for the sources (level 0) and then for each level that has nodes. The nodes of a
/// level are those whose nearest source is `level` edges away; they come in no particular order, each once. If `visit` returns `Break`, the
/// search ends, and its value is returned. Work, span and memory: as the [module](self) says.
///
/// ```
/// use filch::algo::par_bfs_levels;
/// use std::ops::ControlFlow::{Break, Continue};
///
/// // How many steps, of doubling or of going back by one, from 3 to 11?
/// let n = 32;
/// let steps = par_bfs_levels(
///     n,
///     [3],
///     |x| [2 * x, x.saturating_sub(1)].into_iter().filter(|&y| y < n),
///     |level, reached| if reached.contains(&11) { Break(level) } else { Continue(()) },
/// );
/// assert_eq!(steps, Break(3)); // 3, 6, 12, 11
/// ```
///
/// # Panics
///
/// As [`par_bfs`], or if `visit` panics.
#[doc(alias("breadth_first_search", "frontier"))]
pub fn par_bfs_levels<N, I, B>(
    n: usize,
    sources: impl IntoIterator<Item = usize>,
    neighbours: N,
    visit: impl FnMut(u32, &[usize]) -> ControlFlow<B>,
) -> ControlFlow<B>
where
    N: Fn(usize) -> I + Sync,
    I: IntoIterator<Item = usize>,
{
    let reach = by_bits(n, |_, _, _| {});
    GraphSearch { neighbours, reach }.run(sources, visit)
}

/// Notes by its distance that a node is reached. True: for the first time, and no other caller is told so. If this thread is `alone`, no other one notes
/// anything meanwhile.
#[inline(always)]
fn is_first(distances: &[AtomicU32], alone: bool, level: u32, node: usize) -> bool {
    let Some(distance) = distances.get(node) else {
        no_such_node(node, distances.len());
    };
    // Most neighbours were reached before, and reading does not take the line away from others.
    let new = distance.load(Relaxed) == UNREACHED;
    if new && alone {
        distance.store(level, Relaxed);
        return true;
    }
    let noted = || distance.compare_exchange(UNREACHED, level, Relaxed, Relaxed);
    new && noted().is_ok()
}

/// Likewise by a bit for each node; calls `also` with the level of each that is new, the node before it, and itself.
fn by_bits(
    n: usize,
    also: impl Fn(u32, usize, usize) + Sync,
) -> impl Fn(bool, u32, usize, usize) -> bool + Sync {
    let bits = Bits::new(n);
    move |alone, level, from, node| {
        if node >= n {
            no_such_node(node, n);
        }
        let new = bits.set(node, alone);
        if new {
            also(level, from, node);
        }
        new
    }
}

#[cold]
#[inline(never)]
fn no_such_node(node: usize, n: usize) -> ! {
    panic!("node {node} in a graph of {n} nodes")
}

struct GraphSearch<N, R> {
    neighbours: N,
    /// Is told whether this thread is alone, a level, and two nodes: on that level the second one is reached from the first one. Whether it is new.
    reach: R,
}

impl<N, R, I> GraphSearch<N, R>
where
    N: Fn(usize) -> I + Sync,
    I: IntoIterator<Item = usize>,
    R: Fn(bool, u32, usize, usize) -> bool + Sync,
{
    /// A search that nothing breaks off.
    fn finish(&self, sources: impl IntoIterator<Item = usize>) {
        let Continue(()) = self.run::<Infallible>(sources, |_, _| Continue(()));
    }

    fn run<B>(
        &self,
        sources: impl IntoIterator<Item = usize>,
        mut visit: impl FnMut(u32, &[usize]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let sources = sources.into_iter();
        let mut frontier: Vec<usize> = sources
            .filter(|&node| (self.reach)(true, 0, NO_PARENT, node))
            .collect();
        let mut next = Vec::new();
        let mut pace = Pace::new();
        for level in 0..UNREACHED {
            if frontier.is_empty() {
                drop([Buffer(frontier), Buffer(next)]);
                return Continue(());
            }
            visit(level, &frontier)?;
            pace.resume();
            next.clear();
            let mut rest = &frontier[..];
            while !rest.is_empty() {
                let (alone, others) = rest.split_at(pace.alone(rest.len()));
                if alone.is_empty() {
                    let mut found = self.expand_shared(level, others);
                    pace.after_shared(others.len());
                    // What was found alone is little.
                    found.items.append(&mut next);
                    next = found.into_vec();
                    break;
                }
                for &node in alone {
                    self.expand::<true>(level, node, &mut next);
                }
                pace.after_alone(alone.len());
                rest = others;
            }
            mem::swap(&mut frontier, &mut next);
        }
        panic!("a graph of more than {UNREACHED} levels");
    }

    fn expand_shared(&self, level: u32, frontier: &[usize]) -> FoundLists<usize> {
        frontier
            .par_iter()
            .fold(Vec::new, |mut next, &node| {
                self.expand::<false>(level, node, &mut next);
                next
            })
            .map(FoundLists::of)
            .reduce(
                || FoundLists::of(Vec::new()),
                |mut left, right| {
                    left.join(right);
                    left
                },
            )
    }

    /// Puts those neighbours of a node that were not reached yet to the next level.
    #[inline]
    fn expand<const ALONE: bool>(&self, level: u32, node: usize, next: &mut Vec<usize>) {
        for neighbour in (self.neighbours)(node) {
            if (self.reach)(ALONE, level + 1, node, neighbour) {
                next.push(neighbour);
            }
        }
    }
}

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
//! - Distances and levels (as sets) do not depend on the number of threads. Which of several shortest paths a tree of them holds, and in
//!   which order the nodes of a level come, does.
//! - Stack use does not depend on the graph.
//!
//! # Cost
//!
//! Work: O(n + edges looked at), for levels O(n / 64 + edges looked at). Span: the number of levels times the largest number of neighbours of a
//! node, which one thread looks through, and what it takes to lay out the result. Memory: a bit for each node (not for up to 65,536
//! distances), the nodes of two levels, and the result.
//!
//! Threads share the nodes of one level at a time, so a graph that is wide is searched faster by more of them, and one that is a long chain
//! is not. What is left of a level is shared if it should take longer than about 20 µs; else the caller goes on alone, with a look at the clock
//! now and then. Where there is nothing to share this is the sequential search, in large graphs with a bit for each node beside the result.
//!
//! # Measured
//!
//! <!-- measured: par_bfs -->
//! Measured, `par_bfs` of 1,000,000 nodes with two edges each: work 10 ms, span 86 µs, so up to 120 threads can be of use.

use super::lists::Lists;
use super::pace::Pace;
use crate::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::convert::Infallible;
use std::mem;
use std::ops::ControlFlow::{self, Break, Continue};

/// The distance of a node that no path leads to.
///
/// ```
/// use filch::algo::{UNREACHED, par_bfs};
///
/// let edges = [vec![1], vec![], vec![0]]; // 2 -> 0 -> 1
/// assert_eq!(par_bfs(3, [0], |node| edges[node].iter().copied()), [0, 1, UNREACHED]);
/// ```
pub const UNREACHED: u32 = u32::MAX;

/// Up to so many nodes, the distances stay in the cache, and a look at them costs no more than one at bits.
const SMALL: usize = 1 << 16;

/// From so many nodes on the result is laid out by all threads.
const LARGE: usize = 1 << 18;

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
/// `neighbours(node)` gives the nodes to which an edge leads from `node`, in any order; doubles do no harm. The result is the same on any
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
    if n <= SMALL {
        let reached = Distances(&distances);
        let search = Search {
            reached,
            neighbours,
        };
        finish(search.run(sources, |_, _| Continue(())));
    } else {
        let note = |level, _, node: usize| distances[node].store(level, Relaxed);
        let reached = Noted::new(n, note);
        let search = Search {
            reached,
            neighbours,
        };
        finish(search.run(sources, |_, _| Continue(())));
    }
    distances.into_iter().map(AtomicU32::into_inner).collect()
}

/// Computes for each of the nodes `0..n` the node before it on a shortest path from one of `sources`: [`NO_PARENT`] for these themselves,
/// and for nodes that no path leads to.
///
/// Following parents leads to the nearest source. Of several shortest paths any may be taken, and not the same in each call. Work, span
/// and memory: as the [module](self) says.
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
    let parents = lay_out(n, || AtomicUsize::new(NO_PARENT));
    let search = Search {
        reached: Noted::new(n, |_, from, node: usize| parents[node].store(from, Relaxed)),
        neighbours,
    };
    finish(search.run(sources, |_, _| Continue(())));
    parents.into_iter().map(AtomicUsize::into_inner).collect()
}

/// Shows `visit` the nodes of each level of a breadth-first search from `sources` through the nodes `0..n`, until it breaks.
///
/// `visit(level, nodes)` is called on the calling thread, for the sources (level 0) and then for each level that has nodes. The nodes of a
/// level are those whose nearest source is `level` edges away; they come in no particular order, each once. What `visit` breaks with is
/// returned, and the search ends there. Work, span and memory: as the [module](self) says.
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
    let search = Search {
        reached: Noted::new(n, |_, _, _| {}),
        neighbours,
    };
    search.run(sources, visit)
}

/// The end of a search that nothing breaks off.
fn finish(flow: ControlFlow<Infallible>) {
    match flow {
        Continue(()) => {}
        Break(never) => match never {},
    }
}

/// What a search starts with for each node.
fn lay_out<T: Send>(n: usize, unreached: impl Fn() -> T + Sync) -> Vec<T> {
    if n < LARGE {
        (0..n).map(|_| unreached()).collect()
    } else {
        (0..n).into_par_iter().map(|_| unreached()).collect()
    }
}

/// Where it is noted that nodes were reached.
trait Reached: Sync {
    /// Notes that `node` is reached on `level`, after the node `from`. True: it was not before, and no other caller is told so.
    ///
    /// What was reached is all that threads tell each other within a level, so its order with other memory does not matter; between levels
    /// they join.
    fn note(&self, level: u32, from: usize, node: usize) -> bool;

    /// The same, while no other thread does so.
    fn note_alone(&self, level: u32, from: usize, node: usize) -> bool;
}

struct Search<N, R> {
    reached: R,
    neighbours: N,
}

impl<N, R, I> Search<N, R>
where
    N: Fn(usize) -> I + Sync,
    I: IntoIterator<Item = usize>,
    R: Reached,
{
    fn run<B>(
        &self,
        sources: impl IntoIterator<Item = usize>,
        mut visit: impl FnMut(u32, &[usize]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let sources = sources.into_iter();
        let reached = &self.reached;
        let mut frontier: Vec<usize> = sources
            .filter(|&node| reached.note_alone(0, NO_PARENT, node))
            .collect();
        let mut next = Vec::new();
        let mut pace = Pace::new();
        for level in 0..UNREACHED {
            if frontier.is_empty() {
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
                    self.expand(level, node, &mut next, R::note_alone);
                }
                pace.after_alone(alone.len());
                rest = others;
            }
            mem::swap(&mut frontier, &mut next);
        }
        panic!("a graph of more than {UNREACHED} levels");
    }

    fn expand_shared(&self, level: u32, frontier: &[usize]) -> Lists<usize> {
        frontier
            .par_iter()
            .fold(Vec::new, |mut next, &node| {
                self.expand(level, node, &mut next, R::note);
                next
            })
            .map(Lists::of)
            .reduce(
                || Lists::of(Vec::new()),
                |mut left, right| {
                    left.join(right);
                    left
                },
            )
    }

    /// Puts those neighbours of a node that were not reached yet to the next level.
    #[inline]
    fn expand(
        &self,
        level: u32,
        node: usize,
        next: &mut Vec<usize>,
        note: impl Fn(&R, u32, usize, usize) -> bool,
    ) {
        for neighbour in (self.neighbours)(node) {
            if note(&self.reached, level + 1, node, neighbour) {
                next.push(neighbour);
            }
        }
    }
}

/// Distances, which say by themselves what was reached.
struct Distances<'d>(&'d [AtomicU32]);

impl Distances<'_> {
    #[inline]
    fn of(&self, node: usize) -> &AtomicU32 {
        match self.0.get(node) {
            Some(distance) => distance,
            None => no_such_node(node, self.0.len()),
        }
    }
}

impl Reached for Distances<'_> {
    #[inline]
    fn note(&self, level: u32, _: usize, node: usize) -> bool {
        let distance = self.of(node);
        // Most neighbours were reached before, and reading does not take the line away from others.
        distance.load(Relaxed) == UNREACHED
            && distance
                .compare_exchange(UNREACHED, level, Relaxed, Relaxed)
                .is_ok()
    }

    #[inline]
    fn note_alone(&self, level: u32, _: usize, node: usize) -> bool {
        let distance = self.of(node);
        let new = distance.load(Relaxed) == UNREACHED;
        if new {
            distance.store(level, Relaxed);
        }
        new
    }
}

#[cold]
#[inline(never)]
fn no_such_node(node: usize, n: usize) -> ! {
    panic!("node {node} in a graph of {n} nodes")
}

/// A bit for each node, and what else is to be done for those that are reached.
struct Noted<R> {
    seen: Seen,
    also: R,
}

impl<R> Noted<R> {
    fn new(n: usize, also: R) -> Self {
        Noted {
            seen: Seen::new(n),
            also,
        }
    }
}

impl<R: Fn(u32, usize, usize) + Sync> Reached for Noted<R> {
    #[inline]
    fn note(&self, level: u32, from: usize, node: usize) -> bool {
        let new = self.seen.mark(node);
        if new {
            (self.also)(level, from, node);
        }
        new
    }

    #[inline]
    fn note_alone(&self, level: u32, from: usize, node: usize) -> bool {
        let new = self.seen.mark_alone(node);
        if new {
            (self.also)(level, from, node);
        }
        new
    }
}

/// Which nodes were reached: a bit for each.
struct Seen {
    words: Vec<AtomicU64>,
    n: usize,
}

impl Seen {
    fn new(n: usize) -> Self {
        let words = n.div_ceil(64);
        Seen {
            words: lay_out(words, || AtomicU64::new(0)),
            n,
        }
    }

    #[inline]
    fn place(&self, node: usize) -> (&AtomicU64, u64) {
        if node >= self.n {
            no_such_node(node, self.n);
        }
        (&self.words[node / 64], 1 << (node % 64))
    }

    /// Marks a node. True: it was not marked before, and no other caller is told so.
    #[inline]
    fn mark(&self, node: usize) -> bool {
        let (word, bit) = self.place(node);
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// [`Seen::mark`], while no other thread marks.
    #[inline]
    fn mark_alone(&self, node: usize) -> bool {
        let (word, bit) = self.place(node);
        let before = word.load(Relaxed);
        let new = before & bit == 0;
        if new {
            word.store(before | bit, Relaxed);
        }
        new
    }
}

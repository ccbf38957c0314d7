//! How far each node of a linked list is from its end.
//!
//! A list is given by the next node of each node. Nodes may lie anywhere in memory. How it works:
//!
//! 1. About one node in 64 is a *stop*. It is chosen by a hash of its number.
//! 2. From each stop, and from the begin of each list, a thread walks to the next stop, and notes how long that is.
//! 3. The stops are now a shorter list, with lengths. It is ranked in the same way.
//! 4. Each walk is gone once more. What follows its last node is known now, so each node gets its rank.
//!
//! (Helman and JáJá, *Designing practical efficient algorithms for symmetric multiprocessors*, 1999, in a recursive form; Reid-Miller,
//! *List ranking and list scan on the Cray C90*, 1994.)
//!
//! Work O(n), and most steps miss the cache. Span O(log² n) as a rule, since a walk has about 64 nodes, and the longest a few hundred.
//! Memory beside the result: up to five words for each list, and one for about 15 nodes.
//!
//! # Measured
//!
//! <!-- measured: list_rank -->
//! Measured, `list_rank` of a list of 1,000,000 nodes: work 9.6 ms, span 71 µs, so up to 140 threads can be of use.

use super::atomics::{numbers, plain};
use crate::core::leaf;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelExtend,
    ParallelIterator,
};
use crate::sync::{AtomicUsize, Ordering::Relaxed};

/// What follows the last node of a list.
///
/// ```
/// use filch::algo::{NO_NEXT, list_rank};
/// assert_eq!(list_rank(&[2, NO_NEXT, 1]), [2, 0, 1]);
/// ```
pub const NO_NEXT: usize = usize::MAX;

/// So few nodes are ranked by one thread.
const SHORT: usize = 1 << 12;

/// How many nodes follow each node up to the end of its list: 0 for the last one.
///
/// `next[i]` is the node that follows `i`, or [`NO_NEXT`]. There may be several lists, but a node follows at most one other. See the
/// [module](self) for the algorithm and what it costs.
///
/// ```
/// use filch::algo::{NO_NEXT, list_rank};
/// // 2 -> 0 -> 1, and 3
/// assert_eq!(list_rank(&[1, NO_NEXT, 0, NO_NEXT]), [1, 0, 2, 0]);
/// ```
///
/// # Panics
///
/// If `next[i]` is not a node, if two nodes have the same next node, or if nodes follow each other in a circle.
#[doc(alias("list_ranking", "pointer_jumping"))]
#[inline]
pub fn list_rank(next: &[usize]) -> Vec<usize> {
    let n = next.len();
    let ranks = numbers(n, 0);
    next.par_iter().enumerate().for_each(|(node, &follower)| {
        if follower == NO_NEXT {
            return;
        }
        let Some(rank) = ranks.get(follower) else {
            panic!("filch: node {node} is followed by {follower}, of {n} nodes");
        };
        let twice = rank.swap(UNKNOWN, Relaxed) == UNKNOWN;
        assert!(!twice, "filch: two nodes are followed by {follower}");
    });
    let is_head = |&node: &usize| ranks[node].load(Relaxed) != UNKNOWN;
    let heads: Vec<usize> = (0..n).into_par_iter().filter(is_head).collect();
    rank(next, &[], &heads, &ranks);
    let in_circle = |rank: &AtomicUsize| rank.load(Relaxed) == UNKNOWN;
    if let Some(node) = ranks.par_iter().position_first(in_circle) {
        panic!("filch: node {node} is in a circle of nodes that follow each other");
    }
    plain(ranks)
}

/// The ranks of the nodes of a single list that begins with `head`, and has all nodes.
#[inline]
pub(super) fn rank_one_list(next: &[usize], head: usize) -> Vec<usize> {
    let ranks = numbers(next.len(), UNKNOWN);
    rank(next, &[], &[head], &ranks);
    plain(ranks)
}

/// The rank of a node that no walk has reached.
const UNKNOWN: usize = usize::MAX;

/// Sets the rank of each node: the sum of the weights of the nodes that follow it. Each node weighs 1 if there are no weights.
///
/// Before, all ranks but those of heads are [`UNKNOWN`]. Afterwards those of nodes on a circle still are.
#[inline]
fn rank(next: &[usize], weights: &[usize], heads: &[usize], ranks: &[AtomicUsize]) {
    let weight = |node: usize| weights.get(node).copied().unwrap_or(1);
    // `left` is the sum of the weights from `node` on. Returned is the sum of those behind it.
    let settle = |left: usize, node: usize| {
        let left = left - weight(node);
        ranks[node].store(left, Relaxed);
        left
    };
    let n = next.len();
    // Of two nodes and more, fewer are stops.
    if n <= leaf(SHORT, 1) {
        for &head in heads {
            let sum = walk(next, head, |_| false).map(weight).sum();
            walk(next, head, |_| false).fold(sum, settle);
        }
        return;
    }
    // Walks begin at the stops, and at the heads that are none.
    let mut starts: Vec<usize> = (0..n).into_par_iter().filter(is_stop).collect();
    let stops = starts.len();
    starts.par_extend(heads.par_iter().copied().filter(|head| !is_stop(head)));
    // Until the rank of a stop is known, it is the number of the stop.
    let numbered = starts[..stops].par_iter().enumerate();
    numbered.for_each(|(i, &stop)| ranks[stop].store(i, Relaxed));

    // For each walk the number of the next stop, and the sum of its weights.
    let walks = starts.par_iter().map(|&start| {
        let add = |(_, sum): (usize, usize), node| (node, sum + weight(node));
        let (last, sum) = walk(next, start, is_stop).fold((start, 0), add);
        let stop = ranks.get(next[last]);
        (stop.map_or(NO_NEXT, |number| number.load(Relaxed)), sum)
    });
    let (next_stop, sums): (Vec<usize>, Vec<usize>) = walks.unzip();
    let stops_that_are_heads = heads.par_iter().filter(|head| is_stop(head));
    let stops_that_are_heads = stops_that_are_heads.map(|&head| ranks[head].load(Relaxed));
    let after_heads = next_stop[stops..].par_iter().copied();
    let first = stops_that_are_heads.chain(after_heads.filter(|&stop| stop != NO_NEXT));
    let first: Vec<usize> = first.collect();
    let stop_ranks = numbers(stops, UNKNOWN);
    rank(&next_stop[..stops], &sums[..stops], &first, &stop_ranks);

    let walks = starts.par_iter().zip(&next_stop).zip(&sums);
    walks.for_each(|((&start, &stop), &sum)| {
        let after = match stop_ranks.get(stop).map(|rank| rank.load(Relaxed)) {
            None => 0,
            Some(UNKNOWN) => return ranks[start].store(UNKNOWN, Relaxed),
            Some(rank) => rank + sums[stop],
        };
        walk(next, start, is_stop).fold(sum + after, settle);
    });
}

/// The nodes from a start on, up to the end of the list or the next node for which `ends` says so.
fn walk<'a>(
    next: &'a [usize],
    start: usize,
    ends: impl Fn(&usize) -> bool + 'a,
) -> impl Iterator<Item = usize> + 'a {
    let follower =
        move |&node: &usize| Some(next[node]).filter(|next| *next != NO_NEXT && !ends(next));
    std::iter::successors(Some(start), follower)
}

/// Whether a node is a stop: one in 64, by Fibonacci hashing, so that of any row of numbers about one in 64 is.
fn is_stop(&node: &usize) -> bool {
    (node as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58 == 0
}

//! How far each node of a linked list is from its end.
//!
//! A list is given by the next node of each node. Nodes may lie anywhere in memory. How it works:
//!
//! 1. About one node in 64 is a *stop*. It is chosen by a hash of its number.
//! 2. From each stop, and from the begin of each list, a thread walks to the next stop, and notes how long that is.
//! 3. The stops are now a shorter list, with lengths. It is ranked in the same way.
//! 4. The rank of any other node is that of the stop where its walk began, less its place in that walk.
//!
//! (Helman and JáJá, *Designing practical efficient algorithms for symmetric multiprocessors*, 1999, in a recursive form; Reid-Miller,
//! *List ranking and list scan on the Cray C90*, 1994.)
//!
//! Work O(n), and most steps miss the cache. Span O(log² n) as a rule, since a walk has about 64 nodes, and the longest a few hundred.
//! Memory: five words for each node.
//!
//! # Measured
//!
//! <!-- measured: list_rank -->
//! Measured, `list_rank` of a list of 1,000,000 nodes: work 24 ms, span 150 µs, so up to 170 threads can be of use.

use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator,
    IntoParallelRefMutIterator, ParallelExtend, ParallelIterator,
};
use crate::sync::{AtomicBool, AtomicUsize, Ordering::Relaxed};

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
pub fn list_rank(next: &[usize]) -> Vec<usize> {
    let n = next.len();
    let is_followed = |_| AtomicBool::new(false);
    let has_before: Vec<AtomicBool> = (0..n).into_par_iter().map(is_followed).collect();
    next.par_iter().enumerate().for_each(|(node, &follower)| {
        if follower == NO_NEXT {
            return;
        }
        let Some(has_before) = has_before.get(follower) else {
            panic!("filch: node {node} is followed by {follower}, of {n} nodes");
        };
        let twice = has_before.swap(true, Relaxed);
        assert!(!twice, "filch: two nodes are followed by {follower}");
    });
    let heads: Vec<usize> = (0..n)
        .into_par_iter()
        .filter(|&node| !has_before[node].load(Relaxed))
        .collect();
    drop(has_before);
    let weights: Vec<usize> = next.par_iter().map(|_| 1).collect();
    let ranks = rank(next, &weights, &heads);
    if let Some(node) = ranks.par_iter().position_first(|&rank| rank == UNKNOWN) {
        panic!("filch: node {node} is in a circle of nodes that follow each other");
    }
    // The weight of the last node is counted, too.
    ranks.into_par_iter().map(|rank| rank - 1).collect()
}

/// The rank of a node that no walk has come to.
const UNKNOWN: usize = usize::MAX;

/// What the weights from each node to the end of its list come to, its own included; [`UNKNOWN`] on a circle.
fn rank(next: &[usize], weights: &[usize], heads: &[usize]) -> Vec<usize> {
    let n = next.len();
    let walk = |from: usize| {
        let follower = |&node: &usize| (next[node] != NO_NEXT).then_some(next[node]);
        std::iter::successors(Some(from), follower)
    };
    if n <= SHORT {
        let mut ranks = vec![UNKNOWN; n];
        for &head in heads {
            let mut left: usize = walk(head).map(|node| weights[node]).sum();
            for node in walk(head) {
                ranks[node] = left;
                left -= weights[node];
            }
        }
        return ranks;
    }
    // Walks begin at the stops, and at the heads that are none.
    let mut starts: Vec<usize> = (0..n).into_par_iter().filter(is_stop).collect();
    let stops = starts.len();
    starts.par_extend(heads.par_iter().copied().filter(|head| !is_stop(head)));
    let number = numbers(n, UNKNOWN);
    let numbered = starts[..stops].par_iter().enumerate();
    numbered.for_each(|(i, &stop)| number[stop].store(i, Relaxed));
    let number = |node: usize| number[node].load(Relaxed);

    // For each walk its next stop and what its weights come to; for each node its walk, and what the weights before it come to.
    let (owner, before) = (numbers(n, UNKNOWN), numbers(n, UNKNOWN));
    let walks = starts.par_iter().enumerate().map(|(i, &start)| {
        let mut sum = 0;
        for (step, node) in walk(start).enumerate() {
            if step > 0 && is_stop(&node) {
                return (number(node), sum);
            }
            owner[node].store(i, Relaxed);
            before[node].store(sum, Relaxed);
            sum += weights[node];
        }
        (NO_NEXT, sum)
    });
    let (next_stop, mut sums): (Vec<usize>, Vec<usize>) = walks.unzip();
    let stops_that_are_heads = heads.par_iter().copied().filter(is_stop).map(number);
    let after_heads = next_stop[stops..].par_iter().copied();
    let first = stops_that_are_heads.chain(after_heads.filter(|&stop| stop != NO_NEXT));
    let first: Vec<usize> = first.collect();
    let ranks = rank(&next_stop[..stops], &sums[..stops], &first);

    // From the beginning of each walk to the end of its list.
    let walks = sums.par_iter_mut().zip(&next_stop);
    walks.for_each(|(sum, &stop)| {
        if let Some(&rank) = ranks.get(stop) {
            *sum = if rank == UNKNOWN {
                UNKNOWN
            } else {
                *sum + rank
            };
        }
    });
    let whole = owner.into_par_iter().zip(before).map(|(owner, before)| {
        match sums.get(owner.into_inner()) {
            Some(&sum) if sum != UNKNOWN => sum - before.into_inner(),
            _ => UNKNOWN,
        }
    });
    whole.collect()
}

/// So many numbers that all threads write to, which begin as `first`.
pub(super) fn numbers(n: usize, first: usize) -> Vec<AtomicUsize> {
    let each = (0..n).into_par_iter();
    each.map(|_| AtomicUsize::new(first)).collect()
}

/// Whether a node is a stop: one in 64, by Fibonacci hashing, so that of any row of numbers about one in 64 is.
fn is_stop(&node: &usize) -> bool {
    (node as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58 == 0
}

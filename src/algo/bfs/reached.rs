//! Which nodes a search has reached: by their distances, or by a bit for each.
//!
//! To note a node is one look, and one atomic operation if it is new and others search too; memory: four bytes or one bit a node.

use super::UNREACHED;
use crate::iter::{IntoParallelIterator, ParallelIterator};
use crate::sync::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// From so many nodes on all threads make what there is for each.
const LARGE: usize = 1 << 18;

/// One for each node.
pub(super) fn for_all_nodes<T: Send>(n: usize, one: impl Fn() -> T + Sync) -> Vec<T> {
    if n < LARGE {
        (0..n).map(|_| one()).collect()
    } else {
        (0..n).into_par_iter().map(|_| one()).collect()
    }
}

/// Where it is noted that nodes were reached.
pub(super) trait ReachedNodes: Sync {
    /// Notes that `node` is reached on `level`, after the node `from`; `ALONE`: no other thread does so. True: it was not before, and no other
    /// caller is told so.
    ///
    /// What was reached is all that threads tell each other within a level, so its order with other memory does not matter; between levels
    /// they join.
    fn note<const ALONE: bool>(&self, level: u32, from: usize, node: usize) -> bool;
}

/// Distances, which say by themselves what was reached.
pub(super) struct Distances<'d>(pub(super) &'d [AtomicU32]);

impl ReachedNodes for Distances<'_> {
    #[inline]
    fn note<const ALONE: bool>(&self, level: u32, _: usize, node: usize) -> bool {
        let Some(distance) = self.0.get(node) else {
            no_such_node(node, self.0.len());
        };
        // Most neighbours were reached before, and reading does not take the line away from others.
        if distance.load(Relaxed) != UNREACHED {
            return false;
        }
        if ALONE {
            distance.store(level, Relaxed);
            return true;
        }
        let before = distance.compare_exchange(UNREACHED, level, Relaxed, Relaxed);
        before.is_ok()
    }
}

#[cold]
#[inline(never)]
fn no_such_node(node: usize, n: usize) -> ! {
    panic!("node {node} in a graph of {n} nodes")
}

/// A bit for each node, and what else is to be done for those that are reached.
pub(super) struct Noted<R> {
    words: Vec<AtomicU64>,
    n: usize,
    also: R,
}

impl<R> Noted<R> {
    pub(super) fn new(n: usize, also: R) -> Self {
        let words = for_all_nodes(n.div_ceil(64), || AtomicU64::new(0));
        Noted { words, n, also }
    }
}

impl<R: Fn(u32, usize, usize) + Sync> ReachedNodes for Noted<R> {
    #[inline]
    fn note<const ALONE: bool>(&self, level: u32, from: usize, node: usize) -> bool {
        if node >= self.n {
            no_such_node(node, self.n);
        }
        let (word, bit) = (&self.words[node / 64], 1 << (node % 64));
        let before = word.load(Relaxed);
        if before & bit != 0 {
            return false;
        }
        if ALONE {
            word.store(before | bit, Relaxed);
        } else if word.fetch_or(bit, Relaxed) & bit != 0 {
            return false;
        }
        (self.also)(level, from, node);
        true
    }
}

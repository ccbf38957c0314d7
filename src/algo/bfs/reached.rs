//! Which nodes a search has reached: by their distances, or by a bit for each.
//!
//! To note a node is one look, and one atomic operation if it is new; memory: four bytes or one bit per node.

use super::UNREACHED;
use crate::iter::{IntoParallelIterator, ParallelIterator};
use crate::sync::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// From so many nodes on the result is laid out by all threads.
const LARGE: usize = 1 << 18;

/// What a search starts with for each node.
pub(super) fn lay_out<T: Send>(n: usize, unreached: impl Fn() -> T + Sync) -> Vec<T> {
    if n < LARGE {
        (0..n).map(|_| unreached()).collect()
    } else {
        (0..n).into_par_iter().map(|_| unreached()).collect()
    }
}

/// Where it is noted that nodes were reached.
pub(super) trait ReachedNodes: Sync {
    /// Notes that `node` is reached on `level`, after the node `from`. True: it was not before, and no other caller is told so. `ALONE` says
    /// that no other thread notes anything meanwhile.
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
        let new = distance.load(Relaxed) == UNREACHED;
        if new && ALONE {
            distance.store(level, Relaxed);
            return true;
        }
        new && distance
            .compare_exchange(UNREACHED, level, Relaxed, Relaxed)
            .is_ok()
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
        Noted {
            words: lay_out(n.div_ceil(64), || AtomicU64::new(0)),
            n,
            also,
        }
    }

    /// Marks a node. True: it was not marked before, and no other caller is told so.
    #[inline]
    fn mark<const ALONE: bool>(&self, node: usize) -> bool {
        if node >= self.n {
            no_such_node(node, self.n);
        }
        let (word, bit) = (&self.words[node / 64], 1 << (node % 64));
        let before = word.load(Relaxed);
        let new = before & bit == 0;
        if new && ALONE {
            word.store(before | bit, Relaxed);
            return true;
        }
        new && word.fetch_or(bit, Relaxed) & bit == 0
    }
}

impl<R: Fn(u32, usize, usize) + Sync> ReachedNodes for Noted<R> {
    #[inline]
    fn note<const ALONE: bool>(&self, level: u32, from: usize, node: usize) -> bool {
        let new = self.mark::<ALONE>(node);
        if new {
            (self.also)(level, from, node);
        }
        new
    }
}

//! Folds a subtree by recursion, down to a limited depth and up to a limited number of nodes. What is left goes to the tour.
//!
//! Each node is entered and left once; the stack takes up to 16 KiB of the caller's types, or one level.

use super::rules::FoldRules;
use crate::algo::pace::LOOK;
use crate::core::clock;

/// How deep the recursion goes at most: deep enough that most nodes of a tree are folded by it, not so deep that it could fill a stack.
const DEPTH: usize = 16;

/// About how many bytes of the caller's types may lie on the stack.
const BYTES: usize = 16 << 10;

/// How deep the recursion goes under such rules.
const fn depth<F: FoldRules>() -> usize {
    let children = size_of::<F::Children>() + size_of::<<F::Children as IntoIterator>::IntoIter>();
    let values = size_of::<F::Node>() + size_of::<F::Acc>() + 2 * size_of::<F::Result>();
    match BYTES / (children + values + 1) {
        0 => 1,
        levels if levels < DEPTH => levels,
        _ => DEPTH,
    }
}

/// How far to go, and what was left when that was reached.
pub(super) struct Descent<F: FoldRules> {
    /// How many nodes may be visited before the next look at the clock; a node that is left without that counts once more.
    budget: usize,
    /// How many more after that, if it is not too late.
    reserve: usize,
    /// When it is too late, in ticks.
    until: u64,
    /// Nodes to visit, the next one first.
    pub(super) nodes: Vec<F::Node>,
    /// Nodes that were entered and not left, the innermost first, each with how many of `nodes` are below it.
    pub(super) open: Vec<(F::Acc, usize)>,
}

impl<F: FoldRules> Descent<F> {
    pub(super) fn new() -> Self {
        Descent {
            budget: 0,
            reserve: 0,
            until: 0,
            nodes: Vec::new(),
            open: Vec::new(),
        }
    }

    /// From here on, so many nodes may be visited, or fewer once the clock is past `until`.
    #[inline]
    pub(super) fn allow(&mut self, nodes: usize, until: u64) {
        self.budget = if until == u64::MAX {
            nodes
        } else {
            nodes.min(LOOK)
        };
        (self.reserve, self.until) = (nodes - self.budget, until);
    }

    /// Whether no node may be visited any more.
    #[inline(always)]
    pub(super) fn is_spent(&mut self) -> bool {
        self.budget == 0 && !self.refill()
    }

    /// Counts a node, which may be visited or left.
    #[inline(always)]
    pub(super) fn count(&mut self) {
        self.budget -= 1;
    }

    /// Takes as many nodes from the reserve as are visited between two looks at the clock.
    #[cold]
    fn refill(&mut self) -> bool {
        if self.reserve == 0 || clock::ticks() > self.until {
            self.reserve = 0;
            return false;
        }
        self.budget = self.reserve.min(LOOK);
        self.reserve -= self.budget;
        true
    }

    /// The result of a subtree; or nothing, and here is what is left of it.
    ///
    /// If there is a budget, at least `node` is visited.
    #[inline]
    pub(super) fn subtree(&mut self, fold: &F, node: F::Node) -> Option<F::Result> {
        self.descend(fold, node, const { depth::<F>() })
    }

    fn descend(&mut self, fold: &F, node: F::Node, depth: usize) -> Option<F::Result> {
        if depth == 0 || self.is_spent() {
            self.nodes.push(node);
            return None;
        }
        self.count();
        let mut children = fold.children(&node).into_iter();
        let mut so_far = fold.begin(node);
        while let Some(child) = children.next() {
            match self.descend(fold, child, depth - 1) {
                Some(result) => so_far = fold.add(so_far, result),
                None => {
                    self.nodes.extend(children);
                    self.open.push((so_far, self.nodes.len()));
                    return None;
                }
            }
        }
        Some(fold.end(so_far))
    }
}

//! Recursions with a join at each level.

use super::{below, hash};

/// What recurses, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tree {
    /// A tree of so many nodes of 1 us each, in which the children share what is below a node by chance.
    Random(u64),
    /// A quicksort of so many elements: a nanosecond an element for a partition, which splits anywhere.
    Quicksort(u64),
    /// A tree of so many nodes of 1 us each, in which the children are alike.
    Even(u64),
}

/// A place in the recursion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    size: u64,
    seed: u64,
}

/// What is folded into one job, in nodes or elements: about 5 us.
const LEAF: u64 = 5;
const SORTED_LEAF: u64 = 600;

impl Tree {
    /// Where the recursion begins.
    pub fn root(self) -> Node {
        let (Tree::Random(size) | Tree::Quicksort(size) | Tree::Even(size)) = self;
        Node { size, seed: 1 }
    }

    /// What `node` costs before it recurses, and into what it does.
    pub fn expand(self, node: Node) -> (u64, Option<(Node, Node)>) {
        let Node { size, seed } = node;
        let (cost, leaf) = match self {
            Tree::Random(_) | Tree::Even(_) => (1000, LEAF),
            Tree::Quicksort(_) => (size, SORTED_LEAF),
        };
        if size <= leaf {
            let all = match self {
                Tree::Quicksort(_) => size * u64::from(size.max(2).ilog2()),
                _ => 1000 * size,
            };
            return (all.max(1), None);
        }
        let left = match self {
            Tree::Even(_) => (size - 1) / 2,
            _ => below(size, hash(seed)),
        };
        let child = |size: u64, at| Node {
            size,
            seed: hash(seed ^ at),
        };
        let children = (child(left, 1 << 60), child(size - 1 - left, 1 << 61));
        (cost, Some(children))
    }

    /// What all of `node` costs on one processor, and on as many as can be of use.
    pub fn work_and_span(self, node: Node) -> (u64, u64) {
        match self.expand(node) {
            (cost, None) => (cost, cost),
            (cost, Some((left, right))) => {
                let (a, b) = (self.work_and_span(left), self.work_and_span(right));
                (cost + a.0 + b.0, cost + a.1.max(b.1))
            }
        }
    }
}

//! Recursive tasks by plain calls.

use std::iter;

/// A binary tree on the heap.
pub struct Node {
    pub value: u64,
    pub left: Option<Box<Node>>,
    pub right: Option<Box<Node>>,
}

impl Node {
    /// A full tree of `layers` layers, which has `2^layers - 1` nodes.
    ///
    /// It is built level by level, so that memory favours neither child: filch goes to the left one first, chili to the right one.
    pub fn full(layers: u32) -> Option<Box<Node>> {
        let mut level: Vec<_> = (0..1 << layers).map(|_| None).collect();
        for value in 1..=u64::from(layers) {
            let mut below = level.into_iter();
            let parents = iter::from_fn(|| {
                let (left, right) = (below.next()?, below.next()?);
                Some(Some(Box::new(Node { value, left, right })))
            });
            level = parents.collect();
        }
        level.pop()?
    }
}

/// The Fibonacci number by plain calls.
#[inline]
pub fn fib(n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    fib(n - 1) + fib(n - 2)
}

/// How many joins [`ours::fib`] makes.
pub fn joins_in_fib(n: u32) -> u64 {
    fib(n + 1) - 1
}

/// The sum over a tree by plain calls.
#[inline]
pub fn tree_sum(node: &Node) -> u64 {
    let below = |child: &Option<Box<Node>>| child.as_deref().map_or(0, tree_sum);
    node.value + below(&node.left) + below(&node.right)
}

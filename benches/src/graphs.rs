//! Trees and graphs in tables, and what plain code does with them.

use std::{collections::VecDeque, ops::Range};

use filch::algo::UNREACHED;

/// The next pseudo-random number.
pub fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 16
}

/// A tree in tables: the children of `node` are `first[node]..first[node + 1]`.
pub struct Tree {
    first: Vec<u32>,
}

impl Tree {
    /// A tree of `n` nodes in the order of a breadth-first walk, where `degree` says how many children the next node has.
    pub fn grow(n: u32, mut degree: impl FnMut(u32) -> u32) -> Tree {
        let (mut first, mut end) = (vec![1], 1);
        for node in 0..n {
            let least = u32::from(end == node + 1);
            end = (end + degree(node).max(least)).min(n);
            first.push(end);
        }
        Tree { first }
    }

    pub fn children(&self, node: u32) -> Range<u32> {
        self.first[node as usize]..self.first[node as usize + 1]
    }
}

/// The sum over a tree, with a stack of its own.
pub fn walk_std(tree: &Tree, value: impl Fn(u32) -> u64) -> u64 {
    let (mut stack, mut sum) = (vec![0], 0);
    while let Some(node) = stack.pop() {
        stack.extend(tree.children(node).rev());
        sum += value(node);
    }
    sum
}

/// Bottom up, with a stack of its own: the node and its sum so far.
pub fn reduce_std(tree: &Tree, value: impl Fn(u32) -> u64) -> u64 {
    enum Step {
        Open(u32),
        Close,
    }
    let (mut todo, mut sums) = (vec![Step::Open(0)], vec![0]);
    while let Some(step) = todo.pop() {
        let sum = match step {
            Step::Open(node) => {
                let children = tree.children(node);
                if !children.is_empty() {
                    todo.push(Step::Close);
                    todo.extend(children.rev().map(Step::Open));
                    sums.push(value(node));
                    continue;
                }
                value(node)
            }
            Step::Close => sums.pop().unwrap_or(0),
        };
        if let Some(parent) = sums.last_mut() {
            *parent = rotate(*parent, sum);
        }
    }
    sums[0]
}

/// Not associative, so that the shape of the tree counts.
pub fn rotate(sum: u64, child: u64) -> u64 {
    sum.rotate_left(5) ^ child
}

/// A graph in tables.
pub struct Graph {
    first: Vec<usize>,
    targets: Vec<usize>,
}

impl Graph {
    /// With every edge in both directions.
    pub fn new(n: usize, mut edges: Vec<(u32, u32)>) -> Graph {
        edges.extend(edges.clone().into_iter().map(|(a, b)| (b, a)));
        edges.sort_unstable();
        edges.dedup();
        let first = (0..=n).map(|node| edges.partition_point(|&(a, _)| (a as usize) < node));
        Graph {
            first: first.collect(),
            targets: edges.iter().map(|&(_, b)| b as usize).collect(),
        }
    }

    pub fn neighbours(&self, node: usize) -> impl Iterator<Item = usize> {
        self.targets[self.first[node]..self.first[node + 1]]
            .iter()
            .copied()
    }

    #[allow(clippy::len_without_is_empty)] // a graph without nodes is not searched
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }
}

/// The distances from node 0, checked, after `value` of every node reached.
pub fn bfs_std(graph: &Graph, value: impl Fn(usize)) -> u64 {
    let mut distances = vec![UNREACHED; graph.len()];
    let mut queue = VecDeque::from([0]);
    distances[0] = 0;
    while let Some(node) = queue.pop_front() {
        value(node);
        for next in graph.neighbours(node) {
            if distances[next] == UNREACHED {
                distances[next] = distances[node] + 1;
                queue.push_back(next);
            }
        }
    }
    check(&distances)
}

/// A few of the distances.
pub fn check(distances: &[u32]) -> u64 {
    u64::from(distances[distances.len() / 2]) << 32 | u64::from(distances[distances.len() - 1])
}

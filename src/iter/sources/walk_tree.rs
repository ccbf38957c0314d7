//! `walk_tree`: over the nodes of a tree that a closure reveals.
//!
//! The walk keeps its own stack of what is still to be visited, so trees of any depth fit on any thread. The top of the stack is next in
//! order and its bottom is last; so the bottom half, which are the oldest and mostly the largest subtrees, is the right part of a split.

use super::unindexed_source;
use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::{iter, mem};

/// How many nodes a split visits at most in search of a place where the tree branches.
const LOOKAHEAD: usize = 64;

/// Yields every node of a tree, in no particular order.
///
/// `children_of` is called once for each node, and never recursively: a tree may be as deep as memory allows. Order and parallelism are
/// those that are cheapest; see [`walk_tree_prefix`] and [`walk_tree_postfix`] for a certain order. It pays best if the tree is
/// balanced, and if visiting a node costs more than a few nanoseconds.
///
/// ```
/// use filch::iter::walk_tree;
/// use filch::prelude::*;
///
/// // Every number above 1 has its two halves as children.
/// let leaves = walk_tree(100u32, |&n| if n > 1 { vec![n / 2, n - n / 2] } else { vec![] })
///     .map(|n| u32::from(n == 1))
///     .sum::<u32>();
/// assert_eq!(leaves, 100);
/// ```
pub fn walk_tree<S, B, I>(root: S, children_of: B) -> WalkTree<S, B>
where
    S: Send,
    B: Fn(&S) -> I + Send + Sync,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    WalkTree { root, children_of }
}

/// Yields every node of a tree, each before its children, and siblings with all that is below them from first to last.
///
/// Ordered ends, such as collecting into a vector, see the nodes in this order. `children_of` is called once for each node, and never
/// recursively. [`walk_tree`] may be faster where the order does not matter.
///
/// ```
/// use filch::iter::walk_tree_prefix;
/// use filch::prelude::*;
///
/// //       1
/// //     2   3
/// //    4 5 6 7
/// let nodes: Vec<u32> =
///     walk_tree_prefix(1, |&n| if n < 4 { vec![2 * n, 2 * n + 1] } else { vec![] }).collect();
/// assert_eq!(nodes, [1, 2, 4, 5, 3, 6, 7]);
/// ```
pub fn walk_tree_prefix<S, B, I>(root: S, children_of: B) -> WalkTreePrefix<S, B>
where
    S: Send,
    B: Fn(&S) -> I + Send + Sync,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    WalkTreePrefix { root, children_of }
}

/// Yields every node of a tree, each after its children, and siblings with all that is below them from first to last.
///
/// Ordered ends, such as collecting into a vector, see the nodes in this order. It says nothing about time: in a parallel run, a node may be
/// visited before all its children are. `children_of` is called once for each node, and never recursively.
///
/// ```
/// use filch::iter::walk_tree_postfix;
/// use filch::prelude::*;
///
/// //       1
/// //     2   3
/// //    4 5 6 7
/// let nodes: Vec<u32> =
///     walk_tree_postfix(1, |&n| if n < 4 { vec![2 * n, 2 * n + 1] } else { vec![] }).collect();
/// assert_eq!(nodes, [4, 5, 2, 6, 7, 3, 1]);
/// ```
pub fn walk_tree_postfix<S, B, I>(root: S, children_of: B) -> WalkTreePostfix<S, B>
where
    S: Send,
    B: Fn(&S) -> I + Send + Sync,
    I: IntoIterator<Item = S>,
{
    WalkTreePostfix { root, children_of }
}

/// Over the nodes of a tree in no particular order; made by [`walk_tree`].
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct WalkTree<S, B> {
    root: S,
    children_of: B,
}

/// Over the nodes of a tree, each before its children; made by [`walk_tree_prefix`].
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct WalkTreePrefix<S, B> {
    root: S,
    children_of: B,
}

/// Over the nodes of a tree, each after its children; made by [`walk_tree_postfix`].
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct WalkTreePostfix<S, B> {
    root: S,
    children_of: B,
}

unindexed_source! {
    impl[S, B, I] WalkTree<S, B> => S, where [
        S: Send,
        B: Fn(&S) -> I + Send + Sync,
        I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator> + Send,
    ];
    producer(self) { Prefix::new(self.root, &self.children_of) }
}

unindexed_source! {
    impl[S, B, I] WalkTreePrefix<S, B> => S, where [
        S: Send,
        B: Fn(&S) -> I + Send + Sync,
        I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
    ];
    producer(self) { Prefix::new(self.root, &self.children_of) }
}

unindexed_source! {
    impl[S, B, I] WalkTreePostfix<S, B> => S, where [
        S: Send,
        B: Fn(&S) -> I + Send + Sync,
        I: IntoIterator<Item = S>,
    ];
    producer(self) { Postfix::new(self.root, &self.children_of) }
}

/// The bottom half of a stack, which is left with the top half.
fn split_stack<T>(stack: &mut Vec<T>) -> Option<Vec<T>> {
    let half = stack.len() / 2;
    if half == 0 {
        return None;
    }
    let top = stack.split_off(half);
    Some(mem::replace(stack, top))
}

struct Prefix<'b, S, B> {
    /// Visited in search of a branch, and next in order.
    seen: Vec<S>,
    stack: Vec<S>,
    children_of: &'b B,
}

impl<'b, S, B, I> Prefix<'b, S, B>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    fn new(root: S, children_of: &'b B) -> Self {
        Prefix {
            seen: Vec::new(),
            stack: vec![root],
            children_of,
        }
    }

    #[inline]
    fn visit(&mut self) -> Option<S> {
        let node = self.stack.pop()?;
        let children = (self.children_of)(&node);
        self.stack.extend(children.into_iter().rev());
        Some(node)
    }
}

impl<S, B, I> UnindexedProducer for Prefix<'_, S, B>
where
    S: Send,
    B: Fn(&S) -> I + Sync,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    type Item = S;

    fn split(mut self) -> (Self, Option<Self>) {
        while self.stack.len() == 1 && self.seen.len() < LOOKAHEAD {
            let node = self.visit();
            self.seen.extend(node);
        }
        let right = split_stack(&mut self.stack).map(|stack| Prefix {
            seen: Vec::new(),
            stack,
            children_of: self.children_of,
        });
        (self, right)
    }

    fn fold_with<F: Folder<S>>(self, folder: F) -> F {
        self.fold_some(folder, usize::MAX).0
    }

    fn can_pause(&self) -> bool {
        true
    }

    fn fold_some<F: Folder<S>>(mut self, mut folder: F, budget: usize) -> (F, Option<Self>) {
        if !self.seen.is_empty() {
            folder = folder.consume_iter(mem::take(&mut self.seen));
            if folder.full() {
                return (folder, None);
            }
        }
        let folder = folder.consume_iter(iter::from_fn(|| self.visit()).take(budget));
        let rest = (!self.stack.is_empty()).then_some(self);
        (folder, rest)
    }
}

/// What is still to be done with a node.
enum Step<S> {
    /// Its children come first.
    Open(S),
    /// Its children are done, or are above it on the stack.
    Close(S),
}

struct Postfix<'b, S, B> {
    stack: Vec<Step<S>>,
    /// How many nodes on the stack are open.
    open: usize,
    children_of: &'b B,
}

impl<'b, S, B, I> Postfix<'b, S, B>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S>,
{
    fn new(root: S, children_of: &'b B) -> Self {
        Self::resume(vec![Step::Open(root)], children_of)
    }

    fn resume(stack: Vec<Step<S>>, children_of: &'b B) -> Self {
        Postfix {
            open: stack
                .iter()
                .filter(|step| matches!(step, Step::Open(_)))
                .count(),
            stack,
            children_of,
        }
    }

    /// One step: yields the node on top, or puts its children there first.
    #[inline]
    fn step(&mut self) -> Option<S> {
        let node = match self.stack.pop()? {
            Step::Close(node) => return Some(node),
            Step::Open(node) => node,
        };
        let children = (self.children_of)(&node);
        self.stack.push(Step::Close(node));
        let first = self.stack.len();
        self.stack.extend(children.into_iter().map(Step::Open));
        self.stack[first..].reverse();
        self.open += self.stack.len() - first;
        self.open -= 1;
        None
    }
}

impl<S, B, I> UnindexedProducer for Postfix<'_, S, B>
where
    S: Send,
    B: Fn(&S) -> I + Sync,
    I: IntoIterator<Item = S>,
{
    type Item = S;

    fn split(mut self) -> (Self, Option<Self>) {
        let mut steps = 0;
        while self.open == 1
            && steps < LOOKAHEAD
            && matches!(self.stack.last(), Some(Step::Open(_)))
        {
            self.step();
            steps += 1;
        }
        let Some(right) = split_stack(&mut self.stack) else {
            return (self, None);
        };
        let right = Self::resume(right, self.children_of);
        self.open -= right.open;
        (self, Some(right))
    }

    fn fold_with<F: Folder<S>>(self, folder: F) -> F {
        self.fold_some(folder, usize::MAX).0
    }

    fn can_pause(&self) -> bool {
        true
    }

    fn fold_some<F: Folder<S>>(mut self, folder: F, budget: usize) -> (F, Option<Self>) {
        // Two steps a node. Counting nodes instead would open the whole of a deep tree before the first one.
        let mut steps = budget.saturating_mul(2);
        let nodes = iter::from_fn(|| {
            while steps > 0 && !self.stack.is_empty() {
                steps -= 1;
                let node = self.step();
                if node.is_some() {
                    return node;
                }
            }
            None
        });
        let folder = folder.consume_iter(nodes);
        let rest = (!self.stack.is_empty()).then_some(self);
        (folder, rest)
    }
}

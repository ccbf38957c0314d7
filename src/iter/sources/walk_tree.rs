//! `walk_tree`: over the nodes of a tree that a closure describes.
//!
//! The walk keeps the nodes that are still to be visited in a stack on the heap, so the tree may have any depth. The top of the stack is next in
//! order, and its bottom is last. So a split takes some nodes from the bottom as its right part: the oldest nodes, which mostly have the largest
//! subtrees.

use super::pending::Pending;
use super::shares::{LOOKAHEAD, Shares};
use super::unindexed_source;
use super::walk_postfix::Postfix;
use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::{iter, mem};

/// Yields every node of a tree, in no particular order.
///
/// `children_of` is called once for each node, and never recursively: a tree may be as deep as memory allows. The walk chooses the cheapest
/// order; [`walk_tree_prefix`] and [`walk_tree_postfix`] have a fixed order. It works best if the tree is balanced, and if visiting a node
/// costs more than a few nanoseconds.
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
#[doc(alias("parallel_for_each", "feeder"))]
pub fn walk_tree<S, B, I>(root: S, children_of: B) -> WalkTree<S, B>
where
    S: Send,
    B: Fn(&S) -> I + Send + Sync,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    WalkTree { root, children_of }
}

/// The nodes of a tree in no particular order; made by [`walk_tree`].
///
/// ```
/// use filch::prelude::*;
///
/// let children = |&n: &u32| if n < 4 { vec![2 * n, 2 * n + 1] } else { vec![] };
/// let nodes: filch::iter::WalkTree<_, _> = filch::iter::walk_tree(1, children);
/// assert_eq!(nodes.sum::<u32>(), 1 + 2 + 3 + 4 + 5 + 6 + 7);
/// ```
#[derive(Debug)]
pub struct WalkTree<S, B> {
    root: S,
    children_of: B,
}

unindexed_source! {
    impl[S, B, I] WalkTree<S, B> => S, where [
        S: Send,
        B: Fn(&S) -> I + Send + Sync,
        I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator> + Send,
    ];
    producer(self) { PrefixWalk::new(self.root, &self.children_of) }
}

/// Yields every node of a tree, each before its children. A node's descendants come before its next sibling.
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

/// The nodes of a tree, each before its children; made by [`walk_tree_prefix`].
///
/// ```
/// use filch::prelude::*;
///
/// let children = |&n: &u32| if n < 4 { vec![2 * n, 2 * n + 1] } else { vec![] };
/// let nodes: filch::iter::WalkTreePrefix<_, _> = filch::iter::walk_tree_prefix(1, children);
/// assert_eq!(nodes.collect::<Vec<_>>(), [1, 2, 4, 5, 3, 6, 7]);
/// ```
#[derive(Debug)]
pub struct WalkTreePrefix<S, B> {
    root: S,
    children_of: B,
}

unindexed_source! {
    impl[S, B, I] WalkTreePrefix<S, B> => S, where [
        S: Send,
        B: Fn(&S) -> I + Send + Sync,
        I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
    ];
    producer(self) { PrefixWalk::new(self.root, &self.children_of) }
}

/// Yields every node of a tree, each after its children. A node's descendants come after its previous sibling.
///
/// Ordered ends, such as collecting into a vector, see the nodes in this order. It is not an order in time: a parallel run may visit a node
/// before all its children are visited. `children_of` is called once for each node, and never recursively. What it returns is asked for one child at a time, and the
/// descendants of a child are walked before the next one is asked for, until the walk looks whether other threads want work. Then all children of the nodes on the way
/// are asked for at once. So an iterator that holds a lock, or an open directory, holds it while some of its children's descendants are walked, at each level of the walk.
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

/// The nodes of a tree, each after its children; made by [`walk_tree_postfix`].
///
/// ```
/// use filch::prelude::*;
///
/// let children = |&n: &u32| if n < 4 { vec![2 * n, 2 * n + 1] } else { vec![] };
/// let nodes: filch::iter::WalkTreePostfix<_, _> = filch::iter::walk_tree_postfix(1, children);
/// assert_eq!(nodes.collect::<Vec<_>>(), [4, 5, 2, 6, 7, 3, 1]);
/// ```
#[derive(Debug)]
pub struct WalkTreePostfix<S, B> {
    root: S,
    children_of: B,
}

unindexed_source! {
    impl[S, B, I] WalkTreePostfix<S, B> => S, where [
        S: Send,
        B: Fn(&S) -> I + Send + Sync,
        I: IntoIterator<Item = S>,
    ];
    producer(self) { Postfix::new(self.root, &self.children_of) }
}

struct PrefixWalk<'b, S, B> {
    /// Nodes that were visited in search of a branch; they are next in order.
    seen: Vec<S>,
    stack: Pending<S>,
    shares: Shares,
    children_of: &'b B,
}

impl<'b, S, B, I> PrefixWalk<'b, S, B>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    fn new(root: S, children_of: &'b B) -> Self {
        Self::resume(Pending::with_room(root), Shares::default(), children_of)
    }

    fn resume(stack: Pending<S>, shares: Shares, children_of: &'b B) -> Self {
        PrefixWalk {
            seen: Vec::new(),
            stack,
            shares,
            children_of,
        }
    }
}

/// Takes the next node off the stack, and puts its children there.
#[inline]
fn visit<S, B, I>(stack: &mut Vec<S>, children_of: &B) -> Option<S>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    let node = stack.pop()?;
    let children = children_of(&node);
    stack.extend(children.into_iter().rev());
    Some(node)
}

impl<S, B, I> UnindexedProducer for PrefixWalk<'_, S, B>
where
    S: Send,
    B: Fn(&S) -> I + Sync,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    type Item = S;

    fn split(mut self) -> (Self, Option<Self>) {
        while self.stack.len() == 1 && self.seen.len() < LOOKAHEAD {
            self.stack.raise(1);
            let node = visit(self.stack.top(), self.children_of);
            self.seen.extend(node);
            self.shares = Shares::of_siblings(self.stack.len());
        }
        let right = self
            .shares
            .split(self.stack.len())
            .map(|(some, theirs)| Self::resume(self.stack.cut(some), theirs, self.children_of));
        (self, right)
    }

    fn fold_with<F: Folder<S>>(self, folder: F) -> F {
        self.fold_some(folder, usize::MAX).0
    }

    const CAN_PAUSE: bool = true;

    fn fold_some<F: Folder<S>>(self, mut folder: F, budget: usize) -> (F, Option<Self>) {
        if !self.seen.is_empty() {
            folder = folder.consume_iter(self.seen);
            if folder.full() {
                return (folder, None);
            }
        }
        let (mut stack, mut shares, children_of) = (self.stack, self.shares, self.children_of);
        stack.raise(budget);
        // In a local variable, so that the loop keeps it in registers.
        let mut top = mem::take(stack.top());
        let nodes = iter::from_fn(|| visit(&mut top, children_of));
        let folder = folder.consume_iter(nodes.take(budget));
        *stack.top() = top;
        shares.shrink(stack.len());
        let rest = (!stack.is_empty()).then(|| Self::resume(stack, shares, children_of));
        (folder, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iter::sources::pending::tests::*;
    use crate::iter::sources::walk_postfix::tests::all_in_order;

    fn in_order(tree: &[Vec<usize>], node: usize, all: &mut Vec<usize>) {
        all.push(node);
        let below = tree[node].iter();
        below.for_each(|&child| in_order(tree, child, all));
    }

    #[test]
    fn all_nodes_come_in_order_wherever_it_stops_and_however_it_is_cut() {
        all_in_order(in_order, |tree, rhythm| {
            rhythm.walk(PrefixWalk::new(0, &|&node: &usize| tree[node].clone()))
        });
    }

    #[test]
    fn a_split_moves_what_it_gives_away() {
        let (_, rest) = PrefixWalk::new(0, &spine).fold_some(ItemCount(0), LEVELS);
        splits_move_what_they_give(rest.unwrap(), |part| [places(&part.stack)]);
    }
}

//! The producer of `walk_tree` and `walk_tree_prefix`.
//!
//! The walk keeps the nodes that are still to be visited in a stack on the heap, so the tree may have any depth. The top of the stack is next in
//! order, and its bottom is last. So a split takes some nodes from the bottom as its right part: the oldest nodes, which mostly have the largest
//! subtrees.

use super::descent::{Walk, by_recursion, fold_by, levels};
use super::shares::{LOOKAHEAD, Shares, stack_of};
use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::{iter, mem};

pub(super) struct Prefix<'b, S, B> {
    /// Nodes that were visited in search of a branch; they are next in order.
    seen: Vec<S>,
    stack: Vec<S>,
    shares: Shares,
    children_of: &'b B,
}

impl<'b, S, B, I> Prefix<'b, S, B>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    pub(super) fn new(root: S, children_of: &'b B) -> Self {
        Self::resume(stack_of(root), Shares::default(), children_of)
    }

    fn resume(stack: Vec<S>, shares: Shares, children_of: &'b B) -> Self {
        Prefix {
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

impl<S, B, I> UnindexedProducer for Prefix<'_, S, B>
where
    S: Send,
    B: Fn(&S) -> I + Sync,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    type Item = S;

    fn split(mut self) -> (Self, Option<Self>) {
        while self.stack.len() == 1 && self.seen.len() < LOOKAHEAD {
            let node = visit(&mut self.stack, self.children_of);
            self.seen.extend(node);
            self.shares = Shares::of_siblings(self.stack.len());
        }
        let right = self.shares.split(self.stack.len()).map(|(some, theirs)| {
            let top = self.stack.split_off(some);
            let bottom = mem::replace(&mut self.stack, top);
            Self::resume(bottom, theirs, self.children_of)
        });
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
        // In local variables, so that the loop keeps them in registers.
        let (mut stack, mut shares, children_of) = (self.stack, self.shares, self.children_of);
        let folder = if const { by_recursion::<I::IntoIter>() } {
            let mut block = Block {
                stack,
                shares,
                left: budget,
                aside: 0,
                children_of,
            };
            let folder = folder.consume_iter(Nodes(&mut block));
            (stack, shares) = (block.stack, block.shares);
            folder
        } else {
            let nodes = iter::from_fn(|| visit(&mut stack, children_of));
            folder.consume_iter(nodes.take(budget))
        };
        shares.shrink(stack.len());
        let rest = (!stack.is_empty()).then(|| Self::resume(stack, shares, children_of));
        (folder, rest)
    }
}

/// A walk by recursion while it does not stop.
struct Block<'b, S, B> {
    stack: Vec<S>,
    shares: Shares,
    /// How many nodes may still be visited.
    left: usize,
    /// How many could still be visited when the recursion was too deep.
    aside: usize,
    children_of: &'b B,
}

impl<S, B, I> Block<'_, S, B>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S>,
{
    /// Yields a node, and walks below it: so many are left to visit. If none is, the rest is left for later, next first.
    fn descend<A>(
        &mut self,
        node: S,
        (so_far, left): (A, usize),
        take: &mut impl FnMut(A, S) -> A,
        levels: usize,
    ) -> (A, usize) {
        if left == 0 || levels == 0 {
            self.leave(node, left);
            return (so_far, 0);
        }
        let children = (self.children_of)(&node).into_iter();
        let so_far = take(so_far, node);
        children.fold((so_far, left - 1), |so_far, child| {
            self.descend(child, so_far, take, levels - 1)
        })
    }

    #[cold]
    #[inline(never)]
    fn leave(&mut self, node: S, left: usize) {
        self.aside += left;
        self.stack.push(node);
    }
}

struct Nodes<'n, 'b, S, B>(&'n mut Block<'b, S, B>);

impl<S, B, I> Iterator for Nodes<'_, '_, S, B>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S, IntoIter: DoubleEndedIterator>,
{
    type Item = S;

    #[inline]
    fn next(&mut self) -> Option<S> {
        self.0.left = self.0.left.checked_sub(1)?;
        visit(&mut self.0.stack, self.0.children_of)
    }

    #[inline]
    fn fold<A, F: FnMut(A, S) -> A>(self, init: A, take: F) -> A {
        fold_by(init, take, self)
    }
}

impl<S, B, I> Walk<S> for Nodes<'_, '_, S, B>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S>,
{
    fn walk<A>(self, init: A, mut take: impl FnMut(A, S) -> A) -> A {
        let block = self.0;
        let mut so_far = init;
        let mut left = mem::take(&mut block.left);
        while left > 0
            && let Some(node) = block.stack.pop()
        {
            let height = block.stack.len();
            block.shares.shrink(height);
            let levels = const { levels::<S, I::IntoIter>() };
            (so_far, left) = block.descend(node, (so_far, left), &mut take, levels);
            if left == 0 {
                block.stack[height..].reverse();
                left = mem::take(&mut block.aside);
            }
        }
        so_far
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iter::sources::descent::tests::{check, large};

    fn in_order(tree: &[Vec<usize>], node: usize, all: &mut Vec<usize>) {
        all.push(node);
        let below = tree[node].iter();
        below.for_each(|&child| in_order(tree, child, all));
    }

    #[test]
    fn all_nodes_come_in_order_wherever_it_stops_and_however_it_is_cut() {
        check(in_order, |tree, way| {
            way.walk(Prefix::new(0, &|&node: &usize| tree[node].clone()))
        });
    }

    #[test]
    fn all_nodes_come_in_order_by_recursion() {
        check(in_order, |tree, way| {
            way.walk(Prefix::new(0, &|&node: &usize| large(&tree[node])))
        });
    }
}

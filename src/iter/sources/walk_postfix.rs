//! The producer of `walk_tree_postfix`.

use super::shares::{LOOKAHEAD, Shares, stack_of};
use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::{iter, mem};

pub(super) struct Postfix<'b, S, B> {
    /// Nodes that were passed in search of a branch; they are next in order.
    seen: Vec<S>,
    way: PostfixWalk<S>,
    children_of: &'b B,
}

impl<'b, S, B> Postfix<'b, S, B> {
    pub(super) fn new(root: S, children_of: &'b B) -> Self {
        let way = PostfixWalk {
            stack: stack_of(root),
            shares: Shares::default(),
            open: Vec::new(),
        };
        Self::resume(way, children_of)
    }

    fn resume(way: PostfixWalk<S>, children_of: &'b B) -> Self {
        Postfix {
            seen: Vec::new(),
            way,
            children_of,
        }
    }
}

/// What a walk in postfix order does next.
enum PostfixStep<S> {
    /// The descendants of this node, and then the node.
    Walk(S),
    /// This node alone.
    Yield(S),
}

/// The rest of a walk in postfix order.
struct PostfixWalk<S> {
    /// Nodes whose children come before them and are not known yet.
    stack: Vec<S>,
    shares: Shares,
    /// Nodes whose children are done or on the stack, the innermost on top. Each has the height of the stack at which it is yielded.
    open: Vec<(usize, S)>,
}

impl<S> PostfixWalk<S> {
    fn is_over(&self) -> bool {
        self.stack.is_empty() && self.open.is_empty()
    }

    #[inline]
    fn next(&mut self) -> Option<PostfixStep<S>> {
        let height = self.stack.len();
        match self.open.pop_if(|(turn, _)| *turn == height) {
            Some((_, node)) => Some(PostfixStep::Yield(node)),
            None => self.stack.pop().map(PostfixStep::Walk),
        }
    }

    /// Puts the children of a node on the stack. Their descendants, they, and then the node are next.
    fn open(&mut self, node: S, children: impl IntoIterator<Item = S>) {
        let height = self.stack.len();
        self.open.push((height, node));
        self.stack.extend(children);
        self.stack[height..].reverse();
    }

    /// Splits off the part that comes later; `self` keeps the part that comes first.
    fn split(&mut self) -> Option<Self> {
        let Some((some, theirs)) = self.shares.split(self.stack.len()) else {
            return self.split_open();
        };
        let later = self.open.partition_point(|&(turn, _)| turn < some);
        let mut open = self.open.split_off(later);
        open.iter_mut().for_each(|(turn, _)| *turn -= some);
        let stack = self.stack.split_off(some);
        let shares = mem::replace(&mut self.shares, theirs);
        let top = PostfixWalk {
            stack,
            shares,
            open,
        };
        Some(mem::replace(self, top))
    }

    /// For when little or nothing is left to walk, but there may be nodes to yield.
    fn split_open(&mut self) -> Option<Self> {
        let last = self.open.partition_point(|&(turn, _)| turn == 0) / 2;
        let open = (last > 0).then(|| self.open.split_off(last))?;
        // The nodes still to walk come before the nodes that stay open.
        let first = PostfixWalk {
            stack: mem::take(&mut self.stack),
            shares: self.shares,
            open,
        };
        Some(mem::replace(self, first))
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
        while self.way.stack.len() == 1 && steps < LOOKAHEAD {
            match self.way.next() {
                Some(PostfixStep::Walk(node)) => {
                    let children = (self.children_of)(&node);
                    self.way.open(node, children);
                }
                Some(PostfixStep::Yield(node)) => self.seen.push(node),
                None => break,
            }
            self.way.shares = Shares::of_siblings(self.way.stack.len());
            steps += 1;
        }
        let right = self.way.split();
        let right = right.map(|way| Self::resume(way, self.children_of));
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
        let (mut way, children_of) = (self.way, self.children_of);
        // Two steps for each node. If nodes were counted instead, the first call would open the whole of a deep tree before it yields a node.
        let mut steps = budget.saturating_mul(2);
        // Nodes whose children are being walked, with the children that are left. A block keeps them apart from `way`: a child that comes straight from the iterator need not
        // be put on a stack, turned around with its siblings, and taken off.
        let mut frames = Vec::<(S, I::IntoIter)>::new();
        // Where the steps end on the way down.
        let mut next = None;
        let nodes = iter::from_fn(|| {
            if steps == 0 {
                return None;
            }
            steps -= 1;
            let mut node = match frames.last_mut() {
                Some((_, children)) => match children.next() {
                    Some(child) => child,
                    None => return frames.pop().map(|(node, _)| node),
                },
                None => match way.next()? {
                    PostfixStep::Walk(node) => node,
                    PostfixStep::Yield(node) => return Some(node),
                },
            };
            loop {
                let mut children = children_of(&node).into_iter();
                let Some(child) = children.next() else {
                    return Some(node);
                };
                frames.push((node, children));
                if steps == 0 {
                    next = Some(child);
                    return None;
                }
                steps -= 1;
                node = child;
            }
        });
        let folder = folder.consume_iter(nodes);
        way.shares.shrink(way.stack.len());
        for (node, children) in frames {
            way.open(node, children);
        }
        way.stack.extend(next);
        let rest = (!way.is_over()).then(|| Self::resume(way, children_of));
        (folder, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes nodes.
    struct Nodes(Vec<usize>);

    impl Folder<usize> for Nodes {
        type Result = Vec<usize>;
        fn consume(mut self, node: usize) -> Self {
            self.0.push(node);
            self
        }
        fn complete(self) -> Vec<usize> {
            self.0
        }
        fn full(&self) -> bool {
            false
        }
    }

    /// The children of each node; one of `reach` nodes before it is the parent of a node. A short reach makes deep trees.
    fn tree(nodes: usize, reach: usize) -> Vec<Vec<usize>> {
        let mut tree = vec![Vec::new(); nodes];
        (1..nodes).for_each(|node| tree[node - 1 - node * node % reach.min(node)].push(node));
        tree
    }

    fn in_order(tree: &[Vec<usize>], node: usize, all: &mut Vec<usize>) {
        tree[node]
            .iter()
            .for_each(|&child| in_order(tree, child, all));
        all.push(node);
    }

    /// Folds so many steps at a time, and splits what is left every now and then.
    fn walk<B: Fn(&usize) -> Vec<usize> + Sync>(
        mut rest: Postfix<'_, usize, B>,
        (budget, split_every): (usize, usize),
        nodes: Vec<usize>,
    ) -> Vec<usize> {
        let mut folder = Nodes(nodes);
        for step in 1.. {
            if step % split_every == 0 {
                let (left, right) = rest.split();
                rest = left;
                if let Some(right) = right {
                    let nodes = walk(rest, (budget, split_every), folder.0);
                    return walk(right, (budget, split_every), nodes);
                }
            }
            let more;
            (folder, more) = rest.fold_some(folder, budget);
            match more {
                Some(more) => rest = more,
                None => break,
            }
        }
        folder.0
    }

    #[test]
    fn all_nodes_come_in_order_wherever_it_stops_and_however_it_is_cut() {
        for reach in [1, 2, 5, 100] {
            let tree = tree(300, reach);
            let children_of = |&node: &usize| tree[node].clone();
            let mut all = Vec::new();
            in_order(&tree, 0, &mut all);
            for budget in [1, 2, 3, 7, 40, 1000] {
                for split_every in [2, 3, 20, usize::MAX] {
                    let postfix = Postfix::new(0, &children_of);
                    let nodes = walk(postfix, (budget, split_every), Vec::new());
                    assert_eq!(nodes, all, "{reach}, {budget}, {split_every}");
                }
            }
        }
    }
}

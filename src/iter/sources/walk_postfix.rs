//! The producer of `walk_tree_postfix`.

use super::descent::{Walk, by_recursion, fold_by, levels};
use super::shares::{LOOKAHEAD, Shares, stack_of};
use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::mem;

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

    /// Opens nodes inside each other, the outermost first.
    fn open_all<C: Iterator<Item = S>>(&mut self, frames: impl IntoIterator<Item = (S, C)>) {
        for (node, children) in frames {
            self.open(node, children);
        }
    }

    /// Turns around what was put on the stacks next first, above so many entries. The open nodes came with how many of the others are before them.
    fn turn_around(&mut self, height: usize, open: usize) {
        let top = self.stack.len();
        self.stack[height..].reverse();
        self.open[open..].reverse();
        for (turn, _) in &mut self.open[open..] {
            *turn = top - *turn;
        }
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
        let (mut frames, mut next) = (Vec::new(), None);
        let folder = folder.consume_iter(Nodes {
            way: &mut way,
            steps: &mut steps,
            frames: &mut frames,
            next: &mut next,
            children_of,
        });
        way.shares.shrink(way.stack.len());
        way.open_all(frames);
        way.stack.extend(next);
        let rest = (!way.is_over()).then(|| Self::resume(way, children_of));
        (folder, rest)
    }
}

/// A block by recursion.
struct Descent<'n, 'b, S, B> {
    way: &'n mut PostfixWalk<S>,
    /// How many nodes could still be entered when the recursion was too deep.
    aside: usize,
    /// How many nodes are on the stack beneath those that the recursion leaves there.
    height: usize,
    children_of: &'b B,
}

impl<S, B, I> Descent<'_, '_, S, B>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S>,
{
    /// Walks below a node, and yields the node: so many are left to enter. If none is, the rest is left for later, next first.
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
        let (so_far, left) = children.fold((so_far, left - 1), |so_far, child| {
            self.descend(child, so_far, take, levels - 1)
        });
        if left == 0 {
            self.leave_open(node);
            return (so_far, 0);
        }
        (take(so_far, node), left)
    }

    #[cold]
    #[inline(never)]
    fn leave(&mut self, node: S, left: usize) {
        self.aside += left;
        self.way.stack.push(node);
    }

    #[cold]
    #[inline(never)]
    fn leave_open(&mut self, node: S) {
        let below = self.way.stack.len() - self.height;
        self.way.open.push((below, node));
    }
}

/// The nodes of a block: one by one with the stack `frames`, or all at once, perhaps by recursion. References to variables, so that loops keep those in registers.
struct Nodes<'n, 'b, S, B, C> {
    way: &'n mut PostfixWalk<S>,
    steps: &'n mut usize,
    /// Nodes whose children are being walked, with the children that are left. A block keeps them apart from `way`: a child that comes straight from the iterator need not be put on a
    /// stack, turned around with its siblings, and taken off.
    frames: &'n mut Vec<(S, C)>,
    /// Where the steps end on the way down.
    next: &'n mut Option<S>,
    children_of: &'b B,
}

impl<S, B, C, I> Iterator for Nodes<'_, '_, S, B, C>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S, IntoIter = C>,
    C: Iterator<Item = S>,
{
    type Item = S;

    // All chains over the same tree share this method. A call would keep the variables in memory: a search took twice as long.
    #[inline(always)]
    fn next(&mut self) -> Option<S> {
        if *self.steps == 0 {
            return None;
        }
        *self.steps -= 1;
        let mut node = match self.frames.last_mut() {
            Some((_, children)) => match children.next() {
                Some(child) => child,
                None => return self.frames.pop().map(|(node, _)| node),
            },
            None => match self.way.next()? {
                PostfixStep::Walk(node) => node,
                PostfixStep::Yield(node) => return Some(node),
            },
        };
        loop {
            let mut children = (self.children_of)(&node).into_iter();
            let Some(child) = children.next() else {
                return Some(node);
            };
            self.frames.push((node, children));
            if *self.steps == 0 {
                *self.next = Some(child);
                return None;
            }
            *self.steps -= 1;
            node = child;
        }
    }

    #[inline]
    fn fold<A, F: FnMut(A, S) -> A>(self, init: A, mut take: F) -> A {
        if const { by_recursion::<C>() } {
            self.way.open_all(self.frames.drain(..));
            return fold_by(init, take, self);
        }
        let mut so_far = init;
        for node in self {
            so_far = take(so_far, node);
        }
        so_far
    }
}

impl<S, B, C, I> Walk<S> for Nodes<'_, '_, S, B, C>
where
    B: Fn(&S) -> I,
    I: IntoIterator<Item = S, IntoIter = C>,
    C: Iterator<Item = S>,
{
    fn walk<A>(self, init: A, mut take: impl FnMut(A, S) -> A) -> A {
        let mut descent = Descent {
            way: self.way,
            aside: 0,
            height: 0,
            children_of: self.children_of,
        };
        let mut so_far = init;
        let mut left = mem::take(self.steps).div_ceil(2);
        while left > 0 {
            match descent.way.next() {
                Some(PostfixStep::Yield(node)) => {
                    left -= 1;
                    so_far = take(so_far, node);
                }
                Some(PostfixStep::Walk(node)) => {
                    let (height, open) = (descent.way.stack.len(), descent.way.open.len());
                    descent.height = height;
                    descent.way.shares.shrink(height);
                    let levels = const { levels::<S, C>() };
                    (so_far, left) = descent.descend(node, (so_far, left), &mut take, levels);
                    if left == 0 {
                        descent.way.turn_around(height, open);
                        left = mem::take(&mut descent.aside);
                    }
                }
                None => break,
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
        let below = tree[node].iter();
        below.for_each(|&child| in_order(tree, child, all));
        all.push(node);
    }

    #[test]
    fn all_nodes_come_in_order_wherever_it_stops_and_however_it_is_cut() {
        check(in_order, |tree, way| {
            way.walk(Postfix::new(0, &|&node: &usize| tree[node].clone()))
        });
    }

    #[test]
    fn all_nodes_come_in_order_by_recursion() {
        check(in_order, |tree, way| {
            way.walk(Postfix::new(0, &|&node: &usize| large(&tree[node])))
        });
    }
}

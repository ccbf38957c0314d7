//! The producer of `walk_tree_postfix`.

use super::pending::Pending;
use super::shares::{LOOKAHEAD, Shares};
use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::iter;

pub(super) struct Postfix<'b, S, B> {
    /// Nodes that were passed in search of a branch; they are next in order.
    seen: Vec<S>,
    way: PostfixWalk<S>,
    children_of: &'b B,
}

impl<'b, S, B> Postfix<'b, S, B> {
    pub(super) fn new(root: S, children_of: &'b B) -> Self {
        let way = PostfixWalk {
            stack: Pending::with_room(root),
            shares: Shares::default(),
            open: Pending::new(Vec::new()),
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
    stack: Pending<S>,
    shares: Shares,
    /// Nodes whose children are done or on the stack, the innermost on top. Each has the height of the stack at which it is yielded.
    open: Pending<(usize, S)>,
}

impl<S> PostfixWalk<S> {
    fn is_over(&self) -> bool {
        self.stack.is_empty() && self.open.is_empty()
    }

    /// Before so many times [`next`](Self::next).
    #[inline]
    fn raise(&mut self, steps: usize) {
        self.stack.raise(steps);
        self.open.raise(steps);
    }

    #[inline]
    fn next(&mut self) -> Option<PostfixStep<S>> {
        let height = self.stack.height();
        match self.open.top().pop_if(|(turn, _)| *turn == height) {
            Some((_, node)) => Some(PostfixStep::Yield(node)),
            None => self.stack.top().pop().map(PostfixStep::Walk),
        }
    }

    /// Puts the children of a node on the stack. Their descendants, they, and then the node are next.
    fn open(&mut self, node: S, children: impl IntoIterator<Item = S>) {
        self.open.top().push((self.stack.height(), node));
        let top = self.stack.top();
        let first = top.len();
        top.extend(children);
        top[first..].reverse();
    }

    /// Splits off the part that comes later; `self` keeps the part that comes first.
    fn split(&mut self) -> Option<Self> {
        let Some((some, theirs)) = self.shares.split(self.stack.len()) else {
            return self.split_open();
        };
        let stack = self.stack.cut(some);
        let ground = self.stack.ground();
        let later = self.open.partition_point(|&(turn, _)| turn < ground);
        Some(PostfixWalk {
            stack,
            shares: theirs,
            open: self.open.cut(later),
        })
    }

    /// For when little or nothing is left to walk, but there may be nodes to yield.
    fn split_open(&mut self) -> Option<Self> {
        let ground = self.stack.ground();
        let last = self.open.partition_point(|&(turn, _)| turn == ground) / 2;
        // The nodes still to walk come before the nodes that stay open.
        (last > 0).then(|| PostfixWalk {
            stack: self.stack.cut(0),
            shares: Shares::default(),
            open: self.open.cut(last),
        })
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
            self.way.raise(1);
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
        way.raise(steps);
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
        if folder.full() {
            // The children that are left may be many, and nobody wants them.
            return (folder, None);
        }
        way.shares.shrink(way.stack.len());
        for (node, children) in frames {
            way.open(node, children);
        }
        way.stack.top().extend(next);
        let rest = (!way.is_over()).then(|| Self::resume(way, children_of));
        (folder, rest)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::iter::sources::pending::tests::*;

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

    /// Folds so many steps at a time, and splits what is left every now and then.
    #[derive(Debug, Clone, Copy)]
    pub(in crate::iter::sources) struct Rhythm {
        budget: usize,
        split_every: usize,
    }

    impl Rhythm {
        pub(in crate::iter::sources) fn walk<P: UnindexedProducer<Item = usize>>(
            self,
            part: P,
        ) -> Vec<usize> {
            self.walk_after(Vec::new(), part)
        }

        fn walk_after<P: UnindexedProducer<Item = usize>>(
            self,
            nodes: Vec<usize>,
            mut rest: P,
        ) -> Vec<usize> {
            let mut folder = Nodes(nodes);
            for step in 1.. {
                if step % self.split_every == 0 {
                    let (left, right) = rest.split();
                    rest = left;
                    if let Some(right) = right {
                        return self.walk_after(self.walk_after(folder.0, rest), right);
                    }
                }
                let more;
                (folder, more) = rest.fold_some(folder, self.budget);
                match more {
                    Some(more) => rest = more,
                    None => break,
                }
            }
            folder.0
        }
    }

    /// Trees of many shapes, walked in many ways.
    pub(in crate::iter::sources) fn all_in_order(
        in_order: fn(&[Vec<usize>], usize, &mut Vec<usize>),
        walk: impl Fn(&[Vec<usize>], Rhythm) -> Vec<usize>,
    ) {
        for reach in [1, 2, 5, 100] {
            let tree = tree(300, reach);
            let mut all = Vec::new();
            in_order(&tree, 0, &mut all);
            for budget in [1, 2, 3, 7, 40, 1000] {
                for split_every in [2, 3, 20, usize::MAX] {
                    let rhythm = Rhythm {
                        budget,
                        split_every,
                    };
                    assert_eq!(walk(&tree, rhythm), all, "{reach}, {rhythm:?}");
                }
            }
        }
    }

    fn in_order(tree: &[Vec<usize>], node: usize, all: &mut Vec<usize>) {
        let below = tree[node].iter();
        below.for_each(|&child| in_order(tree, child, all));
        all.push(node);
    }

    #[test]
    fn all_nodes_come_in_order_wherever_it_stops_and_however_it_is_cut() {
        all_in_order(in_order, |tree, rhythm| {
            rhythm.walk(Postfix::new(0, &|&node: &usize| tree[node].clone()))
        });
    }

    fn lie(
        part: &Postfix<'_, usize, impl Fn(&usize) -> std::ops::Range<usize>>,
    ) -> [Vec<usize>; 2] {
        [places(&part.way.stack), places(&part.way.open)]
    }

    #[test]
    fn a_split_moves_what_it_gives_away() {
        let (_, rest) = Postfix::new(0, &spine).fold_some(ItemCount(0), LEVELS);
        splits_move_what_they_give(rest.unwrap(), lie);
    }

    /// A spine of nodes with few children: most nodes that wait are open.
    #[test]
    fn a_split_of_a_deep_tree_moves_what_it_gives_away() {
        let children = |&node: &usize| match node.is_multiple_of(2) && node < 10_000 {
            true => node + 2..node + 4,
            false => 0..0,
        };
        let (_, rest) = Postfix::new(0, &children).fold_some(ItemCount(0), 2_000);
        splits_move_what_they_give(rest.unwrap(), lie);
    }
}

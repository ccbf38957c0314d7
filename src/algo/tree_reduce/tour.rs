//! A tour around a tree as a parallel iterator of its steps.
//!
//! Work that of the fold by recursion. A cut moves the nodes that are still to be visited, and looks up to 64 steps ahead for a branch.
//! Memory: the nodes that were found and not yet visited.

use super::descent::Descent;
use super::rules::FoldRules;
use crate::algo::pace::end_of_block;
use crate::iter::plumbing::{Folder, UnindexedProducer};
use crate::iter::sources::pending::Pending;
use crate::iter::sources::shares::Shares;
use crate::iter::sources::unindexed_source;
use std::iter;

/// How many steps a split takes at most in search of a place where the tree branches.
const LOOKAHEAD: usize = 64;

/// A step of a tour.
pub(super) enum Step<A, R> {
    /// Into a node. This is its accumulator before the next step.
    Enter(A),
    /// Around a subtree, whose result this is.
    Subtree(R),
    /// From the innermost node back to its parent.
    Leave,
}

pub(super) type StepOf<F> = Step<<F as FoldRules>::Acc, <F as FoldRules>::Result>;

/// A stretch of a tour: depth first, children from first to last.
pub(super) struct Tour<'f, F: FoldRules> {
    /// Steps taken in search of a branch, and next in order.
    seen: Vec<StepOf<F>>,
    way: TourWay<F>,
    fold: &'f F,
}

/// What a tour has before it.
pub(super) struct TourWay<F: FoldRules> {
    /// Nodes that were found and not yet visited. Next is on top. Some at the bottom, the oldest, are the right part of a split.
    todo: Pending<F::Node>,
    shares: Shares,
    /// For each node to leave, the innermost on top: how high `todo` is by then.
    leave: Pending<usize>,
    descent: Descent<F>,
}

impl<F: FoldRules> TourWay<F> {
    pub(super) fn new(todo: Vec<F::Node>) -> Self {
        let leave = Pending::new(Vec::new());
        Self::resume(Pending::new(todo), Shares::default(), leave)
    }

    fn resume(todo: Pending<F::Node>, shares: Shares, leave: Pending<usize>) -> Self {
        TourWay {
            todo,
            shares,
            leave,
            descent: Descent::new(),
        }
    }

    /// From here on, so many nodes may be visited, or fewer once the clock is past `until`.
    #[inline]
    pub(super) fn allow(&mut self, nodes: usize, until: u64) {
        self.todo.raise(nodes);
        self.leave.raise(nodes);
        self.descent.allow(nodes, until);
    }

    pub(super) fn is_over(&self) -> bool {
        self.todo.is_empty() && self.leave.is_empty()
    }

    /// The next step, unless all is done or the budget is spent.
    #[inline(always)]
    pub(super) fn step(&mut self, fold: &F) -> Option<StepOf<F>> {
        if let Some((so_far, _)) = self.descent.open.pop() {
            return Some(Step::Enter(so_far));
        }
        if self.descent.is_spent() {
            return None;
        }
        let height = self.todo.height();
        if self.leave.top().pop_if(|turn| *turn == height).is_some() {
            self.descent.count();
            return Some(Step::Leave);
        }
        let node = self.todo.top().pop()?;
        if let Some(result) = self.descent.subtree(fold, node) {
            return Some(Step::Subtree(result));
        }
        self.surface();
        let (so_far, _) = self.descent.open.pop()?;
        Some(Step::Enter(so_far))
    }

    /// Puts what a descent has left on the stacks.
    fn surface(&mut self) {
        let nodes = self.descent.nodes.drain(..).rev();
        self.todo.top().extend(nodes);
        let height = self.todo.height();
        let open = self.descent.open.iter().rev();
        let heights = open.map(|(_, below)| height - below);
        self.leave.top().extend(heights);
    }

    /// How many of the oldest nodes to visit are children of one node: all that are below the first that was entered above any.
    fn siblings(&self) -> usize {
        let ground = self.todo.ground();
        let below = self.leave.partition_point(|&height| height == ground);
        let height = self.leave.iter().nth(below);
        height.map_or(self.todo.len(), |height| height - ground)
    }

    /// The bottom part, which is left with the top part.
    fn split(&mut self) -> Option<Self> {
        self.shares.recount(self.siblings());
        let (some, theirs) = self.shares.split(self.todo.len())?;
        let todo = self.todo.cut(some);
        let ground = self.todo.ground();
        let outer = self.leave.partition_point(|&height| height < ground);
        Some(TourWay::resume(todo, theirs, self.leave.cut(outer)))
    }
}

impl<'f, F: FoldRules> Tour<'f, F> {
    pub(super) fn new(way: TourWay<F>, fold: &'f F) -> Self {
        Tour {
            seen: Vec::new(),
            way,
            fold,
        }
    }
}

impl<F: FoldRules> UnindexedProducer for Tour<'_, F> {
    type Item = StepOf<F>;

    fn split(mut self) -> (Self, Option<Self>) {
        while self.way.todo.len() == 1 && self.seen.len() < LOOKAHEAD {
            self.way.allow(1, u64::MAX);
            let step = self.way.step(self.fold);
            self.seen.extend(step);
            // What comes is a tree of its own.
            self.way.shares = Shares::default();
        }
        let right = self.way.split().map(|way| Self::new(way, self.fold));
        (self, right)
    }

    fn fold_with<G: Folder<StepOf<F>>>(self, folder: G) -> G {
        self.fold_some(folder, usize::MAX).0
    }

    const CAN_PAUSE: bool = true;

    fn fold_some<G: Folder<StepOf<F>>>(self, mut folder: G, budget: usize) -> (G, Option<Self>) {
        if !self.seen.is_empty() {
            folder = folder.consume_iter(self.seen);
        }
        // In local variables, so that the loop keeps them in registers.
        let (mut way, fold) = (self.way, self.fold);
        way.allow(budget, end_of_block(budget));
        let steps = iter::from_fn(|| way.step(fold));
        let folder = folder.consume_iter(steps);
        let rest = (!way.is_over()).then(|| Self::new(way, fold));
        (folder, rest)
    }
}

unindexed_source! {
    impl[F] Tour<'_, F> => StepOf<F>, where [F: FoldRules];
    producer(self) { self }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::pace::{LONG, LOOK};
    use crate::algo::tree_reduce::rules::Closures;
    use crate::iter::sources::pending::tests::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::thread;
    use std::time::Duration;

    /// The root has five children, each of those two.
    fn children(node: &u32) -> Vec<u32> {
        match node {
            0 => (1..6).collect(),
            1..6 => vec![10 * node, 10 * node + 1],
            _ => vec![],
        }
    }

    fn nodes<F: FoldRules<Node: Copy>>(way: &TourWay<F>) -> Vec<F::Node> {
        way.todo.iter().copied().collect()
    }

    #[test]
    fn siblings_are_known_wherever_it_stops_and_however_it_is_cut() {
        let fold = Closures::new(children, |_| 1, |a, b: u32| a + b, |a| a);
        let go = |way: &mut TourWay<_>| {
            way.allow(1, u64::MAX);
            while way.step(&fold).is_some() {}
            (nodes(way), way.siblings())
        };
        let mut way = TourWay::new(vec![0]);
        assert_eq!(go(&mut way), (vec![5, 4, 3, 2, 1], 5));
        assert_eq!(go(&mut way), (vec![5, 4, 3, 2, 11, 10], 4));
        assert_eq!(go(&mut way), (vec![5, 4, 3, 2, 11], 4));
        let mut theirs = way.split().unwrap();
        assert_eq!((nodes(&theirs), theirs.siblings()), (vec![5, 4], 2));
        assert_eq!((nodes(&way), way.siblings()), (vec![3, 2, 11], 2));
        assert_eq!(go(&mut way), (vec![3, 2], 2));
        // Out of 1.
        assert_eq!(go(&mut way), (vec![3, 2], 2));
        assert_eq!(go(&mut way), (vec![3, 21, 20], 1));
        assert_eq!(go(&mut theirs), (vec![5, 41, 40], 1));
    }

    #[test]
    fn a_block_of_long_nodes_ends_early_and_a_whole_fold_does_not() {
        const NODES: usize = 4 * LOOK;
        for in_a_row in [false, true] {
            let visited = AtomicUsize::new(0);
            let children = |&node: &usize| match node {
                0 if !in_a_row => 1..NODES,
                _ if in_a_row => node + 1..NODES.min(node + 2),
                _ => 0..0,
            };
            let visit = |_| {
                visited.fetch_add(1, Relaxed);
                thread::sleep(Duration::from_nanos(LONG));
            };
            let fold = Closures::new(children, visit, |(), ()| (), |()| ());
            let tour = || Tour::new(TourWay::new(vec![0]), &fold);
            let (_, rest) = tour().fold_some(ItemCount(0), NODES);
            assert!(visited.load(Relaxed) <= 2 * LOOK);
            UnindexedProducer::fold_with(rest.unwrap(), ItemCount(0));
            assert_eq!(visited.load(Relaxed), NODES);
            UnindexedProducer::fold_with(tour(), ItemCount(0));
            assert_eq!(visited.load(Relaxed), 2 * NODES);
        }
    }

    #[test]
    fn a_split_moves_what_it_gives_away() {
        let fold = Closures::new(spine, |_| (), |(), ()| (), |()| ());
        let tour = Tour::new(TourWay::new(vec![0]), &fold);
        let (_, rest) = tour.fold_some(ItemCount(0), LEVELS);
        splits_move_what_they_give(rest.unwrap(), |part| {
            [places(&part.way.todo), places(&part.way.leave)]
        });
    }
}

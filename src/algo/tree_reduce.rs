//! Trees folded from the leaves up: each node's result from its own value and its children's results.
//!
//! | function | when |
//! |---|---|
//! | [`tree_reduce`] | a node and its result are of one kind: sizes of directories, heights, numbers of leaves |
//! | [`tree_fold`] | a node collects before it has a result: expressions, hashes of hashes |
//! | [`walk_tree`](crate::iter::walk_tree) | the shape of the tree does not matter: `walk_tree(..).map(..).sum()` |
//!
//! # What is guaranteed
//!
//! - Each closure is called once for what it is called for: `children` and `map` (or `init`) for each node, `combine` for each child,
//!   `finish` for each node.
//! - The results of a node's children are combined in the order of the children, from first to last, one after the other. So `combine` need
//!   neither be commutative nor associative, and the result does not depend on the number of threads.
//! - The walk keeps stacks of its own: a list of millions of nodes is as good as a balanced tree, on any thread.
//!
//! # Cost
//!
//! Work: as the sequential fold, without an allocation for a node. Span: the longest path from the root to a leaf, in which a node with
//! `k` children counts `k` calls of `combine`. Memory: the nodes that were found and not yet visited, and one value for each node above
//! the current one; where another thread took children of a node, their results wait until it is their turn.
//!
//! # How it works
//!
//! A tour around the tree is a sequence of steps: enter an inner node, visit a leaf, leave an inner node. The sequence can be cut
//! anywhere. A stretch of it comes to the results that belong to nodes entered before the stretch, and the nodes that were entered and not
//! left in it; two neighbouring stretches come to the same when the first one's open nodes take in the results of the second. So the tour
//! is a parallel iterator like any other, cut by the driver where another thread has nothing to do, and nowhere else: on one thread it is
//! the sequential fold.

use super::pace::begin_alone;
use crate::iter::plumbing::{Folder, UnindexedProducer};
use crate::iter::sinks::plain::{self, Plain};
use crate::iter::sources::unindexed_source;
use std::{iter, mem};

/// How many steps a split takes at most in search of a place where the tree branches.
const LOOKAHEAD: usize = 64;

/// Computes a value for each node of a tree from the leaves up, and returns that of the root.
///
/// A node begins with `map(node)`, to which the results of its children are added by `combine(so_far, child)`, in their order. What that
/// comes to is the node's result.
///
/// Work and span: as the [module](self) says. Where `combine` is associative and the shape of the tree does not matter,
/// [`walk_tree`](crate::iter::walk_tree) with `map` and `reduce` is the better choice: it combines in any grouping, and so shares out the
/// children of one node, too.
///
/// ```
/// use filch::algo::tree_reduce;
///
/// // The height of the tree in which each number above 1 has its halves as children.
/// let halves = |&n: &u32| (n > 1).then(|| [n / 2, n - n / 2]).into_iter().flatten();
/// let height = tree_reduce(1000, halves, |_| 0, |height, child: u32| height.max(child + 1));
/// assert_eq!(height, 10);
/// ```
///
/// The sizes of directories, each with all that is below it:
///
/// ```no_run
/// use std::fs;
/// use std::path::PathBuf;
///
/// # fn below(path: &PathBuf) -> Vec<PathBuf> {
/// #     fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
/// # }
/// let total = filch::algo::tree_reduce(
///     PathBuf::from("."),
///     |path| if path.is_dir() { below(path) } else { vec![] },
///     |path| fs::symlink_metadata(path).map_or(0, |metadata| metadata.len()),
///     |size, child| size + child,
/// );
/// println!("{total} bytes");
/// ```
///
/// # Panics
///
/// If a closure panics, other threads finish what they have begun, and one of the panics goes on. Nodes that were found are dropped.
pub fn tree_reduce<S, I, R>(
    root: S,
    children: impl Fn(&S) -> I + Sync,
    map: impl Fn(S) -> R + Sync,
    combine: impl Fn(R, R) -> R + Sync,
) -> R
where
    S: Send,
    I: IntoIterator<Item = S>,
    R: Send,
{
    tree_fold(root, children, map, combine, |result| result)
}

/// Folds a tree from the leaves up: a node opens an accumulator, takes in its children's results, and closes it with a result of its own.
///
/// The accumulator of a node begins as `init(node)`; each child's result is added by `combine(accumulator, result)`, in the order of the
/// children; `finish(accumulator)` is the node's result, and the root's is returned. For a leaf `finish(init(node))` is called at once.
///
/// Work and span: as the [module](self) says.
///
/// ```
/// use filch::algo::tree_fold;
///
/// enum Expr {
///     Number(f64),
///     Sum(Vec<Expr>),
///     Product(Vec<Expr>),
/// }
/// use Expr::*;
///
/// let expr = Sum(vec![Number(1.0), Product(vec![Number(2.0), Number(3.0)])]);
/// let value = tree_fold(
///     &expr,
///     |expr| match expr {
///         Number(_) => [].iter(),
///         Sum(parts) | Product(parts) => parts.iter(),
///     },
///     |expr| (expr, vec![]),
///     |(expr, mut values), value| {
///         values.push(value);
///         (expr, values)
///     },
///     |(expr, values)| match expr {
///         Number(x) => *x,
///         Sum(_) => values.into_iter().sum(),
///         Product(_) => values.into_iter().product(),
///     },
/// );
/// assert_eq!(value, 7.0);
/// ```
///
/// # Panics
///
/// As [`tree_reduce`].
pub fn tree_fold<S, I, A, R>(
    root: S,
    children: impl Fn(&S) -> I + Sync,
    init: impl Fn(S) -> A + Sync,
    combine: impl Fn(A, R) -> A + Sync,
    finish: impl Fn(A) -> R + Sync,
) -> R
where
    S: Send,
    I: IntoIterator<Item = S>,
    A: Send,
    R: Send,
{
    let ascent = Ascent {
        init,
        combine,
        finish,
    };
    let (mut way, mut stretch) = (Way::new(vec![root]), Stretch::new());
    let done = begin_alone(|count| {
        // In local variables, so that the loop keeps them in registers.
        let mut ahead = mem::replace(&mut way, Way::new(Vec::new()));
        let mut so_far = mem::replace(&mut stretch, Stretch::new());
        let steps = iter::from_fn(|| ahead.step(&children)).take(count);
        steps.for_each(|step| ascent.take(&mut so_far, step));
        (way, stretch) = (ahead, so_far);
        way.is_over()
    });
    if !done {
        let rest = plain::run(Tour::new(way, &children), &ascent);
        stretch = ascent.follow(stretch, rest);
    }
    let result = stretch.results.pop();
    result.expect("a tour ends where it began")
}

/// A step of a tour.
enum Step<S> {
    /// To an inner node.
    Enter(S),
    /// To a leaf, and back.
    Leaf(S),
    /// From an inner node back to its parent.
    Leave,
}

/// A stretch of a tour: depth first, children from first to last.
struct Tour<'c, S, C> {
    /// Steps taken in search of a branch, and next in order.
    seen: Vec<Step<S>>,
    way: Way<S>,
    children: &'c C,
}

/// What a tour has before it.
struct Way<S> {
    /// Nodes that were found and not yet visited. Next is on top. The bottom half, which are the oldest and mostly the largest subtrees, is
    /// the right part of a split.
    todo: Vec<S>,
    /// For each inner node to leave, the innermost on top: how high `todo` is by then.
    leave: Vec<usize>,
}

impl<S> Way<S> {
    fn new(todo: Vec<S>) -> Self {
        Way {
            todo,
            leave: Vec::new(),
        }
    }

    fn is_over(&self) -> bool {
        self.todo.is_empty() && self.leave.is_empty()
    }

    #[inline(always)]
    fn step<I: IntoIterator<Item = S>>(&mut self, children: &impl Fn(&S) -> I) -> Option<Step<S>> {
        let height = self.todo.len();
        if self.leave.last() == Some(&height) {
            self.leave.pop();
            return Some(Step::Leave);
        }
        let node = self.todo.pop()?;
        self.todo.extend(children(&node));
        if self.todo.len() < height {
            return Some(Step::Leaf(node));
        }
        self.todo[height - 1..].reverse();
        self.leave.push(height - 1);
        Some(Step::Enter(node))
    }

    /// The bottom half, which is left with the top half.
    fn split(&mut self) -> Option<Self> {
        let half = self.todo.len() / 2;
        if half == 0 {
            return None;
        }
        let top = self.todo.split_off(half);
        let inner = self.leave.partition_point(|&height| height < half);
        let mut leave = self.leave.split_off(inner);
        leave.iter_mut().for_each(|height| *height -= half);
        Some(mem::replace(self, Way { todo: top, leave }))
    }
}

impl<'c, S, C, I> Tour<'c, S, C>
where
    C: Fn(&S) -> I,
    I: IntoIterator<Item = S>,
{
    fn new(way: Way<S>, children: &'c C) -> Self {
        Tour {
            seen: Vec::new(),
            way,
            children,
        }
    }
}

impl<S, C, I> UnindexedProducer for Tour<'_, S, C>
where
    S: Send,
    C: Fn(&S) -> I + Sync,
    I: IntoIterator<Item = S>,
{
    type Item = Step<S>;

    fn split(mut self) -> (Self, Option<Self>) {
        while self.way.todo.len() == 1 && self.seen.len() < LOOKAHEAD {
            let step = self.way.step(self.children);
            self.seen.extend(step);
        }
        let right = self.way.split().map(|way| Self::new(way, self.children));
        (self, right)
    }

    fn fold_with<F: Folder<Step<S>>>(self, folder: F) -> F {
        self.fold_some(folder, usize::MAX).0
    }

    const CAN_PAUSE: bool = true;

    fn fold_some<F: Folder<Step<S>>>(self, mut folder: F, budget: usize) -> (F, Option<Self>) {
        if !self.seen.is_empty() {
            folder = folder.consume_iter(self.seen);
        }
        // In local variables, so that the loop keeps them in registers.
        let (mut way, children) = (self.way, self.children);
        let steps = iter::from_fn(|| way.step(children));
        let folder = folder.consume_iter(steps.take(budget));
        let rest = (!way.is_over()).then(|| Self::new(way, children));
        (folder, rest)
    }
}

unindexed_source! {
    impl[S, C, I] Tour<'_, S, C> => Step<S>, where [
        S: Send,
        C: Fn(&S) -> I + Sync,
        I: IntoIterator<Item = S>,
    ];
    producer(self) { self }
}

/// What a tour is made for: the closures of a fold.
struct Ascent<M, C, F> {
    init: M,
    combine: C,
    finish: F,
}

/// What a stretch of a tour comes to.
struct Stretch<A, R> {
    /// Results for nodes that were entered before the stretch began, and not yet taken in by them.
    results: Vec<R>,
    /// For each of those nodes that the stretch left, from the innermost: how many results there were by then.
    left: Vec<usize>,
    /// The nodes that were entered and not left, the innermost on top.
    open: Vec<A>,
}

impl<A, R> Stretch<A, R> {
    fn new() -> Self {
        Stretch {
            results: Vec::new(),
            left: Vec::new(),
            open: Vec::new(),
        }
    }
}

impl<M, C, F> Ascent<M, C, F> {
    #[inline(always)]
    fn take<S, A, R>(&self, stretch: &mut Stretch<A, R>, step: Step<S>)
    where
        M: Fn(S) -> A,
        C: Fn(A, R) -> A,
        F: Fn(A) -> R,
    {
        match step {
            Step::Enter(node) => stretch.open.push((self.init)(node)),
            Step::Leaf(node) => self.give(stretch, (self.finish)((self.init)(node))),
            Step::Leave => self.leave(stretch),
        }
    }

    /// Gives a result to the innermost node.
    #[inline(always)]
    fn give<A, R>(&self, stretch: &mut Stretch<A, R>, result: R)
    where
        C: Fn(A, R) -> A,
    {
        match stretch.open.pop() {
            Some(parent) => stretch.open.push((self.combine)(parent, result)),
            None => stretch.results.push(result),
        }
    }

    /// What two neighbouring stretches come to.
    fn follow<A, R>(&self, mut first: Stretch<A, R>, second: Stretch<A, R>) -> Stretch<A, R>
    where
        C: Fn(A, R) -> A,
        F: Fn(A) -> R,
    {
        let mut given = 0;
        let mut results = second.results.into_iter();
        for by_then in second.left {
            for result in results.by_ref().take(by_then - given) {
                self.give(&mut first, result);
            }
            given = by_then;
            self.leave(&mut first);
        }
        for result in results {
            self.give(&mut first, result);
        }
        first.open.extend(second.open);
        first
    }

    /// Leaves the innermost node.
    #[inline(always)]
    fn leave<A, R>(&self, stretch: &mut Stretch<A, R>)
    where
        C: Fn(A, R) -> A,
        F: Fn(A) -> R,
    {
        match stretch.open.pop() {
            Some(node) => self.give(stretch, (self.finish)(node)),
            None => stretch.left.push(stretch.results.len()),
        }
    }
}

impl<S, A, R, M, C, F> Plain<Step<S>> for Ascent<M, C, F>
where
    A: Send,
    R: Send,
    M: Fn(S) -> A + Sync,
    C: Fn(A, R) -> A + Sync,
    F: Fn(A) -> R + Sync,
{
    type State = Stretch<A, R>;
    type Result = Stretch<A, R>;

    fn begin(&self) -> Stretch<A, R> {
        Stretch::new()
    }

    #[inline]
    fn one(&self, mut stretch: Stretch<A, R>, step: Step<S>) -> Stretch<A, R> {
        self.take(&mut stretch, step);
        stretch
    }

    #[inline]
    fn many(
        &self,
        mut stretch: Stretch<A, R>,
        steps: impl Iterator<Item = Step<S>>,
    ) -> Stretch<A, R> {
        steps.for_each(|step| self.take(&mut stretch, step));
        stretch
    }

    fn end(&self, stretch: Stretch<A, R>) -> Stretch<A, R> {
        stretch
    }

    fn reduce(&self, first: Stretch<A, R>, second: Stretch<A, R>) -> Stretch<A, R> {
        self.follow(first, second)
    }
}

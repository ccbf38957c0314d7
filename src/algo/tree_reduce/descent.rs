//! A subtree folded by recursion, as far as that may go.

/// How deep the recursion goes at most: deep enough that most nodes of a tree are folded by it, not so deep that it could fill a stack.
const DEPTH: usize = 16;

/// About how many bytes of the caller's types may lie on the stack.
const BYTES: usize = 16 << 10;

/// How deep the recursion goes with such nodes, accumulators, results and iterators.
const fn depth<S, A, R, I: IntoIterator>() -> usize {
    let children = size_of::<I>() + size_of::<I::IntoIter>();
    let level = size_of::<S>() + size_of::<A>() + 2 * size_of::<R>() + children;
    match BYTES / (level + 1) {
        0 => 1,
        levels if levels < DEPTH => levels,
        _ => DEPTH,
    }
}

/// The closures of a fold.
pub(super) struct Fold<C, M, B, F> {
    pub(super) children: C,
    pub(super) init: M,
    pub(super) combine: B,
    pub(super) finish: F,
}

/// How far to go, and what was left when that was reached.
pub(super) struct Descent<S, A> {
    /// How many nodes may still be visited; a node that is left without that counts once more.
    pub(super) budget: usize,
    /// Nodes to visit, the next one first.
    pub(super) nodes: Vec<S>,
    /// Nodes that were entered and not left, the innermost first, each with how many of `nodes` are below it.
    pub(super) open: Vec<(A, usize)>,
}

impl<S, A> Descent<S, A> {
    pub(super) fn new() -> Self {
        Descent {
            budget: 0,
            nodes: Vec::new(),
            open: Vec::new(),
        }
    }
}

impl<C, M, B, F> Fold<C, M, B, F> {
    /// The result of a subtree; or nothing, and what is left of it is in `descent`.
    ///
    /// If there is a budget, at least `node` is visited.
    #[inline]
    pub(super) fn subtree<S, I, A, R>(&self, node: S, descent: &mut Descent<S, A>) -> Option<R>
    where
        C: Fn(&S) -> I,
        I: IntoIterator<Item = S>,
        M: Fn(S) -> A,
        B: Fn(A, R) -> A,
        F: Fn(A) -> R,
    {
        self.descend(node, const { depth::<S, A, R, I>() }, descent)
    }

    fn descend<S, I, A, R>(&self, node: S, depth: usize, descent: &mut Descent<S, A>) -> Option<R>
    where
        C: Fn(&S) -> I,
        I: IntoIterator<Item = S>,
        M: Fn(S) -> A,
        B: Fn(A, R) -> A,
        F: Fn(A) -> R,
    {
        if depth == 0 || descent.budget == 0 {
            descent.nodes.push(node);
            return None;
        }
        descent.budget -= 1;
        let mut children = (self.children)(&node).into_iter();
        let mut so_far = (self.init)(node);
        while let Some(child) = children.next() {
            match self.descend(child, depth - 1, descent) {
                Some(result) => so_far = (self.combine)(so_far, result),
                None => {
                    descent.nodes.extend(children);
                    descent.open.push((so_far, descent.nodes.len()));
                    return None;
                }
            }
        }
        Some((self.finish)(so_far))
    }
}

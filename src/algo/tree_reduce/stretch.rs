//! What a stretch of a tour comes to, and two of them in a row.

use super::descent::Fold;
use super::tour::Step;
use crate::iter::sinks::plain::Plain;

/// What a stretch of a tour comes to.
pub(super) struct Stretch<A, R> {
    /// Results for nodes that were entered before the stretch began, and not yet taken in by them.
    results: Vec<R>,
    /// For each of those nodes that the stretch left, from the innermost: how many results there were by then.
    left: Vec<usize>,
    /// The nodes that were entered and not left, the innermost on top.
    open: Vec<A>,
}

impl<A, R> Stretch<A, R> {
    pub(super) fn new() -> Self {
        Stretch {
            results: Vec::new(),
            left: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The result of the whole tour.
    pub(super) fn into_result(mut self) -> R {
        let result = self.results.pop();
        result.expect("a tour ends where it began")
    }
}

impl<C, M, B, F> Fold<C, M, B, F> {
    #[inline(always)]
    pub(super) fn take<A, R>(&self, stretch: &mut Stretch<A, R>, step: Step<A, R>)
    where
        B: Fn(A, R) -> A,
        F: Fn(A) -> R,
    {
        match step {
            Step::Enter(so_far) => stretch.open.push(so_far),
            Step::Subtree(result) => self.give(stretch, result),
            Step::Leave => self.leave(stretch),
        }
    }

    /// Gives a result to the innermost node.
    #[inline(always)]
    fn give<A, R>(&self, stretch: &mut Stretch<A, R>, result: R)
    where
        B: Fn(A, R) -> A,
    {
        match stretch.open.pop() {
            Some(parent) => stretch.open.push((self.combine)(parent, result)),
            None => stretch.results.push(result),
        }
    }

    /// What two neighbouring stretches come to.
    pub(super) fn follow<A, R>(
        &self,
        mut first: Stretch<A, R>,
        second: Stretch<A, R>,
    ) -> Stretch<A, R>
    where
        B: Fn(A, R) -> A,
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
        B: Fn(A, R) -> A,
        F: Fn(A) -> R,
    {
        match stretch.open.pop() {
            Some(node) => self.give(stretch, (self.finish)(node)),
            None => stretch.left.push(stretch.results.len()),
        }
    }
}

impl<A, R, C, M, B, F> Plain<Step<A, R>> for Fold<C, M, B, F>
where
    A: Send,
    R: Send,
    C: Sync,
    M: Sync,
    B: Fn(A, R) -> A + Sync,
    F: Fn(A) -> R + Sync,
{
    type State = Stretch<A, R>;
    type Result = Stretch<A, R>;

    fn begin(&self) -> Stretch<A, R> {
        Stretch::new()
    }

    #[inline]
    fn one(&self, mut stretch: Stretch<A, R>, step: Step<A, R>) -> Stretch<A, R> {
        self.take(&mut stretch, step);
        stretch
    }

    #[inline]
    fn many(
        &self,
        mut stretch: Stretch<A, R>,
        steps: impl Iterator<Item = Step<A, R>>,
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

//! The result of a stretch of a tour: results for nodes that were entered before it, and nodes that it entered and did not leave (its open
//! nodes). Two neighbouring stretches are joined into one.
//!
//! A step is O(1). To join two stretches takes one call of the fold for each result that an open node of the first one gets.

use super::rules::FoldRules;
use super::tour::{Step, StepOf};
use crate::iter::sinks::plain::{Plain, state_is_result};

/// The result of a stretch of a tour.
pub(super) struct TourStretch<F: FoldRules> {
    /// Results for nodes that were entered before the stretch began, and not yet taken in by them.
    results: Vec<F::Result>,
    /// For each of those nodes that the stretch left, from the innermost: how many results there were by then.
    left: Vec<usize>,
    /// The nodes that were entered and not left, the innermost on top.
    open: Vec<F::Acc>,
}

impl<F: FoldRules> TourStretch<F> {
    pub(super) fn new() -> Self {
        TourStretch {
            results: Vec::new(),
            left: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The result of the whole tour.
    pub(super) fn into_result(mut self) -> F::Result {
        let result = self.results.pop();
        result.expect("a tour ends where it began")
    }

    #[inline(always)]
    pub(super) fn take(&mut self, fold: &F, step: StepOf<F>) {
        match step {
            Step::Enter(so_far) => self.open.push(so_far),
            Step::Subtree(result) => self.give(fold, result),
            Step::Leave => self.leave(fold),
        }
    }

    /// Gives a result to the innermost node.
    #[inline(always)]
    fn give(&mut self, fold: &F, result: F::Result) {
        match self.open.pop() {
            Some(parent) => self.open.push(fold.add(parent, result)),
            None => self.results.push(result),
        }
    }

    /// Leaves the innermost node.
    #[inline(always)]
    fn leave(&mut self, fold: &F) {
        match self.open.pop() {
            Some(node) => self.give(fold, fold.end(node)),
            None => self.left.push(self.results.len()),
        }
    }

    /// Goes on with the result of the next stretch.
    pub(super) fn append(&mut self, fold: &F, next: Self) {
        let mut given = 0;
        let mut results = next.results.into_iter();
        for by_then in next.left {
            for result in results.by_ref().take(by_then - given) {
                self.give(fold, result);
            }
            given = by_then;
            self.leave(fold);
        }
        for result in results {
            self.give(fold, result);
        }
        self.open.extend(next.open);
    }
}

/// The end of a tour: joins its stretches.
pub(super) struct Ascent<'f, F>(pub(super) &'f F);

impl<F: FoldRules> Plain<StepOf<F>> for Ascent<'_, F> {
    state_is_result! { TourStretch<F> }

    fn begin(&self) -> TourStretch<F> {
        TourStretch::new()
    }

    #[inline]
    fn many(
        &self,
        mut stretch: TourStretch<F>,
        steps: impl Iterator<Item = StepOf<F>>,
    ) -> TourStretch<F> {
        steps.for_each(|step| stretch.take(self.0, step));
        stretch
    }

    fn reduce(&self, mut first: TourStretch<F>, next: TourStretch<F>) -> TourStretch<F> {
        first.append(self.0, next);
        first
    }
}

//! `try_reduce`, `try_reduce_with` and, on top of them, `try_for_each`: ends that stop at the first failure.

use super::plain::Plain;
use crate::iter::fold_in_place::try_fold_in_place;
use crate::iter::try_trait::Try;
use crate::sync::{AtomicBool, Ordering};
use std::ops::ControlFlow::{self, Break, Continue};

/// Combines the outputs until one fails. The leftmost failure that was reached is the result.
pub(crate) struct TryReduce<F, OP> {
    /// What a fold begins with; if that is nothing, it begins with its first item.
    first: F,
    op: OP,
    /// A fold has failed: all may stop.
    failed: AtomicBool,
}

impl<F, OP> TryReduce<F, OP> {
    pub(crate) fn new(first: F, op: OP) -> Self {
        TryReduce {
            first,
            op,
            failed: AtomicBool::new(false),
        }
    }

    /// Notes a failure.
    #[inline]
    fn step<U: Try>(&self, result: U) -> ControlFlow<U::Residual, U::Output> {
        let flow = result.branch();
        if flow.is_break() {
            self.failed.store(true, Ordering::Relaxed);
        }
        flow
    }
}

impl<U, F, OP> Plain<U> for TryReduce<F, OP>
where
    U: Try + Send,
    F: Fn() -> Option<U::Output> + Sync,
    OP: Fn(U::Output, U::Output) -> U + Sync,
{
    type State = Option<ControlFlow<U::Residual, U::Output>>;
    type Result = Option<U>;

    const STOPS_EARLY: bool = true;

    #[inline]
    fn begin(&self) -> Self::State {
        (self.first)().map(Continue)
    }

    #[inline]
    fn many(&self, state: Self::State, mut items: impl Iterator<Item = U>) -> Self::State {
        let first = match state {
            None => self.step(items.next()?),
            Some(flow) => flow,
        };
        let Continue(first) = first else {
            return Some(first);
        };
        Some(try_fold_in_place(items, first, |left, item| {
            let right = self.step(item)?;
            self.step((self.op)(left, right))
        }))
    }

    #[inline]
    fn end(&self, state: Self::State) -> Option<U> {
        state.map(|flow| match flow {
            Continue(output) => U::from_output(output),
            Break(residual) => U::from_residual(residual),
        })
    }

    /// After a failure, a fold may have ended before its last item, so two results need not be neighbours. `op` is not called for them. The
    /// failure is the result of another fold or reduce, and wins.
    #[inline]
    fn reduce(&self, left: Option<U>, right: Option<U>) -> Option<U> {
        let (left, right) = match (left, right) {
            (Some(left), Some(right)) => (left.branch(), right.branch()),
            (left, right) => return left.or(right),
        };
        let flow = match (left, right) {
            (Continue(left), Continue(_)) if self.over() => Continue(left),
            (Continue(left), Continue(right)) => self.step((self.op)(left, right)),
            (Break(residual), _) | (_, Break(residual)) => Break(residual),
        };
        self.end(Some(flow))
    }

    #[inline]
    fn over(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Range;

    /// Another fold has failed, and the left one ended before its last item.
    #[test]
    fn what_need_not_be_neighbours_is_not_combined() {
        let op = |_: Range<u32>, _: Range<u32>| panic!("not neighbours");
        let end = TryReduce::new(|| None, op);
        let fold = |item: Result<Range<u32>, &'static str>| {
            let state = end.one(end.begin(), item);
            end.end(state)
        };
        let (left, middle) = (fold(Ok(0..3)), fold(Ok(5..9)));
        let right = fold(Err("the last"));
        let left = end.reduce(left, middle);
        assert_eq!(end.reduce(left, right), Some(Err("the last")));
    }

    #[test]
    fn a_failure_of_a_reduce_ends_all_folds() {
        let end = TryReduce::new(|| Some(0), u8::checked_add);
        let fold = |item| end.end(end.one(end.begin(), Some(item)));
        let (left, right) = (fold(200), fold(100));
        assert!(!end.over());
        assert_eq!(end.reduce(left, right), Some(None));
        assert!(end.over());
    }
}

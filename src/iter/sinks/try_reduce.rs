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

    #[inline]
    fn reduce(&self, left: Option<U>, right: Option<U>) -> Option<U> {
        match (left, right) {
            (Some(left), Some(right)) => Some(match (left.branch(), right.branch()) {
                (Continue(left), Continue(right)) => (self.op)(left, right),
                (Break(residual), _) | (_, Break(residual)) => U::from_residual(residual),
            }),
            (left, right) => left.or(right),
        }
    }

    #[inline]
    fn over(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }
}

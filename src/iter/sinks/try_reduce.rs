//! `try_reduce`, `try_reduce_with` and, on top of them, `try_for_each`: ends that stop at the first failure.

use super::plain::Plain;
use crate::iter::fold_in_place::try_fold_in_place;
use crate::iter::try_trait::Try;
use crate::sync::{AtomicBool, Ordering};
use std::ops::ControlFlow::{self, Break, Continue};

/// Combines the outputs until one fails. The leftmost failure that was reached is the result.
pub(crate) struct TryReduce<ID, OP> {
    identity: ID,
    op: OP,
    /// A fold has failed: all may stop.
    failed: AtomicBool,
}

impl<ID, OP> TryReduce<ID, OP> {
    pub(crate) fn new(identity: ID, op: OP) -> Self {
        TryReduce {
            identity,
            op,
            failed: AtomicBool::new(false),
        }
    }
}

/// One step: returns the branch of `result`, and raises the flag if it failed.
#[inline]
fn step<U: Try>(failed: &AtomicBool, result: U) -> ControlFlow<U::Residual, U::Output> {
    let flow = result.branch();
    if flow.is_break() {
        failed.store(true, Ordering::Relaxed);
    }
    flow
}

#[inline]
fn whole<U: Try>(flow: ControlFlow<U::Residual, U::Output>) -> U {
    match flow {
        Continue(output) => U::from_output(output),
        Break(residual) => U::from_residual(residual),
    }
}

impl<U, ID, OP> Plain<U> for TryReduce<ID, OP>
where
    U: Try + Send,
    ID: Fn() -> U::Output + Sync,
    OP: Fn(U::Output, U::Output) -> U + Sync,
{
    type State = ControlFlow<U::Residual, U::Output>;
    type Result = U;

    const STOPS_EARLY: bool = true;

    #[inline]
    fn begin(&self) -> Self::State {
        Continue((self.identity)())
    }

    #[inline]
    fn one(&self, state: Self::State, item: U) -> Self::State {
        let left = state?;
        let right = step(&self.failed, item)?;
        step(&self.failed, (self.op)(left, right))
    }

    #[inline]
    fn many(&self, state: Self::State, items: impl Iterator<Item = U>) -> Self::State {
        try_fold_in_place(items, state?, |left, item| {
            let right = step(&self.failed, item)?;
            step(&self.failed, (self.op)(left, right))
        })
    }

    #[inline]
    fn end(&self, state: Self::State) -> U {
        whole(state)
    }

    #[inline]
    fn reduce(&self, left: U, right: U) -> U {
        match (left.branch(), right.branch()) {
            (Continue(left), Continue(right)) => (self.op)(left, right),
            (Break(residual), _) | (_, Break(residual)) => U::from_residual(residual),
        }
    }

    #[inline]
    fn full(&self, state: &Self::State) -> bool {
        state.is_break() || self.failed.load(Ordering::Relaxed)
    }

    #[inline]
    fn over(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }
}

/// The same, beginning each fold with its first item.
pub(crate) struct TryReduceWith<OP> {
    op: OP,
    failed: AtomicBool,
}

impl<OP> TryReduceWith<OP> {
    pub(crate) fn new(op: OP) -> Self {
        TryReduceWith {
            op,
            failed: AtomicBool::new(false),
        }
    }
}

impl<U, OP> Plain<U> for TryReduceWith<OP>
where
    U: Try + Send,
    OP: Fn(U::Output, U::Output) -> U + Sync,
{
    type State = Option<ControlFlow<U::Residual, U::Output>>;
    type Result = Option<U>;

    const STOPS_EARLY: bool = true;

    #[inline]
    fn begin(&self) -> Self::State {
        None
    }

    #[inline]
    fn one(&self, state: Self::State, item: U) -> Self::State {
        Some(match state {
            None => step(&self.failed, item),
            Some(Break(residual)) => Break(residual),
            Some(Continue(left)) => match step(&self.failed, item) {
                Continue(right) => step(&self.failed, (self.op)(left, right)),
                broken => broken,
            },
        })
    }

    #[inline]
    fn many(&self, state: Self::State, mut items: impl Iterator<Item = U>) -> Self::State {
        let first = match state {
            None => step(&self.failed, items.next()?),
            Some(flow) => flow,
        };
        let Continue(first) = first else {
            return Some(first);
        };
        Some(try_fold_in_place(items, first, |left, item| {
            let right = step(&self.failed, item)?;
            step(&self.failed, (self.op)(left, right))
        }))
    }

    #[inline]
    fn end(&self, state: Self::State) -> Option<U> {
        state.map(whole)
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
    fn full(&self, state: &Self::State) -> bool {
        matches!(state, Some(Break(_))) || self.failed.load(Ordering::Relaxed)
    }

    #[inline]
    fn over(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }
}

//! Folds by closures that own their accumulator.

use std::convert::Infallible;
use std::mem::needs_drop;
use std::ops::ControlFlow::{self, Break, Continue};

/// Whether an accumulator stays in one place between items.
///
/// std's folds pass it on by value. Numbers then stay in registers, and such loops are vectorised. But a `Vec` or a `String` is copied through memory several times an
/// item, and an item takes four times as long.
const fn stays_in_place<U>() -> bool {
    needs_drop::<U>()
}

/// `Iterator::try_fold`; accumulators that own memory stay in place.
#[inline]
pub(crate) fn try_fold_in_place<T, U, B>(
    mut items: impl Iterator<Item = T>,
    first: U,
    op: impl Fn(U, T) -> ControlFlow<B, U>,
) -> ControlFlow<B, U> {
    if const { !stays_in_place::<U>() } {
        return items.try_fold(first, op);
    }
    let mut state = Some(first);
    let flow = items.try_for_each(|item| {
        let Some(before) = state.take() else {
            unreachable!("a closure that panics ends the fold")
        };
        state = Some(op(before, item)?);
        Continue(())
    });
    match (flow, state) {
        (Break(last), _) => Break(last),
        (_, Some(state)) => Continue(state),
        (_, None) => unreachable!("only `Break` leaves no accumulator"),
    }
}

/// `Iterator::fold`; accumulators that own memory stay in place.
#[inline]
pub(crate) fn fold_in_place<T, U>(
    items: impl Iterator<Item = T>,
    first: U,
    op: &impl Fn(U, T) -> U,
) -> U {
    if const { !stays_in_place::<U>() } {
        return items.fold(first, op);
    }
    let one = |state, item| Continue(op(state, item));
    let Continue(state): ControlFlow<Infallible, U> = try_fold_in_place(items, first, one);
    state
}

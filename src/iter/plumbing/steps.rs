//! What the driver asks of a fold and of the rest of its items, as a trait object without their types. So the driver is compiled once, and
//! each chain adds only the code for its own items.

use super::lane::Lane;

/// What the driver does with a fold.
pub(super) trait Steps {
    /// Begins the fold.
    fn begin(&mut self);

    /// What is left, if anything is. What is not wanted any more is dropped.
    fn rest(&mut self) -> Option<Rest>;

    /// Folds about `n` items more.
    fn fold_some(&mut self, n: usize) -> After;

    /// Cuts what is left in two, after `front` items or in the middle, and drives the first part while the second is on offer.
    fn cut(&mut self, lane: &Lane<'_>, front: Option<Front>) -> Cut;

    /// Drives a piece that has to be cut before it is folded.
    fn drive_cut(&mut self, lane: &Lane<'_>);

    /// Ends the fold: what was folded so far is the result.
    fn complete(&mut self);

    /// Drops all there is.
    fn clear(&mut self);
}

/// What is left of a fold.
pub(super) struct Rest {
    /// How many items, at most; [`UNKNOWN`] if it is not known, or too many to count.
    pub(super) len: usize,
    /// The fewest that a part should have.
    pub(super) min_len: usize,
    /// What an item costs more after a cut, in nanoseconds.
    pub(super) cut_cost: u32,
    /// What is not cut is folded in one go.
    pub(super) whole: bool,
}

/// The length of what has too many items to count, or an unknown number of them.
pub(super) const UNKNOWN: usize = usize::MAX;

/// A length, if it is one.
#[inline]
pub(super) fn known(len: usize) -> Option<usize> {
    (len != UNKNOWN).then_some(len)
}

/// How a fold stands after some items; and how many are left, at most, or [`UNKNOWN`].
pub(super) enum After {
    /// There are more items, and they are wanted.
    GoesOn(usize),
    /// Nothing is wanted any more.
    Full(usize),
    /// Nothing is left.
    AtEnd,
}

/// What became of a cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// It cannot be cut.
    Whole,
    /// The first part is folded, the second one came back, and is left.
    Kept,
    /// The fold is closed, and there is a result.
    Closed,
}

/// Where what is searched from its front is cut.
#[derive(Clone, Copy)]
pub(super) struct Front {
    /// After so many items.
    pub(super) at: usize,
    /// How many items of the search are before that place.
    pub(super) done: usize,
}

/// A part that others may take.
pub(super) trait Offered: Send {
    /// Drives it, if that is still to be done; `front` is where it was cut off, if that is how it is driven on.
    fn run(&mut self, lane: &Lane<'_>, front: Option<Front>);

    /// Drops its result.
    fn clear(&mut self);
}

//! The place of a piece between its neighbours where positions are unknown: the method of [`find_first`](super::find_first), for consumers
//! that need to know whether a border was found to their left.

use super::find_first::{End, First, nth_part, part};
use crate::sync::AtomicUsize;
use crate::sync::Ordering::Relaxed;
use std::cell::Cell;

/// The positions `lower ..= upper` of one run, and where its border is known to be.
pub(crate) struct Stretch<'r> {
    border: &'r Border,
    /// `split_off_left` takes the lower half away through a shared reference.
    lower: Cell<usize>,
    upper: usize,
}

/// No position behind this one is before the border.
pub(crate) struct Border(AtomicUsize);

impl Border {
    pub(crate) fn unknown() -> Self {
        Border(AtomicUsize::new(First::NONE))
    }

    /// All positions.
    pub(crate) fn all(&self) -> Stretch<'_> {
        Stretch {
            border: self,
            lower: Cell::new(0),
            upper: usize::MAX,
        }
    }
}

impl Stretch<'_> {
    /// A lower part, the `nth` of any number (from 1); the upper part stays.
    pub(crate) fn split_off_nth(&self, nth: usize) -> Self {
        let lower = self.lower.get();
        let (left_end, right_start) = nth_part(nth, lower, self.upper, First::SHARE);
        self.lower.set(right_start);
        Stretch {
            border: self.border,
            lower: Cell::new(lower),
            upper: left_end,
        }
    }

    /// The upper half; the lower stays.
    pub(crate) fn split_off_right(&mut self) -> Self {
        let (left_end, right_start) = part(self.lower.get(), self.upper, First::SHARE);
        let right = Stretch {
            border: self.border,
            lower: Cell::new(right_start),
            upper: self.upper,
        };
        self.upper = left_end;
        right
    }

    /// Takes back what lies directly behind.
    pub(crate) fn rejoin(&mut self, right: Self) {
        self.upper = right.upper;
    }

    /// The border was found in this stretch.
    pub(crate) fn found(&self) {
        First::publish(&self.border.0, self.lower.get(), self.upper);
    }

    /// Whether the border is known to be to the left of this stretch.
    #[inline]
    pub(crate) fn is_behind(&self) -> bool {
        First::hopeless(self.border.0.load(Relaxed), self.lower.get(), self.upper)
    }
}

//! Where a fold stands among the folds of a run that is cut, in one word: for consumers that need to know it seldom.
//!
//! A [`Stretch`](super::stretch) carries its positions with it, three words, and each move of the consumer and of its folder pays for them. Here they
//! lie in a tree: halves are made where a cut is made, and a cut that is undone leads back to the whole.

use super::find_first::{End, First, part};
use crate::sync::AtomicUsize;
use crate::sync::Ordering::Relaxed;
use std::sync::OnceLock;

/// Where the first failure of a run is, as far as it is known.
pub(crate) struct Failure(AtomicUsize);

impl Failure {
    pub(crate) fn unknown() -> Self {
        Failure(AtomicUsize::new(First::NONE))
    }
}

/// The positions `lower ..= upper` of a run.
pub(crate) struct Position<'r> {
    failure: &'r Failure,
    lower: usize,
    upper: usize,
    whole: Option<&'r Position<'r>>,
    halves: OnceLock<Box<[Position<'r>; 2]>>,
}

impl<'r> Position<'r> {
    /// All positions. The first is 1, so that there is room before it for a failure that leaves nothing.
    pub(crate) fn all(failure: &'r Failure) -> Self {
        Position::new(failure, (1, usize::MAX), None)
    }

    fn new(
        failure: &'r Failure,
        (lower, upper): (usize, usize),
        whole: Option<&'r Position<'r>>,
    ) -> Self {
        Position {
            failure,
            lower,
            upper,
            whole,
            halves: OnceLock::new(),
        }
    }

    /// The lower and the upper half. A single position has none; then both are this one.
    #[cold]
    pub(crate) fn halves(&'r self) -> [&'r Self; 2] {
        if self.lower == self.upper {
            return [self, self];
        }
        let [left, right] = &**self.halves.get_or_init(|| {
            let (left_end, right_start) = part(self.lower, self.upper, 2);
            let left = Position::new(self.failure, (self.lower, left_end), Some(self));
            let right = Position::new(self.failure, (right_start, self.upper), Some(self));
            Box::new([left, right])
        });
        [left, right]
    }

    /// What this position and the one right behind it were halved from.
    #[cold]
    pub(crate) fn with(&'r self, right: &'r Self) -> &'r Self {
        match right.whole {
            Some(whole) if !std::ptr::eq(self, right) => whole,
            _ => self,
        }
    }

    /// A fold here has failed.
    pub(crate) fn fail(&self) {
        First::publish(&self.failure.0, self.lower, self.upper);
    }

    /// A fold has failed in such a way that no other failure counts.
    pub(crate) fn fail_everywhere(&self) {
        First::publish(&self.failure.0, 0, 0);
    }

    /// Whether a fold to the left of this position is known to have failed.
    pub(crate) fn is_needless(&self) -> bool {
        First::hopeless(self.failure.0.load(Relaxed), self.lower, self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_lie_side_by_side_and_come_together_again() {
        let failure = Failure::unknown();
        let all = Position::all(&failure);
        let [mut left, right] = all.halves();
        assert!(std::ptr::eq(left.with(right), &all));
        for _ in 0..200 {
            let [lower, upper] = left.halves();
            assert!(std::ptr::eq(lower.with(upper), left));
            left = lower;
        }
        assert_eq!((left.lower, left.upper), (1, 1));
        right.fail();
        assert!(!left.is_needless() && !right.is_needless());
        left.fail();
        assert!(!left.is_needless() && right.is_needless());
        left.fail_everywhere();
        assert!(left.is_needless());
    }
}

//! The place of a fold among the folds of a run, in one word: for consumers that seldom need it.
//!
//! A [`Standing`](super::standing) has three words, and each move of the consumer and of its folder copies them. Here these words
//! belong to the run. A cut makes two parts, and when the cut is undone, the fold has the place of the whole again.

use super::standing::{Border, nth_part};
use crate::sync::Ordering::Relaxed;
use crate::sync::{AtomicUsize, OnceLock};
use std::ptr;

/// Where the first failure of a run is, as far as it is known; and the positions of its folds.
pub(crate) struct Failure<'r> {
    first: Border,
    /// How many positions there are.
    count: AtomicUsize,
    /// Row after row, each twice as long as the one before. So none has to move, and there may be any number.
    rows: OnceLock<Box<[Row<'r>; ROWS]>>,
}

type Row<'r> = OnceLock<Box<[OnceLock<Position<'r>>]>>;

const FIRST_ROW: usize = 16;
const ROWS: usize = (usize::BITS - FIRST_ROW.ilog2()) as usize;

impl<'r> Failure<'r> {
    pub(crate) fn unknown() -> Self {
        Failure {
            first: Border::unknown(),
            count: AtomicUsize::new(0),
            rows: OnceLock::new(),
        }
    }

    /// A position that lives as long as the run.
    fn position(
        &'r self,
        bounds: (usize, usize),
        whole: Option<&'r Position<'r>>,
    ) -> &'r Position<'r> {
        let n = FIRST_ROW + self.count.fetch_add(1, Relaxed);
        let len = 1 << n.ilog2();
        let rows = self
            .rows
            .get_or_init(|| Box::new([const { OnceLock::new() }; ROWS]));
        let row = rows[(len / FIRST_ROW).ilog2() as usize]
            .get_or_init(|| (0..len).map(|_| OnceLock::new()).collect());
        row[n - len].get_or_init(|| Position::new(self, bounds, whole))
    }
}

/// The positions `lower ..= upper` of a run.
pub(crate) struct Position<'r> {
    failure: &'r Failure<'r>,
    lower: usize,
    upper: usize,
    whole: Option<&'r Position<'r>>,
    halves: OnceLock<[&'r Position<'r>; 2]>,
}

impl<'r> Position<'r> {
    /// All positions. The first is 1, so that there is room before it for a failure that leaves nothing.
    pub(crate) fn all(failure: &'r Failure<'r>) -> Self {
        Position::new(failure, (1, usize::MAX), None)
    }

    fn new(
        failure: &'r Failure<'r>,
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

    /// The `nth` of any number of lower parts (from 1), and the rest: for the first, two halves. A single position has none; then both are this one.
    #[cold]
    pub(crate) fn nth_part(&'r self, nth: usize) -> [&'r Self; 2] {
        match nth {
            1 => *self.halves.get_or_init(|| self.parts(1, Some(self))),
            _ => self.parts(nth, None),
        }
    }

    fn parts(&'r self, nth: usize, whole: Option<&'r Self>) -> [&'r Self; 2] {
        if self.lower == self.upper {
            return [self, self];
        }
        let (end, start) = nth_part(nth, self.lower, self.upper, <Border>::SHARE);
        let (left, right) = ((self.lower, end), (start, self.upper));
        [left, right].map(|bounds| self.failure.position(bounds, whole))
    }

    /// This position and the one right behind it. Two halves are what they were halves of. Else parts of this one went to others, and stay theirs.
    #[cold]
    pub(crate) fn with(&'r self, right: &'r Self) -> &'r Self {
        match (self.whole, right.whole) {
            _ if ptr::eq(self, right) => self,
            (Some(whole), Some(of)) if ptr::eq(whole, of) => whole,
            _ => self.failure.position((self.lower, right.upper), None),
        }
    }

    /// A fold here has failed.
    pub(crate) fn fail(&self) {
        self.failure.first.publish(self.lower, self.upper);
    }

    /// A fold has failed in such a way that no other failure counts.
    pub(crate) fn fail_everywhere(&self) {
        self.failure.first.publish(0, 0);
    }

    /// Whether a fold to the left of this position is known to have failed.
    pub(crate) fn is_needless(&self) -> bool {
        self.failure.first.rules_out(self.lower, self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_lie_side_by_side_and_come_together_again() {
        let failure = Failure::unknown();
        let all = Position::all(&failure);
        let [mut left, right] = all.nth_part(1);
        assert!(ptr::eq(left.with(right), &all));
        for _ in 0..200 {
            let [lower, upper] = left.nth_part(1);
            assert!(ptr::eq(lower.with(upper), left));
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
    /// Folds that are closed one after the other have different positions, however often what is behind them was cut and came together meanwhile.
    #[test]
    fn many_folds_in_front_leave_positions() {
        let failure = Failure::unknown();
        let all = Position::all(&failure);
        let mut base = &all;
        let mut end = 0;
        for nth in 2..10_000 {
            let [near, far] = base.nth_part(1);
            let [front, near] = near.nth_part(nth);
            assert!(end < front.lower && front.lower < front.upper);
            end = front.upper;
            base = near.with(far);
            assert_eq!((base.lower, base.upper), (end + 1, usize::MAX));
        }
    }
}

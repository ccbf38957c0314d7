//! The place of a fold among the folds of a run whose positions are unknown.
//!
//! In an iterator of unknown length, the positions of items are unknown, but the order of two pieces is known. So the whole input gets the
//! positions 0 ..= MAX, and each split divides the positions of a piece. A fold that found an item publishes where its piece begins or
//! ends. All pieces behind that place can stop. When a range is too small to divide, both parts get it. Then neither
//! stops the other, which costs time, but is still correct, since results are combined left to right.

use crate::sync::AtomicUsize;
use crate::sync::Ordering::Relaxed;
use std::cell::Cell;

/// The best place so far: where the border of a run is known to be. If it is found `FROM_RIGHT`, the last hit counts:
/// pieces are best driven from the right, and a fold that found something goes on.
pub(crate) struct Border<const FROM_RIGHT: bool = false> {
    best: AtomicUsize,
}

impl<const FROM_RIGHT: bool> Border<FROM_RIGHT> {
    /// When a piece is cut in two, the left part gets one in this many of its positions. From the right, there are many cuts at first: 90 for
    /// 10^27 items, and as many again inside a `flat_map`.
    pub(crate) const SHARE: usize = if FROM_RIGHT { 8 } else { 2 };

    pub(crate) fn unknown() -> Self {
        let nowhere = if FROM_RIGHT { 0 } else { usize::MAX };
        Border {
            best: AtomicUsize::new(nowhere),
        }
    }

    /// All positions.
    pub(crate) fn all(&self) -> Standing<'_, FROM_RIGHT> {
        Standing {
            border: self,
            lower: Cell::new(0),
            upper: usize::MAX,
        }
    }

    /// Publishes a hit in the piece at `lower ..= upper`. Every piece that begins after its end, or ends before its beginning, is behind the hit.
    #[inline]
    pub(crate) fn publish(&self, lower: usize, upper: usize) {
        match FROM_RIGHT {
            true => self.best.fetch_max(lower, Relaxed),
            false => self.best.fetch_min(upper, Relaxed),
        };
    }

    /// Whether a piece at `lower ..= upper` can no longer improve on the hits that are known.
    #[inline]
    pub(crate) fn rules_out(&self, lower: usize, upper: usize) -> bool {
        let best = self.best.load(Relaxed);
        match FROM_RIGHT {
            true => best > upper,
            false => best < lower,
        }
    }
}

/// The positions `lower ..= upper` of one run.
pub(crate) struct Standing<'r, const FROM_RIGHT: bool = false> {
    border: &'r Border<FROM_RIGHT>,
    /// `split_off_left` takes the lower half away through a shared reference.
    lower: Cell<usize>,
    upper: usize,
}

impl<const FROM_RIGHT: bool> Standing<'_, FROM_RIGHT> {
    /// A lower part, the `nth` of any number (from 1); the upper part stays.
    pub(crate) fn split_off_nth(&self, nth: usize) -> Self {
        let lower = self.lower.get();
        let (left_end, right_start) = nth_part(nth, lower, self.upper, Border::<FROM_RIGHT>::SHARE);
        self.lower.set(right_start);
        Standing {
            border: self.border,
            lower: Cell::new(lower),
            upper: left_end,
        }
    }

    /// The upper part; a lower part stays, for `items` items, or 0 if their number is unknown.
    pub(crate) fn split_off_right(&mut self, items: usize) -> Self {
        let (lower, upper) = (self.lower.get(), self.upper);
        let (left_end, right_start) = part_after(items, lower, upper)
            .unwrap_or_else(|| part(lower, upper, Border::<FROM_RIGHT>::SHARE));
        self.upper = left_end;
        Standing {
            border: self.border,
            lower: Cell::new(right_start),
            upper,
        }
    }

    /// Takes back what lies directly behind.
    pub(crate) fn rejoin(&mut self, right: Self) {
        self.upper = right.upper;
    }

    /// The border was found here.
    pub(crate) fn found(&self) {
        self.border.publish(self.lower.get(), self.upper);
    }

    /// Whether the border is known to be where it makes these positions needless.
    #[inline]
    pub(crate) fn is_behind(&self) -> bool {
        self.border.rules_out(self.lower.get(), self.upper)
    }
}

/// The last position of the lower part of `lower ..= upper`, and the first of the upper part. The lower part gets one in `share`.
fn part(lower: usize, upper: usize, share: usize) -> (usize, usize) {
    if lower == upper {
        return (lower, upper);
    }
    let middle = lower + (upper - lower) / share;
    (middle, middle + 1)
}

/// As [`part`], for the `nth` of any number of lower parts (from 1). It gets one in `nth + 1` of what is left. So of all positions, the rest
/// keeps one in `nth + 1`, and the part gets one in `nth * (nth + 1)`: a million of parts leave 2^24 positions to each.
pub(crate) fn nth_part(nth: usize, lower: usize, upper: usize, share: usize) -> (usize, usize) {
    part(lower, upper, nth.saturating_add(1).max(share))
}

/// How many positions an item gets, if there are enough. They tell its parts from each other, such as the items that a `flat_map` makes of
/// it.
const ROOM: usize = 1 << (usize::BITS / 4);

/// As [`part`], for a lower part of `items` items: `None` if they would take more than half of the positions. Many short parts can be cut off
/// in front of a long rest. If each took a share of all that is left, nothing would soon be left.
fn part_after(items: usize, lower: usize, upper: usize) -> Option<(usize, usize)> {
    let width = items.checked_mul(ROOM)?;
    let fits = width > 0 && width <= (upper - lower) / 2;
    fits.then(|| (lower + width - 1, lower + width))
}

#[cfg(test)]
mod tests {
    use super::{Border, part, part_after};

    /// Parts that are cut off in front of a long rest, many times, and then halved, have different positions.
    #[test]
    fn many_short_parts_in_front_leave_positions() {
        let (mut lower, upper) = (0, usize::MAX);
        for standing in 1..1000 {
            let (end, next) = part_after(standing, lower, upper).unwrap();
            assert!(lower < end && end < next && next < upper);
            let (middle, right) = part_after(standing.div_ceil(2), lower, end)
                .unwrap_or_else(|| part(lower, end, Border::<false>::SHARE));
            assert!(lower <= middle && middle < right && right <= end);
            lower = next;
        }
        assert_eq!(part_after(usize::MAX, 0, upper), None);
        assert_eq!(part_after(0, 0, upper), None);
        assert_eq!(part_after(1, 7, 7), None);
    }
}

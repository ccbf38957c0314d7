//! How sorted a slice already is.
//!
//! Work O(length of the run), and O(n) at most; span O(n / p), after up to 32,768 pairs on this thread; no memory.

use super::both;
use super::order::{Less, Order};
use crate::algo::reorder::reverse;
use crate::core::leaf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Pairs that one thread compares before it asks for help: random data ends a run within a few, and
/// waking a thread takes as long as this many comparisons of numbers.
const ALONE: usize = 1 << 15;

/// Elements between two looks at how far the run can still reach.
const LEAF: usize = 1 << 13;

/// Pairs compared without a branch between them.
const PAIRS: usize = 16;

/// The run that a slice begins with. If it descends, each element is less than the one before it; else none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeadingRun {
    len: usize,
    descends: bool,
}

impl LeadingRun {
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// Finds the run that `v` begins with. Takes the elements mutably to be their only user while it compares them: they need not be `Sync`.
    pub(crate) fn leading<T: Send, O: Order<T>>(v: &mut [T], order: &O) -> LeadingRun {
        let alone = v.len().min(leaf(ALONE, 2));
        let mut run = LeadingRun::leading_alone(&v[..alone], order);
        if run.len == alone && alone < v.len() {
            // The last element of the run so far is the first of the rest too, for the pair across their border.
            let (rest, end) = (&mut v[alone - 1..], AtomicUsize::new(usize::MAX));
            let more = match run.descends {
                true => extent_together(rest, 0, &end, &|a, b| order.is_less(b, a)),
                false => extent_together(rest, 0, &end, &|a, b| !order.is_less(b, a)),
            };
            run.len += more - 1;
        }
        run
    }

    /// The same without other threads.
    pub(super) fn leading_alone<T, O: Less<T>>(v: &[T], order: &O) -> LeadingRun {
        let descends = matches!(v, [a, b, ..] if order.is_less(b, a));
        // Each direction has a loop of its own, which vectorises; one for both takes twice as long.
        let len = match descends {
            true => extent_alone(v, &|a, b| order.is_less(b, a)),
            false => extent_alone(v, &|a, b| !order.is_less(b, a)),
        };
        LeadingRun { len, descends }
    }

    /// Sorts `v` if it is one run: true. Stable.
    pub(crate) fn sort_one<T: Send, O: Order<T>>(v: &mut [T], order: &O) -> bool {
        let run = LeadingRun::leading(v, order);
        let is_all = run.len == v.len();
        if is_all {
            run.ascend(v);
        }
        is_all
    }

    /// Makes the elements of this run, at the start of `v`, ascend. No two of a descending run are
    /// equal, so that this is stable.
    pub(crate) fn ascend<T: Send>(self, v: &mut [T]) {
        if self.descends {
            reverse(&mut v[..self.len]);
        }
    }

    /// The same without other threads.
    pub(super) fn ascend_alone<T>(self, v: &mut [T]) {
        if self.descends {
            v[..self.len].reverse();
        }
    }
}

/// Length of the longest prefix that is a run: `allows` says of two elements whether the second one may follow the first one.
///
/// Compares a few pairs at a time with no branch between them, which vectorises for numbers. Loops of `while`, because iterators would be compiled for each
/// order.
fn extent_alone<T>(v: &[T], allows: &impl Fn(&T, &T) -> bool) -> usize {
    if v.is_empty() {
        return 0;
    }
    let mut extent = 1;
    while let Some(next) = v[extent - 1..].first_chunk::<{ PAIRS + 1 }>() {
        let (mut all, mut i) = (true, 0);
        while i < PAIRS {
            all &= allows(&next[i], &next[i + 1]);
            i += 1;
        }
        if !all {
            break;
        }
        extent += PAIRS;
    }
    while extent < v.len() && allows(&v[extent - 1], &v[extent]) {
        extent += 1;
    }
    extent
}

/// The extent of `v`, the part of a slice that starts at `start`. `end` is the least index at which
/// the run of the whole is known to end: what begins behind it need not be looked at, and any
/// answer there will do.
fn extent_together<T: Send>(
    v: &mut [T],
    start: usize,
    end: &AtomicUsize,
    allows: &(impl Fn(&T, &T) -> bool + Sync),
) -> usize {
    if end.load(Relaxed) < start {
        return 0;
    }
    if v.len() <= leaf(LEAF, 1) {
        let extent = extent_alone(v, allows);
        if extent < v.len() {
            end.fetch_min(start + extent, Relaxed);
        }
        return extent;
    }
    let mid = v.len() / 2;
    let (left, right) = v.split_at_mut(mid);
    let (from_left, from_right) = both(
        || extent_together(left, start, end, allows),
        || extent_together(right, start + mid, end, allows),
    );
    if from_left < mid {
        return from_left;
    }
    // Both sides are done: the pair across the border may be compared now.
    match allows(&v[mid - 1], &v[mid]) {
        true => mid + from_right,
        false => mid,
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::Natural;
    use super::{ALONE, LEAF, LeadingRun};

    fn up_to(len: usize, descends: bool) -> LeadingRun {
        LeadingRun { len, descends }
    }

    #[test]
    fn finds_where_a_run_ends() {
        let len = ALONE + 5 * LEAF + 3;
        let ends = (1..70).chain([
            ALONE - 1,
            ALONE,
            ALONE + 1,
            ALONE + LEAF,
            ALONE + 2 * LEAF + 1,
            len - 1,
            len,
        ]);
        for end in ends {
            let mut up: Vec<usize> = (0..len)
                .map(|i| if i < end { i + 1 } else { i - end })
                .collect();
            let mut down: Vec<usize> = (0..len)
                .map(|i| if i < end { end - i } else { 2 * len - i })
                .collect();
            if end > 1 {
                assert_eq!(LeadingRun::leading(&mut up, &Natural), up_to(end, false));
                assert_eq!(LeadingRun::leading(&mut down, &Natural), up_to(end, true));
            }
        }
    }

    #[test]
    fn equal_elements_ascend_and_do_not_descend() {
        assert_eq!(
            LeadingRun::leading(&mut [3, 3, 3], &Natural),
            up_to(3, false)
        );
        assert_eq!(
            LeadingRun::leading(&mut [3, 2, 2, 1], &Natural),
            up_to(2, true)
        );
        assert_eq!(
            LeadingRun::leading::<i32, _>(&mut [], &Natural),
            up_to(0, false)
        );
        assert_eq!(LeadingRun::leading(&mut [1], &Natural), up_to(1, false));
    }

    #[test]
    fn ascend_reverses_only_the_run() {
        let mut v = [3, 2, 1, 5, 4];
        LeadingRun::leading(&mut v, &Natural).ascend(&mut v);
        assert_eq!(v, [1, 2, 3, 5, 4]);
    }
}

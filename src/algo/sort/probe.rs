//! How sorted a slice already is.

use super::both;
use super::order::{Less, Order};
use crate::algo::reorder::reverse;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Pairs that one thread compares before it asks for help: random data ends a run within a few, and
/// waking a thread takes as long as so many comparisons of numbers.
const ALONE: usize = 1 << 15;

/// Elements between two looks at how far the run can still reach.
const LEAF: usize = 1 << 13;

/// Pairs compared without a branch between them.
const PAIRS: usize = 16;

/// The run that a slice begins with, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// No element is less than the one before it.
    Ascending(usize),
    /// Each element is less than the one before it.
    Descending(usize),
}

impl Run {
    pub(crate) fn len(self) -> usize {
        let (Run::Ascending(len) | Run::Descending(len)) = self;
        len
    }

    /// Finds the run that `v` begins with.
    pub(crate) fn leading<T: Send, O: Order<T>>(v: &mut [T], order: &O) -> Run {
        match v {
            [a, b, ..] if order.is_less(b, a) => {
                Run::Descending(extent(v, &|a, b| order.is_less(b, a)))
            }
            _ => Run::Ascending(extent(v, &|a, b| !order.is_less(b, a))),
        }
    }

    /// The same without other threads.
    pub(super) fn leading_alone<T, O: Less<T>>(v: &[T], order: &O) -> Run {
        match v {
            [a, b, ..] if order.is_less(b, a) => {
                Run::Descending(extent_alone(v, &|a, b| order.is_less(b, a)))
            }
            _ => Run::Ascending(extent_alone(v, &|a, b| !order.is_less(b, a))),
        }
    }

    /// Makes the elements of this run, at the start of `v`, ascend. No two of a descending run are
    /// equal, so that this is stable.
    pub(crate) fn ascend<T: Send>(self, v: &mut [T]) {
        if let Run::Descending(len) = self {
            reverse(&mut v[..len]);
        }
    }

    /// The same without other threads.
    pub(super) fn ascend_alone<T>(self, v: &mut [T]) {
        if let Run::Descending(len) = self {
            v[..len].reverse();
        }
    }
}

/// Length of the longest prefix in which every two neighbours are as `follows` wants them.
///
/// Takes the elements mutably to be their only user while it compares them: they need not be
/// `Sync`.
fn extent<T, F>(v: &mut [T], follows: &F) -> usize
where
    T: Send,
    F: Fn(&T, &T) -> bool + Sync,
{
    let alone = v.len().min(ALONE);
    let prefix = extent_alone(&v[..alone], follows);
    if prefix < alone || alone == v.len() {
        return prefix;
    }
    // The last element of the prefix is the first of the rest too, for the pair across their
    // border.
    alone - 1
        + extent_together(
            &mut v[alone - 1..],
            0,
            &AtomicUsize::new(usize::MAX),
            follows,
        )
}

/// Compares a few pairs at a time with no branch between them, which vectorises for numbers.
fn extent_alone<T>(v: &[T], follows: &impl Fn(&T, &T) -> bool) -> usize {
    if v.is_empty() {
        return 0;
    }
    let mut extent = 1;
    while let Some(next) = v.get(extent - 1..extent + PAIRS)
        && next
            .iter()
            .zip(&next[1..])
            .fold(true, |all, (a, b)| all & follows(a, b))
    {
        extent += PAIRS;
    }
    let rest = &v[extent - 1..];
    rest.iter()
        .zip(&rest[1..])
        .position(|(a, b)| !follows(a, b))
        .map_or(v.len(), |i| extent + i)
}

/// The extent of `v`, the part of a slice that starts at `start`. `end` is the least index at which
/// the run of the whole is known to end: what begins behind it need not be looked at, and any
/// answer there will do.
fn extent_together<T, F>(v: &mut [T], start: usize, end: &AtomicUsize, follows: &F) -> usize
where
    T: Send,
    F: Fn(&T, &T) -> bool + Sync,
{
    if end.load(Relaxed) < start {
        return 0;
    }
    if v.len() <= LEAF {
        let extent = extent_alone(v, follows);
        if extent < v.len() {
            end.fetch_min(start + extent, Relaxed);
        }
        return extent;
    }
    let mid = v.len() / 2;
    let (left, right) = v.split_at_mut(mid);
    let (from_left, from_right) = both(
        || extent_together(left, start, end, follows),
        || extent_together(right, start + mid, end, follows),
    );
    if from_left < mid {
        return from_left;
    }
    // Both sides are done: the pair across the border may be compared now.
    if follows(&v[mid - 1], &v[mid]) {
        mid + from_right
    } else {
        mid
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::Natural;
    use super::{ALONE, LEAF, Run};

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
                assert_eq!(Run::leading(&mut up, &Natural), Run::Ascending(end));
                assert_eq!(Run::leading(&mut down, &Natural), Run::Descending(end));
            }
        }
    }

    #[test]
    fn equal_elements_ascend_and_do_not_descend() {
        assert_eq!(Run::leading(&mut [3, 3, 3], &Natural), Run::Ascending(3));
        assert_eq!(
            Run::leading(&mut [3, 2, 2, 1], &Natural),
            Run::Descending(2)
        );
        assert_eq!(Run::leading::<i32, _>(&mut [], &Natural), Run::Ascending(0));
        assert_eq!(Run::leading(&mut [1], &Natural), Run::Ascending(1));
    }

    #[test]
    fn ascend_reverses_only_the_run() {
        let mut v = [3, 2, 1, 5, 4];
        Run::leading(&mut v, &Natural).ascend(&mut v);
        assert_eq!(v, [1, 2, 3, 5, 4]);
    }
}

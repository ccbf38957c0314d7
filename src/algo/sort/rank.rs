//! Where a sorted run, or the merge of two, is to be cut.
//!
//! Whatever the comparator answers, a cut lies inside what it cuts.
//!
//! Each is O(log n) comparisons, and no memory.

use super::order::Less;

/// Length of the prefix of `v` for which `holds`, found in steps that double. Cheap if it is short.
pub(crate) fn gallop<T>(v: &[T], holds: impl Fn(&T) -> bool) -> usize {
    gallop_to(v.len(), |i| holds(&v[i]))
}

/// Length of the suffix of `v` for which `holds`, found in the same way.
pub(super) fn gallop_back<T>(v: &[T], holds: impl Fn(&T) -> bool) -> usize {
    gallop_to(v.len(), |i| holds(&v[v.len() - 1 - i]))
}

fn gallop_to(len: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut known, mut step) = (0, 1);
    while known + step <= len && holds(known + step - 1) {
        known += step;
        step *= 2;
    }
    bisect_in(known, len.min(known + step - 1), holds)
}

/// Length of the prefix of `v` for which `holds`, by bisection.
pub(super) fn bisect<T>(v: &[T], holds: impl Fn(&T) -> bool) -> usize {
    bisect_in(0, v.len(), |i| holds(&v[i]))
}

/// The first number from `low` on for which `holds` does not, or `high`. As std's `partition_point`, but short: it is compiled for each order.
fn bisect_in(mut low: usize, mut high: usize, holds: impl Fn(usize) -> bool) -> usize {
    while low < high {
        let mid = low + (high - low) / 2;
        match holds(mid) {
            true => low = mid + 1,
            false => high = mid,
        }
    }
    low
}

/// How many elements of `left` are among the first `k` of the stable merge of two sorted runs.
///
/// Whatever the comparator answers, at most `left.len()`, and `k` minus it at most `right.len()`.
pub(crate) fn co_rank<T, O: Less<T>>(left: &[T], right: &[T], k: usize, order: &O) -> usize {
    let (low, high) = (k.saturating_sub(right.len()), k.min(left.len()));
    bisect_in(low, high, |i| !order.is_less(&right[k - i - 1], &left[i]))
}

/// How many runs lie before the last border that is not behind `middle`, and where that is; there is a run at least on either side. `None`
/// if there is but one.
///
/// A run that takes up more than half is alone after two such cuts, so the depth is O(log n).
pub(super) fn cut(middle: usize, ends: &[usize]) -> Option<(usize, usize)> {
    if ends.len() <= 1 {
        return None;
    }
    let before = ends.partition_point(|&end| end <= middle);
    let before = before.clamp(1, ends.len() - 1);
    Some((before, ends[before - 1]))
}

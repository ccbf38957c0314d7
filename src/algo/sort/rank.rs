//! Where a sorted run, or the merge of two, is to be cut.
//!
//! Whatever the comparator answers, a cut lies inside what it cuts.
//!
//! Each is O(log n) comparisons, and no memory.

use super::order::Less;

/// Length of the prefix of `v` for which `holds`, found in steps that double. Cheap if it is short.
pub(crate) fn gallop<T>(v: &[T], holds: impl Fn(&T) -> bool) -> usize {
    let mut known = 0;
    let mut step = 1;
    while let Some(x) = v.get(known + step - 1)
        && holds(x)
    {
        known += step;
        step *= 2;
    }
    let end = v.len().min(known + step - 1);
    known + bisect(&v[known..end], holds)
}

/// Length of the suffix of `v` for which `holds`, found in the same way.
pub(super) fn gallop_back<T>(v: &[T], holds: impl Fn(&T) -> bool) -> usize {
    let (mut known, mut step) = (0, 1);
    while known + step <= v.len() && holds(&v[v.len() - known - step]) {
        known += step;
        step *= 2;
    }
    let end = v.len() - known;
    let start = (end + 1).saturating_sub(step);
    known + (end - start) - bisect(&v[start..end], |x| !holds(x))
}

/// Length of the prefix of `v` for which `holds`, by bisection. As std's `partition_point`, but short: it is compiled for each order.
pub(super) fn bisect<T>(v: &[T], holds: impl Fn(&T) -> bool) -> usize {
    let (mut low, mut high) = (0, v.len());
    while low < high {
        let mid = low + (high - low) / 2;
        match holds(&v[mid]) {
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
    let mut low = k.saturating_sub(right.len());
    let mut high = k.min(left.len());
    while low < high {
        let mid = low + (high - low) / 2;
        if order.is_less(&right[k - mid - 1], &left[mid]) {
            high = mid;
        } else {
            low = mid + 1;
        }
    }
    low
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

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
    // There may be `usize::MAX` elements, if they have no size.
    while step <= len - known && holds(known + step - 1) {
        known += step;
        step = step.saturating_mul(2);
    }
    bisect_in(known, known + (step - 1).min(len - known), holds)
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

#[cfg(test)]
mod tests {
    use super::super::order::Natural;
    use super::{bisect, co_rank, cut, gallop, gallop_back, gallop_to};

    #[test]
    fn a_cut_leaves_a_run_on_either_side() {
        for ends in [
            &[0, 1][..],
            &[1, 1],
            &[0, 0, 1, 1],
            &[2, 3, 9, 9],
            &[0, 0, 0],
        ] {
            for middle in 0..=10 {
                let (before, at) = cut(middle, ends).unwrap();
                assert!((1..ends.len()).contains(&before));
                assert_eq!(at, ends[before - 1]);
                // The next border is behind the middle, or the end of the last run.
                assert!(before + 1 == ends.len() || ends[before] > middle);
            }
        }
        assert_eq!((cut(0, &[]), cut(5, &[7])), (None, None));
    }

    #[test]
    fn every_prefix_and_suffix_is_found() {
        for len in 0..40 {
            let v: Vec<usize> = (0..len).collect();
            for end in 0..=len {
                let found = [gallop(&v, |x| *x < end), bisect(&v, |x| *x < end)];
                assert_eq!(found, [end; 2]);
                assert_eq!(gallop_back(&v, |x| *x >= end), len - end);
            }
        }
    }

    #[test]
    fn as_many_elements_as_can_be_without_a_size() {
        let v: &[()] = &[(); usize::MAX];
        assert_eq!(gallop(v, |()| true), usize::MAX);
        assert_eq!(gallop_back(v, |()| true), usize::MAX);
        assert_eq!(bisect(v, |()| true), usize::MAX);
        assert_eq!(gallop(v, |()| false), 0);
        for most in [usize::MAX / 2, usize::MAX - 1, usize::MAX] {
            assert_eq!(gallop_to(usize::MAX, |i| i < most), most);
        }
    }

    /// So that what is cut there is cut inside.
    #[test]
    fn a_rank_is_inside_both_runs() {
        for (left, right) in (0..6).flat_map(|left| (0..6).map(move |right| (left, right))) {
            let left: Vec<usize> = (0..left).map(|x| x * 2).collect();
            let right: Vec<usize> = (0..right).map(|x| x * 3).collect();
            let mut merged: Vec<(usize, bool)> = left.iter().map(|x| (*x, false)).collect();
            merged.extend(right.iter().map(|x| (*x, true)));
            merged.sort();
            for k in 0..=merged.len() {
                let from_left = merged[..k].iter().filter(|x| !x.1).count();
                assert_eq!(co_rank(&left, &right, k, &Natural), from_left);
            }
        }
    }
}

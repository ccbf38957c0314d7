//! The meaning of a range expression for a collection of known length.

use std::ops::{Bound, Range, RangeBounds};

/// The positions that `range` names in a collection of `len` items.
///
/// # Panics
///
/// If the range starts after it ends, or ends beyond `len`.
#[track_caller]
pub(crate) fn within<R: RangeBounds<usize>>(range: &R, len: usize) -> Range<usize> {
    let (first, last) = (range.start_bound(), range.end_bound());
    let start = match first {
        Bound::Included(&at) => Some(at),
        Bound::Excluded(&at) => at.checked_add(1),
        Bound::Unbounded => Some(0),
    };
    let end = match last {
        Bound::Included(&at) => at.checked_add(1),
        Bound::Excluded(&at) => Some(at),
        Bound::Unbounded => Some(len),
    };
    // The messages begin as in rayon, where they name the bounds as they were written. Not in a closure, which would not be the caller's line.
    let Some(start) = start.filter(|&start| start <= len) else {
        panic!("filch: range start {first:?} should be <= length {len}")
    };
    let Some(end) = end.filter(|&end| end <= len) else {
        panic!("filch: range end {last:?} should be <= length {len}")
    };
    assert!(
        start <= end,
        "filch: range start {first:?} should be <= range end {last:?}"
    );
    start..end
}

#[cfg(test)]
mod tests {
    use super::within;
    use std::ops::Bound;

    #[test]
    fn every_kind_of_bound() {
        assert_eq!(within(&.., 5), 0..5);
        assert_eq!(within(&(1..3), 5), 1..3);
        assert_eq!(within(&(1..=3), 5), 1..4);
        assert_eq!(within(&(5..), 5), 5..5);
        assert_eq!(within(&(Bound::Excluded(1), Bound::Included(4)), 5), 2..5);
    }

    #[test]
    #[should_panic(expected = "range start Included(7) should be <= length 5")]
    fn start_beyond_the_length() {
        within(&(7..), 5);
    }

    #[test]
    #[should_panic(expected = "range end Excluded(6) should be <= length 5")]
    fn end_beyond_the_length() {
        within(&(..6), 5);
    }

    #[test]
    #[should_panic(expected = "range start Included(3) should be <= range end Excluded(2)")]
    #[allow(clippy::reversed_empty_ranges)]
    fn start_beyond_the_end() {
        within(&(3..2), 5);
    }

    #[test]
    #[should_panic(
        expected = "range end Included(18446744073709551615) should be <= length 18446744073709551615"
    )]
    fn no_position_after_the_last() {
        within(&(..=usize::MAX), usize::MAX);
    }
}

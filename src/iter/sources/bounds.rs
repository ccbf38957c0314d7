//! What a range expression means for a collection of known length.

use std::ops::{Bound, Range, RangeBounds};

/// The positions that `range` names in a collection of `len` items.
///
/// # Panics
///
/// If the range starts after it ends, or ends beyond `len`.
pub(crate) fn within<R: RangeBounds<usize>>(range: &R, len: usize) -> Range<usize> {
    let after = |at: usize| {
        at.checked_add(1)
            .unwrap_or_else(|| panic!("filch: range goes beyond position {at}"))
    };
    let start = match range.start_bound() {
        Bound::Included(&at) => at,
        Bound::Excluded(&at) => after(at),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&at) => after(at),
        Bound::Excluded(&at) => at,
        Bound::Unbounded => len,
    };
    assert!(
        start <= end,
        "filch: range starts at {start} but ends at {end}"
    );
    assert!(
        end <= len,
        "filch: range ends at {end}, beyond the length {len}"
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
    #[should_panic(expected = "starts at 7 but ends at 5")]
    fn start_beyond_the_length() {
        within(&(7..), 5);
    }

    #[test]
    #[should_panic(expected = "ends at 6, beyond the length 5")]
    fn end_beyond_the_length() {
        within(&(..6), 5);
    }

    #[test]
    #[should_panic(expected = "beyond position")]
    fn no_position_after_the_last() {
        within(&(..=usize::MAX), usize::MAX);
    }
}

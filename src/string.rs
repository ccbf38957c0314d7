//! Parallel iterators over owned strings.

use crate::iter::ParallelDrainRange;
use crate::iter::sources::bounds::within;
use crate::iter::sources::text::Text;
use crate::iter::sources::unindexed_source;
use std::ops::{Range, RangeBounds};

/// # Panics
///
/// As in general, and if the range does not start and end between characters.
impl<'a> ParallelDrainRange<usize> for &'a mut String {
    type Iter = Drain<'a>;
    type Item = char;

    #[track_caller]
    fn par_drain<R: RangeBounds<usize>>(self, range: R) -> Drain<'a> {
        let range = within(&range, self.len());
        for at in [range.start, range.end] {
            assert!(
                self.is_char_boundary(at),
                "filch: byte index {at} is not a char boundary"
            );
        }
        Drain {
            string: self,
            range,
        }
    }
}

/// Over the characters of a range of a string, which keeps the others and its capacity.
///
/// The characters are removed when it is dropped, used or not; if it is leaked, they stay.
///
/// ```
/// use filch::prelude::*;
/// let mut s = "one two".to_string();
/// assert_eq!(s.par_drain(..4).filter(|&c| c != ' ').count(), 3);
/// assert_eq!(s, "two");
/// ```
#[derive(Debug)]
pub struct Drain<'a> {
    string: &'a mut String,
    /// Between characters.
    range: Range<usize>,
}

unindexed_source! {
    impl['a] Drain<'a> => char;
    producer(self) { Text::new(&self.string[self.range.clone()], |text, _| text.chars()) }
}

impl Drop for Drain<'_> {
    fn drop(&mut self) {
        drop(self.string.drain(self.range.clone()));
    }
}

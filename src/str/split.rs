//! Iterators over the pieces between separators.

use super::pattern::{LineFeed, Pattern};
use super::separator::{AsciiWord, Between, Inclusive, Line, Separator, Terminated, Word};
use crate::iter::sources::pieces::Pieces;
use crate::iter::sources::unindexed_source;

/// The pieces of a string between separators; made by [`par_split`](super::ParallelString::par_split).
///
/// ```
/// use filch::prelude::*;
///
/// let parts: filch::str::Split<'_, _> = "a,b,".par_split(',');
/// assert_eq!(parts.collect::<Vec<_>>(), ["a", "b", ""]);
/// ```
#[derive(Debug, Clone)]
pub struct Split<'ch, P: Pattern> {
    pub(super) text: &'ch str,
    pub(super) pattern: P,
}

unindexed_source! {
    impl['ch, P: Pattern] Split<'ch, P> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator::<_, Between>::new(&self.pattern)) }
}

/// Pieces of a string that end with a separator; made by [`par_split_inclusive`](super::ParallelString::par_split_inclusive).
///
/// ```
/// use filch::prelude::*;
///
/// let parts: filch::str::SplitInclusive<'_, _> = "a,b".par_split_inclusive(',');
/// assert_eq!(parts.collect::<Vec<_>>(), ["a,", "b"]);
/// ```
#[derive(Debug, Clone)]
pub struct SplitInclusive<'ch, P: Pattern> {
    pub(super) text: &'ch str,
    pub(super) pattern: P,
}

unindexed_source! {
    impl['ch, P: Pattern] SplitInclusive<'ch, P> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator::<_, Inclusive>::new(&self.pattern)) }
}

/// The pieces of a string before terminators; made by [`par_split_terminator`](super::ParallelString::par_split_terminator).
///
/// ```
/// use filch::prelude::*;
///
/// let parts: filch::str::SplitTerminator<'_, _> = "a,b,".par_split_terminator(',');
/// assert_eq!(parts.collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Debug, Clone)]
pub struct SplitTerminator<'ch, P: Pattern> {
    pub(super) text: &'ch str,
    pub(super) pattern: P,
}

unindexed_source! {
    impl['ch, P: Pattern] SplitTerminator<'ch, P> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator::<_, Terminated>::new(&self.pattern)) }
}

/// The lines of a string; made by [`par_lines`](super::ParallelString::par_lines).
///
/// ```
/// use filch::prelude::*;
///
/// let lines: filch::str::Lines<'_> = "a\nb\n".par_lines();
/// assert_eq!(lines.collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Debug, Clone)]
pub struct Lines<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] Lines<'ch> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator::<_, Line>::new(&LineFeed)) }
}

/// The words of a string; made by [`par_split_whitespace`](super::ParallelString::par_split_whitespace).
///
/// ```
/// use filch::prelude::*;
///
/// let words: filch::str::SplitWhitespace<'_> = " a  b ".par_split_whitespace();
/// assert_eq!(words.collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Debug, Clone)]
pub struct SplitWhitespace<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] SplitWhitespace<'ch> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator::<_, Word>::new(&char::is_whitespace)) }
}

#[inline]
fn is_ascii_whitespace(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// The words of a string, between ASCII whitespace; made by
/// [`par_split_ascii_whitespace`](super::ParallelString::par_split_ascii_whitespace).
///
/// ```
/// use filch::prelude::*;
///
/// let words: filch::str::SplitAsciiWhitespace<'_> = " a  b ".par_split_ascii_whitespace();
/// assert_eq!(words.collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Debug, Clone)]
pub struct SplitAsciiWhitespace<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] SplitAsciiWhitespace<'ch> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator::<_, AsciiWord>::new(&is_ascii_whitespace)) }
}

//! Iterators over what is between separators.

use super::pattern::{Pattern, Separator};
use crate::iter::sources::pieces::{Keep, Pieces};
use crate::iter::sources::{same_as, unindexed_source};

/// Over the pieces of a string between separators; made by [`par_split`](super::ParallelString::par_split).
#[derive(Debug, Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Split<'ch, P: Pattern> {
    pub(super) text: &'ch str,
    pub(super) pattern: P,
}

unindexed_source! {
    impl['ch, P: Pattern] Split<'ch, P> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator(&self.pattern), Keep::Between) }
}

/// Over pieces of a string that end with a separator; made by [`par_split_inclusive`](super::ParallelString::par_split_inclusive).
#[derive(Debug, Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct SplitInclusive<'ch, P: Pattern> {
    pub(super) text: &'ch str,
    pub(super) pattern: P,
}

unindexed_source! {
    impl['ch, P: Pattern] SplitInclusive<'ch, P> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator(&self.pattern), Keep::Inclusive) }
}

/// Over the pieces of a string before terminators; made by [`par_split_terminator`](super::ParallelString::par_split_terminator).
#[derive(Debug, Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct SplitTerminator<'ch, P: Pattern> {
    pub(super) text: &'ch str,
    pub(super) pattern: P,
}

unindexed_source! {
    impl['ch, P: Pattern] SplitTerminator<'ch, P> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator(&self.pattern), Keep::Terminated) }
}

/// Over the lines of a string; made by [`par_lines`](super::ParallelString::par_lines).
#[derive(Debug, Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Lines<'ch> {
    pub(super) text: &'ch str,
}

/// A line without its end. A carriage return is part of that only before a line feed.
#[inline]
fn without_end(line: &str) -> &str {
    match line.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line),
        None => line,
    }
}

same_as! {
    impl['ch] Lines<'ch> => &'ch str;
    iter(self) { SplitInclusive { text: self.text, pattern: '\n' }.map(without_end) }
}

/// Over the words of a string; made by [`par_split_whitespace`](super::ParallelString::par_split_whitespace).
#[derive(Debug, Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct SplitWhitespace<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] SplitWhitespace<'ch> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator(&char::is_whitespace), Keep::NonEmpty) }
}

#[inline]
fn is_ascii_whitespace(c: char) -> bool {
    c.is_ascii_whitespace()
}

/// Over the words of a string, between ASCII whitespace; made by [`par_split_ascii_whitespace`](super::ParallelString::par_split_ascii_whitespace).
#[derive(Debug, Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct SplitAsciiWhitespace<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] SplitAsciiWhitespace<'ch> => &'ch str;
    producer(self) { Pieces::new(self.text, Separator(&is_ascii_whitespace), Keep::NonEmpty) }
}

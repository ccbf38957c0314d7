//! Patterns to search a string for: the kinds of patterns of single characters that std has too.

use super::ascii::{line_feed, split_by_char};

/// A character, some characters (`&[char]`, `[char; N]`, `&[char; N]`), or a closure that says which.
///
/// std's trait of this name is unstable, so this one has the methods that are needed here. All of them call std's code, but for a split by a character and the search for the end of a line.
pub trait Pattern: Sized + Sync + Send {
    /// Where the first match starts.
    fn first(&self, text: &str) -> Option<usize>;

    /// Where the last match starts.
    fn last(&self, text: &str) -> Option<usize>;

    fn matches<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str>;

    fn match_indices<'t>(&self, text: &'t str) -> impl Iterator<Item = (usize, &'t str)>;

    fn split<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str>;

    fn split_inclusive<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str>;

    fn split_terminator<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str>;
}

macro_rules! as_std {
    (@first $self:ident => $pattern:expr) => {
        #[inline]
        fn first(&$self, text: &str) -> Option<usize> {
            text.find($pattern)
        }
    };
    (@first $self:ident => $pattern:expr, $first:path) => {
        #[inline]
        fn first(&$self, text: &str) -> Option<usize> {
            $first(text)
        }
    };
    (@split $self:ident => $pattern:expr) => {
        #[inline]
        fn split<'t>(&$self, text: &'t str) -> impl Iterator<Item = &'t str> {
            text.split($pattern)
        }
    };
    (@split $self:ident => $pattern:expr, $split:path) => {
        #[inline]
        fn split<'t>(&$self, text: &'t str) -> impl Iterator<Item = &'t str> {
            $split(text, $pattern)
        }
    };
    ($self:ident => $pattern:expr $(, first by $first:path)? $(, split by $split:path)?) => {
        as_std! { @first $self => $pattern $(, $first)? }

        #[inline]
        fn last(&$self, text: &str) -> Option<usize> {
            text.rfind($pattern)
        }

        #[inline]
        fn matches<'t>(&$self, text: &'t str) -> impl Iterator<Item = &'t str> {
            text.matches($pattern)
        }

        #[inline]
        fn match_indices<'t>(&$self, text: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
            text.match_indices($pattern)
        }

        as_std! { @split $self => $pattern $(, $split)? }

        #[inline]
        fn split_inclusive<'t>(&$self, text: &'t str) -> impl Iterator<Item = &'t str> {
            text.split_inclusive($pattern)
        }

        #[inline]
        fn split_terminator<'t>(&$self, text: &'t str) -> impl Iterator<Item = &'t str> {
            text.split_terminator($pattern)
        }
    };
}

impl Pattern for char {
    as_std! { self => *self, split by split_by_char }
}

/// A line feed. It has its own type, so that `first` can be `line_feed`, and so that std's other searches know the character when they are compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineFeed;

impl Pattern for LineFeed {
    as_std! { self => '\n', first by line_feed }
}

impl Pattern for &[char] {
    as_std! { self => *self }
}

impl<const N: usize> Pattern for [char; N] {
    as_std! { self => *self }
}

impl<const N: usize> Pattern for &[char; N] {
    as_std! { self => *self }
}

impl<F: Fn(char) -> bool + Sync + Send> Pattern for F {
    as_std! { self => self }
}

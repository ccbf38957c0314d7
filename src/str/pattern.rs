//! What a string is searched for: characters, in one of the ways that std has too.

use crate::iter::sources::pieces::Marks;
use crate::iter::sources::text::boundary;
use std::ops::Range;

/// A character, some characters (`&[char]`, `[char; N]`, `&[char; N]`), or a closure that says which.
///
/// std's own trait of the name is unstable, so this one says in words of its own what is needed of it; all of it is std's code.
pub trait Pattern: Sized + Sync + Send {
    /// Where the first match starts.
    fn first(&self, text: &str) -> Option<usize>;

    /// Where the last match starts.
    fn last(&self, text: &str) -> Option<usize>;

    fn matches<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str>;

    fn match_indices<'t>(&self, text: &'t str) -> impl Iterator<Item = (usize, &'t str)>;
}

macro_rules! as_std {
    ($self:ident => $pattern:expr) => {
        #[inline]
        fn first(&$self, text: &str) -> Option<usize> {
            text.find($pattern)
        }

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
    };
}

impl Pattern for char {
    as_std! { self => *self }
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

/// Matches that separate pieces.
pub(crate) struct Separator<'p, P>(pub(crate) &'p P);

impl<P> Clone for Separator<'_, P> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Separator<'_, P> {}

/// The characters that start in `range`, and where the first of them does.
#[inline]
fn within(text: &str, range: Range<usize>) -> (usize, &str) {
    let start = boundary(text, range.start);
    (start, &text[start..boundary(text, range.end)])
}

impl<P: Pattern> Marks<str> for Separator<'_, P> {
    #[inline]
    fn first(self, view: &str, range: Range<usize>) -> Option<usize> {
        let (start, text) = within(view, range);
        Some(start + self.0.first(text)?)
    }

    #[inline]
    fn last(self, view: &str, range: Range<usize>) -> Option<usize> {
        let (start, text) = within(view, range);
        Some(start + self.0.last(text)?)
    }

    #[inline]
    fn width(self, view: &str, at: usize) -> usize {
        view[at..].chars().next().map_or(0, char::len_utf8)
    }
}

//! Matches of a pattern as places to cut a string.

use super::ascii::lines;
use super::pattern::Pattern;
use crate::iter::sources::pieces::Marks;
use crate::iter::sources::text::boundary;
use std::marker::PhantomData;
use std::ops::Range;

/// What is done with separators and with empty pieces, by std's iterators.
///
/// When a string is cut, its first part must give the same pieces by itself. So the part keeps the separator at its end if std would leave
/// out an empty last piece.
pub(crate) trait Keep {
    const SEPARATORS: bool;

    /// No separator starts in the last `bare` bytes, but for a kept one at the very end. std's loops, which search them again, are faster than a new search after each separator.
    fn pieces<'t, P: Pattern>(
        text: &'t str,
        pattern: &P,
        bare: usize,
    ) -> impl Iterator<Item = &'t str>;
}

/// The pieces between separators, including empty ones.
pub(crate) struct Between;

impl Keep for Between {
    const SEPARATORS: bool = false;

    #[inline]
    fn pieces<'t, P: Pattern>(
        text: &'t str,
        pattern: &P,
        _: usize,
    ) -> impl Iterator<Item = &'t str> {
        pattern.split(text)
    }
}

/// Pieces are words; the pattern must be white space.
pub(crate) struct Word;

impl Keep for Word {
    const SEPARATORS: bool = false;

    #[inline]
    fn pieces<'t, P: Pattern>(text: &'t str, _: &P, _: usize) -> impl Iterator<Item = &'t str> {
        text.split_whitespace()
    }
}

/// Pieces are words; the pattern must be ASCII white space.
pub(crate) struct AsciiWord;

impl Keep for AsciiWord {
    const SEPARATORS: bool = false;

    #[inline]
    fn pieces<'t, P: Pattern>(text: &'t str, _: &P, _: usize) -> impl Iterator<Item = &'t str> {
        text.split_ascii_whitespace()
    }
}

/// The pieces before separators, and the piece behind the last one unless it is empty.
pub(crate) struct Terminated;

impl Keep for Terminated {
    const SEPARATORS: bool = true;

    #[inline]
    fn pieces<'t, P: Pattern>(
        text: &'t str,
        pattern: &P,
        _: usize,
    ) -> impl Iterator<Item = &'t str> {
        pattern.split_terminator(text)
    }
}

/// As [`Terminated`], but a piece keeps the separator at its end.
pub(crate) struct Inclusive;

impl Keep for Inclusive {
    const SEPARATORS: bool = true;

    #[inline]
    fn pieces<'t, P: Pattern>(
        text: &'t str,
        pattern: &P,
        _: usize,
    ) -> impl Iterator<Item = &'t str> {
        pattern.split_inclusive(text)
    }
}

/// Pieces are lines, without their ends; the pattern must be a line feed.
pub(crate) struct Line;

impl Keep for Line {
    const SEPARATORS: bool = true;

    #[inline]
    fn pieces<'t, P: Pattern>(text: &'t str, _: &P, bare: usize) -> impl Iterator<Item = &'t str> {
        lines(text, bare)
    }
}

/// The matches of a pattern.
pub(crate) struct Separator<'p, P, K> {
    pattern: &'p P,
    keep: PhantomData<fn() -> K>,
}

impl<'p, P, K> Separator<'p, P, K> {
    #[inline]
    pub(crate) fn new(pattern: &'p P) -> Self {
        Separator {
            pattern,
            keep: PhantomData,
        }
    }
}

impl<P, K> Clone for Separator<'_, P, K> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<P, K> Copy for Separator<'_, P, K> {}

/// The characters that start in `range`, and the position of the first one.
#[inline]
fn within(text: &str, range: Range<usize>) -> (usize, &str) {
    let start = boundary(text, range.start);
    (start, &text[start..boundary(text, range.end)])
}

impl<'t, P: Pattern, K: Keep> Marks<&'t str> for Separator<'_, P, K> {
    const KEEPS: bool = K::SEPARATORS;

    #[inline]
    fn first(self, view: &str, range: Range<usize>) -> Option<usize> {
        let (start, text) = within(view, range);
        Some(start + self.pattern.first(text)?)
    }

    #[inline]
    fn last(self, view: &str, range: Range<usize>) -> Option<usize> {
        let (start, text) = within(view, range);
        Some(start + self.pattern.last(text)?)
    }

    #[inline]
    fn width(self, view: &str, at: usize) -> usize {
        view[at..].chars().next().map_or(0, char::len_utf8)
    }

    #[inline]
    fn pieces(self, data: &'t str, bare: usize) -> impl Iterator<Item = &'t str> {
        K::pieces(data, self.pattern, bare)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::LineFeed;
    use super::*;
    use crate::iter::sources::pieces::Pieces;
    use crate::iter::sources::pieces::tests::items;

    fn spaced_words(text: &str) -> Pieces<&str, Separator<'static, impl Pattern + use<>, Word>> {
        Pieces::new(text, Separator::new(&char::is_whitespace))
    }

    #[test]
    fn as_std_however_it_is_cut() {
        let parts = ["", "-", "a", "é-", "--", "-bc"];
        for n in 0..parts.len().pow(4) {
            let text: String = (0..4)
                .map(|k| parts[n / parts.len().pow(k) % parts.len()])
                .collect();
            let text = text.as_str();
            for budget in [None, Some(1), Some(2), Some(4), Some(100)] {
                fn all<K: Keep>(text: &str, budget: Option<usize>) -> Vec<&str> {
                    let pieces = Pieces::new(text, Separator::<_, K>::new(&'-'));
                    items(pieces, budget)
                }
                let spaced = text.replace('-', " ");
                let words = items(spaced_words(&spaced), budget);
                assert!(spaced.split_whitespace().eq(words), "{text:?}");
                let broken = text.replace('-', "\n").replace('b', "\r");
                let lines = Pieces::new(broken.as_str(), Separator::<_, Line>::new(&LineFeed));
                assert!(broken.lines().eq(items(lines, budget)), "{broken:?}");
                let pieces = text.split('-');
                assert!(pieces.eq(all::<Between>(text, budget)), "{text:?}");
                let pieces = text.split_terminator('-');
                assert!(pieces.eq(all::<Terminated>(text, budget)), "{text:?}");
                let pieces = text.split_inclusive('-');
                assert!(pieces.eq(all::<Inclusive>(text, budget)), "{text:?}");
            }
        }
    }
}

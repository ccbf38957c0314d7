//! Iterators that can be cut at any character.

use super::pattern::Pattern;
use crate::iter::sources::text::Text;
use crate::iter::sources::unindexed_source;

/// The characters of a string; made by [`par_chars`](super::ParallelString::par_chars).
///
/// ```
/// use filch::prelude::*;
///
/// let chars: filch::str::Chars<'_> = "aß".par_chars();
/// assert_eq!(chars.collect::<Vec<_>>(), ['a', 'ß']);
/// ```
#[derive(Debug, Clone)]
pub struct Chars<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] Chars<'ch> => char;
    producer(self) { Text::new(self.text, |text, _| text.chars()) }
}

/// The characters of a string and their positions; made by [`par_char_indices`](super::ParallelString::par_char_indices).
///
/// ```
/// use filch::prelude::*;
///
/// let chars: filch::str::CharIndices<'_> = "ßa".par_char_indices();
/// assert_eq!(chars.collect::<Vec<_>>(), [(0, 'ß'), (2, 'a')]);
/// ```
#[derive(Debug, Clone)]
pub struct CharIndices<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] CharIndices<'ch> => (usize, char);
    producer(self) {
        Text::new(self.text, |text, start| {
            text.char_indices().map(move |(at, c)| (start + at, c))
        })
     }
}

/// The bytes of a string; made by [`par_bytes`](super::ParallelString::par_bytes).
///
/// ```
/// use filch::prelude::*;
///
/// let bytes: filch::str::Bytes<'_> = "ab".par_bytes();
/// assert_eq!(bytes.collect::<Vec<_>>(), b"ab");
/// ```
#[derive(Debug, Clone)]
pub struct Bytes<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] Bytes<'ch> => u8;
    producer(self) { Text::new(self.text, |text, _| text.bytes()) }
}

/// The UTF-16 units of a string; made by [`par_encode_utf16`](super::ParallelString::par_encode_utf16).
///
/// ```
/// use filch::prelude::*;
///
/// let units: filch::str::EncodeUtf16<'_> = "ab".par_encode_utf16();
/// assert_eq!(units.collect::<Vec<_>>(), [97, 98]);
/// ```
#[derive(Debug, Clone)]
pub struct EncodeUtf16<'ch> {
    pub(super) text: &'ch str,
}

unindexed_source! {
    impl['ch] EncodeUtf16<'ch> => u16;
    producer(self) { Text::new(self.text, |text, _| text.encode_utf16()) }
}

/// The matches of a pattern; made by [`par_matches`](super::ParallelString::par_matches).
///
/// ```
/// use filch::prelude::*;
///
/// let found: filch::str::Matches<'_, _> = "a1b2".par_matches(char::is_numeric);
/// assert_eq!(found.collect::<Vec<_>>(), ["1", "2"]);
/// ```
#[derive(Debug, Clone)]
pub struct Matches<'ch, P: Pattern> {
    pub(super) text: &'ch str,
    pub(super) pattern: P,
}

unindexed_source! {
    impl['ch, P: Pattern] Matches<'ch, P> => &'ch str;
    producer(self) {
        let pattern = &self.pattern;
        Text::new(self.text, |text, _| pattern.matches(text))
     }
}

/// The matches of a pattern and their positions; made by [`par_match_indices`](super::ParallelString::par_match_indices).
///
/// ```
/// use filch::prelude::*;
///
/// let found: filch::str::MatchIndices<'_, _> = "a1b2".par_match_indices(char::is_numeric);
/// assert_eq!(found.collect::<Vec<_>>(), [(1, "1"), (3, "2")]);
/// ```
#[derive(Debug, Clone)]
pub struct MatchIndices<'ch, P: Pattern> {
    pub(super) text: &'ch str,
    pub(super) pattern: P,
}

unindexed_source! {
    impl['ch, P: Pattern] MatchIndices<'ch, P> => (usize, &'ch str);
    producer(self) {
        let pattern = &self.pattern;
        Text::new(self.text, |text, start| {
            let matches = pattern.match_indices(text);
            matches.map(move |(at, found)| (start + at, found))
        })
     }
}

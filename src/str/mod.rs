//! Parallel iterators over strings.
//!
//! None of them is indexed, since the number of items in a part depends on the text.

mod ascii;
mod chars;
mod pattern;
pub(crate) mod separator;
mod split;

pub use chars::{Bytes, CharIndices, Chars, EncodeUtf16, MatchIndices, Matches};
use pattern::Pattern;
pub use split::{
    Lines, Split, SplitAsciiWhitespace, SplitInclusive, SplitTerminator, SplitWhitespace,
};

/// Parallel iterators over parts of a string.
///
/// In scope with `use filch::prelude::*`. A pattern is a `char`, a slice or array of them, or a closure from `char` to `bool`. A closure may
/// be called from any thread, and sometimes twice for the same character.
///
/// All of them are lazy, yield the parts in order, and allocate nothing. A string is cut at the border of a character, or at a separator,
/// near the middle, which is looked for. None of them is indexed.
///
/// ```
/// use filch::prelude::*;
///
/// assert_eq!("a b c".par_split_whitespace().count(), 3);
/// assert_eq!(String::from("text").as_parallel_string(), "text");
/// ```
pub trait ParallelString {
    /// The string that the other methods work on.
    fn as_parallel_string(&self) -> &str;

    /// Yields the characters.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!("häher".par_chars().filter(|&c| c == 'h').count(), 2);
    /// ```
    fn par_chars(&self) -> Chars<'_> {
        Chars {
            text: self.as_parallel_string(),
        }
    }

    /// Yields the characters with their positions in bytes.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let places: Vec<_> = "äb".par_char_indices().collect();
    /// assert_eq!(places, [(0, 'ä'), (2, 'b')]);
    /// ```
    fn par_char_indices(&self) -> CharIndices<'_> {
        CharIndices {
            text: self.as_parallel_string(),
        }
    }

    /// Yields the bytes.
    ///
    /// Unlike the iterator of `as_bytes()`, this one is not indexed.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!("ab".par_bytes().map(u32::from).sum::<u32>(), 195);
    /// ```
    fn par_bytes(&self) -> Bytes<'_> {
        Bytes {
            text: self.as_parallel_string(),
        }
    }

    /// Yields the string as 16-bit units in UTF-16. The two units of a surrogate pair are neighbours.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let units: Vec<u16> = "a𝄞".par_encode_utf16().collect();
    /// assert_eq!(units, [0x61, 0xD834, 0xDD1E]);
    /// ```
    fn par_encode_utf16(&self) -> EncodeUtf16<'_> {
        EncodeUtf16 {
            text: self.as_parallel_string(),
        }
    }

    /// Yields the parts between separators, including empty ones.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let parts: Vec<&str> = "1,,2;3".par_split([',', ';']).collect();
    /// assert_eq!(parts, ["1", "", "2", "3"]);
    /// ```
    fn par_split<P: Pattern>(&self, separator: P) -> Split<'_, P> {
        Split {
            text: self.as_parallel_string(),
            pattern: separator,
        }
    }

    /// Yields parts that end with a separator; the last one may end without.
    ///
    /// No part is empty, so an empty string yields nothing.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let parts: Vec<&str> = "1,,2".par_split_inclusive(',').collect();
    /// assert_eq!(parts, ["1,", ",", "2"]);
    /// ```
    fn par_split_inclusive<P: Pattern>(&self, separator: P) -> SplitInclusive<'_, P> {
        SplitInclusive {
            text: self.as_parallel_string(),
            pattern: separator,
        }
    }

    /// Yields the parts before terminators, and the part behind the last one unless it is empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let parts: Vec<&str> = "a;;b;".par_split_terminator(';').collect();
    /// assert_eq!(parts, ["a", "", "b"]);
    /// ```
    fn par_split_terminator<P: Pattern>(&self, terminator: P) -> SplitTerminator<'_, P> {
        SplitTerminator {
            text: self.as_parallel_string(),
            pattern: terminator,
        }
    }

    /// Yields the lines, without their ends.
    ///
    /// A line ends with a line feed, or with a carriage return and a line feed; the last line need not. A carriage return by itself does not
    /// end a line and is kept, as by std's `lines` (rayon drops one at the very end of the string).
    ///
    /// ```
    /// use filch::prelude::*;
    /// let lines: Vec<&str> = "one\r\n\ntwo".par_lines().collect();
    /// assert_eq!(lines, ["one", "", "two"]);
    /// ```
    fn par_lines(&self) -> Lines<'_> {
        Lines {
            text: self.as_parallel_string(),
        }
    }

    /// Yields the words: the parts between Unicode whitespace that are not empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let words: Vec<&str> = " to\u{2003}steal  work\n".par_split_whitespace().collect();
    /// assert_eq!(words, ["to", "steal", "work"]);
    /// ```
    fn par_split_whitespace(&self) -> SplitWhitespace<'_> {
        SplitWhitespace {
            text: self.as_parallel_string(),
        }
    }

    /// Yields the words: the parts between ASCII whitespace that are not empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let words: Vec<&str> = " to\tsteal  a\u{2003}bit\n".par_split_ascii_whitespace().collect();
    /// assert_eq!(words, ["to", "steal", "a\u{2003}bit"]);
    /// ```
    fn par_split_ascii_whitespace(&self) -> SplitAsciiWhitespace<'_> {
        SplitAsciiWhitespace {
            text: self.as_parallel_string(),
        }
    }

    /// Yields the matches of a pattern. Each match is one character.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let digits: Vec<&str> = "a1b23".par_matches(|c: char| c.is_ascii_digit()).collect();
    /// assert_eq!(digits, ["1", "2", "3"]);
    /// ```
    fn par_matches<P: Pattern>(&self, pattern: P) -> Matches<'_, P> {
        Matches {
            text: self.as_parallel_string(),
            pattern,
        }
    }

    /// Yields the matches of a pattern with their positions in bytes. Each match is one character.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let commas: Vec<_> = "ä,b,".par_match_indices(',').collect();
    /// assert_eq!(commas, [(2, ","), (4, ",")]);
    /// ```
    fn par_match_indices<P: Pattern>(&self, pattern: P) -> MatchIndices<'_, P> {
        MatchIndices {
            text: self.as_parallel_string(),
            pattern,
        }
    }
}

impl ParallelString for str {
    #[inline]
    fn as_parallel_string(&self) -> &str {
        self
    }
}

//! Splits of text at one character and at ends of lines, which are fast for ASCII.

use either::Either;

/// As `str::split`, which is slow for short words: its search takes long to begin, and compares each match once more if the compiler does not know the character.
#[inline]
pub(super) fn split_by_char(text: &str, mark: char) -> impl Iterator<Item = &str> {
    match u8::try_from(mark) {
        Ok(byte) if byte.is_ascii() => Either::Left(SplitAscii {
            rest: Some(text),
            byte,
        }),
        _ => Either::Right(text.split(mark)),
    }
}

struct SplitAscii<'t> {
    rest: Option<&'t str>,
    byte: u8,
}

impl<'t> Iterator for SplitAscii<'t> {
    type Item = &'t str;

    #[inline]
    fn next(&mut self) -> Option<&'t str> {
        let rest = self.rest?;
        let Some(at) = find(rest.as_bytes(), self.byte) else {
            return self.rest.take();
        };
        self.rest = Some(&rest[at + 1..]);
        Some(&rest[..at])
    }
}

/// Where the first line of a text ends.
#[inline]
pub(super) fn line_feed(text: &str) -> Option<usize> {
    find(text.as_bytes(), b'\n')
}

/// As `str::lines`. No line feed is in the last `bare` bytes, but for one at the very end.
#[inline]
pub(super) fn lines(text: &str, bare: usize) -> impl Iterator<Item = &str> {
    AsciiLines { rest: text, bare }
}

struct AsciiLines<'t> {
    rest: &'t str,
    bare: usize,
}

impl<'t> Iterator for AsciiLines<'t> {
    type Item = &'t str;

    #[inline]
    fn next(&mut self) -> Option<&'t str> {
        let rest = self.rest;
        let open = rest.len().saturating_sub(self.bare);
        let Some(at) = find(&rest.as_bytes()[..open], b'\n') else {
            self.rest = "";
            return (!rest.is_empty())
                .then(|| rest.strip_suffix('\n').map_or(rest, without_return));
        };
        self.rest = &rest[at + 1..];
        Some(without_return(&rest[..at]))
    }
}

/// A line before its line feed, without the carriage return that belongs to that.
#[inline]
fn without_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// In this many bytes an ASCII character is searched word by word: there are few of them between two words of a text, or even two lines.
const NEAR: usize = 32;

/// Where an ASCII character is found first.
#[inline]
fn find(text: &[u8], byte: u8) -> Option<usize> {
    match text.split_at_checked(NEAR) {
        None => find_near(text, byte),
        Some((near, far)) => match find_near(near, byte) {
            None => find_far(far, byte).map(|at| NEAR + at),
            found => found,
        },
    }
}

/// The same where it is some way off: a block at a time is compared with it, which takes the compiler few instructions.
fn find_far(text: &[u8], byte: u8) -> Option<usize> {
    let (blocks, _) = text.as_chunks::<NEAR>();
    let holds = |block: &[u8; NEAR]| block.iter().fold(false, |found, &b| found | (b == byte));
    let without = blocks.iter().take_while(|block| !holds(block)).count();
    let start = without * NEAR;
    find_near(&text[start..], byte).map(|at| start + at)
}

/// Eight bytes at a time, as in Hacker's Delight (Warren, 2nd edition, section 6-1): the subtraction borrows into the highest bit of the first byte that is zero.
#[inline]
fn find_near(text: &[u8], byte: u8) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    let (words, tail) = text.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let word = u64::from_le_bytes(*word);
        let differs = word ^ (ONES * u64::from(byte));
        let zeros = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
        if zeros != 0 {
            return Some(at + zeros.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let in_tail = tail.iter().position(|&b| b == byte)?;
    Some(at + in_tail)
}

#[cfg(test)]
mod tests {
    use super::{NEAR, line_feed, lines, split_by_char};

    /// Words around a multiple of eight bytes, with characters of several bytes there.
    #[test]
    fn as_std() {
        let parts = [
            "",
            ",",
            "a",
            "0123456789abcdef",
            "0123456789abcde",
            "é",
            "語,",
            "0123456789abcdé",
        ];
        for n in 0..parts.len().pow(4) {
            let text: String = (0..4)
                .map(|k| parts[n / parts.len().pow(k) % parts.len()])
                .collect();
            let text = text.replace('a', "\r").replace(',', "\n");
            let before = text.strip_suffix('\n').unwrap_or(&text);
            let bare = text.len() - before.rfind('\n').map_or(0, |at| at + 1);
            for bare in [0, bare / 2, bare] {
                assert!(lines(&text, bare).eq(text.lines()), "{text:?} {bare}");
            }
            for mark in ['\n', '\r', 'é', '語', '\0', '\u{80}'] {
                assert!(
                    split_by_char(&text, mark).eq(text.split(mark)),
                    "{text:?} {mark:?}"
                );
            }
        }
    }

    /// A line that ends anywhere in what is searched in blocks, or after it, or not at all.
    #[test]
    fn long_lines_as_std() {
        for before in 0..4 * NEAR {
            for behind in [0, 1, 7, 8, NEAR - 1, NEAR, 3 * NEAR] {
                let text = format!("{}\n{}", "a".repeat(before), "\u{e9}".repeat(behind));
                assert_eq!(line_feed(&text), Some(before));
                assert_eq!(line_feed(&text[before + 1..]), None);
                assert!(lines(&text, 2 * behind).eq(text.lines()));
            }
        }
    }

    /// What is known to hold no line feed is not searched for one again.
    #[test]
    fn what_is_bare_is_not_searched() {
        let found: Vec<_> = lines("a\nb\nc\nd\r\n", 5).collect();
        assert_eq!(found, ["a", "b", "c\nd"]);
    }
}

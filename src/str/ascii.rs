//! Splits by characters that are mostly ASCII.

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
        let Some(at) = find(rest, self.byte) else {
            return self.rest.take();
        };
        self.rest = Some(&rest[at + 1..]);
        Some(&rest[..at])
    }
}

/// As `str::lines`.
#[inline]
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    AsciiLines(text)
}

struct AsciiLines<'t>(&'t str);

impl<'t> Iterator for AsciiLines<'t> {
    type Item = &'t str;

    #[inline]
    fn next(&mut self) -> Option<&'t str> {
        let rest = self.0;
        let Some(at) = find(rest, b'\n') else {
            self.0 = "";
            return (!rest.is_empty()).then_some(rest);
        };
        self.0 = &rest[at + 1..];
        let line = &rest[..at];
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

/// Where an ASCII character is found first.
///
/// Eight bytes at a time, as in Hacker's Delight (Warren, 2nd edition, section 6-1): the subtraction borrows into the highest bit of the first byte that is zero.
#[inline]
fn find(text: &str, byte: u8) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    let (words, tail) = text.as_bytes().as_chunks::<8>();
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
    use super::{lines, split_by_char};

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
            assert!(lines(&text).eq(text.lines()), "{text:?}");
            for mark in ['\n', '\r', 'é', '語', '\0', '\u{80}'] {
                assert!(
                    split_by_char(&text, mark).eq(text.split(mark)),
                    "{text:?} {mark:?}"
                );
            }
        }
    }
}

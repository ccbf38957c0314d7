//! Keys that can be sorted by their digits.
//!
//! To make a word of a key takes a few instructions, and no memory.

/// A key that can be sorted by its bits.
///
/// Implemented for integers, `bool`, `char`, floats (in the order of [`total_cmp`](f64::total_cmp): -0 before 0, negative NaNs first,
/// others last) and arrays of bytes. The trait is sealed: map other keys to one of these.
///
/// ```
/// use filch::ext::*;
///
/// let mut words = [*b"pear", *b"kiwi"]; // an array of bytes is a key
/// words.par_radix_sort();
/// assert_eq!(words, [*b"kiwi", *b"pear"]);
/// ```
pub trait RadixKey: Words {}

mod words {
    /// A key as words: keys are in the order of their first word; if those are equal, of the second one; and so on.
    pub trait Words {
        const WORDS: usize;

        /// The word of this number.
        fn word(&self, number: usize) -> u64;

        /// Sorts by std's unstable sort if the keys' own order is that of their words: true. Equal keys are the same then.
        fn sort_by_std(_keys: &mut [Self]) -> bool
        where
            Self: Sized,
        {
            false
        }
    }
}
pub(super) use words::Words;

/// For a key with an order of its own, which is as fast as that of its words. (That of arrays of bytes is not.)
macro_rules! by_std {
    () => {
        #[inline(always)]
        fn sort_by_std(keys: &mut [Self]) -> bool {
            keys.sort_unstable();
            true
        }
    };
}

/// Implements the traits for keys of one word or two: those of a `key` are the expressions. With `by_std`, if the key has an order of its own.
macro_rules! words {
    ($($Key:ty, $key:ident => [$first:expr $(, $second:expr)?] $(, $by_std:ident)?;)*) => {$(
        impl RadixKey for $Key {}

        impl Words for $Key {
            // And one more where there is a second.
            const WORDS: usize = 1 $(+ [stringify!($second)].len())?;

            // Not the element of an array: the compiler would keep that in memory.
            #[inline(always)]
            fn word(&self, number: usize) -> u64 {
                let $key = *self;
                match number {
                    $(1 => $second,)?
                    _ => $first,
                }
            }

            $($by_std!();)?
        }
    )*};
}

words! {
    bool, key => [key.into()], by_std;
    char, key => [u32::from(key).into()], by_std;
    u8, key => [key.into()], by_std;
    u16, key => [key.into()], by_std;
    u32, key => [key.into()], by_std;
    u64, key => [key], by_std;
    usize, key => [key as u64], by_std;
    // The sign bit flipped: negative numbers come first.
    i8, key => [(key as u8 ^ 1 << 7).into()], by_std;
    i16, key => [(key as u16 ^ 1 << 15).into()], by_std;
    i32, key => [(key as u32 ^ 1 << 31).into()], by_std;
    i64, key => [key as u64 ^ 1 << 63], by_std;
    isize, key => [key as i64 as u64 ^ 1 << 63], by_std;
    // Negative floats in reverse: all their bits flipped.
    f32, key => [(key.to_bits() ^ ((key.to_bits() as i32 >> 31) as u32 | 1 << 31)).into()];
    f64, key => [key.to_bits() ^ ((key.to_bits() as i64 >> 63) as u64 | 1 << 63)];
    u128, key => [(key >> 64) as u64, key as u64], by_std;
    // The sign bit flipped.
    i128, key => [(key >> 64) as u64 ^ 1 << 63, key as u64], by_std;
}

impl<const N: usize> RadixKey for [u8; N] {}

impl<const N: usize> Words for [u8; N] {
    const WORDS: usize = N.div_ceil(8);

    #[inline(always)]
    fn word(&self, number: usize) -> u64 {
        let bytes = &self[8 * number..];
        if let Some(word) = bytes.first_chunk() {
            return u64::from_be_bytes(*word);
        }
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_be_bytes(word)
    }
}

#[cfg(test)]
mod tests {
    use super::Words;
    use std::cmp::Ordering;

    fn agree<K: Words>(keys: &[K], compare: impl Fn(&K, &K) -> Ordering) {
        let words = |key: &K| (0..K::WORDS).map(|i| key.word(i)).collect::<Vec<_>>();
        for a in keys {
            for b in keys {
                assert_eq!(words(a).cmp(&words(b)), compare(a, b));
            }
        }
    }

    #[test]
    fn words_are_in_the_order_of_keys() {
        agree(&[false, true], Ord::cmp);
        agree(&['\0', 'a', char::MAX], Ord::cmp);
        agree(&[i8::MIN, -1, 0, 1, i8::MAX], Ord::cmp);
        agree(&[i16::MIN, -1, 0, 1, i16::MAX], Ord::cmp);
        agree(&[i32::MIN, -1, 0, 1, i32::MAX], Ord::cmp);
        agree(&[i64::MIN, -1, 0, 1, i64::MAX], Ord::cmp);
        agree(&[isize::MIN, -1, 0, 1, isize::MAX], Ord::cmp);
        agree(&[u128::MAX, 0, 1, 1 << 64, (1 << 64) - 1], Ord::cmp);
        agree(&[i128::MIN, -1, 0, 1, 1 << 64, i128::MAX], Ord::cmp);
        let f64s = [
            0.0,
            1.5,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        agree(&[f64s, f64s.map(|x| -x)].concat(), f64::total_cmp);
        let f32s = [
            0.0,
            1.5,
            f32::MIN_POSITIVE,
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
        ];
        agree(&[f32s, f32s.map(|x| -x)].concat(), f32::total_cmp);
        agree(&[[]], |_: &[u8; 0], _| Ordering::Equal);
        agree(&[*b"abc", *b"ab\0", *b"\xffab", *b"abd"], Ord::cmp);
        agree(&[*b"12345678", *b"12345679"], Ord::cmp);
        agree(
            &[*b"123456789ab", *b"123456789aa", *b"023456789aa"],
            Ord::cmp,
        );
    }
}

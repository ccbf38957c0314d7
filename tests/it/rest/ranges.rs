//! Ranges of characters and of 128-bit integers, and very long ranges.

use crate::support::{Place, oracle, same_everywhere};
use filch::prelude::*;
use proptest::prelude::*;

#[test]
fn ranges_of_128_bits() {
    oracle(
        (any::<i128>(), 0..300i128),
        |&(start, len)| {
            let end = start.saturating_add(len);
            let (from, to) = (start as u128, (start as u128).saturating_add(len as u128));
            (
                (start..end).into_par_iter().collect::<Vec<_>>(),
                (start..=end).into_par_iter().collect::<Vec<_>>(),
                (from..to).into_par_iter().collect::<Vec<_>>(),
                (from..=to).into_par_iter().count(),
            )
        },
        |&(start, len)| {
            let end = start.saturating_add(len);
            let (from, to) = (start as u128, (start as u128).saturating_add(len as u128));
            (
                (start..end).collect(),
                (start..=end).collect(),
                (from..to).collect(),
                (from..=to).count(),
            )
        },
    );
}

/// Far too long for a length, or for a walk to the end.
#[test]
fn very_long_ranges_of_128_bits() {
    for place in Place::all() {
        place.run(|| {
            let long = || (0..u128::MAX).into_par_iter();
            assert_eq!(long().opt_len(), None);
            assert_eq!(long().find_first(|x| *x >= 7), Some(7));
            assert!(!long().all(|x| x < 100));
            let all = || (i128::MIN..=i128::MAX).into_par_iter();
            assert_eq!(all().opt_len(), None);
            assert!(all().any(|x| x < 0));
            assert_eq!(all().find_first(|_| true), Some(i128::MIN));
        });
    }
}

/// The gap in the middle of the characters, and both ends.
#[test]
fn chars() {
    const BORDERS: [char; 8] = [
        '\0',
        '\u{1}',
        'a',
        '\u{d7fe}',
        '\u{d7ff}',
        '\u{e000}',
        '\u{e001}',
        char::MAX,
    ];
    for from in BORDERS {
        for to in BORDERS {
            let (open, closed) = (
                || (from..to).into_par_iter(),
                || (from..=to).into_par_iter(),
            );
            assert_eq!(open().len(), (from..to).size_hint().0);
            assert_eq!(closed().opt_len(), Some((from..=to).size_hint().0));
            assert_eq!(open().find_first(|_| true), (from..to).next());
            assert_eq!(closed().find_last(|_| true), (from..=to).next_back());
            if (to as u32).abs_diff(from as u32) < 3000 {
                same_everywhere(
                    || {
                        (
                            open().collect::<Vec<_>>(),
                            closed().rev().collect::<Vec<_>>(),
                        )
                    },
                    || ((from..to).collect(), (from..=to).rev().collect()),
                );
            }
        }
    }
}

#[test]
fn all_chars() {
    let all = || ('\0'..=char::MAX).into_par_iter();
    assert_eq!(all().count(), 0x110000 - 0x800);
    assert_eq!(all().max(), Some(char::MAX));
    assert_eq!(all().position_first(|c| c == '\u{e000}'), Some(0xd800));
    assert_eq!(
        ('\u{d7ff}'..'\u{e001}').into_par_iter().collect::<String>(),
        "\u{d7ff}\u{e000}"
    );
}

/// As long as a range with a length can be.
#[test]
fn the_longest_ranges() {
    for place in Place::all() {
        place.run(|| {
            let long = || (0..usize::MAX).into_par_iter();
            assert_eq!(long().len(), usize::MAX);
            assert_eq!(long().position_first(|x| x == 3), Some(3));
            assert_eq!(long().rev().find_first(|_| true), Some(usize::MAX - 1));
            assert_eq!(long().map(|x| x + 1).take(5).sum::<usize>(), 15);
            assert_eq!(long().step_by(usize::MAX / 4).len(), 5);
            assert_eq!(long().chunks(usize::MAX).len(), 1);
            assert_eq!(
                long()
                    .zip(long().rev())
                    .take(3)
                    .map(|(a, b)| b.wrapping_add(a))
                    .min(),
                Some(usize::MAX - 1)
            );
        });
    }
}

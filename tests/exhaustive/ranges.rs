//! Ranges of characters and of 128-bit integers, and very long ranges.

use crate::support::{Place, caught, oracle, planted, pool, same_everywhere, within};
use filch::ThreadPoolBuilder;
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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
    for place in Place::uncut() {
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

#[test]
fn searches_of_octillions() {
    const N: u128 = 1_000_000_000_000_000_000_000_000_000;
    for place in Place::uncut() {
        place.run(|| {
            let v = || (0..N).into_par_iter();
            assert_eq!(v().map(|i| i * 2).find_first(|&i| i >= 1000), Some(1000));
            assert!(v().filter(|i| i % 3 == 1).find_any(|_| true).is_some());
            assert_eq!(v().find_last(|_| true), Some(N - 1));
            assert_eq!(v().find_last(|&i| i < N - 1000), Some(N - 1001));
            let even = v().filter(|i| i % 2 == 0).map(|i| i / 2);
            assert_eq!(even.find_last(|&i| i < N / 2 - 1000), Some(N / 2 - 1001));
            assert_eq!(v().chain(v()).find_first(|&i| i >= 1000), Some(1000));
            assert_eq!(v().chain(v()).find_last(|&i| i < N - 9), Some(N - 10));
            let long = || (0..u64::MAX).into_par_iter();
            let pairs = || long().flat_map(move |i| long().map(move |j| (i, j)));
            assert_eq!(pairs().find_first(|&(_, j)| j >= 1000), Some((0, 1000)));
            assert!(pairs().any(|(_, j)| j % 5 == 3));
        });
    }
}

/// The end is found without a walk, on one thread too, however often the place has been run before.
#[test]
fn the_last_of_very_many() {
    for place in Place::uncut() {
        within(60, move || {
            for _ in 0..3 {
                place.run(|| {
                    let long = || (0..u128::MAX).into_par_iter();
                    assert_eq!(long().find_last(|_| true), Some(u128::MAX - 1));
                    let even = long().map(|x| x ^ 1).filter(|x| x % 4 == 0);
                    assert_eq!(even.find_last(|_| true), Some(u128::MAX - 3));
                    let all = || (i128::MIN..=i128::MAX).into_par_iter();
                    assert_eq!(all().find_last(|_| true), Some(i128::MAX));
                });
            }
        });
    }
}

/// Panics when it is cloned the third time.
#[cfg(target_pointer_width = "64")]
struct ThirdClonePanics<'c>(&'c AtomicUsize);

#[cfg(target_pointer_width = "64")]
impl Clone for ThirdClonePanics<'_> {
    fn clone(&self) -> Self {
        if self.0.fetch_add(1, Relaxed) == 2 {
            planted(3);
        }
        ThirdClonePanics(self.0)
    }
}

/// A panic in a cut of a very long piece does not keep the parts from running that were cut off before.
#[cfg(target_pointer_width = "64")]
#[test]
fn a_cut_that_panics_leaves_the_parts_before_it() {
    for place in Place::uncut() {
        within(60, move || {
            place.run(|| {
                let (clones, runs) = (AtomicUsize::new(0), AtomicUsize::new(0));
                let panics = ThirdClonePanics(&clones);
                let result = caught(|| {
                    (0..1usize << 40)
                        .into_par_iter()
                        .map_with(panics, |_, i| i)
                        .find_last(|_| {
                            runs.fetch_add(1, Relaxed);
                            true
                        })
                });
                assert_eq!(result, Err(3));
                assert!(runs.load(Relaxed) > 0);
            });
        });
    }
}

/// A search from the right comes to its end wherever a test has iterators cut, and its cuts do not fill the stack, however many iterators are nested in each other.
#[test]
fn the_last_of_very_many_whatever_a_test_says() {
    let said = [Cuts::Adaptive, Cuts::Always, Cuts::Never];
    for cuts in said.into_iter().chain((1..9).map(Cuts::Random)) {
        for threads in [1, 2] {
            within(60, move || {
                let pool = ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.unwrap();
                pool.force_cuts(cuts);
                pool.install(|| {
                    let long = || (0..u128::MAX).into_par_iter();
                    assert_eq!(long().find_last(|_| true), Some(u128::MAX - 1));
                    let all = (i128::MIN..=i128::MAX).into_par_iter();
                    assert_eq!(all.find_last(|_| true), Some(i128::MAX));
                    let ends = (0..u64::MAX).into_par_iter().map_init(|| (), |(), x| x);
                    assert_eq!(ends.find_last(|_| true), Some(u64::MAX - 1));
                    let pairs = || long().flat_map(move |i| long().map(move |j| (i, j)));
                    let last = u128::MAX - 1;
                    assert_eq!(pairs().find_last(|_| true), Some((last, last)));
                    if matches!(cuts, Cuts::Adaptive | Cuts::Always) {
                        // 128 cuts of each.
                        let triples =
                            pairs().flat_map(move |(i, j)| long().map(move |k| (i, j, k)));
                        assert_eq!(triples.find_last(|_| true), Some((last, last, last)));
                    }
                });
            });
        }
    }
}

/// A panic at the right end of very many items keeps no other part from running, as if those had been on offer.
#[cfg(target_pointer_width = "64")]
#[test]
fn a_panic_at_the_last_of_very_many() {
    const PART: usize = 1 << 31;
    let seen = AtomicUsize::new(0);
    let all = (0..8 * PART).into_par_iter().with_min_len(PART);
    let search = || {
        all.clone().find_last(|&x| {
            seen.fetch_add(1, Relaxed);
            assert_eq!(x % PART, 0);
            planted(x / PART)
        })
    };
    assert_eq!(caught(|| pool(1).install(search)), Err(7));
    assert_eq!(seen.into_inner(), 8);
}

/// 10^27 items, of which no length or position can speak.
#[test]
fn the_ends_of_nested_ranges() {
    const N: u32 = 1_000_000_000;
    for place in Place::uncut() {
        within(60, move || {
            place.run(|| {
                let nested = || {
                    let outer = (0..N).into_par_iter().with_max_len(1000);
                    let pairs = outer.flat_map(|i| {
                        let inner = (0..N).into_par_iter().with_max_len(1000);
                        inner.map(move |j| (i, j))
                    });
                    pairs.flat_map(|(i, j)| (0..N).into_par_iter().map(move |k| (i, j, k)))
                };
                assert_eq!(nested().find_first(|_| true), Some((0, 0, 0)));
                let last = nested().find_last(|_| true);
                assert_eq!(last, Some((N - 1, N - 1, N - 1)));
                let folds = nested().fold(|| (), |_, _| ());
                assert!(folds.find_any(|_| true).is_some());
            });
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
    for place in Place::uncut() {
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

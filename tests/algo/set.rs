//! Set operations against counts of the elements.

use crate::support::{
    DISORDERS, Dice, Ledger, Place, cases, caught, costly, ints, oracle, planted, same_everywhere,
};
use filch::algo::*;
use filch::ext::*;
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// An element that is compared by its number, and tells where it came from.
type Tagged = (i32, char, usize);

fn by_number(a: &Tagged, b: &Tagged) -> Ordering {
    costly(a.0).cmp(&b.0)
}

fn tagged(v: &[i32], tag: char, span: i32) -> Vec<Tagged> {
    let mut v: Vec<i32> = v.iter().map(|x| x / span).collect();
    v.sort();
    v.into_iter().zip(0..).map(|(x, i)| (x, tag, i)).collect()
}

/// For each number, how many of the left ones are kept of those that have a partner, or have none; and so for the right ones.
fn model(
    left: &[Tagged],
    right: &[Tagged],
    (alone, both, other): (bool, bool, bool),
) -> Vec<Tagged> {
    let numbers = left.iter().chain(right).map(|x| x.0);
    let numbers: std::collections::BTreeSet<i32> = numbers.collect();
    let mut out = Vec::new();
    for number in numbers {
        let mine =
            |v: &[Tagged]| -> Vec<Tagged> { v.iter().copied().filter(|x| x.0 == number).collect() };
        let (left, right) = (mine(left), mine(right));
        let pairs = left.len().min(right.len());
        out.extend(left[..pairs].iter().filter(|_| both));
        out.extend(left[pairs..].iter().filter(|_| alone));
        out.extend(right[pairs..].iter().filter(|_| other));
    }
    out
}

#[test]
fn as_many_as_the_counts_say() {
    oracle(
        (ints(), ints(), 1..300i32),
        |(left, right, span)| {
            let (left, right) = (tagged(left, 'l', *span), tagged(right, 'r', *span));
            [
                left.par_union_by(&right, by_number),
                left.par_intersection_by(&right, by_number),
                left.par_difference_by(&right, by_number),
                left.par_symmetric_difference_by(&right, by_number),
            ]
        },
        |(left, right, span)| {
            let (left, right) = (tagged(left, 'l', *span), tagged(right, 'r', *span));
            [
                model(&left, &right, (true, true, true)),
                model(&left, &right, (false, true, false)),
                model(&left, &right, (true, false, false)),
                model(&left, &right, (true, false, true)),
            ]
        },
    );
}

#[test]
fn long_ones_of_unlike_lengths() {
    let mut dice = Dice::new(8);
    let mut numbers = |n: usize, span: usize| {
        let mut v: Vec<u32> = (0..n).map(|_| dice.below(span) as u32).collect();
        v.sort();
        v
    };
    for (m, n, span) in [
        (50_000, 60_000, 40_000),
        (100, 90_000, 1_000_000),
        (80_000, 3, 50_000),
        (30_000, 30_000, 2),
    ] {
        let (left, right) = (numbers(m, span), numbers(n, span));
        let all = [
            left.par_union(&right),
            left.par_intersection(&right),
            left.par_difference(&right),
            left.par_symmetric_difference(&right),
        ];
        assert!(all.iter().all(|v| v.is_sorted()));
        assert_eq!(all[0].len() + all[1].len(), m + n);
        assert_eq!(all[2].len() + all[1].len(), m);
        assert_eq!(all[3].len() + all[1].len(), all[0].len());
        let again = || {
            [
                left.par_union(&right),
                left.par_intersection(&right),
                left.par_difference(&right),
                left.par_symmetric_difference(&right),
            ]
        };
        same_everywhere(again, || all.clone());
    }
}

/// Pieces are short, whichever slice their elements are from: nothing is compared with more than those of its own piece, beside what the
/// search for the cuts takes.
#[test]
fn one_slice_in_a_gap_of_the_other() {
    const N: usize = 100_000;
    let sparse: Vec<usize> = (0..N).map(|i| i * 2 * N).collect();
    let dense: Vec<usize> = (0..N).map(|i| 4 * N + 1 + i).collect();
    let counts: Vec<AtomicUsize> = sparse.iter().map(|_| AtomicUsize::new(0)).collect();
    let compare = |a: &usize, b: &usize| {
        for x in [a, b] {
            if x.is_multiple_of(2 * N) {
                counts[x / (2 * N)].fetch_add(1, Relaxed);
            }
        }
        a.cmp(b)
    };
    let mut sorted = [&sparse[..], &dense].concat();
    sorted.sort();
    for place in [Place::Pool(1), Place::Pool(3)] {
        for (left, right) in [(&sparse, &dense), (&dense, &sparse)] {
            counts.iter().for_each(|count| count.store(0, Relaxed));
            assert!(place.run(|| union_by(left, right, compare)) == sorted);
            let most = counts.iter().map(|count| count.load(Relaxed)).max();
            assert!(most < Some(N / 10), "{most:?}");
        }
    }
    assert!(sparse.par_intersection(&dense).is_empty());
    assert!(dense.par_difference(&sparse) == dense);
}

#[test]
fn strings_and_nothing() {
    let words = |r: std::ops::Range<u32>| -> Vec<String> { r.map(|i| format!("{i:05}")).collect() };
    let (left, right) = (words(0..6000), words(3000..9000));
    same_everywhere(
        || [left.par_union(&right), left.par_intersection(&right)],
        || [words(0..9000), words(3000..6000)],
    );
    assert_eq!(left.par_difference(&[]), left);
    assert_eq!([].par_union(&left), left);
    assert_eq!([(); 3].par_union(&[(); 5]).len(), 5);
    assert_eq!([(); 5000].par_symmetric_difference(&[(); 3]).len(), 4997);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(64)))]

    /// Neither sorted nor totally ordered: some result, and no more.
    #[test]
    fn of_disorder(left in prop::collection::vec(0..50u32, 0..9000), right in prop::collection::vec(0..50u32, 0..9000), seed: u64) {
        let calls = AtomicUsize::new(seed as usize >> 1);
        let nonsense = |_: &String, _: &String| {
            match Dice::new(calls.fetch_add(1, Relaxed) as u64).below(3) {
                0 => Ordering::Less,
                1 => Ordering::Equal,
                _ => Ordering::Greater,
            }
        };
        let words = |v: &[u32]| -> Vec<String> { v.iter().map(u32::to_string).collect() };
        let (left, right) = (words(&left), words(&right));
        let most = left.len() + right.len();
        Place::Pool(3).run(|| {
            assert!(union_by(&left, &right, nonsense).len() <= most);
            assert!(intersection_by(&left, &right, nonsense).len() <= most);
            assert!(difference_by(&left, &right, nonsense).len() <= left.len());
        });
    }
}

/// Whatever the comparator answers, an element is in a result once at most, and in a union at least once or equal to one that is.
#[test]
fn of_every_disorder() {
    for (kind, disorder) in DISORDERS.iter().enumerate() {
        for (m, n) in [(0, 50), (30, 21), (9000, 7000), (500, 20_000)] {
            let mut dice = Dice::new(kind as u64);
            let mut tagged = |len: usize, from: usize| -> Vec<(u32, usize)> {
                let mut tag = |i| (dice.below(len) as u32, from + i);
                (0..len).map(&mut tag).collect()
            };
            let (left, right) = (tagged(m, 0), tagged(n, m));
            for place in [Place::Pool(2), Place::Pool(8)] {
                let calls = AtomicUsize::new(0);
                let compare = |a: &(u32, usize), b: &(u32, usize)| {
                    disorder(calls.fetch_add(1, Relaxed), a.0, b.0)
                };
                let [all, both, first, other] = place.run(|| {
                    [
                        left.par_union_by(&right, compare),
                        left.par_intersection_by(&right, compare),
                        left.par_difference_by(&right, compare),
                        left.par_symmetric_difference_by(&right, compare),
                    ]
                });
                let context = format!("kind {kind}, {m} and {n}, {place:?}");
                for result in [&all, &both, &first, &other] {
                    let tags: HashSet<usize> = result.iter().map(|x| x.1).collect();
                    assert_eq!(tags.len(), result.len(), "{context}");
                    assert!(tags.iter().all(|&tag| tag < m + n), "{context}");
                }
                assert!(all.len() >= m.max(n), "{context}");
                assert!(both.len() <= m.min(n), "{context}");
                // What is in one alone may be any element, if the order is none, but of the left slice here.
                assert!(first.iter().chain(&both).all(|x| x.1 < m), "{context}");
            }
        }
    }
}

#[test]
fn a_panic_drops_what_was_made() {
    const N: usize = 20_000;
    let mut dice = Dice::new(1);
    for place in Place::all() {
        for _ in 0..5 {
            let ledger = Ledger::new(N);
            let v = ledger.tokens();
            let calls = AtomicUsize::new(dice.below(N / 2));
            let compare = |a: &_, b: &_| {
                if calls.fetch_sub(1, Relaxed) == 0 {
                    planted(3);
                }
                Ord::cmp(a, b)
            };
            let outcome = place.run(|| caught(|| union_by(&v, &v[N / 2..], compare)));
            assert_eq!(outcome.err(), Some(3));
            ledger.assert_each_live(1);
        }
    }
}

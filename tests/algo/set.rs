//! Set operations against counts of the elements.

use crate::support::{Dice, Ledger, Place, caught, costly, ints, oracle, planted, same_everywhere};
use filch::algo::*;
use filch::ext::*;
use proptest::prelude::*;
use std::cmp::Ordering;
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
                union_by(&left, &right, by_number),
                intersection_by(&left, &right, by_number),
                difference_by(&left, &right, by_number),
                symmetric_difference_by(&left, &right, by_number),
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

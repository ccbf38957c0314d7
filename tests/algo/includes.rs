//! Inclusion against a merge of counts, and the last occurrence against a look into every window.

use crate::support::{DISORDERS, Dice, Place, costly, ints, oracle, same_everywhere};
use filch::ext::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn counts(v: &[i32]) -> BTreeMap<i32, usize> {
    let mut counts = BTreeMap::new();
    v.iter().for_each(|x| *counts.entry(*x).or_insert(0) += 1);
    counts
}

fn by_counts(v: &[i32], others: &[i32]) -> bool {
    let v = counts(v);
    counts(others).iter().all(|(x, n)| v.get(x) >= Some(n))
}

/// Some of the elements, in order; now and then one too many.
fn others(v: &[i32], seed: u64) -> Vec<i32> {
    let mut dice = Dice::new(seed);
    let mut others: Vec<i32> = v.iter().copied().filter(|_| dice.below(3) > 0).collect();
    if dice.below(2) == 0 && !v.is_empty() {
        others.push(v[dice.below(v.len())]);
    }
    others.sort();
    others
}

#[test]
fn each_as_often() {
    oracle(
        (ints(), 0..1000u64, 1..200i32),
        |(v, seed, span)| {
            let mut v: Vec<i32> = v.iter().map(|x| x / span).collect();
            v.sort();
            let others = others(&v, *seed);
            let slow = |a: &i32, b: &i32| costly(*a).cmp(b);
            [v.par_includes(&others), v.par_includes_by(&others, slow)]
        },
        |(v, seed, span)| {
            let mut v: Vec<i32> = v.iter().map(|x| x / span).collect();
            v.sort();
            [by_counts(&v, &others(&v, *seed)); 2]
        },
    );
}

#[test]
fn runs_across_pieces_and_nothing() {
    let v = [vec![1; 300], vec![2; 1000], vec![3; 5]].concat();
    for (ones, twos, threes) in [
        (300, 1000, 5),
        (0, 1000, 0),
        (0, 1001, 0),
        (1, 999, 6),
        (301, 0, 0),
    ] {
        let others = [vec![1; ones], vec![2; twos], vec![3; threes]].concat();
        let fits = ones <= 300 && twos <= 1000 && threes <= 5;
        same_everywhere(|| v.par_includes(&others), || fits);
    }
    assert!([0; 0].par_includes(&[]) && [1].par_includes(&[]) && ![].par_includes(&[1]));
    assert!([(); 3].par_includes(&[(); 3]) && ![(); 3].par_includes(&[(); 4]));
}

/// A few elements are looked for in a long slice with few comparisons.
#[test]
fn gallops() {
    let v: Vec<u32> = (0..1_000_000).collect();
    let calls = AtomicUsize::new(0);
    let compare = |a: &u32, b: &u32| {
        calls.fetch_add(1, Relaxed);
        a.cmp(b)
    };
    assert!(v.par_includes_by(&[5, 400_000, 999_999], compare));
    assert!(calls.load(Relaxed) < 250, "{calls:?}");
}

#[test]
fn of_disorder() {
    for disorder in DISORDERS {
        let v: Vec<u32> = (0..5000).collect();
        let calls = AtomicUsize::new(0);
        let compare = |a: &u32, b: &u32| disorder(calls.fetch_add(1, Relaxed), *a, *b);
        Place::Pool(3).run(|| v.par_includes_by(&v, compare));
    }
}

#[test]
fn the_last_occurrence() {
    let mut dice = Dice::new(3);
    for len in [0, 1, 2, 5, 100, 4095, 4097, 20_000] {
        // Few letters, so that there are many ends.
        let v: Vec<u8> = (0..len).map(|_| dice.below(2) as u8).collect();
        for wanted_len in [0, 1, 2, 8, 13, 16, 40, 3000] {
            let start = dice.below(len + 1);
            let end = len.min(start + wanted_len);
            let mut wanted = v[start..end].to_vec();
            let naive = (0..=v.len()).rfind(|&i| v[i..].starts_with(&wanted));
            same_everywhere(|| v.par_find_end(&wanted), || naive);
            if let Some(first) = wanted.first_mut() {
                *first = 2;
                same_everywhere(|| v.par_find_end(&wanted), || None);
            }
        }
    }
    assert_eq!([(); 5000].par_find_end(&[(); 500]), Some(4500));
    assert_eq!([(); 5].par_find_end(&[(); 6]), None);
}

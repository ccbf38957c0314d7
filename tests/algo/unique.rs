//! The first of each kind, against a set of what was seen.

use crate::support::{Dice, Ledger, Place, caught, costly, ints, oracle, planted, same_everywhere};
use filch::ext::*;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn naive<T: Clone, K: Hash + Eq>(v: &[T], key: impl Fn(&T) -> K) -> Vec<T> {
    let mut seen = HashSet::new();
    v.iter().filter(|x| seen.insert(key(x))).cloned().collect()
}

#[test]
fn keeps_the_first_of_each() {
    oracle(
        (ints(), 1..200i32),
        |(v, span)| {
            let mut plain: Vec<i32> = v.iter().map(|x| x / span).collect();
            let mut pairs: Vec<(i32, usize)> = plain.iter().copied().zip(0..).collect();
            plain.par_unique();
            pairs.par_unique_by_key(|p| costly(p.0));
            (plain, pairs)
        },
        |(v, span)| {
            let plain: Vec<i32> = v.iter().map(|x| x / span).collect();
            let pairs: Vec<(i32, usize)> = plain.iter().copied().zip(0..).collect();
            (naive(&plain, |x| *x), naive(&pairs, |p| p.0))
        },
    );
}

#[test]
fn few_and_many_kinds() {
    for kinds in [1, 10, 5000, 1_000_000] {
        let mut dice = Dice::new(kinds as u64);
        let v: Vec<String> = (0..40_000).map(|_| dice.below(kinds).to_string()).collect();
        same_everywhere(
            || {
                let mut v = v.clone();
                v.par_unique();
                v
            },
            || naive(&v, |x| x.clone()),
        );
    }
}

/// Few kinds at first, and others that come late: a block that seems to repeat itself still has firsts.
#[test]
fn kinds_that_come_late() {
    let v: Vec<u32> = (0..40_000)
        .map(|i| if i % 997 == 0 { i } else { i % 7 })
        .collect();
    same_everywhere(
        || {
            let mut v = v.clone();
            v.par_unique();
            v
        },
        || naive(&v, |x| *x),
    );
}

/// All hashes alike: slow, and right.
#[test]
fn a_hash_that_is_none() {
    #[derive(PartialEq, Eq, Clone, Debug)]
    struct Dull(u32);
    impl Hash for Dull {
        fn hash<H: Hasher>(&self, _: &mut H) {}
    }
    let v: Vec<Dull> = (0..6000).map(|i| Dull(i * 31 % 70)).collect();
    let mut want = v.clone();
    want.truncate(70);
    for place in Place::all() {
        let mut v = v.clone();
        place.run(|| v.par_unique());
        assert_eq!(v, want);
    }
}

#[test]
fn drops_the_others_and_nothing_after_a_panic() {
    // In one table, in one after the hashes, and in blocks.
    for n in [300, 900, 6000] {
        for place in Place::all() {
            let ledger = Ledger::new(n);
            let mut v = ledger.tokens();
            let panics = |at: usize| {
                move |t: &crate::support::Token| {
                    if t.id() == at {
                        planted(at);
                    }
                    t.id() % 100
                }
            };
            for at in [0, 1, n / 2, n - 1] {
                let outcome = place.run(|| caught(|| v.par_unique_by_key(panics(at))));
                assert_eq!(outcome, Err(at));
                ledger.assert_each_live(1);
                assert!(v.iter().map(|t| t.id()).eq(0..n));
            }
            place.run(|| v.par_unique_by_key(panics(n)));
            assert!(v.iter().map(|t| t.id()).eq(0..100));
            assert_eq!(ledger.live(100), 0);
            drop(v);
            ledger.assert_all_gone();
        }
    }
}

/// A key that is another one each time: some are kept, in their order, and nothing worse.
#[test]
fn keys_that_lie() {
    for n in [300, 900, 6000] {
        for place in Place::all() {
            let calls = AtomicUsize::new(0);
            let mut v: Vec<usize> = (0..n).collect();
            place.run(|| v.par_unique_by_key(|x| (x + calls.fetch_add(1, Relaxed)) % 50));
            assert!(!v.is_empty() && v.is_sorted_by(|a, b| a < b));
        }
    }
}

#[test]
fn nothing_much() {
    let mut units = vec![(); 9000];
    units.par_unique();
    assert_eq!(units.len(), 1);
    let mut none: Vec<u8> = Vec::new();
    none.par_unique();
    assert!(none.is_empty());
}

//! Joins against two loops, one inside the other.

use crate::panics::Fuse;
use crate::support::{
    DISORDERS, Dice, Ledger, Place, caught, costly, oracle, same_everywhere, small_ints,
};
use filch::algo::{hash_join, hash_left_join, merge_join};
use std::cmp::Ordering::Less;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

type Row = (i32, usize);

fn rows(v: &[i32], keys: i32) -> Vec<Row> {
    v.iter().map(|x| x % keys).zip(0..).collect()
}

fn by_loops(left: &[Row], right: &[Row]) -> Vec<(Row, Row)> {
    let pairs = left
        .iter()
        .flat_map(|l| right.iter().map(move |r| (*l, *r)));
    pairs.filter(|(l, r)| l.0 == r.0).collect()
}

fn owned(pairs: Vec<(&Row, &Row)>) -> Vec<(Row, Row)> {
    pairs.into_iter().map(|(l, r)| (*l, *r)).collect()
}

#[test]
fn hash_joins() {
    oracle(
        (small_ints(), small_ints(), 1..500i32),
        |(left, right, keys)| {
            let (left, right) = (rows(left, *keys), rows(right, *keys));
            let pairs = owned(hash_join(&left, &right, |l| costly(l.0), |r| r.0));
            let all = hash_left_join(&left, &right, |l| l.0, |r| costly(r.0));
            let all: Vec<_> = all.into_iter().map(|(l, r)| (*l, r.copied())).collect();
            (pairs, all)
        },
        |(left, right, keys)| {
            let (left, right) = (rows(left, *keys), rows(right, *keys));
            let mut all = Vec::new();
            for l in &left {
                let partners = right.iter().filter(|r| r.0 == l.0);
                let before = all.len();
                all.extend(partners.map(|r| (*l, Some(*r))));
                if all.len() == before {
                    all.push((*l, None));
                }
            }
            (by_loops(&left, &right), all)
        },
    );
}

#[test]
fn merge_joins() {
    oracle(
        (small_ints(), small_ints(), 1..500i32),
        |(left, right, keys)| {
            let (mut left, mut right) = (rows(left, *keys), rows(right, *keys));
            left.sort();
            right.sort();
            owned(merge_join(&left, &right, |l, r| costly(l.0).cmp(&r.0)))
        },
        |(left, right, keys)| {
            let (mut left, mut right) = (rows(left, *keys), rows(right, *keys));
            left.sort();
            right.sort();
            by_loops(&left, &right)
        },
    );
}

/// Many parts on the right; keys that are everywhere, and keys that are once.
#[test]
fn long_ones() {
    let mut dice = Dice::new(4);
    for keys in [40_000, 300_000] {
        let mut side = |n: usize| -> Vec<Row> {
            let mut key = |i| (dice.below(keys) as i32, i);
            (0..n).map(&mut key).collect()
        };
        let (mut left, right) = (side(30_000), side(50_000));
        left.iter_mut()
            .step_by(3)
            .for_each(|row| row.0 = right[7].0);
        let (mut sorted_left, mut sorted_right) = (left.clone(), right.clone());
        sorted_left.sort();
        sorted_right.sort();
        let mut model = owned(merge_join(&sorted_left, &sorted_right, |l, r| {
            l.0.cmp(&r.0)
        }));
        let joined = || owned(hash_join(&left, &right, |l| l.0, |r| r.0));
        let merged = || {
            owned(merge_join(&sorted_left, &sorted_right, |l, r| {
                l.0.cmp(&r.0)
            }))
        };
        same_everywhere(merged, || model.clone());
        // In the order of the left slice, then of the right one.
        model.sort_by_key(|(l, r)| (l.1, r.1));
        same_everywhere(joined, || model.clone());
        // Each left row as often as there are right ones with its key.
        let mut counts = std::collections::HashMap::new();
        right
            .iter()
            .for_each(|r| *counts.entry(r.0).or_insert(0) += 1);
        let pairs: usize = left.iter().filter_map(|l| counts.get(&l.0)).sum();
        assert_eq!(model.len(), pairs);
    }
}

#[test]
fn keys_that_are_borrowed_and_nothing() {
    let words = ["a", "bb", "a"].map(String::from);
    let pairs = hash_join(&words, &["a", "c"], |w| w.clone(), |r| r.to_string());
    assert_eq!(pairs.len(), 2);
    assert!(hash_join(&[0; 0], &[1], |x| *x, |x| *x).is_empty());
    assert!(hash_join(&[1], &[0; 0], |x| *x, |x| *x).is_empty());
    assert_eq!(hash_left_join(&[1], &[0; 0], |x| *x, |x| *x), [(&1, None)]);
    assert_eq!(
        merge_join(&[(); 3], &[(); 4], |_, _| std::cmp::Ordering::Equal).len(),
        12
    );
    assert!(merge_join(&[1], &[0; 0], Ord::cmp).is_empty());
}

/// A key whose hash and equality disagree, each in a way of its own.
#[derive(Clone)]
struct Liar(u32, usize);

static ASKED: AtomicUsize = AtomicUsize::new(0);

impl Hash for Liar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let asked = ASKED.fetch_add(1, Relaxed);
        match self.1 {
            0 => 0u8.hash(state),
            1 => asked.hash(state),
            _ => (self.0 % 7).hash(state),
        }
    }
}

impl PartialEq for Liar {
    fn eq(&self, other: &Self) -> bool {
        match self.1 {
            0 => false,
            1 => true,
            _ => ASKED.fetch_add(1, Relaxed).is_multiple_of(2) || self.0 == other.0,
        }
    }
}

impl Eq for Liar {}

#[test]
fn keys_that_lie() {
    for lie in 0..3 {
        for n in [10, 3000, 20_000] {
            // So many with one hash are compared with each other.
            let n = if lie == 0 { n.min(3000) } else { n };
            for place in [Place::Pool(1), Place::Pool(8), Place::CutAtRandom] {
                let v: Vec<(Liar, usize)> = (0..n).map(|i| (Liar(i as u32, lie), i)).collect();
                let key = |x: &(Liar, usize)| x.0.clone();
                let few = &v[..n.min(200)];
                let pairs = place.run(|| hash_join(few, &v, key, key));
                let distinct: HashSet<_> = pairs.iter().map(|(l, r)| (l.1, r.1)).collect();
                assert_eq!(distinct.len(), pairs.len());
                let all = place.run(|| hash_left_join(few, &v, key, key));
                let lefts: HashSet<usize> = all.iter().map(|(l, _)| l.1).collect();
                assert_eq!(lefts.len(), few.len());
            }
        }
    }
}

#[test]
fn slices_that_are_in_no_order() {
    for disorder in DISORDERS {
        let mut dice = Dice::new(1);
        let v: Vec<(u32, usize)> = (0..700).map(|i| (dice.below(90) as u32, i)).collect();
        for place in [Place::Pool(1), Place::Pool(3)] {
            let calls = AtomicUsize::new(0);
            let compare = |l: &(u32, usize), r: &(u32, usize)| {
                disorder(calls.fetch_add(1, Relaxed), l.0, r.0)
            };
            let pairs = place.run(|| merge_join(&v, &v, compare));
            let distinct: HashSet<_> = pairs.iter().map(|(l, r)| (l.1, r.1)).collect();
            assert_eq!(distinct.len(), pairs.len());
        }
    }
}

#[test]
fn a_panic_at_each_call() {
    const N: usize = 12;
    for place in Place::all() {
        for calls in 0..120 {
            let ledger = Ledger::new(N);
            let (v, fuse) = (ledger.tokens(), Fuse::of(calls));
            let key = |token: &crate::support::Token| {
                fuse.burn();
                token.clone()
            };
            let _ = place.run(|| {
                caught(|| {
                    assert_eq!(hash_join(&v, &v, key, key).len(), N);
                    merge_join(&v, &v, |l, r| {
                        fuse.burn();
                        l.cmp(r)
                    })
                    .len()
                })
            });
            ledger.assert_each_live(1);
        }
    }
}

#[test]
fn a_slice_of_as_many_elements_as_can_be() {
    let right: &[()] = &[(); usize::MAX];
    let pairs = merge_join(&[0u8, 1], right, |l, ()| l.cmp(&0).then(Less));
    assert!(pairs.is_empty());
}

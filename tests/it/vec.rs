//! Vectors: drained, grown, and taken apart.

use crate::support::{Ledger, Place, cuts, oracle, quietly, same_everywhere};
use filch::prelude::*;
use std::ops::{Bound, RangeBounds};

#[test]
fn drains_of_every_range() {
    const N: usize = 12;
    for place in Place::all() {
        for i in 0..=N {
            for j in i..=N {
                let ledger = Ledger::new(N);
                let mut v = ledger.tokens();
                let drained: Vec<_> = place.run(|| v.par_drain(i..j).collect());
                assert!(
                    drained.iter().map(|t| t.id()).eq(i..j),
                    "{place:?}: {i}..{j}"
                );
                assert!(
                    v.iter().map(|t| t.id()).eq((0..i).chain(j..N)),
                    "{place:?}: {i}..{j}"
                );
                ledger.assert_each_live(1);
                drop((drained, v));
                ledger.assert_all_gone();
            }
        }
    }
}

#[test]
fn drains_against_std() {
    oracle(
        (cuts(), cuts()),
        |(a, b)| {
            let mut v = a.v.clone();
            let range = range(&a.v, a.at, b.at);
            let drained: Vec<i32> = v.par_drain(range).rev().collect();
            (drained, v)
        },
        |(a, b)| {
            let mut v = a.v.clone();
            let drained = v.drain(range(&a.v, a.at, b.at)).rev().collect();
            (drained, v)
        },
    );
}

fn range(v: &[i32], i: usize, j: usize) -> std::ops::Range<usize> {
    let (i, j) = (i.min(v.len()), j.min(v.len()));
    i.min(j)..i.max(j)
}

/// Ranges in all spellings.
#[test]
fn bounds() {
    fn drained(range: impl RangeBounds<usize> + Send) -> (Vec<u32>, Vec<u32>) {
        let mut v: Vec<u32> = (0..10).collect();
        let drained = v.par_drain(range).collect();
        (drained, v)
    }
    let split = |i: u32, j: u32| ((i..j).collect::<Vec<_>>(), (0..i).chain(j..10).collect());
    assert_eq!(drained(..), split(0, 10));
    assert_eq!(drained(4..), split(4, 10));
    assert_eq!(drained(..4), split(0, 4));
    assert_eq!(drained(..=4), split(0, 5));
    assert_eq!(drained(2..=4), split(2, 5));
    assert_eq!(drained(10..), split(10, 10));
    assert_eq!(drained(5..5), split(5, 5));
    assert_eq!(
        drained((Bound::Excluded(1), Bound::Included(3))),
        split(2, 4)
    );
}

#[test]
fn ranges_beyond_the_end_panic() {
    let drain =
        |range: std::ops::Range<usize>| quietly(|| vec![1, 2, 3].par_drain(range).count()).is_err();
    assert!(drain(0..4));
    assert!(drain(4..4));
    assert!(!drain(3..3));
}

/// A drain that is dropped, or forgotten, or walked in part.
#[test]
fn drains_left_alone() {
    for place in Place::all() {
        let ledger = Ledger::new(30);
        let mut v = ledger.tokens();
        place.run(|| drop(v.par_drain(10..20)));
        assert!(
            v.iter().map(|t| t.id()).eq((0..10).chain(20..30)),
            "{place:?}"
        );
        place.run(|| assert_eq!(v.par_drain(5..15).take(3).count(), 3));
        assert!(
            v.iter().map(|t| t.id()).eq((0..5).chain(25..30)),
            "{place:?}"
        );
        place.run(|| assert!(v.par_drain(..).any(|t| t.id() == 3)));
        assert!(v.is_empty());
        ledger.assert_all_gone();
    }
    // What a forgotten drain held may leak, and the rest with it, but nothing is dropped twice.
    let ledger = Ledger::new(30);
    let mut v = ledger.tokens();
    std::mem::forget(v.par_drain(10..20));
    assert!(v.len() <= 30);
    let left = v.len();
    drop(v);
    assert!((0..30).all(|id| ledger.live(id) == isize::from(id >= left)));
}

/// The room of a vector stays with it.
#[test]
fn drains_keep_the_room() {
    same_everywhere(
        || {
            let mut v: Vec<u32> = Vec::with_capacity(1000);
            let at = v.as_ptr();
            for _ in 0..5 {
                v.par_extend((0..1000).into_par_iter());
                assert_eq!(v.par_drain(..).sum::<u32>(), 499_500);
                assert!(v.is_empty());
            }
            (v.capacity(), v.as_ptr() == at)
        },
        || (1000, true),
    );
}

#[test]
fn drains_without_size() {
    same_everywhere(
        || {
            let mut v = vec![(); 1000];
            let some = v.par_drain(100..300).count();
            let none = v.par_drain(5..5).count();
            let mut all = vec![(); usize::MAX];
            let any = all.par_drain(1..usize::MAX - 1).any(|()| true);
            (some, none, v.len(), any, all.len())
        },
        || (200, 0, 800, true, 2),
    );
}

/// More elements than there can be: a panic before anything is written.
#[test]
fn too_much_to_collect_panics() {
    let collect = std::panic::catch_unwind(|| {
        (0..usize::MAX)
            .into_par_iter()
            .map(|x| x as u64)
            .collect::<Vec<_>>()
    });
    assert!(collect.is_err());
    let chained = std::panic::catch_unwind(|| {
        let long = || (0..usize::MAX).into_par_iter();
        long().chain(long()).collect_into_vec(&mut Vec::new());
    });
    assert!(chained.is_err());
}

//! Maps of std as sources.

use crate::support::{Ledger, Place, costly, ints, oracle};
use filch::prelude::*;
use std::collections::HashMap;

fn map(v: &[i32]) -> HashMap<i32, usize> {
    v.iter().copied().zip(0..).collect()
}

#[test]
fn hash_map_shared() {
    oracle(
        ints(),
        |v| {
            let map = map(v);
            let mut pairs: Vec<_> = map.par_iter().map(|(k, v)| (costly(*k), *v)).collect();
            pairs.sort_unstable();
            (
                pairs,
                map.par_iter().count(),
                (&map).into_par_iter().map(|(_, v)| v).max().copied(),
            )
        },
        |v| {
            let map = map(v);
            let mut pairs: Vec<_> = map.iter().map(|(k, v)| (*k, *v)).collect();
            pairs.sort_unstable();
            (pairs, map.len(), map.values().max().copied())
        },
    );
}

#[test]
fn hash_map_mutable() {
    oracle(
        ints(),
        |v| {
            let mut map = map(v);
            map.par_iter_mut()
                .for_each(|(k, v)| *v += *k as u32 as usize);
            map
        },
        |v| {
            let mut map = map(v);
            map.iter_mut().for_each(|(k, v)| *v += *k as u32 as usize);
            map
        },
    );
}

#[test]
fn hash_map_by_value() {
    oracle(
        ints(),
        |v| {
            let mut pairs: Vec<_> = map(v).into_par_iter().filter(|(k, _)| k % 2 == 0).collect();
            pairs.sort_unstable();
            let swapped: HashMap<_, _> = map(v).into_par_iter().map(|(k, v)| (v, k)).collect();
            (pairs, swapped)
        },
        |v| {
            let mut pairs: Vec<_> = map(v).into_iter().filter(|(k, _)| k % 2 == 0).collect();
            pairs.sort_unstable();
            (pairs, map(v).into_iter().map(|(k, v)| (v, k)).collect())
        },
    );
}

#[test]
#[expect(
    clippy::mutable_key_type,
    reason = "the counts of a token are no part of its hash"
)]
fn hash_map_drops() {
    for place in Place::all() {
        let ledger = Ledger::new(500);
        let map = || {
            ledger
                .tokens()
                .into_iter()
                .map(|t| (t.clone(), t))
                .collect::<HashMap<_, _>>()
        };
        place.run(|| {
            map().into_par_iter().for_each(|(k, v)| assert_eq!(k, v));
            assert!(map().into_par_iter().any(|(k, _)| k.id() == 77));
            drop(map().into_par_iter());
            let kept: HashMap<_, _> = map().into_par_iter().filter(|(k, _)| k.id() < 9).collect();
            assert_eq!(kept.len(), 9);
        });
        ledger.assert_all_gone();
    }
}

/// With room for many more than there are.
#[test]
fn a_hash_map_that_is_nearly_empty() {
    for place in Place::all() {
        let mut map: HashMap<u32, u32> = HashMap::with_capacity(100_000);
        map.extend((0..5).map(|i| (i, i)));
        place.run(|| {
            assert_eq!(map.par_iter().count(), 5);
            assert_eq!(map.par_iter().map(|(k, _)| k).sum::<u32>(), 10);
            map.par_iter_mut().for_each(|(_, v)| *v += 1);
            assert_eq!(map.into_par_iter().map(|(_, v)| v).sum::<u32>(), 15);
        });
    }
}

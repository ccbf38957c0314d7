//! Each end on small random inputs, in all places.

use super::keys::grouped;
use crate::support::{Ledger, alone, costly, ints, largest_request, oracle};
use filch::algo::group::ByKey;
use filch::ext::*;
use filch::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::hash::RandomState;

fn key(x: i32) -> i32 {
    x.rem_euclid(37)
}

fn pairs(v: &[i32]) -> impl Iterator<Item = (i32, i32)> {
    v.iter().map(|&x| (key(x), x))
}

#[test]
fn counts() {
    oracle(
        ints(),
        |v| {
            let counts = v.par_iter().count_by_key(|&x| key(costly(x)));
            counts.into_iter().collect::<BTreeMap<_, _>>()
        },
        |v| {
            let groups = grouped(pairs(v)).into_iter();
            groups.map(|(key, values)| (key, values.len())).collect()
        },
    );
}

#[test]
fn reductions_keep_the_order() {
    oracle(
        ints(),
        |v| {
            let texts = v.par_iter().map(|&x| (key(x), costly(x).to_string()));
            let texts = texts.reduce_by_key(|a, b| a.push_str(&b));
            texts.into_iter().collect::<BTreeMap<_, _>>()
        },
        |v| {
            let texts = grouped(pairs(v).map(|(key, x)| (key, x.to_string())));
            texts.into_iter().map(|(k, v)| (k, v.concat())).collect()
        },
    );
}

#[test]
fn aggregates() {
    oracle(
        ints(),
        |v| {
            let pairs = v.par_iter().map(|&x| (key(x).to_string(), costly(x)));
            let sums = pairs.aggregate_by_key(
                || (0, 0),
                |(sum, n), x| (*sum, *n) = (*sum + x, *n + 1),
                |a, b| *a = (a.0 + b.0, a.1 + b.1),
            );
            sums.into_iter().collect::<BTreeMap<_, _>>()
        },
        |v| {
            let groups = grouped(pairs(v)).into_iter();
            groups
                .map(|(key, v)| (key.to_string(), (v.iter().sum::<i32>(), v.len() as i32)))
                .collect()
        },
    );
}

#[test]
fn groups() {
    oracle(
        ints(),
        |v| {
            let mut groups = v.par_iter().map(|&x| (key(x), costly(x))).group_by_key();
            groups.sort();
            let in_parallel: Vec<(i32, Vec<i32>)> = groups
                .par_iter()
                .map(|(key, values)| (*key, values.to_vec()))
                .collect();
            assert_eq!(groups.len(), in_parallel.len());
            assert_eq!(groups.is_empty(), v.is_empty());
            assert_eq!(groups.values().len(), v.len());
            in_parallel
        },
        |v| grouped(pairs(v)).into_iter().collect(),
    );
}

#[test]
fn maps_and_lists_of_groups() {
    oracle(
        ints(),
        |v| {
            let mut groups = v.par_iter().map(|&x| (key(x), costly(x))).group_by_key();
            groups.sort();
            let by_key = groups.to_map();
            assert_eq!(by_key.len(), groups.len());
            assert!(groups.iter().all(|(key, values)| by_key[key] == values));
            assert_eq!(by_key.get(&37), None);
            let map: BTreeMap<i32, Vec<i32>> = groups.clone().into_map().into_iter().collect();
            (map, groups.into_sorted_vec())
        },
        |v| {
            let groups = grouped(pairs(v));
            (groups.clone(), groups.into_iter().collect())
        },
    );
}

#[test]
fn lists_of_groups_drop_each_value_once() {
    let n = 300;
    let ledger = Ledger::new(n);
    let pairs = (0..n).into_par_iter().map(|i| (i % 7, ledger.token(i)));
    let mut map = pairs.group_by_key().into_map();
    let threes = map.remove(&3).unwrap();
    drop(map);
    assert!((0..n).all(|i| ledger.live(i) == isize::from(i % 7 == 3)));
    drop(threes);
    ledger.assert_all_gone();
}

#[test]
fn ranges_of_groups_lie_side_by_side() {
    let pairs = (0..1000).into_par_iter().map(|i| (i % 7, i));
    let (mut groups, values) = pairs.group_by_key().into_parts();
    groups.sort_by_key(|(_, range)| range.start);
    let mut end = 0;
    for (key, range) in groups {
        assert_eq!(range.start, end);
        end = range.end;
        assert!(values[range].iter().copied().eq((key..1000).step_by(7)));
    }
    assert_eq!(end, 1000);
}

#[test]
fn options_of_order() {
    oracle(
        ints(),
        |v| {
            let by_key = || v.par_iter().copied().by_key(|&x| key(x));
            let first_seen = || by_key().first_seen();
            let groups = first_seen().group();
            (
                by_key().count().into_sorted_vec(),
                by_key().reduce(|a, b| *a += b).into_sorted_vec(),
                first_seen().count(),
                first_seen().reduce(|a, b| *a += b),
                first_seen().aggregate(|| 1, |a, b| *a = b.max(*a), |a, b| *a = b.max(*a)),
                groups
                    .iter()
                    .map(|(key, values)| (*key, values.to_vec()))
                    .collect::<Vec<_>>(),
            )
        },
        |v| {
            let sorted: Vec<(i32, Vec<i32>)> = grouped(pairs(v)).into_iter().collect();
            let mut seen = sorted.clone();
            seen.sort_by_key(|(k, _)| v.iter().position(|&x| key(x) == *k));
            let each = |groups: &[(i32, Vec<i32>)], f: fn(&[i32]) -> i32| -> Vec<(i32, i32)> {
                groups.iter().map(|(key, v)| (*key, f(v))).collect()
            };
            let count = |groups: &[(i32, Vec<i32>)]| -> Vec<(i32, usize)> {
                groups.iter().map(|(key, v)| (*key, v.len())).collect()
            };
            (
                count(&sorted),
                each(&sorted, |v| v.iter().sum()),
                count(&seen),
                each(&seen, |v| v.iter().sum()),
                each(&seen, |v| v.iter().copied().max().unwrap().max(1)),
                seen,
            )
        },
    );
}

#[test]
fn histograms() {
    oracle(
        ints(),
        |v| v.par_iter().histogram(37, |&x| key(costly(x)) as usize),
        |v| {
            let mut bins = vec![0; 37];
            v.iter().for_each(|&x| bins[key(x) as usize] += 1);
            bins
        },
    );
}

#[test]
fn the_most_frequent() {
    for k in [0, 1, 5, 36, 37, 100] {
        oracle(
            ints(),
            move |v| v.par_iter().top_k_by_count(k, |&x| key(costly(x))),
            move |v| {
                let groups = grouped(pairs(v)).into_iter();
                let mut counts: Vec<_> = groups.map(|(key, v)| (key, v.len())).collect();
                counts.sort_by_key(|&(key, n)| (std::cmp::Reverse(n), key));
                counts.truncate(k);
                counts
            },
        );
    }
}

#[test]
fn shapes_agree() {
    let items = || (0..1000u64).into_par_iter().by_key(|i| i % 10);
    let by_key = || items().with_hasher(RandomState::new());
    let map: HashMap<u64, usize> = by_key().count().into_map();
    assert_eq!(map.len(), 10);
    assert_eq!(by_key().count().len(), 10);
    let counts_of = |n: u64| (0..n).into_par_iter().by_key(|i| *i).count();
    assert!(counts_of(0).is_empty() && !counts_of(1).is_empty());
    let vec: HashMap<u64, usize> = by_key().count().into_vec().into_iter().collect();
    assert_eq!(vec, map);
    let text = format!("{:?}", by_key().count());
    assert!(text.contains("3: 100"), "{text}");
    let groups = ByKey::new([(1, 'a')].into_par_iter()).group();
    assert_eq!(format!("{groups:?}"), "{1: ['a']}");
}

/// So many keys that the results are in parts.
#[test]
fn a_map_of_many_keys() {
    let keys = 300_000u64;
    let counts = (0..keys).into_par_iter().by_key(|i| *i).count();
    assert_eq!(counts.len() as u64, keys);
    let map = counts.into_map();
    assert_eq!(map.len() as u64, keys);
    assert!((0..keys).all(|key| map[&key] == 1));
}

#[test]
fn to_put_all_pairs_in_order_takes_no_room_for_numbers_of_them() {
    alone(2, 60, || {
        let keys = 100_000u64;
        let bytes = keys as usize * size_of::<(u64, usize)>();
        for k in [1, 1_000, 40_000, 60_000, 99_999, 100_000, usize::MAX] {
            let counts = (0..keys).into_par_iter().by_key(|i| *i).count();
            let first = || counts.first_by(k, |a, b| b.0.cmp(&a.0));
            let (pairs, largest) = largest_request(first);
            let (len, capacity) = (k.min(keys as usize), pairs.capacity());
            assert!(
                pairs
                    .into_iter()
                    .eq((0..keys).rev().take(len).map(|key| (key, 1)))
            );
            assert!(capacity <= len + len / 2 + 64, "{capacity} for {len}");
            assert!(
                k <= 40_000 || largest <= bytes,
                "{largest} bytes at once for {k}"
            );
        }
    });
}

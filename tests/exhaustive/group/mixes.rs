//! Inputs that make tables full, items dealt and keys heavy.

use super::keys::{Mix, grouped, wide};
use crate::support::{Place, within};
use filch::algo::group::Map;
use filch::ext::*;
use filch::prelude::*;
use std::collections::BTreeMap;

const N: usize = 15_000;

const MIXES: [Mix; 6] = [
    Mix::Distinct,
    Mix::Even(10),
    Mix::Even(6000),
    Mix::Heavy,
    Mix::Falling,
    Mix::Changing,
];

#[test]
fn counts_of_every_mix() {
    within(120, || {
        for (round, mix) in MIXES.into_iter().enumerate() {
            let keys = mix.keys(N);
            let mut want: BTreeMap<u64, usize> = BTreeMap::new();
            keys.iter()
                .for_each(|key| *want.entry(*key).or_default() += 1);
            let mut top: Vec<(u64, usize)> = want.iter().map(|(key, n)| (*key, *n)).collect();
            top.sort_by_key(|&(key, n)| (std::cmp::Reverse(n), key));
            top.truncate(9);
            for place in Place::some(round) {
                place.run(|| {
                    let counts = keys.par_iter().count_by_key(|key| wide(*key));
                    let counts: BTreeMap<u64, usize> =
                        counts.into_iter().map(|(key, n)| (key.key, n)).collect();
                    assert_eq!(counts, want, "{mix:?} {place:?}");
                    let first = keys.par_iter().top_k_by_count(9, |key| wide(*key));
                    let first: Vec<_> = first.iter().map(|(key, n)| (key.key, *n)).collect();
                    assert_eq!(first, top, "{mix:?} {place:?}");
                });
            }
        }
    });
}

#[test]
fn the_order_of_values_in_every_mix() {
    within(120, || {
        for (round, mix) in MIXES.into_iter().enumerate() {
            let keys = mix.keys(N);
            let want: Vec<(u64, Vec<usize>)> =
                grouped(keys.iter().copied().zip(0..)).into_iter().collect();
            for place in Place::some(round) {
                place.run(|| {
                    let pairs = keys.par_iter().enumerate().map(|(i, key)| (wide(*key), i));
                    let lists = pairs.clone().aggregate_by_key(
                        Vec::new,
                        Vec::push,
                        |a: &mut Vec<usize>, mut b| a.append(&mut b),
                    );
                    let mut lists: Vec<(u64, Vec<usize>)> =
                        lists.into_iter().map(|(key, v)| (key.key, v)).collect();
                    lists.sort_unstable();
                    assert!(lists == want, "aggregate: {mix:?} {place:?}");

                    let mut groups = pairs.clone().group_by_key();
                    groups.sort();
                    assert_eq!(groups.len(), want.len());
                    assert!(
                        groups
                            .iter()
                            .map(|(key, at)| (key.key, at))
                            .eq(want.iter().map(|(key, at)| (*key, &at[..]))),
                        "group: {mix:?} {place:?}"
                    );
                });
            }
        }
    });
}

#[test]
fn first_seen_in_every_mix() {
    within(120, || {
        for (round, mix) in MIXES.into_iter().enumerate() {
            let keys = mix.keys(N);
            let mut want: Vec<(u64, Vec<usize>)> =
                grouped(keys.iter().copied().zip(0..)).into_iter().collect();
            want.sort_unstable_by_key(|(_, at)| at[0]);
            for place in Place::some(round) {
                place.run(|| {
                    let by_key = || keys.par_iter().by_key(|key| wide(**key)).first_seen();
                    let counts = by_key().count();
                    assert!(
                        counts
                            .iter()
                            .map(|(key, n)| (key.key, *n))
                            .eq(want.iter().map(|(key, at)| (*key, at.len()))),
                        "{mix:?} {place:?}"
                    );
                    let groups = by_key().group();
                    assert!(
                        groups
                            .iter()
                            .map(|(key, _)| key.key)
                            .eq(want.iter().map(|w| w.0))
                    );
                    assert!(
                        groups
                            .iter()
                            .all(|(key, v)| v.iter().all(|k| **k == key.key))
                    );
                });
            }
        }
    });
}

/// The values of a heavy key that folds have gathered, and then some that were dealt, and then some that were gathered again.
#[test]
fn a_key_that_is_heavy_now_and_then() {
    within(120, || {
        let n = 24_000;
        let key = |i: usize| match i {
            0..6_000 => wide(1),
            6_000..18_000 if !i.is_multiple_of(500) => wide(i as u64),
            _ => wide(1),
        };
        let want = grouped((0..n).map(|i| (key(i).key, i)));
        for place in Place::all() {
            let groups = place.run(|| (0..n).into_par_iter().map(|i| (key(i), i)).group_by_key());
            let heavy = groups.iter().find(|(key, _)| key.key == 1).unwrap();
            assert_eq!(heavy.1, want[&1], "{place:?}");
            assert_eq!(groups.len(), want.len());
        }
    });
}

/// Each piece has a table of its own, and many have but one item, or none.
#[test]
fn many_small_pieces() {
    within(120, || {
        let n = 8_000;
        for kinds in [3, 100, 2_000] {
            let pairs = |i: usize| i.is_multiple_of(2).then(|| (i * 7919 % kinds, i));
            let want = grouped((0..n).filter_map(pairs));
            for (place, len) in Place::all().flat_map(|place| [(place, 1), (place, 200)]) {
                let items = (0..n).into_par_iter().with_max_len(len);
                let mut groups = place.run(|| items.filter_map(pairs).group_by_key());
                groups.sort();
                let found = groups.iter().map(|(key, values)| (*key, values.to_vec()));
                assert!(
                    found.eq(want.clone()),
                    "{place:?}, pieces of {len}, {kinds} keys"
                );
                let items = (0..n).into_par_iter().with_max_len(len);
                let lists = place.run(|| {
                    let lists = items.filter_map(pairs).map(|(key, i)| (key, vec![i]));
                    lists.reduce_by_key(|a, mut b| a.append(&mut b))
                });
                assert!(want.iter().all(|(key, values)| lists[key] == *values));
            }
        }
    });
}

/// A key of which a table has room for about 12,000, so that it is judged before it is full.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Middling([u64; 16]);

/// Lines `y = a x + b`, one drawn after the other: that is associative, and does not commute.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Affine(u64, u64);

impl Affine {
    fn then(&mut self, next: Affine) {
        *self = Affine(
            self.0.wrapping_mul(next.0),
            self.1.wrapping_mul(next.0).wrapping_add(next.1),
        );
    }
}

#[test]
fn keys_that_will_not_fit() {
    const N: usize = 60_000;
    within(120, || {
        let in_turn: Vec<u64> = (0..N as u64).map(|i| i % 9000).collect();
        let mostly_one: Vec<u64> = (0..N as u64)
            .map(|i| [i, 7][usize::from(i % 5 < 3)])
            .collect();
        let many = Mix::Even(30_000).keys(N);
        let inputs = [in_turn, mostly_one, many, Mix::Distinct.keys(N)];
        for (round, keys) in inputs.into_iter().enumerate() {
            let pair = |(i, key): (usize, &u64)| {
                let i = i as u64;
                (Middling([*key; 16]), Affine(2 * i + 1, i))
            };
            let mut want: BTreeMap<u64, Affine> = BTreeMap::new();
            for (key, line) in keys.iter().enumerate().map(pair) {
                let so_far = want.entry(key.0[0]).or_insert(Affine(1, 0));
                so_far.then(line);
            }
            for place in Place::some(round) {
                place.run(|| {
                    let check = |lines: Map<Middling, Affine>| {
                        assert_eq!(lines.len(), want.len(), "{place:?}");
                        for (key, line) in lines {
                            assert_eq!(Some(&line), want.get(&key.0[0]), "{place:?}");
                        }
                    };
                    let pairs = keys.par_iter().enumerate().map(pair);
                    check(pairs.clone().reduce_by_key(Affine::then));
                    let unknown = pairs.filter(|_| true);
                    check(unknown.reduce_by_key(Affine::then));
                });
            }
        }
    });
}

/// Each of many folds has more values of its only key than are put into the common log: pieces of 100 items, as halves go. The logs of 256 are
/// laid out at once, those of 512 by parts.
#[test]
fn many_folds_of_one_long_key_each() {
    for (place, folds) in Place::all().flat_map(|place| [(place, 256), (place, 512)]) {
        place.run(|| {
            let pairs = (0..100 * folds).into_par_iter().with_max_len(100);
            let groups = pairs.map(|i: usize| (i / 100, i)).group_by_key();
            assert_eq!(groups.len(), folds);
            for (key, values) in groups.iter() {
                assert!(values.iter().copied().eq(100 * key..100 * key + 100));
            }
        });
    }
}

//! Odd keys, odd hashers, and keys that lie.

use super::keys::{Mix, Wide, wide};
use crate::support::{Dice, Ledger, Place, within};
use filch::ext::*;
use filch::prelude::*;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[test]
fn keys_and_values_without_size() {
    for place in Place::all() {
        place.run(|| {
            let n = 9_000;
            assert_eq!((0..n).into_par_iter().count_by_key(|_| ())[&()], n);
            let groups = (0..n).into_par_iter().map(|_| ((), ())).group_by_key();
            assert_eq!(groups.iter().next(), Some((&(), &vec![(); n][..])));
            let groups = (0..n).into_par_iter().map(|i| (i % 3, ())).group_by_key();
            assert_eq!(groups.iter().map(|(_, v)| v.len()).sum::<usize>(), n);
            let many = (0..n).into_par_iter().map(|i| (wide(i as u64), ()));
            assert_eq!(many.group_by_key().values().len(), n);
        });
    }
}

#[test]
fn values_larger_than_what_is_copied_at_a_time() {
    let large = (0..20u8).into_par_iter().map(|i| (i % 2, [i; 70_000]));
    let groups = large.group_by_key();
    assert!(groups.iter().all(|(key, values)| {
        let firsts = values.iter().map(|value| value[0]);
        firsts.eq((0..20).filter(|i| i % 2 == *key))
    }));
}

#[test]
fn nothing_at_all() {
    for place in Place::all() {
        place.run(|| {
            let none = || (0..0).into_par_iter().map(|i| (i, i));
            assert!(none().count_by_key(|pair| pair).is_empty());
            assert!(none().reduce_by_key(|a, b| *a += b).is_empty());
            assert!(none().group_by_key().is_empty());
            assert_eq!(none().histogram(2, |_| 7), [0, 0]);
            assert_eq!(none().histogram(0, |_| 7), [0; 0]);
            assert_eq!(none().top_k_by_count(3, |pair| pair), []);
            assert_eq!(none().by_key(|pair| *pair).first_seen().count(), []);
        });
    }
}

#[test]
fn an_index_beyond_the_bins_panics() {
    let result = std::panic::catch_unwind(|| (0..9).into_par_iter().histogram(8, |i| i));
    assert!(result.is_err());
}

/// Hands out what is written, or next to nothing.
#[derive(Clone, Copy)]
enum Poor {
    Identity,
    Constant,
}

struct PoorHasher(Poor, u64);

impl BuildHasher for Poor {
    type Hasher = PoorHasher;

    fn build_hasher(&self) -> PoorHasher {
        PoorHasher(*self, 0)
    }
}

impl Hasher for PoorHasher {
    fn finish(&self) -> u64 {
        self.1
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, x: u64) {
        if let (Poor::Identity, 0) = (self.0, self.1) {
            self.1 = x;
        }
    }
}

#[test]
fn poor_hashers() {
    within(120, || {
        for (hasher, n) in [(Poor::Identity, 10_000), (Poor::Constant, 300)] {
            let keys = Mix::Distinct.keys(n);
            for place in Place::all() {
                let by_key = || {
                    keys.par_iter()
                        .by_key(|key| wide(**key))
                        .with_hasher(hasher)
                };
                let counts = place.run(|| by_key().count().into_sorted_vec());
                assert_eq!(counts.len(), n, "{place:?}");
                let groups = place.run(|| by_key().group());
                assert_eq!(groups.len(), n, "{place:?}");
            }
        }
    });
}

/// Hashes and compares anyhow.
struct Liar(Wide);

static LIES: AtomicU64 = AtomicU64::new(0);

fn lie() -> u64 {
    Dice::new(LIES.fetch_add(1, Relaxed)).roll()
}

impl Hash for Liar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let hash = if lie().is_multiple_of(2) {
            lie()
        } else {
            self.0.key
        };
        hash.hash(state);
    }
}

impl PartialEq for Liar {
    fn eq(&self, other: &Self) -> bool {
        if lie().is_multiple_of(2) {
            lie().is_multiple_of(2)
        } else {
            self.0 == other.0
        }
    }
}

impl Eq for Liar {}

#[test]
fn keys_that_lie_do_no_harm() {
    within(120, || {
        let n = 10_000;
        for mix in [Mix::Even(50), Mix::Distinct] {
            let keys = mix.keys(n);
            for place in Place::all() {
                let ledger = Ledger::new(n);
                let pairs = keys
                    .par_iter()
                    .enumerate()
                    .map(|(i, key)| (Liar(wide(*key)), ledger.token(i)));
                let groups = place.run(|| pairs.group_by_key());
                let mut live = vec![0; n];
                groups
                    .values()
                    .iter()
                    .for_each(|token| live[token.id()] += 1);
                assert!((0..n).all(|i| live[i] == 1 && ledger.live(i) == 1));
                drop(groups);
                ledger.assert_all_gone();
                let pairs = || {
                    let keys = keys.par_iter().enumerate();
                    keys.map(|(i, key)| (Liar(wide(*key)), ledger.token(i)))
                };
                let lists = place.run(|| {
                    let append = |a: &mut Vec<_>, mut b| a.append(&mut b);
                    pairs().aggregate_by_key(Vec::new, Vec::push, append)
                });
                let live = lists.values().flatten().count();
                assert!((0..n).all(|i| ledger.live(i) <= 1));
                // Entries of one key are put into a map, of which the last one stays.
                assert_eq!((0..n).filter(|i| ledger.live(*i) == 1).count(), live);
                drop(lists);
                ledger.assert_all_gone();
                let counts = place.run(|| pairs().by_key(|pair| Liar(pair.0.0.clone())).count());
                assert_eq!(counts.into_vec().iter().map(|(_, n)| n).sum::<usize>(), n);
                ledger.assert_all_gone();
            }
        }
    });
}

use std::{collections::HashMap, hash::Hash};

use dashmap::DashMap;
use filch::ext::ParallelByKey as _;
use foldhash::fast::RandomState;

use crate::{
    case::{Case, Suite},
    inputs::{numbers, random, unseen},
    real,
};

type Counts<K> = HashMap<K, usize, RandomState>;

/// Counts the keys, by the same hasher everywhere; the result is the number of different keys, and how often the first one is there.
fn count<K: Copy + Eq + Hash + Send + Sync>(suite: &mut Suite<'_>, name: &'static str, keys: &[K]) {
    fn add<K: Eq + Hash>(mut counts: Counts<K>, key: K) -> Counts<K> {
        *counts.entry(key).or_default() += 1;
        counts
    }
    let seen = |counts: Counts<K>| (counts.len(), counts[&keys[0]]);
    Case::new(name, keys.len())
        .by("std", || {
            seen(unseen(keys).iter().copied().fold(Counts::default(), add))
        })
        .by("filch", || {
            use filch::prelude::*;
            seen(unseen(keys).par_iter().count_by_key(|&key| key))
        })
        .by("rayon", || {
            use rayon::prelude::*;
            let parts = unseen(keys).par_iter().copied().fold(Counts::default, add);
            seen(parts.reduce(Counts::default, |mut a, b| {
                for (key, count) in b {
                    *a.entry(key).or_default() += count;
                }
                a
            }))
        })
        .by("dashmap", || {
            use rayon::prelude::*;
            let counts: DashMap<K, usize, RandomState> = DashMap::default();
            unseen(keys)
                .par_iter()
                .for_each(|&key| *counts.entry(key).or_default() += 1);
            let first = *counts.get(&keys[0]).expect("it was counted");
            (counts.len(), first)
        })
        .put(suite);
}

pub fn cases(suite: &mut Suite<'_>) {
    let words: Vec<&str> = real::text().text.split_whitespace().collect();
    for n in suite.setting.lengths(1_000_000) {
        let few: Vec<u64> = random(n).iter().map(|x| (x >> 8) % 100).collect();
        count(suite, "100 keys", &few);
        count(suite, "n keys", &random(n));
        let drawn: Vec<&str> = numbers(n)
            .iter()
            .map(|&x| words[x as usize % words.len()])
            .collect();
        count(suite, "words of a text", &drawn);
    }
}

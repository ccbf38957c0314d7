//! A few keys that come ever again, and then do not: they are kept in front of the table meanwhile.

use crate::support::pool;
use filch::ext::*;
use filch::prelude::*;
use std::collections::HashMap;

/// Each of `few` keys again and again; after so many items, others now and then, or only others.
fn keys(few: usize, n: usize, others: fn(usize) -> bool) -> Vec<String> {
    let key = |i: usize| match others(i) {
        true => format!("other {}", i / 2),
        false => format!("key {}", i * i % few),
    };
    (0..n).map(key).collect()
}

#[test]
fn the_values_of_each_key_in_their_order() {
    const N: usize = 40_000;
    let others: [fn(usize) -> bool; 4] = [
        |_| false,
        |i| i > 20_000 && i % 100 == 0,
        |i| i > 20_000 && i % 3 > 0,
        |i| i > 30_000,
    ];
    for few in [1, 7, 60] {
        for others in others {
            let keys = keys(few, N, others);
            let mut want: HashMap<&str, Vec<usize>> = HashMap::new();
            for (i, key) in keys.iter().enumerate() {
                want.entry(key).or_default().push(i);
            }
            for threads in [1, 2, 3, 8] {
                pool(threads).install(|| {
                    let counts = keys.par_iter().count_by_key(|key| key.as_str());
                    assert_eq!(counts.len(), want.len());
                    assert!(want.iter().all(|(key, at)| counts[key] == at.len()));
                    let pairs = keys
                        .par_iter()
                        .enumerate()
                        .map(|(i, key)| (key.as_str(), i));
                    let lists = pairs.aggregate_by_key(
                        Vec::new,
                        Vec::push,
                        |earlier: &mut Vec<usize>, mut later| earlier.append(&mut later),
                    );
                    assert!(lists.into_iter().all(|(key, at)| want[key] == at));
                });
            }
        }
    }
}

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

/// In a fold with such keys, each accumulator is dropped once when a closure panics.
#[test]
fn a_panic_loses_nothing() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    let alive = AtomicUsize::new(0);
    struct Counted<'a>(&'a AtomicUsize);
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Relaxed);
        }
    }
    let counted = || {
        alive.fetch_add(1, Relaxed);
        Counted(&alive)
    };
    for at in [5_000, 15_000, 29_999] {
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool(2).install(|| {
                let pairs = (0..30_000usize).into_par_iter().map(|i| (i % 9, i));
                pairs.aggregate_by_key(counted, |_, i| assert_ne!(i, at, "planned"), |_, _| ())
            })
        }));
        assert!(outcome.is_err());
        assert_eq!(alive.load(Relaxed), 0);
    }
}

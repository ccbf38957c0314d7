//! Comparators that are no orders, on stacks too small for a deep recursion, and where a panic that is reported ends the process.

use crate::child::child;
use crate::disorder::DISORDERS;
use filch::ThreadPoolBuilder;
use filch::ext::*;
use filch::iter::plumbing::{Cuts, force_leaves};
use filch::prelude::*;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn scrambled(len: u32) -> Vec<u32> {
    (0..len)
        .map(|i| i.wrapping_mul(0x9E37_79B9) % len)
        .collect()
}

// 61
#[test]
fn comparators_that_are_no_orders() {
    child(3, || {
        let builder = ThreadPoolBuilder::new().num_threads(3);
        let pool = builder.stack_size(256 << 10).build().unwrap();
        for (at, comparator) in DISORDERS.iter().enumerate() {
            for (len, cuts) in [
                (21, Cuts::Always),
                (2_000, Cuts::Always),
                (2_000, Cuts::Adaptive),
                (50_000u32, Cuts::Adaptive),
            ] {
                pool.force_leaves(cuts);
                let before = scrambled(len);
                let mut sorted = before.clone();
                sorted.sort();
                for stable in [true, false] {
                    let calls = AtomicUsize::new(0);
                    let compare =
                        |a: &u32, b: &u32| comparator(calls.fetch_add(1, Relaxed), *a, *b);
                    let mut v = before.clone();
                    pool.install(|| match stable {
                        true => v.par_sort_by(compare),
                        false => v.par_sort_unstable_by(compare),
                    });
                    v.sort();
                    assert!(
                        v == sorted,
                        "comparator {at}, {len} elements, stable: {stable}"
                    );
                }
            }
        }
    })
    .is_well();
}

/// A key whose order is one of the senseless ones.
#[derive(Clone, Copy)]
struct Key<'a> {
    key: u32,
    disorder: usize,
    calls: &'a AtomicUsize,
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        DISORDERS[self.disorder](self.calls.fetch_add(1, Relaxed), self.key, other.key)
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key<'_> {}

/// The sorts, and what sorts inside, with keys that have no order. None of them loses a key.
fn in_every_way(keys: &[Key]) {
    let mut sorted: Vec<u32> = keys.iter().map(|k| k.key).collect();
    sorted.sort();
    let kept = |way: &str, f: &dyn Fn(&mut Vec<Key>)| {
        let mut v = keys.to_vec();
        f(&mut v);
        let mut after: Vec<u32> = v.iter().map(|k| k.key).collect();
        after.sort();
        let disorder = keys[0].disorder;
        assert!(after == sorted, "{way}: {disorder}, {} keys", keys.len());
    };
    let third = keys.len() / 3;
    kept("sort", &|v| v.par_sort());
    kept("sort_by", &|v| v.par_sort_by(|a, b| b.cmp(a)));
    kept("sort_by_key", &|v| v.par_sort_by_key(|k| *k));
    kept("cached", &|v| v.par_sort_by_cached_key(|k| *k));
    kept("unstable", &|v| v.par_sort_unstable());
    kept("unstable_by_key", &|v| v.par_sort_unstable_by_key(|k| *k));
    kept("large", &|v| {
        let mut large: Vec<_> = v.iter().map(|k| (*k, [0u64; 16])).collect();
        large.par_sort_by(|a, b| a.0.cmp(&b.0));
        large.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
        *v = large.into_iter().map(|x| x.0).collect();
    });
    kept("select", &|v| _ = v.par_select_nth_unstable(third));
    kept("partial", &|v| v.par_partial_sort_unstable(third));
    kept("merge", &|v| v.par_merge_in_place(third));
    kept("merged", &|v| *v = v[..third].par_merge(&v[third..]));
    kept("kmerge", &|v| {
        let runs: Vec<&[Key]> = v.chunks(third.max(1)).collect();
        *v = runs.par_kmerge();
    });
    kept("top_k", &|v| {
        *v = v.par_top_k(v.len()).into_iter().copied().collect()
    });
    // Which keys are taken for equal is not known, but these end, too.
    let v = keys.to_vec();
    _ = v
        .par_iter()
        .map(|k| (*k, 0))
        .collect::<BTreeMap<_, _>>()
        .len();
    _ = v.par_iter().copied().collect::<BTreeSet<_>>().len();
    let counts = v.par_iter().by_key(|k| k.key).count();
    let first = counts.first_by(third, |a, b| v[a.0 as usize].cmp(&v[b.0 as usize]));
    assert_eq!(first.len(), third);
}

// 105
#[test]
fn no_order_makes_a_sort_panic() {
    let end = child(3, || {
        std::panic::set_hook(Box::new(|info| {
            eprintln!("{info}");
            std::process::abort();
        }));
        let most = if cfg!(debug_assertions) {
            6_000
        } else {
            100_000
        };
        for len in [2, 3, 9, 21, 33, 64, 500, most] {
            let cuts = if len < 100 {
                Cuts::Always
            } else {
                Cuts::Adaptive
            };
            force_leaves(cuts);
            for disorder in 0..DISORDERS.len() {
                let calls = AtomicUsize::new(0);
                let key = |key| Key {
                    key,
                    disorder,
                    calls: &calls,
                };
                let keys: Vec<Key> = scrambled(len).into_iter().map(key).collect();
                in_every_way(&keys);
            }
        }
    });
    end.is_well();
    assert_eq!(end.errors, "");
}

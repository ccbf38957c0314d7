//! Sorts, selections and merges of few elements, under every way to cut. What is otherwise done only to thousands of elements is done to a few
//! here: so all lengths are tried, and a panic at each comparison.

use super::hostile::sweep_in;
use super::{Item, numbered, scramble};
use crate::support::{DISORDERS, Token, cases, caught, within};
use crate::told::{CUTTINGS, told_pool};
use filch::ext::*;
use filch::prelude::*;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Of the pools those of which each is of another kind: all cut on one thread, on three, and by dice.
const SOME: [usize; 3] = [0, 1, 3];

/// All short lengths, and some up to 200; all of these if more cases are asked for.
fn lengths() -> impl Iterator<Item = usize> {
    let step = if cases(1) == 1 { 23 } else { 1 };
    (0..34).chain((34..=200).step_by(step))
}

/// So many keys: few or many distinct ones, in one of some orders.
fn keys(len: usize, shape: usize) -> Vec<u32> {
    let distinct = [3, 40, u32::MAX][shape % 3];
    let key = |i| scramble(i ^ shape as u32) % distinct;
    let mut v: Vec<u32> = (0..len as u32).map(key).collect();
    match shape / 3 % 6 {
        0 => v.sort(),
        1 => v.sort_by(|a, b| b.cmp(a)),
        2 => v.chunks_mut(len / 4 + 1).for_each(<[u32]>::sort),
        3 => {
            v.sort();
            v.rotate_left(len.min(2));
        }
        _ => {}
    }
    v
}

/// Calls `f` in each pool, with keys of each length.
fn everywhere(f: impl Fn(usize, &[u32]) + Sync) {
    for (at, cutting) in CUTTINGS.iter().enumerate() {
        for (shape, len) in lengths().enumerate() {
            let keys = keys(len, shape * 7 + at);
            let outcome = caught(|| told_pool(at).install(|| f(shape, &keys)));
            assert_eq!(outcome, Ok(()), "{cutting:?}, {len} elements");
        }
    }
}

fn is_permutation(v: &[Item], of: &[u32]) -> bool {
    let mut v = v.to_vec();
    v.sort_by_key(|x| x.1);
    v == numbered(of)
}

/// As an element that is long, so that the sort takes another way.
type Long = (Item, [u64; 17]);

#[test]
fn sorts_agree_with_stds() {
    everywhere(|_, keys| {
        let all = numbered(keys);
        let mut sorted = all.clone();
        sorted.sort_by_key(|x| x.0);
        let stable = |name: &str, sort: &dyn Fn(&mut Vec<Item>)| {
            let mut v = all.clone();
            sort(&mut v);
            assert_eq!(v, sorted, "{name} of {keys:?}");
        };
        stable("by", &|v| v.par_sort_by(|a, b| a.0.cmp(&b.0)));
        stable("key", &|v| v.par_sort_by_key(|x| x.0));
        stable("natural", &|v| v.par_sort());
        stable("unstable", &|v| v.par_sort_unstable());
        stable("cached", &|v| v.par_sort_by_cached_key(|x| x.0));
        stable("radix", &|v| v.par_radix_sort_by_key(|x| x.0));
        stable("argsort", &|v| {
            let order = v.par_argsort_by(|a, b| a.0.cmp(&b.0));
            *v = v.par_gather(&order);
        });
        stable("permute", &|v| {
            let order = v.par_argsort_by_key(|x| x.0);
            v.par_permute(&order);
        });
        stable("together", &|v| {
            let (mut keys, mut numbers): (Vec<u32>, Vec<u32>) = v.iter().copied().unzip();
            keys.par_sort_together(&mut numbers);
            *v = keys.into_iter().zip(numbers).collect();
        });
        stable("long", &|v| {
            let mut long: Vec<Long> = v.iter().map(|&x| (x, [0; 17])).collect();
            long.par_sort_by_key(|x| x.0.0);
            *v = long.into_iter().map(|x| x.0).collect();
        });
        let unstable = |name: &str, sort: &dyn Fn(&mut Vec<Item>)| {
            let mut v = all.clone();
            sort(&mut v);
            assert!(v.is_sorted_by_key(|x| x.0), "{name} of {keys:?}");
            assert!(is_permutation(&v, keys), "{name} of {keys:?}");
        };
        unstable("unstable by", &|v| {
            v.par_sort_unstable_by(|a, b| a.0.cmp(&b.0))
        });
        unstable("unstable long", &|v| {
            let mut long: Vec<Long> = v.iter().map(|&x| (x, [0; 17])).collect();
            long.par_sort_unstable_by_key(|x| x.0.0);
            *v = long.into_iter().map(|x| x.0).collect();
        });
    });
}

#[test]
fn strings_and_elements_without_a_size_are_sorted() {
    everywhere(|_, keys| {
        let text = |&key: &u32| format!("{:04}", key % 1000);
        let texts: Vec<String> = keys.iter().map(text).collect();
        let mut sorted = texts.clone();
        sorted.sort();
        let check = |sort: &dyn Fn(&mut [String])| {
            let mut v = texts.clone();
            sort(&mut v);
            assert_eq!(v, sorted);
        };
        check(&|v| v.par_sort());
        check(&|v| v.par_sort_unstable());
        check(&|v| v.par_sort_by_cached_key(|s| s.clone()));
        check(&|v| v.par_sort_bytes());
        let mut numbers = keys.to_vec();
        numbers.par_radix_sort();
        assert!(
            numbers.is_sorted()
                && numbers.iter().map(|&x| u64::from(x)).sum::<u64>()
                    == keys.iter().map(|&x| u64::from(x)).sum()
        );

        let mut units = vec![(); keys.len()];
        units.par_sort();
        units.par_sort_unstable_by(|(), ()| Ordering::Less);
        units.par_sort_by_cached_key(|()| 0);
        units.par_radix_sort_by_key(|()| 0u8);
        units.par_reverse();
        if let Some(last) = units.len().checked_sub(1) {
            units.par_select_nth_unstable(last);
            units.par_merge_in_place(last);
        }
        assert_eq!(units.len(), keys.len());
    });
}

#[test]
fn selections_agree_with_sorts() {
    everywhere(|shape, keys| {
        let mut sorted = keys.to_vec();
        sorted.sort();
        let n = keys.len();
        for index in [0, n / 3, n / 2, n.saturating_sub(1)] {
            let mut v = numbered(keys);
            v.par_partial_sort_unstable_by_key(index, |x| x.0);
            assert!(
                v[..index]
                    .iter()
                    .map(|x| x.0)
                    .eq(sorted[..index].iter().copied())
            );
            assert!(is_permutation(&v, keys));
            let best = keys.par_bottom_k(index);
            assert!(best.into_iter().eq(&sorted[..index]));
            if index == n {
                continue;
            }
            let mut v = numbered(keys);
            let (less, found, more) = v.par_select_nth_unstable_by_key(index, |x| x.0);
            assert_eq!(found.0, sorted[index], "{shape}: {index} of {keys:?}");
            assert!(less.iter().all(|x| x.0 <= found.0) && more.iter().all(|x| x.0 >= found.0));
            assert!(is_permutation(&v, keys));
        }
    });
}

#[test]
fn merges_agree_with_sorts() {
    everywhere(|shape, keys| {
        let n = keys.len();
        for mid in [0, n / 3, n / 2, n - n.min(1), n] {
            let mut runs = numbered(keys);
            runs[..mid].sort_by_key(|x| x.0);
            runs[mid..].sort_by_key(|x| x.0);
            let mut sorted = runs.clone();
            sorted.sort_by_key(|x| x.0);
            let by = |a: &Item, b: &Item| a.0.cmp(&b.0);
            let (left, right) = runs.split_at(mid);
            assert_eq!(left.par_merge_by(right, by), sorted, "{shape}: {mid}");
            let mut out = vec![(0, 0); n];
            left.par_merge_into_by(right, &mut out, by);
            assert_eq!(out, sorted, "{shape}: {mid}");
            let mut v = runs.clone();
            v.par_merge_in_place_by(mid, by);
            assert_eq!(v, sorted, "{shape}: {mid}");
        }
        let mut runs = numbered(keys);
        let runs: Vec<&[Item]> = runs
            .chunks_mut(1 + shape % 9)
            .map(|run| {
                run.sort_by_key(|x| x.0);
                &*run
            })
            .collect();
        let mut sorted = runs.concat();
        sorted.sort_by_key(|x| x.0);
        assert_eq!(runs.par_kmerge_by_key(|x: &Item| x.0), sorted);
    });
}

type Run = fn(&mut Vec<Token>, &(dyn Fn() + Sync));

const RUNS: [(&str, Run); 9] = [
    ("stable", |v, hook| {
        v.par_sort_by(|a, b| (hook(), a.cmp(b)).1)
    }),
    ("unstable", |v, hook| {
        v.par_sort_unstable_by(|a, b| (hook(), a.cmp(b)).1);
    }),
    ("few keys", |v, hook| {
        v.par_sort_unstable_by_key(|t| (hook(), t.id() / 9).1);
    }),
    ("cached", |v, hook| {
        v.par_sort_by_cached_key(|t| (hook(), t.clone()).1)
    }),
    ("radix", |v, hook| {
        v.par_radix_sort_by_key(|t| (hook(), t.id()).1)
    }),
    ("select", |v, hook| {
        let middle = v.len() / 2;
        v.par_select_nth_unstable_by(middle, |a, b| (hook(), a.cmp(b)).1);
        v.par_sort();
    }),
    ("merge", |v, hook| {
        let third = v.len() / 3;
        v[..third].sort();
        v[third..].sort();
        v.par_merge_in_place_by(third, |a, b| (hook(), a.cmp(b)).1);
    }),
    ("merge of a few", |v, hook| {
        let most = v.len() / 8 * 7;
        v[..most].sort();
        v[most..].sort();
        v.par_merge_in_place_by(most, |a, b| (hook(), a.cmp(b)).1);
    }),
    ("together", |v, hook| {
        let mut keys: Vec<usize> = v.iter().map(Token::id).collect();
        keys.par_sort_together_by(v, |a, b| (hook(), a.cmp(b)).1);
    }),
];

/// At each of the calls of `hook` in turn; at ever rarer ones of many, unless more cases are asked for.
fn panics_in(at: usize, len: usize, (name, run): (&str, Run)) {
    sweep_in(
        told_pool(at),
        len,
        16 * cases(1) as usize,
        |tokens, hook| {
            run(tokens, hook);
            assert!(
                tokens.is_sorted() || name == "few keys",
                "{name}, {len} elements"
            );
        },
    );
}

#[test]
fn every_element_is_kept_if_any_comparison_panics() {
    within(60, || {
        for at in SOME {
            for run in RUNS {
                for len in [2, 3, 9, 33, 70] {
                    panics_in(at, len, run);
                }
            }
        }
    });
}

#[test]
fn every_element_is_kept_by_orders_that_are_none() {
    within(60, || {
        for at in SOME {
            for (kind, disorder) in DISORDERS.iter().enumerate() {
                for len in [2, 3, 5, 17, 60, 200] {
                    let keys = keys(len, 14 + kind);
                    let calls = AtomicUsize::new(0);
                    let by = |a: &Item, b: &Item| disorder(calls.fetch_add(1, Relaxed), a.0, b.0);
                    let kept = |name: &str, run: &(dyn Fn(&mut Vec<Item>) + Sync)| {
                        let mut v = numbered(&keys);
                        told_pool(at).install(|| run(&mut v));
                        assert!(is_permutation(&v, &keys), "{name}, {kind}, {len} elements");
                    };
                    let third = len / 3;
                    kept("stable", &|v| v.par_sort_by(by));
                    kept("unstable", &|v| v.par_sort_unstable_by(by));
                    kept("select", &|v| _ = v.par_select_nth_unstable_by(third, by));
                    kept("partial", &|v| v.par_partial_sort_unstable_by(third, by));
                    kept("in place", &|v| v.par_merge_in_place_by(third, by));
                    kept("merge", &|v| *v = v[..third].par_merge_by(&v[third..], by));
                    kept("runs", &|v| {
                        let runs: Vec<&[Item]> = v.chunks(4).collect();
                        *v = runs.par_kmerge_by(by);
                    });
                    kept("long", &|v| {
                        let mut long: Vec<Long> = v.iter().map(|&x| (x, [0; 17])).collect();
                        long.par_sort_by(|a, b| by(&a.0, &b.0));
                        long.par_sort_unstable_by(|a, b| by(&a.0, &b.0));
                        *v = long.into_iter().map(|x| x.0).collect();
                    });
                    let (left, right) = (numbered(&keys), numbered(&keys[third..]));
                    // What they return is anyone's guess, but they end.
                    told_pool(at).install(|| {
                        left.par_union_by(&right, by);
                        left.par_difference_by(&right, by);
                        left.par_includes_by(&right, by);
                    });
                }
            }
        }
    });
}

//! Radix sorts. Keys of each type are in `tests/exhaustive`.

use super::hostile::{exclusively, sweep};
use super::{Item, keys, numbered};
use crate::support::{Place, oracle, same_everywhere};
use filch::ext::ParallelRadixSort;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn elements_are_sorted_stably_by_key() {
    oracle(
        keys(),
        |keys| {
            let v = numbered(keys);
            let sorted = |sort: &dyn Fn(&mut [Item])| {
                let mut v = v.clone();
                sort(&mut v);
                v
            };
            [
                sorted(&|v| v.par_radix_sort_by_key(|x| x.0)),
                sorted(&|v| v.par_radix_sort_by_key(|x| u128::from(x.0) << 80)),
                sorted(&|v| v.par_radix_sort_by_key(|x| sixteen(x.0))),
            ]
        },
        |keys| {
            let mut v = numbered(keys);
            v.sort_by_key(|x| x.0);
            [v.clone(), v.clone(), v]
        },
    );
}

/// Bytes that begin with the same eight.
fn sixteen(key: u32) -> [u8; 16] {
    (7 << 64 | u128::from(key)).to_be_bytes()
}

#[test]
fn one_key_apart_from_all_others_does_no_harm() {
    same_everywhere(
        || {
            let mut v: Vec<u64> = (0..50_000).map(|i| (i * 7919) % 50_000).collect();
            v[0] = u64::MAX;
            v[1] = 1 << 40;
            v.par_radix_sort();
            v.is_sorted()
        },
        || true,
    );
}

#[test]
fn keys_that_differ_in_their_last_bit_only() {
    // Their last word has fewer than eight bytes, and one pass decides everything.
    let mut v = vec![[0u8; 7]; 600_000];
    v[300_000][6] = 1;
    // There is no word behind it by which the two of a bucket are compared.
    v[300_002][6] = 1;
    v.par_radix_sort();
    assert!(v.is_sorted());
}

#[test]
fn panics_lose_nothing() {
    let sort = |v: &mut [crate::support::Token], hook: &(dyn Fn() + Sync)| {
        v.par_radix_sort_by_key(|x| {
            hook();
            x.id() as u64
        });
        assert!(v.is_sorted());
    };
    sweep(50, sort);
    sweep(20_000, sort);
}

#[test]
fn a_key_that_changes_loses_nothing() {
    let keys: [fn(u32) -> u64; 3] = [
        |call| super::scramble(call).into(),
        |call| u64::from(call % 2) << 63,
        |call| u64::MAX >> (call % 64),
    ];
    for (key, threads) in keys.into_iter().flat_map(|key| [(key, 2), (key, 8)]) {
        let calls = AtomicUsize::new(0);
        let all: Vec<Item> = (0..30_000).map(|i| (i, i)).collect();
        let mut v = all.clone();
        _ = catch_unwind(AssertUnwindSafe(|| {
            crate::support::pool(threads).install(|| {
                v.par_radix_sort_by_key(|_| key(calls.fetch_add(1, Relaxed) as u32));
            });
        }));
        v.sort();
        assert!(v == all);
    }
}

#[test]
fn no_element_is_looked_at_by_two_threads_at_once() {
    exclusively(|v| {
        v.par_radix_sort_by_key(|x| x.touch());
        assert!(v.is_sorted_by_key(|x| x.key));
    });
}

#[test]
fn elements_of_any_size_are_sorted() {
    let mut v: Vec<[u32; 32]> = (0..20_000).map(|i| [super::scramble(i); 32]).collect();
    v.par_radix_sort_by_key(|x| x[31]);
    assert!(v.is_sorted());
    let mut v = [(); 20_000];
    v.par_radix_sort_by_key(|()| 5u8);
    let mut v = [[0u8; 0]; 20_000];
    v.par_radix_sort();
    // Elements without a size, whose keys are in no order.
    let calls = AtomicUsize::new(0);
    let mut v = [(); 20_000];
    v.par_radix_sort_by_key(|()| super::scramble(calls.fetch_add(1, Relaxed) as u32));
}

#[test]
fn elements_whose_keys_have_no_bytes_stay_where_they_are() {
    for len in [10, 300, 20_000] {
        let mut v: Vec<u32> = (0..len).map(super::scramble).collect();
        let all = v.clone();
        v.par_radix_sort_by_key(|_| [0u8; 0]);
        assert!(v == all);
    }
}

/// Most are in one bucket of the first pass, in which the next bits differ: it is sorted by comparisons.
#[test]
fn keys_that_are_spread_unequally_are_sorted() {
    let key = |i: u32| {
        let key = u64::from(super::scramble(i)) << 32 | u64::from(super::scramble(!i / 7));
        if i.is_multiple_of(3) { key } else { key >> 11 }
    };
    for place in Place::some(0) {
        let mut keys: Vec<u64> = (0..30_000).map(key).collect();
        let mut items: Vec<(u64, usize)> = keys.iter().map(|key| key >> 30).zip(0..).collect();
        let (mut sorted, mut in_order) = (keys.clone(), items.clone());
        sorted.sort();
        in_order.sort_by_key(|item| item.0);
        place.run(|| {
            keys.par_radix_sort();
            items.par_radix_sort_by_key(|item| item.0);
        });
        assert!(keys == sorted && items == in_order);
    }
}

#[test]
fn a_key_far_from_the_others_does_not_cost_a_sort_by_comparisons() {
    let n = 1 << 17;
    let mut v: Vec<u64> = (0..n as u64)
        .map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44)
        .collect();
    v[n / 3] = u64::MAX;
    let mut sorted = v.clone();
    sorted.sort();
    let calls = AtomicUsize::new(0);
    filch::algo::radix_sort_by_key(&mut v, |&x| {
        calls.fetch_add(1, Relaxed);
        x
    });
    assert_eq!(v, sorted);
    // Comparisons of all would call for two keys at each of 17 levels.
    let calls = calls.into_inner();
    assert!(calls < 28 * n, "{}", calls as f64 / n as f64);
}

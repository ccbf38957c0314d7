use super::{Item, keys, numbered};
use crate::support::{DISORDERS, Ledger, Token, caught, oracle, planted, pool};
use filch::ext::{ParallelSliceTopK, ParallelTopK};
use filch::prelude::*;
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn copied(best: Vec<&Item>) -> Vec<Item> {
    best.into_iter().copied().collect()
}

#[test]
fn the_best_are_those_of_a_stable_sort() {
    oracle(
        (
            keys(),
            prop_oneof![0..5usize, 10..200usize, Just(usize::MAX)],
        ),
        |(keys, k)| {
            let v = numbered(keys);
            let items = || v.par_iter().copied();
            [
                items().top_k_by(*k, |a, b| a.0.cmp(&b.0)),
                items().top_k_by_key(*k, |x| x.0),
                items().bottom_k_by(*k, |a, b| a.0.cmp(&b.0)),
                items().bottom_k_by_key(*k, |x| x.0),
                // Of unknown length, too.
                items().filter(|x| x.0 % 3 == 1).top_k_by_key(*k, |x| x.0),
                copied(v.par_top_k(*k)),
                copied(v.par_bottom_k(*k)),
                copied(v.par_top_k_by(*k, |a, b| a.0.cmp(&b.0))),
                copied(v.par_top_k_by_key(*k, |x| x.0)),
                copied(v.par_bottom_k_by(*k, |a, b| a.0.cmp(&b.0))),
                copied(v.par_bottom_k_by_key(*k, |x| x.0)),
            ]
        },
        |(keys, k)| {
            let mut ascending = numbered(keys);
            let mut descending = ascending.clone();
            ascending.sort_by_key(|x| x.0);
            descending.sort_by_key(|x| std::cmp::Reverse(x.0));
            let third: Vec<Item> = descending
                .iter()
                .copied()
                .filter(|x| x.0 % 3 == 1)
                .collect();
            let mut total = ascending.clone();
            total.sort();
            let reverse: Vec<Item> = total.iter().rev().copied().collect();
            let cut = |v: &[Item]| v[..v.len().min(*k)].to_vec();
            [
                cut(&descending),
                cut(&descending),
                cut(&ascending),
                cut(&ascending),
                cut(&third),
                cut(&reverse),
                cut(&total),
                cut(&descending),
                cut(&descending),
                cut(&ascending),
                cut(&ascending),
            ]
        },
    );
}

#[test]
fn what_is_not_among_the_best_is_dropped_once() {
    let ledger = Ledger::new(5000);
    let best = pool(3).install(|| {
        let tokens = ledger.tokens();
        tokens
            .into_par_iter()
            .top_k_by_key(10, |t| super::scramble(t.id() as u32))
    });
    assert_eq!(best.len(), 10);
    assert_eq!((0..5000).map(|id| ledger.live(id)).sum::<isize>(), 10);
    drop(best);
    ledger.assert_all_gone();
}

#[test]
fn panics_drop_every_item_once() {
    for panics_at in (0..300).chain((300..9000).step_by(371)) {
        let (ledger, calls) = (Ledger::new(3000), AtomicUsize::new(0));
        let compare = |a: &Token, b: &Token| {
            if calls.fetch_add(1, Relaxed) == panics_at {
                planted(panics_at);
            }
            super::scramble(a.id() as u32).cmp(&super::scramble(b.id() as u32))
        };
        let outcome = caught(|| {
            pool(2).install(|| ledger.tokens().into_par_iter().top_k_by(100, compare).len())
        });
        assert!(outcome == Ok(100) || outcome == Err(panics_at));
        ledger.assert_all_gone();
    }
}

/// As many as are asked for, and none of them twice.
#[test]
fn no_comparator_doubles_an_item() {
    for (kind, threads) in (0..DISORDERS.len()).flat_map(|kind| [(kind, 2), (kind, 8)]) {
        for (len, k) in [(21, 5), (2000, 70), (20_000, 7), (20_000, 15_000)] {
            let v = numbered(&(0..len).map(super::scramble).collect::<Vec<_>>());
            let calls = AtomicUsize::new(0);
            let compare =
                |a: &Item, b: &Item| DISORDERS[kind](calls.fetch_add(1, Relaxed), a.0, b.0);
            let both = pool(threads)
                .install(|| [v.par_top_k_by(k, compare), v.par_bottom_k_by(k, compare)]);
            for best in both {
                let numbers: HashSet<u32> = best.iter().map(|x| x.1).collect();
                assert_eq!(numbers.len(), k, "kind {kind}, {threads} threads, {len}");
                assert_eq!(best.len(), k);
                assert!(best.iter().all(|x| v[x.1 as usize] == **x));
            }
        }
    }
}

#[test]
fn every_order_gives_as_many_as_are_asked_for() {
    let answers = [
        std::cmp::Ordering::Less,
        std::cmp::Ordering::Equal,
        std::cmp::Ordering::Greater,
    ];
    for answer in answers {
        let outcome = caught(|| (0..10_000).into_par_iter().top_k_by(77, |_, _| answer));
        let mut best = outcome.unwrap();
        assert_eq!(best.len(), 77);
        best.sort();
        best.dedup();
        assert_eq!(best.len(), 77);
    }
    assert_eq!(vec![(); 1000].into_par_iter().top_k(3), [(); 3]);
}

/// The room of what was beside the winners is not left to them.
#[test]
fn winners_have_no_room_for_many_more() {
    let winners = [
        (0..100_000u64).into_par_iter().top_k(1_000),
        (0..100_000u64).into_par_iter().top_k_by_key(1_000, |x| *x),
        (0..100_000u64).into_par_iter().bottom_k(usize::MAX),
    ];
    for best in winners {
        let (len, capacity) = (best.len(), best.capacity());
        assert!(capacity <= len + len / 2 + 64, "{capacity} for {len}");
    }
}

/// Each item is a fold of its own, and the results are reduced one after the other: a reduce takes as long as its right side, and not as
/// long as k.
#[test]
fn a_chain_of_small_folds_takes_n_log_k_comparisons() {
    const OUTER: u32 = 5_000;
    const K: usize = 500;
    // Ascending, descending, in no order, with many ties.
    let keys: [fn(u32) -> u32; 4] = [
        |x| x,
        |x| u32::MAX - x,
        super::scramble,
        |x| super::scramble(x) % 7,
    ];
    for (threads, key) in [1, 3].into_iter().flat_map(|n| keys.map(|key| (n, key))) {
        let calls = AtomicUsize::new(0);
        let best = pool(threads).install(|| {
            let pieces = |i: u32| {
                (0..2)
                    .into_par_iter()
                    .with_max_len(1)
                    .map(move |j| 2 * i + j)
            };
            let items = (0..OUTER).into_par_iter().flat_map(pieces);
            items.map(|x| (key(x), x)).top_k_by(K, |a, b| {
                calls.fetch_add(1, Relaxed);
                a.0.cmp(&b.0)
            })
        });
        let mut sorted: Vec<Item> = (0..2 * OUTER).map(|x| (key(x), x)).collect();
        sorted.sort_by_key(|x| std::cmp::Reverse(x.0));
        assert_eq!(best, sorted[..K]);
        let n_log_k = 2 * OUTER as usize * K.ilog2() as usize;
        let calls = calls.into_inner();
        assert!(
            calls <= 4 * n_log_k,
            "{calls} comparisons, {threads} threads"
        );
    }
}

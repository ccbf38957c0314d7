//! Tests of the blocks of each call: which items are in which.

use super::{alone, pool, spin};
use crate::core::event::Kind;
use crate::prelude::*;
use crate::trace::record;
use crate::trace::recording::Trace;
use std::collections::BTreeMap;
use std::time::Duration;

/// The blocks of each call that was folded, by the calls' names.
fn blocks(trace: &Trace) -> BTreeMap<u64, Vec<(u64, u64)>> {
    let mut blocks: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for track in &trace.tracks {
        let mut calls = Vec::new();
        for event in &track.events {
            match event.kind {
                Kind::Call => calls.push(event.more[1]),
                Kind::Piece => calls.push(event.number),
                Kind::CallEnd | Kind::PieceEnd => drop(calls.pop()),
                Kind::Blocks => {
                    let (items, _) = event.blocks();
                    blocks
                        .entry(*calls.last().unwrap())
                        .or_default()
                        .push((event.more[1], items));
                }
                _ => {}
            }
        }
    }
    blocks
}

/// Whatever is cut, taken or handed back: each item of a call is in one block.
#[test]
fn blocks_tile_what_was_driven() {
    let _alone = alone();
    const LEN: usize = 3000;
    let slow = |i: usize| {
        spin(Duration::from_nanos(1000));
        i
    };
    let programs: [(&str, &(dyn Fn() + Sync)); 5] = [
        ("live", &|| {
            (0..LEN).into_par_iter().map(slow).for_each(drop)
        }),
        ("rising", &|| {
            let rising = |i| spin(Duration::from_nanos(i as u64));
            (0..LEN).into_par_iter().for_each(rising);
        }),
        ("collected", &|| {
            drop((0..LEN).into_par_iter().map(slow).collect::<Vec<_>>())
        }),
        ("longest", &|| {
            (0..LEN)
                .into_par_iter()
                .with_max_len(70)
                .map(slow)
                .for_each(drop)
        }),
        ("reversed", &|| {
            (0..LEN).into_par_iter().rev().map(slow).for_each(drop)
        }),
    ];
    let mut taken = 0;
    for threads in [1, 2, 8] {
        for told in [false, true] {
            let pool = pool(threads);
            if told {
                pool.force_cuts(crate::iter::plumbing::Cuts::Random(7));
            }
            for (name, program) in &programs {
                let ((), trace) = record(|| (0..3).for_each(|_| pool.install(program)));
                let calls = blocks(&trace);
                assert_eq!(calls.len(), 3, "{name}");
                for (_, mut blocks) in calls {
                    blocks.sort_unstable();
                    let end = blocks.iter().try_fold(0, |at, &(first, items)| {
                        (first == at).then_some(first + items)
                    });
                    assert_eq!(
                        end,
                        Some(LEN as u64),
                        "{name}, {threads} threads, told: {told}: {blocks:?}"
                    );
                }
                taken += trace
                    .sites
                    .iter()
                    .map(|site| site.row.0[crate::core::row::columns::TAKEN])
                    .sum::<u64>();
            }
        }
    }
    assert!(taken > 10, "{taken}");
}

/// Where a search ends early, no item is in two blocks.
#[test]
fn blocks_of_a_search_do_not_overlap() {
    let _alone = alone();
    let pool = pool(4);
    for hit in [10, 1000, 2999] {
        let ((), trace) = record(|| {
            pool.install(|| {
                let found = (0..3000u64).into_par_iter().find_any(|&i| {
                    spin(Duration::from_nanos(500));
                    i == hit
                });
                assert_eq!(found, Some(hit));
            })
        });
        for (_, mut blocks) in blocks(&trace) {
            blocks.sort_unstable();
            assert!(
                blocks
                    .windows(2)
                    .all(|pair| pair[0].0 + pair[0].1 <= pair[1].0),
                "{blocks:?}"
            );
        }
    }
}

/// The places of items beyond the largest `usize` are unknown.
#[test]
fn blocks_of_more_items_than_a_number_holds() {
    let _alone = alone();
    let pool = pool(2);
    let (found, _) = record(|| pool.install(|| (0..u128::MAX).into_par_iter().find_last(|_| true)));
    assert_eq!(found, Some(u128::MAX - 1));
}

//! Scans by segments, runs and differences of neighbours, against loops.

use crate::panics::Fuse;
use crate::scan::{affine, then};
use crate::support::{Dice, Ledger, Meeting, Place, caught, costly, ints, oracle, same_everywhere};
use filch::ThreadPoolBuilder;
use filch::algo::*;
use filch::ext::*;
use filch::iter::plumbing::Cuts;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Keys with runs of many lengths.
fn keys(v: &[i32]) -> Vec<i32> {
    let mut key = 0;
    let next = |x: &i32| {
        key += i32::from(x % 5 == 0);
        key % 3
    };
    v.iter().map(next).collect()
}

/// Runs of equal keys, as ranges.
fn runs<K: PartialEq>(keys: &[K]) -> Vec<std::ops::Range<usize>> {
    let mut end = 0;
    let run = |run: &[K]| {
        end += run.len();
        end - run.len()..end
    };
    keys.chunk_by(K::eq).map(run).collect()
}

/// An operation that is associative and not commutative: maps, one after the other.
#[test]
fn scans_begin_anew_with_each_run() {
    oracle(
        ints(),
        |v| {
            let maps: Vec<_> = v.iter().map(|&x| affine(costly(x))).collect();
            let keys = keys(v);
            [
                scan_inclusive_by_key(&keys, &maps, then),
                scan_exclusive_by_key(&keys, &maps, affine(7), then),
                maps.par_scan_segments(|i| keys[i - 1] != keys[i], then),
            ]
        },
        |v| {
            let maps: Vec<_> = v.iter().map(|&x| affine(x)).collect();
            let (mut inclusive, mut exclusive) = (Vec::new(), Vec::new());
            for run in runs(&keys(v)) {
                inclusive.extend(crate::scan::inclusive(&maps[run.clone()], then));
                exclusive.extend(crate::scan::exclusive(&maps[run], affine(7), then).0);
            }
            [inclusive.clone(), exclusive, inclusive]
        },
    );
}

/// Segments shorter and longer than what another thread adds up, over several batches.
#[test]
fn long_scans_begin_anew() {
    let maps: Vec<_> = (0..40_000).map(affine).collect();
    for len in [3, 900, 7_000] {
        same_everywhere(
            || maps.par_scan_segments(|i| (costly(i as i32) as usize).is_multiple_of(len), then),
            || {
                let segments = maps.chunks(len);
                let scanned = segments.flat_map(|segment| crate::scan::inclusive(segment, then));
                scanned.collect()
            },
        );
    }
}

#[test]
fn where_segments_begin_is_asked_once() {
    let v = vec![1u32; 30_000];
    for len in [2, 700, 40_000] {
        same_everywhere(
            || {
                let asked: Vec<AtomicU32> = v.iter().map(|_| AtomicU32::new(0)).collect();
                v.par_scan_segments(
                    |i| {
                        asked[i].fetch_add(1, Relaxed);
                        (costly(i as i32) as usize).is_multiple_of(len)
                    },
                    |a, b| a + b,
                );
                asked
                    .into_iter()
                    .map(AtomicU32::into_inner)
                    .collect::<Vec<u32>>()
            },
            || std::iter::once(0).chain(vec![1; v.len() - 1]).collect(),
        );
    }
}

#[test]
fn runs_are_reduced_in_their_order() {
    oracle(
        ints(),
        |v| {
            let words: Vec<String> = v.iter().map(|x| costly(*x).to_string()).collect();
            let keys = keys(v);
            let lengths = keys.par_run_lengths();
            (
                reduce_runs(&keys, &words, |a, b| format!("{a},{b}")),
                lengths,
            )
        },
        |v| {
            let words: Vec<String> = v.iter().map(i32::to_string).collect();
            let keys = keys(v);
            let all = runs(&keys).into_iter();
            all.map(|run| {
                let (key, len) = (keys[run.start], run.len());
                ((key, words[run].join(",")), (key, len))
            })
            .unzip()
        },
    );
}

#[test]
fn long_runs_and_short_ones() {
    let mut dice = Dice::new(2);
    for longest in [1, 2, 50, 30_000] {
        let mut keys = Vec::new();
        while keys.len() < 60_000 {
            let (key, len) = (dice.roll(), 1 + dice.below(longest));
            keys.extend(std::iter::repeat_n(key, len));
        }
        let maps: Vec<_> = keys.iter().map(|&x| affine(x as i32 % 9)).collect();
        let model: Vec<_> = runs(&keys)
            .into_iter()
            .map(|run| {
                let all = crate::scan::inclusive(&maps[run.clone()], then);
                (keys[run.start], all[run.len() - 1])
            })
            .collect();
        same_everywhere(|| reduce_runs(&keys, &maps, then), || model);
    }
}

#[test]
fn differences_undo_sums() {
    oracle(
        ints(),
        |v| {
            let sums = v.par_scan_inclusive(|a, b| a.wrapping_add(*b));
            sums.par_adjacent_difference(|b, a| costly(b.wrapping_sub(*a)))
        },
        Vec::clone,
    );
}

#[test]
fn nothing_much() {
    assert_eq!(run_lengths::<i32>(&[]), []);
    assert_eq!(run_lengths(&[(); 70_000]), [((), 70_000)]);
    assert_eq!(run_lengths(&[f64::NAN; 2]).len(), 2);
    assert_eq!(adjacent_difference::<i32, _>(&[], |b, a| b - a), []);
    assert_eq!(reduce_runs::<i32, i32, _>(&[], &[], |a, _| *a), []);
    assert_eq!(scan_segments(&[1], |_| panic!("no border"), |a, _| *a), [1]);
}

#[test]
fn as_many_keys_as_values() {
    for call in [
        || drop(scan_inclusive_by_key(&[1], &[1, 2], |a, _| *a)),
        || drop(scan_exclusive_by_key(&[1], &[1, 2], 0, |a, _| *a)),
        || drop(reduce_runs(&[1], &[1, 2], |a, _| *a)),
    ] as [fn(); 3]
    {
        assert!(crate::support::message(call).contains("1 keys for 2 values"));
    }
}

#[test]
fn a_panic_drops_what_was_made() {
    const N: usize = 30;
    for place in Place::all() {
        for calls in 0..4 * N {
            let ledger = Ledger::new(N);
            let (v, fuse) = (ledger.tokens(), Fuse::of(calls));
            let keys: Vec<usize> = (0..N).map(|i| i / 7).collect();
            let op = |a: &crate::support::Token, _: &_| {
                fuse.burn();
                a.clone()
            };
            let _ = place.run(|| {
                caught(|| {
                    drop(scan_inclusive_by_key(&keys, &v, op));
                    drop(reduce_runs(&keys, &v, op));
                    drop(adjacent_difference(&v, op));
                })
            });
            ledger.assert_each_live(1);
        }
    }
}

/// A run of equal elements is all there is, and the threads share it: but for the first comparisons, which look for long runs, each waits until the other thread compares, too.
#[test]
fn a_long_run_is_shared() {
    struct Shared {
        compared: AtomicU32,
        meeting: Meeting,
    }
    struct Key<'s>(&'s Shared);
    impl PartialEq for Key<'_> {
        fn eq(&self, _: &Key<'_>) -> bool {
            if self.0.compared.fetch_add(1, Relaxed) > 1_000 {
                self.0.meeting.attend();
            }
            true
        }
    }
    impl Clone for Key<'_> {
        fn clone(&self) -> Self {
            Key(self.0)
        }
    }
    for len in [3_000, 10_000, 60_000, 100_000] {
        let shared = Shared {
            compared: AtomicU32::new(0),
            meeting: Meeting::of(2),
        };
        let v: Vec<Key<'_>> = (0..len).map(|_| Key(&shared)).collect();
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.force_cuts(Cuts::Always);
        let runs = pool.install(|| run_lengths(&v));
        assert_eq!(runs.len(), 1);
        assert_eq!(runs[0].1, len);
    }
}

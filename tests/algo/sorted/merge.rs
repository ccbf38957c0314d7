use super::hostile::{disorder, exclusively, sweep};
use super::{Item, keys, numbered};
use crate::support::{Ledger, caught, oracle, planted, same_everywhere};
use filch::ext::{ParallelKMerge, ParallelMerge};
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Items whose first part and whose rest are sorted by key.
fn two_runs() -> impl Strategy<Value = (Vec<Item>, usize)> {
    (keys(), any::<prop::sample::Index>()).prop_map(|(keys, mid)| {
        let mut v = numbered(&keys);
        let mid = mid.index(v.len() + 1);
        v[..mid].sort();
        v[mid..].sort();
        (v, mid)
    })
}

fn key(x: &Item) -> u32 {
    x.0
}

#[test]
fn merges_are_stable_sorts_of_two_runs() {
    oracle(
        two_runs(),
        |(v, mid)| {
            let (left, right) = v.split_at(*mid);
            let by = |a: &Item, b: &Item| a.0.cmp(&b.0);
            let mut out = vec![[(0, 0); 2]; v.len()].concat();
            left.par_merge_into_by_key(right, &mut out[..v.len()], key);
            left.par_merge_into_by(right, &mut out[v.len()..], by);
            let mut in_place = [v.clone(), v.clone()];
            in_place[0].par_merge_in_place_by_key(*mid, key);
            in_place[1].par_merge_in_place_by(*mid, by);
            let fresh = [
                left.par_merge_by_key(right, key),
                left.par_merge_by(right, by),
                // Numbered in order, so that ties have an order too.
                left.par_merge(right),
            ];
            [&out[..], &in_place.concat(), &fresh.concat()].concat()
        },
        |(v, _)| {
            let mut v = v.clone();
            v.sort_by_key(key);
            v.repeat(7)
        },
    );
}

#[test]
fn many_runs_are_merged_stably() {
    oracle(
        (
            keys(),
            prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        ),
        |(keys, cuts)| {
            let mut v = numbered(keys);
            let mut runs = Vec::new();
            let mut cuts: Vec<usize> = cuts.iter().map(|c| c.index(v.len() + 1)).collect();
            cuts.sort_by(|a, b| b.cmp(a));
            for cut in cuts {
                runs.insert(0, v.split_off(cut));
            }
            runs.insert(0, v);
            runs.iter_mut().for_each(|run| run.sort());
            [
                runs.par_kmerge_by_key(key),
                runs.par_kmerge_by(|a, b| a.0.cmp(&b.0)),
                runs.par_kmerge(),
            ]
        },
        |(keys, _)| {
            let mut v = numbered(keys);
            v.sort_by_key(key);
            [v.clone(), v.clone(), v]
        },
    );
}

#[test]
fn runs_may_be_of_very_unequal_lengths() {
    same_everywhere(
        || {
            let giant: Vec<u32> = (0..20_000).collect();
            let mut runs: Vec<Vec<u32>> = (0..3000).map(|i| vec![i * 7; i as usize % 2]).collect();
            runs.insert(1000, giant);
            runs.par_kmerge()
        },
        || {
            let mut v: Vec<u32> = (0..20_000).collect();
            v.extend((0..3000).filter(|i| i % 2 == 1).map(|i| i * 7));
            v.sort();
            v
        },
    );
    assert_eq!(<[Vec<u32>]>::par_kmerge(&[]), []);
    assert_eq!([vec![], vec![0u32; 0]].par_kmerge(), []);
}

/// Clones are made of runs behind one another, in pieces that begin and end in the middle of some.
#[test]
fn runs_may_be_many_and_short() {
    let len = |i: usize| [10, 0, 1, 700][i % 4];
    let runs: Vec<Vec<String>> = (0..400)
        .map(|i| (0..len(i)).map(|j| format!("{j:03} {i}")).collect())
        .collect();
    same_everywhere(
        || runs.par_kmerge_by_key(|s| s[..3].to_owned()),
        || {
            let mut v = runs.concat();
            v.sort_by_key(|s| s[..3].to_owned());
            v
        },
    );
}

#[test]
fn panics_lose_nothing() {
    let merge = |v: &mut [crate::support::Token], hook: &(dyn Fn() + Sync)| {
        let mid = v.len() / 3;
        v[..mid].sort();
        v[mid..].sort();
        v.par_merge_in_place_by(mid, |a, b| {
            hook();
            a.cmp(b)
        });
        assert!(v.is_sorted());
    };
    sweep(60, merge);
    sweep(5000, merge);
    let fresh = |v: &mut [crate::support::Token], hook: &(dyn Fn() + Sync)| {
        let mid = v.len() / 3;
        v[..mid].sort();
        v[mid..].sort();
        let (left, right) = v.split_at(mid);
        let compare = |a: &_, b: &_| {
            hook();
            Ord::cmp(a, b)
        };
        assert!(left.par_merge_by(right, compare).is_sorted());
        assert!([left, right, left].par_kmerge_by(compare).is_sorted());
    };
    sweep(60, fresh);
    sweep(5000, fresh);
}

#[test]
fn a_clone_that_panics_leaks_nothing() {
    struct Fragile<'a>(crate::support::Token, &'a AtomicUsize);
    impl Clone for Fragile<'_> {
        fn clone(&self) -> Self {
            if self.1.fetch_add(1, Relaxed) == 3000 {
                planted(0);
            }
            Fragile(self.0.clone(), self.1)
        }
    }
    for merge in 0..3 {
        let (ledger, clones) = (Ledger::new(6000), AtomicUsize::new(0));
        let v: Vec<Fragile> = ledger
            .tokens()
            .into_iter()
            .map(|t| Fragile(t, &clones))
            .collect();
        let (left, right) = v.split_at(2000);
        let mut out: Vec<Fragile> = Vec::new();
        let outcome = caught(|| match merge {
            0 => drop(left.par_merge_by_key(right, |x| x.0.id())),
            1 => drop([right, left].par_kmerge_by_key(|x| x.0.id())),
            _ => {
                let fresh = ledger.tokens().into_iter().map(|t| Fragile(t, &clones));
                out.extend(fresh);
                left.par_merge_into_by_key(right, &mut out, |x| x.0.id());
            }
        });
        assert_eq!(outcome, Err(0));
        assert_eq!(out.len() % 6000, 0);
        drop(out);
        ledger.assert_each_live(1);
        drop(v);
        ledger.assert_all_gone();
    }
}

#[test]
fn no_comparator_loses_an_element() {
    disorder(|v, compare| v.par_merge_in_place_by(v.len() / 2, compare));
    disorder(|v, compare| {
        let (left, right) = v.split_at(v.len() / 3);
        let merged = left.par_merge_by(right, compare);
        v.copy_from_slice(&merged);
    });
    disorder(|v, compare| {
        let runs: Vec<&[Item]> = v.chunks(v.len() / 5).collect();
        let merged = runs.par_kmerge_by(compare);
        v.copy_from_slice(&merged);
    });
}

#[test]
fn in_place_needs_no_sync() {
    exclusively(|v| {
        let mid = v.len() / 3;
        v[..mid].sort_by_key(|x| x.key);
        v[mid..].sort_by_key(|x| x.key);
        v.par_merge_in_place_by(mid, |a, b| a.compare(b));
        assert!(v.is_sorted_by_key(|x| x.key));
    });
}

#[test]
fn elements_of_any_size_are_merged() {
    #[repr(align(64))]
    #[derive(Clone, PartialEq, Debug)]
    struct Aligned(u32);
    let v: Vec<Aligned> = (0..9000).map(|i| Aligned(i % 3000)).collect();
    same_everywhere(
        || {
            let mut in_place = v.clone();
            in_place.par_merge_in_place_by_key(3000, |x| x.0);
            in_place[3000..].par_merge_in_place_by_key(0, |x| x.0);
            v[..3000].par_merge_by_key(&v[3000..6000], |x| x.0)
        },
        || (0..6000).map(|i| Aligned(i / 2)).collect::<Vec<_>>(),
    );
    assert_eq!([(); 5000].par_merge(&[(); 7000]).len(), 12_000);
    assert_eq!([&[(); 5000][..], &[(); 7000]].par_kmerge().len(), 12_000);
    [(); 9000].par_merge_in_place(100);
}

#[test]
#[should_panic(expected = "as much room")]
fn the_room_must_fit() {
    [1].par_merge_into(&[2], &mut [0; 3]);
}

#[test]
#[should_panic(expected = "behind the end")]
fn the_second_run_must_begin_in_the_slice() {
    [1, 2].par_merge_in_place(3);
}

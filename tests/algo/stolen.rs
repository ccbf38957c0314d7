//! In the tests' pools pieces really move between threads. Without that, the other tests of this binary would prove little.

use crate::support::{Place, pieces_taken, stolen_of, within};
use filch::ext::*;
use filch::prelude::*;

/// The pools that cut everywhere hand pieces of these algorithms over.
#[test]
fn pieces_are_taken_in_the_pools_that_cut() {
    within(60, || {
        let numbers: Vec<u32> = (0..10_000).collect();
        while pieces_taken() == 0 {
            for place in [Place::CutEverywhere, Place::CutAtRandom] {
                let counts = place.run(|| numbers.par_iter().count_by_key(|&x| x % 10));
                assert!(counts.len() == 10 && counts.values().all(|&n| n == 1000));
            }
        }
    });
}

/// What merges, selections and sorts share is no pieces of iterators, but joins.
#[test]
fn jobs_of_merges_and_selections_are_stolen() {
    let text = |i: usize| format!("{:03}", i * 37 % 100);
    let runs = move || {
        let mut v: Vec<String> = (0..100).map(text).collect();
        v[..50].sort();
        v[50..].sort();
        v
    };
    stolen_of(move || {
        let mut v = runs();
        v.par_merge_in_place(50);
        assert!(v.is_sorted());
    });
    let v = runs();
    let chunks: Vec<Vec<String>> = vec![v[..50].to_vec(), v[50..].to_vec()];
    stolen_of(move || assert!(chunks.par_kmerge().is_sorted()));
    stolen_of(move || {
        let mut v: Vec<String> = (0..100).map(text).collect();
        assert_eq!(v.par_select_nth_unstable(40).1, "040");
    });
    stolen_of(move || {
        let mut v: Vec<String> = (0..100).map(text).collect();
        v.par_partial_sort_unstable(60);
        assert!(v[..60].is_sorted());
    });
    stolen_of(|| {
        let mut v: Vec<usize> = (0..100).map(|i| i * 37 % 100).collect();
        v.par_radix_sort_by_key(|&x| x);
        assert!(v.into_iter().eq(0..100));
    });
}

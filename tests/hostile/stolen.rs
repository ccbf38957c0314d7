//! In the children of these tests work really moves between threads. Without that, they would prove little.

use crate::child::child;
use filch::iter::plumbing::{Cuts, force_cuts, force_leaves};
use filch::prelude::*;

/// In the global pool of a child, as in other tests.
#[test]
fn pieces_are_taken_in_a_child() {
    child(3, || {
        force_cuts(Cuts::Always);
        while filch::stats().pieces == 0 {
            let sum: u64 = (0..10_000u64).into_par_iter().sum();
            assert_eq!(sum, 49_995_000);
        }
    })
    .is_well();
}

#[test]
fn jobs_of_sorts_are_stolen_in_a_child() {
    child(3, || {
        let stolen = || {
            let stats = filch::stats();
            // Without pieces of loops, such as that which reverses a run.
            stats
                .steals
                .saturating_sub(stats.failed_steals + stats.pieces)
        };
        force_leaves(Cuts::Always);
        while stolen() == 0 {
            let mut v: Vec<String> = (100..200).rev().map(|i: u32| i.to_string()).collect();
            v.swap(30, 60);
            v.par_sort_unstable();
            assert!(v.is_sorted());
        }
    })
    .is_well();
}

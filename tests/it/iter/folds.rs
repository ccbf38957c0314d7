//! `fold`: identities and how they are used.

use crate::support::{Place, costly, ints, oracle};
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn folds_count_everything() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .fold(|| 0i64, |sum, &x| sum + i64::from(costly(x)))
                .sum::<i64>()
        },
        |v| v.iter().map(|&x| i64::from(x)).sum(),
    );
    oracle(
        ints(),
        |v| {
            let pairs = v.par_iter().flat_map(|&x| [x, 1]);
            pairs
                .fold(|| 0i64, |sum, x| sum + i64::from(x))
                .sum::<i64>()
        },
        |v| v.iter().map(|&x| i64::from(x) + 1).sum(),
    );
}

/// Every fold that was begun gives a result, and every result began with an identity.
#[test]
fn one_identity_a_fold() {
    for place in Place::all() {
        let identities = AtomicUsize::new(0);
        let folds = place.run(|| {
            (0..10_000)
                .into_par_iter()
                .map(costly)
                .fold(|| identities.fetch_add(1, Relaxed), |id, _| id)
                .collect::<Vec<_>>()
        });
        let mut ids = folds.clone();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(
            ids.len(),
            folds.len(),
            "{place:?}: an identity was used twice"
        );
        assert_eq!(identities.into_inner(), folds.len(), "{place:?}");
    }
}

/// A fold of a fold.
#[test]
fn nested_folds() {
    oracle(
        ints(),
        |v| {
            let chains = v.par_iter().fold(Vec::new, |mut all, &x| {
                all.push(costly(x));
                all
            });
            let joined = chains.fold(Vec::new, |mut all: Vec<i32>, more| {
                all.extend(more);
                all
            });
            joined.collect::<Vec<_>>().concat()
        },
        |v| v.clone(),
    );
}

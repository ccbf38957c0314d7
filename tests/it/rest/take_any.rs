//! Adaptors that stop or skip in whatever order the items come.

use crate::support::{Place, costly, cuts, ints, oracle};
use filch::prelude::*;
use std::collections::HashSet;

#[test]
fn take_any_and_skip_any() {
    oracle(
        cuts(),
        |c| {
            let n = || {
                (0..c.v.len())
                    .into_par_iter()
                    .map(|i| i ^ costly(i as i32) as usize ^ i)
            };
            let taken: HashSet<usize> = n().take_any(c.at).collect();
            let left: HashSet<usize> = n().skip_any(c.at).collect();
            let valid = |s: &HashSet<usize>| s.iter().all(|i| *i < c.v.len());
            (taken.len(), left.len(), valid(&taken) && valid(&left))
        },
        |c| {
            let taken = c.at.min(c.v.len());
            (taken, c.v.len() - taken, true)
        },
    );
}

/// What is taken keeps its order, whichever it is.
#[test]
fn what_is_taken_is_in_order() {
    for place in Place::all() {
        let taken: Vec<u32> = place.run(|| (0..5000).into_par_iter().take_any(1000).collect());
        assert!(taken.len() == 1000 && taken.is_sorted(), "{place:?}");
        let left: Vec<u32> = place.run(|| (0..5000).into_par_iter().skip_any(1000).collect());
        assert!(left.len() == 4000 && left.is_sorted(), "{place:?}");
    }
}

#[test]
fn take_any_while_and_skip_any_while() {
    for place in Place::all() {
        place.run(|| {
            let n = || (0..5000u32).into_par_iter();
            assert_eq!(n().take_any_while(|_| true).count(), 5000);
            assert_eq!(n().take_any_while(|_| false).count(), 0);
            assert_eq!(n().skip_any_while(|_| true).count(), 0);
            assert_eq!(n().skip_any_while(|_| false).count(), 5000);
            assert!(n().take_any_while(|x| *x < 3000).all(|x| x < 3000));
            let left: Vec<u32> = n().skip_any_while(|x| *x < 3000).collect();
            assert!(left.is_sorted());
            assert!(left.ends_with(&(3000..5000).collect::<Vec<_>>()));
        });
    }
}

#[test]
fn while_some() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .map(|&x| Some(costly(x)))
                .while_some()
                .collect::<Vec<_>>()
        },
        |v| v.clone(),
    );
    for place in Place::all() {
        let some: Vec<u32> = place.run(|| {
            let n = (0..5000).into_par_iter();
            n.map(|x| (x < 1000).then_some(x)).while_some().collect()
        });
        assert!(
            some.is_sorted() && some.iter().all(|x| *x < 1000),
            "{place:?}"
        );
        let none = place.run(|| {
            (0..5000)
                .into_par_iter()
                .map(|_| None::<u32>)
                .while_some()
                .count()
        });
        assert_eq!(none, 0, "{place:?}");
    }
}

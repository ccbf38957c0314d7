//! `min_max`, `is_sorted`, `last`, `nth`.

use crate::everywhere;
use crate::support::{Dice, Ledger, costly};
use filch::ext::*;
use filch::prelude::*;

pub fn models() {
    for n in [0, 1, 2, 3, 17, 500] {
        let mut dice = Dice::new(n as u64);
        // Few keys, so that there are many ties; positions tell which of them won.
        let v: Vec<(i32, usize)> = (0..n)
            .map(|at| (costly(dice.below(20) as i32), at))
            .collect();
        let key = |x: &(i32, usize)| x.0;
        let model = v
            .iter()
            .copied()
            .min_by_key(key)
            .zip(v.iter().copied().max_by_key(key));
        assert_eq!(v.par_iter().copied().min_max_by_key(key).into_pair(), model);
        let by = |a: &(i32, usize), b: &(i32, usize)| a.0.cmp(&b.0);
        assert_eq!(v.par_iter().copied().min_max_by(by).into_pair(), model);
        let filtered = v.par_iter().filter(|x| x.1 % 3 == 1).min_max().into_pair();
        let kept = || v.iter().filter(|x| x.1 % 3 == 1);
        assert_eq!(filtered, kept().min().zip(kept().max()));

        let mut sorted = v.clone();
        sorted.sort();
        assert!(sorted.par_iter().is_sorted());
        assert!(sorted.par_iter().is_sorted_by_key(|x| x.0));
        assert_eq!(v.par_iter().is_sorted(), v.is_sorted());
        let strictly = |a: &&(i32, usize), b: &&(i32, usize)| a.0 < b.0;
        assert_eq!(
            sorted.par_iter().is_sorted_by(strictly),
            sorted.iter().is_sorted_by(|a, b| strictly(a, b))
        );
        // Out of order at each single place.
        for at in 1..n {
            let w = |x: &usize| if *x == at { at - 1 } else { *x + 1 };
            assert!(!(0..n).into_par_iter().is_sorted_by_key(|x| w(&x)));
        }

        assert_eq!(v.par_iter().last(), v.last());
        assert_eq!(
            v.par_iter().filter(|x| x.0 < 7).last(),
            v.iter().rfind(|x| x.0 < 7)
        );
        for at in [0, 1, n / 2, n.saturating_sub(1), n, n + 1, usize::MAX] {
            assert_eq!(v.par_iter().map(|x| x.1).nth(at), v.get(at).map(|x| x.1));
            assert_eq!(v.par_iter().rev().nth(at), v.iter().rev().nth(at));
        }
    }
}

#[test]
fn as_std() {
    everywhere(models);
}

#[test]
fn what_cannot_be_compared_is_not_sorted() {
    everywhere(|| {
        assert!([f64::NAN].par_iter().is_sorted());
        assert!(![f64::NAN, 1.0].par_iter().is_sorted());
        let mut v = vec![1.0; 1000];
        v[999] = f64::NAN;
        assert!(!v.par_iter().is_sorted());
    });
}

#[test]
fn nth_drops_the_others() {
    everywhere(|| {
        let ledger = Ledger::new(50);
        let seventh = ledger.tokens().into_par_iter().nth(7).unwrap();
        assert_eq!((seventh.id(), ledger.live(7), ledger.live(8)), (7, 1, 0));
        drop(seventh);
        ledger.assert_all_gone();
        drop(ledger.tokens().into_par_iter().last());
        drop(ledger.tokens().into_par_iter().min_max());
        assert!(ledger.tokens().into_par_iter().is_sorted());
        ledger.assert_all_gone();
    });
}

#[test]
fn nth_computes_one_item() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    let calls = AtomicUsize::new(0);
    let count = |x| {
        calls.fetch_add(1, Relaxed);
        x
    };
    assert_eq!((0..1000).into_par_iter().map(count).nth(500), Some(500));
    assert_eq!(calls.into_inner(), 1);
}

#[test]
fn no_comparison_shares_an_item() {
    use std::cell::Cell;
    // `Cell` is `Send` and not `Sync`: that this compiles is the test.
    let v: Vec<Cell<i32>> = (0..1000).map(Cell::new).collect();
    let by = |a: &Cell<i32>, b: &Cell<i32>| a.get() <= b.get();
    assert!(v.into_par_iter().is_sorted_by(by));
}

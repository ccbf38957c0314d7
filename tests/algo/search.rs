//! Comparison and search, against a look into every window.

use crate::support::{Dice, cuts, oracle, same_everywhere};
use filch::ext::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn naive<T: PartialEq>(v: &[T], wanted: &[T]) -> Option<usize> {
    (0..=v.len()).find(|&i| v[i..].starts_with(wanted))
}

#[test]
fn the_first_difference() {
    oracle(
        cuts(),
        |cut| {
            let mut changed = cut.v.clone();
            if let Some(x) = changed.get_mut(cut.at) {
                *x += 1;
            }
            let cut_off = &cut.v[..cut.at.min(cut.v.len())];
            [
                cut.v.par_mismatch(&changed),
                cut.v.par_mismatch(cut_off),
                cut_off.par_mismatch(&changed),
                cut.v.par_mismatch(&cut.v),
            ]
        },
        |cut| {
            let at = (cut.at < cut.v.len()).then_some(cut.at);
            [at, at, at, None]
        },
    );
}

#[test]
fn the_earlier_of_two_differences() {
    let v = vec![1u64; 100_000];
    for (i, j) in [(0, 99_999), (511, 512), (5000, 5001), (40_000, 90_000)] {
        let mut other = v.clone();
        (other[i], other[j]) = (2, 2);
        same_everywhere(|| v.par_mismatch(&other), || Some(i));
    }
    assert_eq!([f64::NAN].par_mismatch(&[f64::NAN]), Some(0));
}

#[test]
fn the_first_occurrence() {
    let mut dice = Dice::new(3);
    for len in [0, 1, 2, 5, 100, 4095, 4097, 20_000] {
        // Few letters, so that there are many beginnings.
        let v: Vec<u8> = (0..len).map(|_| dice.below(2) as u8).collect();
        for wanted_len in [0, 1, 2, 8, 13, 16, 40, 3000] {
            let start = dice.below(len + 1);
            let end = len.min(start + wanted_len);
            let mut wanted = v[start..end].to_vec();
            same_everywhere(|| v.par_search(&wanted), || naive(&v, &wanted));
            if let Some(last) = wanted.last_mut() {
                *last = 2;
                same_everywhere(|| v.par_search(&wanted), || None);
            }
        }
    }
}

#[test]
fn across_every_border() {
    let mut v = vec![0u32; 30_000];
    let wanted = [1, 2, 3, 4, 5];
    for at in (4000..4200).chain(8100..8200).chain([29_995]) {
        v[at..at + 5].copy_from_slice(&wanted);
        assert_eq!(v.par_search(&wanted), Some(at));
        assert_eq!(v.par_search(&[1, 2, 3, 4, 5, 6]), None);
        v[at..at + 5].fill(0);
    }
}

/// What makes a look into every window take the product of the lengths.
#[test]
fn takes_no_more_than_a_few_comparisons_an_element() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    #[derive(Clone)]
    struct Counted(u8);
    impl PartialEq for Counted {
        fn eq(&self, other: &Self) -> bool {
            CALLS.fetch_add(1, Relaxed);
            self.0 == other.0
        }
    }
    impl Eq for Counted {}
    let n = 40_000;
    let v = vec![Counted(0); n];
    let mut wanted = vec![Counted(0); 1000];
    wanted.push(Counted(1));
    assert_eq!(v.par_search(&wanted), None);
    let calls = CALLS.load(Relaxed);
    assert!(calls < 6 * n, "{calls}");
}

#[test]
fn nothing_much() {
    assert_eq!([(); 500].par_mismatch(&[(); 500]), None);
    assert_eq!([(); 500].par_mismatch(&[(); 501]), Some(500));
    assert_eq!([(); 5000].par_search(&[(); 500]), Some(0));
    assert_eq!([(); 5].par_search(&[(); 6]), None);
    assert_eq!([0; 0].par_search(&[]), Some(0));
}

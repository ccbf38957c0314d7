//! Partitions against two filters.

use crate::pack::keeps;
use crate::support::{Ledger, Place, Token, costly, ints, oracle};
use filch::ext::*;

#[test]
fn stable_keeps_both_orders() {
    oracle(
        ints(),
        |v| {
            let mut small = v.clone();
            let mid = small.par_partition_in_place(|&x| keeps(v, x));
            let mut large: Vec<[i32; 20]> = v.iter().map(|&x| [x; 20]).collect();
            let large_mid = large.par_partition_in_place(|x| keeps(v, x[0]));
            assert_eq!(mid, large_mid);
            (mid, small, large)
        },
        |v| {
            let (mut first, others): (Vec<i32>, Vec<i32>) = v.iter().partition(|&&x| keeps(v, x));
            let mid = first.len();
            first.extend(others);
            let large = first.iter().map(|&x| [x; 20]).collect();
            (mid, first, large)
        },
    );
}

#[test]
fn unstable_separates() {
    oracle(
        ints(),
        |v| {
            let mut parted = v.clone();
            let mid = parted.par_partition_in_place_unstable(|&x| keeps(v, x));
            parted[..mid].sort();
            parted[mid..].sort();
            (mid, parted)
        },
        |v| {
            let (mut first, mut others): (Vec<i32>, Vec<i32>) =
                v.iter().partition(|&&x| keeps(v, x));
            let mid = first.len();
            first.sort();
            others.sort();
            first.extend(others);
            (mid, first)
        },
    );
}

#[test]
fn long_ones() {
    const N: u32 = 300_000;
    for (round, rare) in [2, 50].into_iter().enumerate() {
        let goes_first = |x: &u32| !(x.wrapping_mul(2_654_435_761) >> 8).is_multiple_of(rare);
        let (first, others): (Vec<u32>, Vec<u32>) = (0..N).partition(goes_first);
        let want: Vec<u32> = first.iter().chain(&others).copied().collect();
        for place in Place::some(round) {
            place.run(|| {
                let mut v: Vec<u32> = (0..N).collect();
                let mut u = v.clone();
                let mid = v.par_partition_in_place(goes_first);
                assert_eq!(mid, first.len(), "{place:?}");
                assert_eq!(u.par_partition_in_place_unstable(goes_first), mid);
                u[..mid].sort();
                u[mid..].sort();
                assert!(v == want && u == want, "{place:?}");
            });
        }
    }
}

#[test]
fn nothing_is_lost_or_doubled() {
    const N: usize = 5000;
    for place in Place::all() {
        for stable in [true, false] {
            let ledger = Ledger::new(N);
            let mut v = ledger.tokens();
            let goes_first = |t: &Token| costly(t.id() as i32) % 3 == 0;
            let mid = place.run(|| {
                if stable {
                    v.par_partition_in_place(goes_first)
                } else {
                    v.par_partition_in_place_unstable(goes_first)
                }
            });
            assert_eq!(mid, N.div_ceil(3));
            ledger.assert_each_live(1);
            drop(v);
            ledger.assert_all_gone();
        }
    }
}

#[test]
fn of_nothing_and_of_nothing_much() {
    for place in Place::all() {
        place.run(|| {
            assert_eq!([(); 0].par_partition_in_place(|()| true), 0);
            assert_eq!([(); 0].par_partition_in_place_unstable(|()| true), 0);
            for first in [false, true] {
                let mid = 3000 * usize::from(first);
                assert_eq!([(); 3000].par_partition_in_place(|()| first), mid);
                assert_eq!([(); 3000].par_partition_in_place_unstable(|()| first), mid);
            }
        });
    }
}

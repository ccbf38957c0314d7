//! Any sequence of cuts gives the same answer: never, always, or by the toss of a coin. In processes of their own, because all
//! pools of a process are told how to cut.

use crate::panics::{at_every_call_of_few, in_a_drop_of_few};
use crate::scan::{affine, exclusive, inclusive, then};
use crate::support::{Place, alone, caught, costly, force_everywhere, planted};
use filch::ext::*;
use filch::iter::plumbing::Cuts;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn same_under(cuts: Cuts) {
    force_everywhere(cuts);
    for round in 0..10 {
        for n in [0, 1, 2, 3, 10, 100, 700] {
            let v: Vec<i32> = (0..n).map(|x| costly(x * 7919 % 50)).collect();
            let keeps = |x: &i32| {
                costly(0);
                x % 3 != round % 4
            };
            let (first, others): (Vec<i32>, Vec<i32>) = v.iter().partition(|x| keeps(x));
            assert_eq!(v.par_pack(keeps), first);
            let mut kept = v.clone();
            kept.par_retain(keeps);
            assert_eq!(kept, first);
            let mut parted = v.clone();
            assert_eq!(parted.par_partition_in_place(keeps), first.len());
            assert!(parted.iter().eq(first.iter().chain(&others)));
            let mut parted = v.clone();
            assert_eq!(parted.par_partition_in_place_unstable(keeps), first.len());
            assert!(parted[..first.len()].iter().all(keeps));
            assert!(!parted[first.len()..].iter().any(keeps));
            let same = |a: &mut i32, b: &mut i32| costly(*a / 5) == *b / 5;
            let (mut a, mut b) = (v.clone(), v.clone());
            a.par_dedup_by(same);
            b.dedup_by(same);
            assert_eq!(a, b);
            for at in (1..v.len()).step_by(1 + v.len() / 5) {
                let mut numbers: Vec<usize> = (0..v.len()).collect();
                let panics = |b: &mut usize, _: &mut usize| {
                    costly(0);
                    if *b == at {
                        planted(at);
                    }
                    false
                };
                // Each is compared once, within a piece or at its front.
                assert_eq!(caught(|| numbers.par_dedup_by(panics)), Err(at));
                assert!(numbers.iter().copied().eq(0..v.len()));
            }
            let (mut units, asked) = (vec![(); v.len()], AtomicUsize::new(0));
            units.par_retain(|()| costly(asked.fetch_add(1, Relaxed) as i32) % 3 > 0);
            assert_eq!(units.len(), v.len() - v.len().div_ceil(3));
            let maps: Vec<_> = v.iter().map(|&x| affine(x)).collect();
            let slow = |a: &_, b: &_| {
                costly(0);
                then(a, b)
            };
            let first = affine(5);
            assert_eq!(maps.par_scan_inclusive(slow), inclusive(&maps, then));
            assert_eq!(
                maps.par_scan_exclusive(first, slow),
                exclusive(&maps, first, then)
            );
        }
    }
    at_every_call_of_few(Place::Outside);
    at_every_call_of_few(Place::Pool(3));
    in_a_drop_of_few(Place::Pool(3));
}

#[test]
fn never() {
    alone(3, 60, || same_under(Cuts::Never));
}

#[test]
fn always() {
    alone(3, 60, || same_under(Cuts::Always));
}

#[test]
fn at_random() {
    alone(3, 60, || same_under(Cuts::Random(1)));
}

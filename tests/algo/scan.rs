//! Scans against the running fold.

use crate::support::{Place, costly, ints, oracle, same_everywhere};
use filch::algo;
use filch::ext::*;
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::sleep;
use std::time::Duration;

/// A map `x -> a x + b` modulo a prime: to compose them is associative, and not commutative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine(u32, u32);

const PRIME: u32 = 65_521;

pub fn affine(x: i32) -> Affine {
    let x = costly(x) as u32 % PRIME;
    Affine(x % 7 + 1, x)
}

pub fn then(first: &Affine, second: &Affine) -> Affine {
    Affine(
        first.0 * second.0 % PRIME,
        (second.0 * first.1 + second.1) % PRIME,
    )
}

pub fn inclusive<T: Clone>(v: &[T], op: impl Fn(&T, &T) -> T) -> Vec<T> {
    let mut out: Vec<T> = Vec::new();
    for x in v {
        let next = out.last().map_or(x.clone(), |last| op(last, x));
        out.push(next);
    }
    out
}

pub fn exclusive<T: Clone>(v: &[T], init: T, op: impl Fn(&T, &T) -> T) -> (Vec<T>, T) {
    let mut out = vec![init];
    for x in v {
        out.push(op(&out[out.len() - 1], x));
    }
    let total = out.pop().unwrap();
    (out, total)
}

#[test]
fn in_order_everywhere() {
    oracle(
        ints(),
        |v| {
            let v: Vec<Affine> = v.iter().map(|&x| affine(x)).collect();
            v.par_scan_inclusive(then)
        },
        |v| {
            let v: Vec<Affine> = v.iter().map(|&x| affine(x)).collect();
            inclusive(&v, then)
        },
    );
    let init = Affine(3, 5);
    oracle(
        ints(),
        move |v| {
            let v: Vec<Affine> = v.iter().map(|&x| affine(x)).collect();
            v.par_scan_exclusive(init, then)
        },
        move |v| {
            let v: Vec<Affine> = v.iter().map(|&x| affine(x)).collect();
            exclusive(&v, init, then)
        },
    );
}

#[test]
fn in_place() {
    oracle(
        ints(),
        |v| {
            let mut a: Vec<Affine> = v.iter().map(|&x| affine(x)).collect();
            let mut b = a.clone();
            a.par_scan_inclusive_in_place(then);
            let total = b.par_scan_exclusive_in_place(Affine(1, 9), then);
            (a, b, total)
        },
        |v| {
            let v: Vec<Affine> = v.iter().map(|&x| affine(x)).collect();
            let (b, total) = exclusive(&v, Affine(1, 9), then);
            (inclusive(&v, then), b, total)
        },
    );
}

#[test]
fn of_iterators() {
    oracle(
        ints(),
        |v| {
            let affine = || v.par_iter().map(|&x| affine(x));
            let a: Vec<_> = affine().scan_inclusive(then).rev().collect();
            let b: Vec<_> = affine()
                .scan_exclusive(Affine(2, 2), then)
                .enumerate()
                .collect();
            let filtered: Vec<_> = affine()
                .scan_inclusive(then)
                .filter(|x| x.1 % 2 == 0)
                .collect();
            (a, b, filtered)
        },
        |v| {
            let v: Vec<_> = v.iter().map(|&x| affine(x)).collect();
            let a = inclusive(&v, then);
            let filtered = a.iter().copied().filter(|x| x.1 % 2 == 0).collect();
            let b = exclusive(&v, Affine(2, 2), then).0;
            (
                a.into_iter().rev().collect(),
                b.into_iter().enumerate().collect(),
                filtered,
            )
        },
    );
    assert_eq!(
        (0..10).into_par_iter().scan_inclusive(|a, b| a + b).len(),
        10
    );
}

/// So few that, when the first one took long, those that are left are not worth sharing.
#[test]
fn of_few_expensive_elements() {
    let slow = |a: &Affine, b: &Affine| {
        sleep(Duration::from_micros(50));
        then(a, b)
    };
    for n in 8..=11 {
        let v: Vec<Affine> = (0..n).map(affine).collect();
        same_everywhere(
            || {
                let (mut a, mut b) = (v.clone(), v.clone());
                a.par_scan_inclusive_in_place(slow);
                let total = b.par_scan_exclusive_in_place(Affine(3, 5), slow);
                (a, (b, total))
            },
            || (inclusive(&v, then), exclusive(&v, Affine(3, 5), then)),
        );
    }
}

/// Long enough for several batches, with an operation that is worth sharing.
#[test]
fn over_many_batches() {
    let v: Vec<Affine> = (0..40_000).map(affine).collect();
    let slow = |a: &Affine, b: &Affine| {
        costly(a.1 as i32);
        then(a, b)
    };
    same_everywhere(|| v.par_scan_inclusive(slow), || inclusive(&v, then));
    same_everywhere(
        || v.par_scan_exclusive(Affine(1, 0), slow),
        || exclusive(&v, Affine(1, 0), then),
    );
}

#[test]
fn of_strings() {
    let v: Vec<String> = (0..300).map(|i| i.to_string()).collect();
    let concat = |a: &String, b: &String| format!("{a}{b}");
    same_everywhere(|| v.par_scan_inclusive(concat), || inclusive(&v, concat));
    same_everywhere(
        || {
            let mut v = v.clone();
            let total = v.par_scan_exclusive_in_place("-".into(), concat);
            (v, total)
        },
        || exclusive(&v, "-".into(), concat),
    );
}

#[test]
fn calls_the_operation_no_more_than_twice() {
    const N: usize = 20_000;
    for place in Place::all() {
        let calls = AtomicUsize::new(0);
        let v: Vec<i32> = (0..N as i32).collect();
        place.run(|| {
            v.par_scan_inclusive(|a, b| {
                calls.fetch_add(1, Relaxed);
                a.wrapping_add(costly(*b))
            })
        });
        let calls = calls.into_inner();
        assert!(calls <= 3 * N, "{place:?}: {calls}");
        if place == Place::Pool(1) {
            assert_eq!(calls, N - 1);
        }
    }
}

#[test]
fn of_nothing_and_of_nothing_much() {
    same_everywhere(
        || {
            let nothing: Vec<u8> = algo::scan_inclusive(&[], |a: &u8, b: &u8| a + b);
            let units = algo::scan_inclusive(&[(); 1000], |_, _| ());
            let total = algo::scan_exclusive(&[], 5, |a, b| a + b);
            (nothing, units.len(), total)
        },
        || (vec![], 1000, (vec![], 5)),
    );
    let mut units = [(); 1000];
    algo::scan_inclusive_in_place(&mut units, |_, _| ());
    algo::scan_exclusive_in_place(&mut units, (), |_, _| ());
}

//! Sorting: the right order, stable where promised, a permutation whatever the comparison does.

use crate::support::{Dice, Place, alone, costly, ints, oracle, oracle_few};
use filch::prelude::*;
use proptest::prelude::*;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

#[test]
fn ints_of_all_lengths() {
    oracle(
        ints(),
        |v| {
            let (mut a, mut b) = (v.clone(), v.clone());
            a.par_sort();
            b.par_sort_unstable();
            (a, b)
        },
        |v| {
            let mut v = v.clone();
            v.sort_unstable();
            (v.clone(), v)
        },
    );
}

#[test]
fn by_comparison_and_by_key() {
    let down = |a: &i32, b: &i32| b.cmp(&costly(*a));
    oracle(
        ints(),
        move |v| {
            let (mut a, mut b) = (v.clone(), v.clone());
            a.par_sort_by(down);
            b.par_sort_unstable_by(down);
            (a, b)
        },
        |v| {
            let mut v = v.clone();
            v.sort_by(|a, b| b.cmp(a));
            (v.clone(), v)
        },
    );
    oracle(
        ints(),
        |v| {
            let (mut a, mut b, mut c) = (v.clone(), v.clone(), v.clone());
            a.par_sort_by_key(|x| x % 10);
            b.par_sort_unstable_by_key(|x| x.to_string());
            c.par_sort_by_cached_key(|x| x.to_string());
            (a, b, c)
        },
        |v| {
            let (mut a, mut b, mut c) = (v.clone(), v.clone(), v.clone());
            a.sort_by_key(|x| x % 10);
            b.sort_unstable_by_key(|x| x.to_string());
            c.sort_by_cached_key(|x| x.to_string());
            (a, b, c)
        },
    );
}

/// Equal ones keep their order.
#[test]
fn stability() {
    oracle_few(
        (0..30_000usize, 1..50usize, any::<u64>()),
        |&(n, keys, seed)| {
            let mut v = keyed(n, keys, seed);
            v.par_sort_by_key(|pair| pair.0);
            let mut w = keyed(n, keys, seed);
            w.par_sort_by(|a, b| b.0.cmp(&a.0));
            (v, w)
        },
        |&(n, keys, seed)| {
            let mut v = keyed(n, keys, seed);
            v.sort();
            let mut w = keyed(n, keys, seed);
            w.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            (v, w)
        },
    );
}

/// Few keys, and the position of each.
fn keyed(n: usize, keys: usize, seed: u64) -> Vec<(usize, usize)> {
    let mut dice = Dice::new(seed);
    (0..n).map(|i| (dice.below(keys), i)).collect()
}

/// Inputs that sorts are known to stumble over.
fn patterns(n: usize) -> Vec<(&'static str, Vec<u64>)> {
    let n = n as u64;
    let mut dice = Dice::new(n);
    let mut random: Vec<u64> = (0..n).map(|_| dice.roll()).collect();
    let mut nearly: Vec<u64> = (0..n).collect();
    for _ in 0..n / 100 {
        nearly.swap(dice.below(n as usize), dice.below(n as usize));
    }
    let mut all = vec![
        ("random", random.clone()),
        ("sorted", (0..n).collect()),
        ("reversed", (0..n).rev().collect()),
        ("all equal", vec![7; n as usize]),
        ("two values", (0..n).map(|_| dice.roll() % 2).collect()),
        (
            "organ pipe",
            (0..n / 2).chain((0..n - n / 2).rev()).collect(),
        ),
        ("saw", (0..n).map(|i| i % 100).collect()),
        (
            "blocks",
            (0..n).map(|i| i / 100 * 100 + 99 - i % 100).collect(),
        ),
        ("nearly sorted", nearly),
        (
            "sorted with a random tail",
            (0..n - n / 10)
                .chain((0..n / 10).map(|_| dice.roll()))
                .collect(),
        ),
        (
            "median of three",
            (0..n).map(|i| if i % 2 == 0 { i } else { n - i }).collect(),
        ),
        ("rotated", (n / 3..n).chain(0..n / 3).collect()),
    ];
    random.iter_mut().for_each(|x| *x %= 64);
    all.push(("few values", random));
    all
}

#[test]
fn known_patterns() {
    for n in [0, 1, 2, 21, 100, 4001, 15_000] {
        for (name, v) in patterns(n) {
            let mut want = v.clone();
            want.sort();
            for place in Place::all() {
                let (mut a, mut b) = (v.clone(), v.clone());
                place.run(|| a.par_sort());
                place.run(|| b.par_sort_unstable());
                assert!(a == want, "{place:?}: {n} {name}, stable");
                assert!(b == want, "{place:?}: {n} {name}, unstable");
            }
        }
    }
}

#[test]
fn strings() {
    oracle(
        ints(),
        |v| {
            let mut v: Vec<String> = v.iter().map(i32::to_string).collect();
            let mut w = v.clone();
            v.par_sort();
            w.par_sort_unstable();
            (v, w)
        },
        |v| {
            let mut v: Vec<String> = v.iter().map(i32::to_string).collect();
            v.sort();
            (v.clone(), v)
        },
    );
}

#[test]
fn without_size() {
    let mut v = [(); 100_000];
    v.par_sort();
    v.par_sort_unstable();
    v.par_sort_by(|(), ()| Ordering::Greater);
    assert_eq!(v.len(), 100_000);
}

/// A comparison that contradicts itself: any order or a panic, but every element once. An own
/// process says which test it was that ran out of stack.
#[test]
fn senseless_comparisons() {
    alone(3, 60, || {
        for (name, compare) in SENSELESS {
            for n in [2, 21, 300, 8000, 60_000] {
                let mut dice = Dice::new(n as u64);
                let input: Vec<u64> = (0..n).map(|_| dice.roll() % 1000).collect();
                let mut want = input.clone();
                want.sort_unstable();
                for stable in [true, false] {
                    let mut v = input.clone();
                    // std's sorts may panic on these, ours do not.
                    match stable {
                        true => v.par_sort_by(compare),
                        false => v.par_sort_unstable_by(compare),
                    }
                    v.sort_unstable();
                    assert_eq!(v, want, "{name}, {n}, stable: {stable}");
                }
            }
        }
    });
}

type Compare = fn(&u64, &u64) -> Ordering;

/// Comparisons of every kind that is no order.
const SENSELESS: [(&str, Compare); 8] = [
    ("always less", |_, _| Ordering::Less),
    ("always greater", |_, _| Ordering::Greater),
    ("always equal", |_, _| Ordering::Equal),
    ("xor", |a, b| (a ^ b).cmp(&512)),
    ("random", |_, _| {
        (Dice::new(call()).roll()).cmp(&(u64::MAX / 2))
    }),
    ("as with a NaN", |a, b| {
        if a % 7 == 0 { Ordering::Less } else { a.cmp(b) }
    }),
    ("never equal", |a, b| {
        if a <= b {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }),
    ("in turn", |_, _| match call() % 3 {
        0 => Ordering::Less,
        1 => Ordering::Equal,
        _ => Ordering::Greater,
    }),
];

/// The number of this call.
fn call() -> u64 {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    CALLS.fetch_add(1, Relaxed)
}

/// Far fewer comparisons than pairs, on every pattern.
#[test]
fn few_comparisons() {
    const N: usize = 20_000;
    for (name, v) in patterns(N) {
        for stable in [true, false] {
            let calls = AtomicUsize::new(0);
            let compare = |a: &u64, b: &u64| {
                calls.fetch_add(1, Relaxed);
                a.cmp(b)
            };
            let mut v = v.clone();
            Place::Pool(3).run(|| match stable {
                true => v.par_sort_by(compare),
                false => v.par_sort_unstable_by(compare),
            });
            let calls = calls.into_inner();
            let limit = 6 * N * N.ilog2() as usize;
            assert!(
                calls < limit,
                "{name}, stable: {stable}: {calls} comparisons"
            );
        }
    }
}

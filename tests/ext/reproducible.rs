//! `reproducible` and `sum_compensated`: one bit pattern, wherever and however it is computed.

use crate::everywhere;
use crate::support::{Dice, Place, pool, within};
use filch::ext::*;
use filch::prelude::*;
use std::iter;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const LEAF: usize = 4096;

/// Numbers of all magnitudes, so that every order of addition gives another sum.
fn floats(n: usize) -> Vec<f64> {
    let mut dice = Dice::new(n as u64);
    (0..n)
        .map(|_| {
            let exponent = dice.below(60) as i32 - 30;
            (dice.below(2000) as f64 - 999.5) * 2f64.powi(exponent)
        })
        .collect()
}

/// The documented tree: the left part holds the largest power of two of leaves that is less than all.
fn tree<R>(n: usize, leaf: usize, fold: &impl Fn(usize, usize) -> R, op: &impl Fn(R, R) -> R) -> R {
    fn go<R>(
        at: usize,
        n: usize,
        leaf: usize,
        fold: &impl Fn(usize, usize) -> R,
        op: &impl Fn(R, R) -> R,
    ) -> R {
        let leaves = n.div_ceil(leaf);
        if leaves <= 1 {
            return fold(at, at + n);
        }
        let left = leaf * (leaves.next_power_of_two() / 2);
        let (a, b) = (
            go(at, left, leaf, fold, op),
            go(at + left, n - left, leaf, fold, op),
        );
        op(a, b)
    }
    go(0, n, leaf, fold, op)
}

pub fn models() {
    for n in [0, 1, LEAF - 1, LEAF, LEAF + 1, 3 * LEAF + 7, 40_000] {
        let v = floats(n);
        let sum = |from: usize, to: usize| v[from..to].iter().sum::<f64>();
        let want = tree(n, LEAF, &sum, &|a, b| a + b).to_bits();
        let same = |got: f64| assert_eq!(got.to_bits(), want, "{n}");
        same(v.par_iter().reproducible().sum());
        same(v.par_iter().copied().reproducible().sum());
        same(v.par_iter().reproducible().map(|x| x * 1.0).sum());
        same(v.par_iter().map_init(|| (), |_, x| *x).reproducible().sum());
        same(
            v.clone()
                .into_par_iter()
                .reproducible()
                .inspect(|_| ())
                .sum(),
        );
        let ones = vec![1.0; n];
        same(
            v.par_iter()
                .zip(&ones)
                .reproducible()
                .map(|(a, b)| a * b)
                .sum(),
        );
        same(
            v.par_iter()
                .reproducible()
                .zip(&ones)
                .map(|(a, b)| a * b)
                .sum(),
        );
        same(
            ones.par_iter()
                .zip(v.par_iter().reproducible())
                .map(|(a, b)| a * b)
                .sum(),
        );
        same(
            v.par_iter()
                .reproducible()
                .enumerate()
                .map(|(i, _)| v[i])
                .sum(),
        );
        same((0..n).into_par_iter().reproducible().map(|i| v[i]).sum());
        same(v.par_iter().rev().reproducible().rev().sum());
        same(
            (&v, &ones)
                .into_par_iter()
                .reproducible()
                .map(|(a, b)| a * b)
                .sum(),
        );
        same(v.par_iter().reproducible().flat_map_iter(|&x| [x]).sum());
        same(
            v.par_iter()
                .reproducible()
                .map_init(|| 1.0, |one, x| x * *one)
                .sum(),
        );
        // The leaf that holds the seam of a chain is folded in two parts.
        let (a, b) = v.split_at(n / 3);
        let seam = |from: usize, to: usize| {
            let at = (n / 3).clamp(from, to);
            sum(from, at) + sum(at, to)
        };
        let want = tree(n, LEAF, &seam, &|a, b| a + b).to_bits();
        let got: f64 = a.par_iter().chain(b).reproducible().sum();
        assert_eq!(got.to_bits(), want, "{n}");

        let reduce = |from: usize, to: usize| v[from..to].iter().fold(1.0, |a, b| a - b);
        let want = tree(n, LEAF, &reduce, &|a, b| a - b);
        let got = v
            .par_iter()
            .copied()
            .reproducible()
            .reduce(|| 1.0, |a, b| a - b);
        assert_eq!(got.to_bits(), want.to_bits());
        let product = |from: usize, to: usize| v[from..to].iter().product::<f64>();
        let want = tree(n, LEAF, &product, &|a, b| a * b);
        let got: f64 = v.par_iter().reproducible().product();
        assert_eq!(got.to_bits(), want.to_bits());

        // One item a leaf, and smaller leaves on request.
        let lens: Vec<usize> = v
            .par_iter()
            .reproducible()
            .fold(|| 0, |n, _| n + 1)
            .collect();
        let want: Vec<usize> = if n == 0 {
            vec![0]
        } else {
            v.chunks(LEAF).map(<[_]>::len).collect()
        };
        assert_eq!(lens, want);
        let want = tree(n, 100, &sum, &|a, b| a + b).to_bits();
        let got: f64 = v.par_iter().with_max_len(100).reproducible().sum();
        assert_eq!(got.to_bits(), want);
        let got: f64 = v.par_iter().reproducible().with_max_len(100).sum();
        assert_eq!(got.to_bits(), want);
    }
    // Both parts of a chain; inside a `flat_map`; and what is collected.
    let v = floats(3 * LEAF);
    let half = || v.par_iter().reproducible();
    let one: f64 = half().sum();
    let both: f64 = half().chain(half()).map(|x| x + 0.0).sum();
    assert_eq!(both.to_bits(), (one + one).to_bits());
    let nested: Vec<f64> = (0..5).into_par_iter().map(|_| half().sum()).collect();
    assert!(nested.iter().all(|x| x.to_bits() == one.to_bits()));
    let all: Vec<f64> = v.par_iter().reproducible().copied().collect();
    assert_eq!(all, v);
    let kept: Vec<f64> = half().copied().filter(|x| *x > 0.0).collect();
    assert!(kept.iter().eq(v.iter().filter(|x| **x > 0.0)));
    let compensated = half().sum_compensated();
    assert_eq!(half().sum_compensated().to_bits(), compensated.to_bits());
}

#[test]
fn as_the_documented_tree() {
    everywhere(models);
}

/// The sums of other tests are kept here, so that runs in different pools are compared.
#[test]
fn one_bit_pattern_in_many_runs() {
    let v = floats(300_000);
    let seen = Mutex::new(Vec::new());
    for threads in [1, 2, 3, 8] {
        for _ in 0..20 {
            pool(threads).install(|| {
                let sum: f64 = v.par_iter().reproducible().sum();
                let carried = v.par_iter().reproducible().sum_compensated();
                seen.lock()
                    .unwrap()
                    .push((sum.to_bits(), carried.to_bits()));
            });
        }
    }
    let mut seen = seen.into_inner().unwrap();
    seen.dedup();
    assert_eq!(seen.len(), 1);
}

#[test]
fn compensated_sums_are_nearly_exact() {
    everywhere(|| {
        // Integers that cancel, so that the true sum is known.
        let n = 10_000i64;
        let mut v: Vec<f64> = Vec::new();
        for i in 0..n {
            v.extend([1e15 * i as f64, i as f64 + 0.5, -1e15 * i as f64]);
        }
        let want: f64 = (0..n).map(|i| i as f64 + 0.5).sum();
        assert_eq!(v.par_iter().sum_compensated(), want);
        assert_eq!(v.into_par_iter().filter(|_| true).sum_compensated(), want);
        let small: Vec<f32> = vec![0.1; 1_000_000];
        let exact = f64::from(0.1f32) * 1e6;
        assert_eq!(small.par_iter().sum_compensated(), exact as f32);
        let empty: [f64; 0] = [];
        assert_eq!(empty.par_iter().sum_compensated(), 0.0);
        assert_eq!(
            [1.0, f64::INFINITY].par_iter().sum_compensated(),
            f64::INFINITY
        );
        assert!([1.0, f64::NAN].par_iter().sum_compensated().is_nan());
        assert!(
            [f64::INFINITY, f64::NEG_INFINITY]
                .par_iter()
                .sum_compensated()
                .is_nan()
        );
    });
}

/// As many leaves as a `usize` can count: twice the next power of two would be one too many.
#[test]
fn leaves_of_one_item_in_the_longest_range() {
    everywhere(|| {
        let long = (0..usize::MAX)
            .into_par_iter()
            .with_max_len(1)
            .reproducible();
        assert_eq!(long.find_first(|&n| n == 5), Some(5));
    });
}

/// Runs `results` in each place, several times with other waits, and compares all bits. `results` is given what makes the numbers of item `i`: as many as
/// asked for, and now and then it waits.
fn same_whatever_takes_long(
    results: impl Fn(&(dyn Fn(usize, usize) -> f64 + Sync)) -> Vec<u64> + Sync,
) {
    let mut want = None;
    for place in Place::all() {
        for seed in 0..3 {
            let number = |i: usize, j: usize| {
                let at = (i << 20 | j) as u64;
                if Dice::new(at ^ seed << 50).below(500) == 0 {
                    let start = Instant::now();
                    while start.elapsed() < Duration::from_micros(15) {}
                }
                (at as f64 + 1.0).sqrt().recip()
            };
            let got = place.run(|| results(&number));
            assert_eq!(
                &got,
                want.get_or_insert_with(|| got.clone()),
                "{place:?}, {seed}"
            );
        }
    }
}

/// The iterators inside are long, or do not say how long they are, so the fold looks now and then whether more is wanted. When it looks must not matter.
#[test]
fn long_iterators_inside_leaves() {
    within(60, || {
        same_whatever_takes_long(|number| {
            let outer = || (0..12usize).into_par_iter().with_max_len(3).reproducible();
            let len = |i: usize| 900 + 300 * (i % 4);
            let known = |i| (0..len(i)).map(move |j| number(i, j));
            let unknown = |i| {
                let mut numbers = known(i);
                iter::from_fn(move || numbers.next())
            };
            let token = CancelToken::new();
            let sums: Vec<f64> = vec![
                outer().flat_map_iter(known).sum(),
                outer().flat_map_iter(unknown).sum(),
                outer().map(unknown).flatten_iter().sum(),
                outer()
                    .flat_map_iter(unknown)
                    .map(|x| 1.0 + x / 16.0)
                    .product(),
                outer().flat_map_iter(unknown).sum_compensated(),
                outer()
                    .flat_map_iter(unknown)
                    .flat_map_iter(|x| [x, 1.0 / x])
                    .sum(),
                outer()
                    .flat_map_iter(|i| [i, i + 5])
                    .flat_map_iter(unknown)
                    .sum(),
                outer().flat_map_iter(unknown).cancellable(&token).sum(),
                outer().flat_map_iter(unknown).intersperse(0.3).sum(),
                outer()
                    .flat_map_iter(unknown)
                    .fold(|| 0.0, |a, b| a + b)
                    .sum(),
                outer().chain(outer()).flat_map_iter(unknown).sum(),
                outer()
                    .flat_map_iter(known)
                    .chain(outer().flat_map_iter(unknown))
                    .sum(),
                outer()
                    .flat_map_iter(unknown)
                    .map(Some)
                    .sum::<Option<f64>>()
                    .unwrap_or(0.0),
            ];
            sums.into_iter().map(f64::to_bits).collect()
        })
    });
}

/// A fold inside an iterator without an end sees that another leaf has what is searched for, or that the result is settled.
#[test]
fn endless_iterators_inside_leaves() {
    within(60, || {
        Place::CutEverywhere.run(|| {
            let leaves = || (0..2usize).into_par_iter().with_max_len(1).reproducible();
            assert!(leaves().flat_map_iter(iter::repeat).any(|i| i == 1));
            let numbers = leaves().map(|i| (i == 0).then_some(0));
            assert_eq!(
                numbers.flat_map_iter(iter::repeat).sum::<Option<usize>>(),
                None
            );
        })
    });
}

/// A leaf has far more pairs than a table is judged by: some keys come once, which does not pay, and some again. What one leaf finds does not matter to others.
#[test]
fn many_pairs_by_key_in_a_leaf() {
    within(60, || {
        let mut want = None;
        for place in Place::all() {
            let got = place.run(|| {
                let leaves = (0..24usize).into_par_iter().with_max_len(1).reproducible();
                let pairs = leaves.flat_map_iter(|i| {
                    let kinds = if i == 12 { 130_000 } else { 6_000 };
                    let len = if i == 12 { kinds } else { 2 * kinds };
                    (0..len).map(move |j| (j % kinds, ((i * len + j + 1) as f64).recip()))
                });
                let mut sums: Vec<(usize, u64)> = pairs
                    .reduce_by_key(|a, b| *a += b)
                    .into_iter()
                    .map(|(key, sum)| (key, sum.to_bits()))
                    .collect();
                sums.sort_unstable();
                sums
            });
            let want = want.get_or_insert_with(|| got.clone());
            assert!(got == *want, "{place:?}");
        }
    });
}

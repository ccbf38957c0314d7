//! Slices in windows, in chunks of all kinds, and split by predicates.

use crate::support::{cuts, ints, oracle};
use filch::prelude::*;

#[test]
fn windows() {
    oracle(
        (ints(), 1..20usize),
        |(v, n)| {
            let windows: Vec<Vec<i32>> = v.par_windows(*n).map(<[i32]>::to_vec).collect();
            let pairs: Vec<i32> = v.par_array_windows().map(|[a, b]| a * b).collect();
            (windows, pairs)
        },
        |(v, n)| {
            let pairs = v.windows(2).map(|w| w[0] * w[1]).collect();
            (v.windows(*n).map(<[i32]>::to_vec).collect(), pairs)
        },
    );
}

#[test]
fn exact_and_reverse_chunks() {
    oracle(
        (ints(), 1..100usize),
        |(v, n)| {
            let own = <[i32]>::to_vec;
            let exact = v.par_chunks_exact(*n);
            let rest = exact.remainder().to_vec();
            let back = v.par_rchunks_exact(*n);
            let back_rest = back.remainder().to_vec();
            (
                (exact.map(own).collect::<Vec<_>>(), rest),
                v.par_rchunks(*n).map(own).collect::<Vec<_>>(),
                (back.map(own).collect::<Vec<_>>(), back_rest),
            )
        },
        |(v, n)| {
            let own = <[i32]>::to_vec;
            let (exact, back) = (v.chunks_exact(*n), v.rchunks_exact(*n));
            let rests = (exact.remainder().to_vec(), back.remainder().to_vec());
            (
                (exact.map(own).collect(), rests.0),
                v.rchunks(*n).map(own).collect(),
                (back.map(own).collect(), rests.1),
            )
        },
    );
}

#[test]
fn exact_and_reverse_chunks_mutable() {
    oracle(
        (ints(), 1..100usize),
        |(v, n)| {
            let mut v = v.clone();
            let number = |(i, c): (usize, &mut [i32])| c.iter_mut().for_each(|x| *x += i as i32);
            let mut exact = v.par_chunks_exact_mut(*n);
            exact.remainder().fill(-7);
            exact.enumerate().for_each(number);
            v.par_rchunks_mut(*n).enumerate().for_each(number);
            let mut exact = v.par_rchunks_exact_mut(*n);
            exact.take_remainder().fill(-8);
            assert!(exact.remainder().is_empty());
            exact.enumerate().for_each(number);
            v
        },
        |(v, n)| {
            let mut v = v.clone();
            let number = |(i, c): (usize, &mut [i32])| c.iter_mut().for_each(|x| *x += i as i32);
            let whole = v.len() / n * n;
            v[whole..].fill(-7);
            v.chunks_exact_mut(*n).enumerate().for_each(number);
            v.rchunks_mut(*n).enumerate().for_each(number);
            let rest = v.len() % n;
            v[..rest].fill(-8);
            v.rchunks_exact_mut(*n).enumerate().for_each(number);
            v
        },
    );
}

#[test]
fn splits() {
    let bad = |x: &i32| x % 10 == 0;
    oracle(
        ints(),
        move |v| {
            let own = <[i32]>::to_vec;
            let split: Vec<Vec<i32>> = v.par_split(bad).map(own).collect();
            (
                split,
                v.par_split_inclusive(bad).map(own).collect::<Vec<_>>(),
            )
        },
        move |v| {
            let own = <[i32]>::to_vec;
            (
                v.split(bad).map(own).collect(),
                v.split_inclusive(bad).map(own).collect(),
            )
        },
    );
    oracle(
        ints(),
        move |v| {
            let (mut a, mut b) = (v.clone(), v.clone());
            let mark = |part: &mut [i32]| part.iter_mut().take(1).for_each(|x| *x = 1000);
            a.par_split_mut(bad).for_each(mark);
            b.par_split_inclusive_mut(bad).for_each(mark);
            (a, b)
        },
        move |v| {
            let (mut a, mut b) = (v.clone(), v.clone());
            let mark = |part: &mut [i32]| part.iter_mut().take(1).for_each(|x| *x = 1000);
            a.split_mut(bad).for_each(mark);
            b.split_inclusive_mut(bad).for_each(mark);
            (a, b)
        },
    );
}

#[test]
fn chunk_by() {
    let near = |a: &i32, b: &i32| (a - b).abs() < 400;
    oracle(
        ints(),
        move |v| {
            let runs: Vec<Vec<i32>> = v.par_chunk_by(near).map(<[i32]>::to_vec).collect();
            let mut w = v.clone();
            w.par_chunk_by_mut(near).for_each(|run| run.reverse());
            (runs, w)
        },
        move |v| {
            let mut w = v.clone();
            w.chunk_by_mut(near).for_each(|run| run.reverse());
            (v.chunk_by(near).map(<[i32]>::to_vec).collect(), w)
        },
    );
    // One run, and all runs of one.
    oracle(
        cuts(),
        |c| {
            (
                c.v.par_chunk_by(|_, _| true).count(),
                c.v.par_chunk_by(|_, _| false).count(),
            )
        },
        |c| (usize::from(!c.v.is_empty()), c.v.len()),
    );
}

//! Operators whose order matters: associative ones, so every way to split gives one result, and
//! not commutative ones, so every result out of order is seen.

use crate::support::{costly, ints, oracle, same_everywhere, small_ints};
use filch::prelude::*;

#[test]
fn joined_strings() {
    oracle(
        small_ints(),
        |v| {
            v.par_iter()
                .map(|x| format!("{},", costly(*x)))
                .reduce(String::new, |a, b| a + &b)
        },
        |v| v.iter().map(|x| format!("{x},")).collect(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .fold(String::new, |all, x| all + &costly(*x).to_string() + ",")
                .reduce(String::new, |a, b| a + &b)
        },
        |v| v.iter().map(|x| format!("{x},")).collect(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .filter(|x| **x % 3 != 0)
                .fold(String::new, |all, x| all + &costly(*x).to_string() + ",")
                .collect::<Vec<_>>()
                .concat()
        },
        |v| {
            v.iter()
                .filter(|x| **x % 3 != 0)
                .map(|x| format!("{x},"))
                .collect()
        },
    );
    oracle(
        small_ints(),
        |v| {
            v.par_iter()
                .rev()
                .map(i32::to_string)
                .reduce_with(|a, b| a + "/" + &b)
        },
        |v| {
            let all: Vec<_> = v.iter().rev().map(i32::to_string).collect();
            (!all.is_empty()).then(|| all.join("/"))
        },
    );
}

/// Two by two, modulo a prime.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Matrix([[u64; 2]; 2]);

impl Matrix {
    const ONE: Matrix = Matrix([[1, 0], [0, 1]]);

    /// One that has no inverse in most products, and that few others commute with.
    fn of(x: i32) -> Matrix {
        let x = u64::from(x.unsigned_abs());
        Matrix([[x + 1, 3 * x + 2], [x % 7, x % 11 + 1]])
    }

    fn times(self, other: Matrix) -> Matrix {
        let cell = |i: usize, j: usize| {
            (self.0[i][0] * other.0[0][j] + self.0[i][1] * other.0[1][j]) % 1_000_000_007
        };
        Matrix([[cell(0, 0), cell(0, 1)], [cell(1, 0), cell(1, 1)]])
    }
}

impl std::iter::Product for Matrix {
    fn product<I: Iterator<Item = Matrix>>(items: I) -> Matrix {
        items.fold(Matrix::ONE, Matrix::times)
    }
}

#[test]
fn products_of_matrices() {
    let (a, b) = (Matrix::of(2), Matrix::of(5));
    assert_ne!(a.times(b), b.times(a));
    oracle(
        ints(),
        |v| {
            let m = || v.par_iter().map(|&x| Matrix::of(costly(x)));
            let folded = m().fold(|| Matrix::ONE, Matrix::times);
            (
                m().reduce(|| Matrix::ONE, Matrix::times),
                m().reduce_with(Matrix::times).unwrap_or(Matrix::ONE),
                folded.reduce(|| Matrix::ONE, Matrix::times),
                m().product::<Matrix>(),
            )
        },
        |v| {
            let all = v.iter().map(|&x| Matrix::of(x)).product::<Matrix>();
            (all, all, all, all)
        },
    );
}

#[test]
fn products_of_matrices_behind_flat_map_and_chain() {
    oracle(
        (ints(), small_ints()),
        |(v, w)| {
            let inner = |x: &i32| (0..x.rem_euclid(6)).into_par_iter().map(costly);
            let all = v.par_iter().flat_map(inner).chain(w.par_iter().copied());
            all.map(Matrix::of).product::<Matrix>()
        },
        |(v, w)| {
            let all = v
                .iter()
                .flat_map(|x| 0..x.rem_euclid(6))
                .chain(w.iter().copied());
            all.map(Matrix::of).product::<Matrix>()
        },
    );
}

/// A sum type of the user's that joins in order.
#[derive(Debug, PartialEq)]
struct Joined(String);

impl std::iter::Sum for Joined {
    fn sum<I: Iterator<Item = Joined>>(items: I) -> Joined {
        Joined(items.map(|x| x.0).collect())
    }
}

impl std::iter::Sum<i32> for Joined {
    fn sum<I: Iterator<Item = i32>>(items: I) -> Joined {
        Joined(items.map(|x| format!("<{x}>")).collect())
    }
}

#[test]
fn sums_in_order() {
    oracle(
        ints(),
        |v| v.par_iter().map(|&x| costly(x)).sum::<Joined>(),
        |v| v.iter().copied().sum(),
    );
}

/// A reduction sees neighbours only: every operand is a run, and it ends where the next begins.
#[test]
fn reductions_join_neighbours() {
    same_everywhere(
        || {
            let runs = (0..5000usize)
                .into_par_iter()
                .with_max_len(7)
                .map(|i| i..i + 1);
            runs.reduce_with(|a, b| {
                assert_eq!(a.end, b.start);
                a.start..b.end
            })
        },
        || Some(0..5000),
    );
}

/// The pieces of a fold are neighbours in order, and hold every item once.
#[test]
fn folds_are_runs_in_order() {
    same_everywhere(
        || {
            let runs: Vec<Vec<i32>> = (0..20_000)
                .into_par_iter()
                .map(costly)
                .fold(Vec::new, |mut run, x| {
                    run.push(x);
                    run
                })
                .collect();
            runs.concat()
        },
        || (0..20_000).collect(),
    );
}

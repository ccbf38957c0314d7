//! Strassen's matrix product: seven products of quarter size instead of eight, all seven at once.
//!
//! `cargo run --release --example matrix_product -- [side]`
//!
//! V. Strassen, "Gaussian elimination is not optimal", Numerische Mathematik 13 (1969).

use std::env;
use std::time::{Duration, Instant};

use filch::prelude::*;

fn main() {
    let side: usize = env::args()
        .nth(1)
        .map_or(1_024, |n| n.parse().expect("usage: matrix_product [side]"));
    assert!(side > 0, "a matrix needs a row");
    // Small whole numbers: then all sums are exact and the results must be equal.
    let a = Matrix::new(side, |row, column| ((row * 7 + column * 3) % 10) as f64);
    let b = Matrix::new(side, |row, column| ((row * 5 + column * 11) % 10) as f64);

    let (expected, one) = timed(|| plain(&a, &b));
    let (found, all) = timed(|| {
        // Powers of two can be halved down to single numbers.
        let padded = side.next_power_of_two();
        strassen(&a.part(0, 0, padded), &b.part(0, 0, padded)).part(0, 0, side)
    });

    assert!(found == expected, "the two products differ");
    println!("product of two matrices of {side} x {side}");
    println!(
        "three loops {one:.2?}, Strassen on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// Below this three loops are faster.
const SMALL: usize = 128;

fn strassen(a: &Matrix, b: &Matrix) -> Matrix {
    if a.side <= SMALL {
        return plain(a, b);
    }
    let ([a11, a12, a21, a22], [b11, b12, b21, b22]) = (a.quarters(), b.quarters());
    // Each product takes a millisecond or more: worth an item of a parallel iterator, and they recurse.
    let products: Vec<Matrix> = (0..7)
        .into_par_iter()
        .map(|i| match i {
            0 => strassen(&a11.plus(&a22), &b11.plus(&b22)),
            1 => strassen(&a21.plus(&a22), &b11),
            2 => strassen(&a11, &b12.minus(&b22)),
            3 => strassen(&a22, &b21.minus(&b11)),
            4 => strassen(&a11.plus(&a12), &b22),
            5 => strassen(&a21.minus(&a11), &b11.plus(&b12)),
            _ => strassen(&a12.minus(&a22), &b21.plus(&b22)),
        })
        .collect();
    let [m1, m2, m3, m4, m5, m6, m7] = &products[..] else {
        unreachable!("seven went in")
    };
    Matrix::from_quarters([
        m1.plus(m4).minus(m5).plus(m7),
        m3.plus(m5),
        m2.plus(m4),
        m1.minus(m2).plus(m3).plus(m6),
    ])
}

/// The textbook's three loops, in the order that reads memory in a row.
fn plain(a: &Matrix, b: &Matrix) -> Matrix {
    let side = a.side;
    let mut product = Matrix::zero(side);
    for (out, row) in product.at.chunks_mut(side).zip(a.at.chunks(side)) {
        for (factor, row) in row.iter().zip(b.at.chunks(side)) {
            out.iter_mut()
                .zip(row)
                .for_each(|(out, x)| *out += factor * x);
        }
    }
    product
}

/// A square matrix, row after row.
#[derive(PartialEq)]
struct Matrix {
    side: usize,
    at: Vec<f64>,
}

impl Matrix {
    fn new(side: usize, value: impl Fn(usize, usize) -> f64) -> Matrix {
        let at = (0..side * side)
            .map(|i| value(i / side, i % side))
            .collect();
        Matrix { side, at }
    }

    fn zero(side: usize) -> Matrix {
        Matrix {
            side,
            at: vec![0.0; side * side],
        }
    }

    /// The square of the given side whose corner is at `row` and `column`, with zeros where it sticks out.
    fn part(&self, row: usize, column: usize, side: usize) -> Matrix {
        let mut part = Matrix::zero(side);
        let width = side.min(self.side - column);
        let rows = self.at.chunks(self.side).skip(row);
        for (to, from) in part.at.chunks_mut(side).zip(rows) {
            to[..width].copy_from_slice(&from[column..][..width]);
        }
        part
    }

    fn quarters(&self) -> [Matrix; 4] {
        let half = self.side / 2;
        [(0, 0), (0, half), (half, 0), (half, half)].map(|(r, c)| self.part(r, c, half))
    }

    fn from_quarters([upper_left, upper_right, lower_left, lower_right]: [Matrix; 4]) -> Matrix {
        let half = upper_left.side;
        let mut at = Vec::with_capacity(4 * half * half);
        for (left, right) in [(upper_left, upper_right), (lower_left, lower_right)] {
            for (left, right) in left.at.chunks(half).zip(right.at.chunks(half)) {
                at.extend_from_slice(left);
                at.extend_from_slice(right);
            }
        }
        Matrix { side: 2 * half, at }
    }

    fn plus(&self, other: &Matrix) -> Matrix {
        self.with(other, |a, b| a + b)
    }

    fn minus(&self, other: &Matrix) -> Matrix {
        self.with(other, |a, b| a - b)
    }

    fn with(&self, other: &Matrix, op: fn(f64, f64) -> f64) -> Matrix {
        let at = self
            .at
            .iter()
            .zip(&other.at)
            .map(|(&a, &b)| op(a, b))
            .collect();
        Matrix {
            side: self.side,
            at,
        }
    }
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

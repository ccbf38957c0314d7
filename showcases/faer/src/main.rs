//! Linear algebra on square matrices: products, and solutions of systems of equations.

use faer::Mat;
use faer::prelude::*;

fn main() {
    for (n, repeats) in [(32, 2000), (128, 100), (512, 10), (1024, 2)] {
        let [a, b] = [1, 2].map(|seed| matrix(n, seed));
        stopwatch::measure(&format!("product, {n} x {n}"), repeats, || {
            digits(&(&a * &b))
        });
    }
    for (n, repeats) in [(32, 500), (128, 40), (512, 5), (1024, 1)] {
        let [a, b] = [1, 2].map(|seed| matrix(n, seed));
        stopwatch::measure(&format!("LU and solve, {n} x {n}"), repeats, || {
            // What is solved for is `b`, so rounding leaves the digits alone.
            let rounded = a.partial_piv_lu().solve(&a * &b);
            digits(&rounded)
        });
    }
}

/// Numbers between -1 and 1 off the diagonal, so that rounding matters little.
fn matrix(n: usize, seed: u64) -> Mat<f64> {
    Mat::from_fn(n, n, |i, j| {
        let random = stopwatch::scrambled(((i * n + j) as u64) << 2 | seed);
        let number = random as f64 / u64::MAX as f64 * 2.0 - 1.0;
        if i == j { number + n as f64 } else { number }
    })
}

/// What does not depend on the order of additions.
fn digits(m: &Mat<f64>) -> u64 {
    let sum: f64 = m.col_iter().map(|col| col.iter().sum::<f64>()).sum();
    (sum * 1e3).round() as i64 as u64
}

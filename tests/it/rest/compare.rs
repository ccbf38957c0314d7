//! Iterators compared item by item.

use crate::support::{cuts, ints, oracle};
use filch::prelude::*;
use std::cmp::Ordering;

type Answers = (Ordering, Option<Ordering>, [bool; 6]);

fn par(a: &[i32], b: &[i32]) -> Answers {
    let (x, y) = (|| a.par_iter(), || b.par_iter());
    (
        x().cmp(y()),
        x().partial_cmp(y()),
        [
            x().eq(y()),
            x().ne(y()),
            x().lt(y()),
            x().le(y()),
            x().gt(y()),
            x().ge(y()),
        ],
    )
}

fn seq(a: &[i32], b: &[i32]) -> Answers {
    (
        a.cmp(b),
        a.partial_cmp(b),
        [a == b, a != b, a < b, a <= b, a > b, a >= b],
    )
}

#[test]
fn different_ones() {
    oracle((ints(), ints()), |(a, b)| par(a, b), |(a, b)| seq(a, b));
}

/// Equal but for one place, or for the length.
#[test]
fn similar_ones() {
    oracle(
        cuts(),
        |c| similar(&c.v, c.at, par),
        |c| similar(&c.v, c.at, seq),
    );

    fn similar(v: &[i32], at: usize, compare: fn(&[i32], &[i32]) -> Answers) -> [Answers; 4] {
        let mut other = v.to_vec();
        if let Some(x) = other.get_mut(at) {
            *x += 1;
        }
        let short = &v[..at.min(v.len())];
        [
            compare(v, v),
            compare(v, &other),
            compare(&other, v),
            compare(short, v),
        ]
    }
}

#[test]
fn without_an_order() {
    let v = [1.0, f64::NAN, 3.0];
    assert_eq!(v.par_iter().partial_cmp(&v), None);
    assert_eq!(
        v.par_iter().partial_cmp([0.0, 1.0, 2.0].par_iter()),
        Some(Ordering::Greater)
    );
    assert!(v.par_iter().ne(&v));
}

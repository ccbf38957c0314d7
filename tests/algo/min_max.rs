//! Least and greatest elements against std's.

use crate::support::{costly, ints, oracle};
use filch::ext::*;

#[test]
fn the_first_least_and_the_last_greatest() {
    oracle(
        ints(),
        |v| {
            // Keys that repeat, beside positions that tell equal ones apart.
            let pairs: Vec<(i32, usize)> = v.iter().map(|x| x / 100).zip(0..).collect();
            let by_key = pairs.par_min_max_by_key(|p| costly(p.0));
            let by = pairs.par_min_max_by(|a, b| costly(a.0).cmp(&b.0));
            assert_eq!(by_key, by);
            let plain = v.par_min_max().map(|(&a, &b)| (a, b));
            (by.map(|(&a, &b)| (a, b)), plain)
        },
        |v| {
            let pairs = || v.iter().map(|x| x / 100).zip(0..);
            let min = pairs().min_by_key(|p| p.0);
            let max = pairs().max_by_key(|p| p.0);
            let plain = v.iter().copied().min().zip(v.iter().copied().max());
            (min.zip(max), plain)
        },
    );
}

#[test]
fn nothing_much() {
    assert_eq!([0u8; 0].par_min_max(), None);
    assert_eq!([(); 900].par_min_max(), Some((&(), &())));
    assert_eq!([7].par_min_max(), Some((&7, &7)));
}

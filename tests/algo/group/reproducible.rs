//! Sums of floats by key, of leaves that do not depend on chance.

use super::keys::wide;
use crate::support::{Dice, Place, within};
use filch::ext::*;
use filch::prelude::*;
use std::collections::BTreeMap;

const LEAF: usize = 4096;

/// Whatever the first leaf is, and whichever threads drive the others: that a table pays in one fold does not change what other folds do.
#[test]
fn sums_have_the_same_bits_whatever_other_leaves_are() {
    within(120, || {
        let mut dice = Dice::new(1);
        let mut floats: Vec<f64> = Vec::new();
        for _ in 0..6 * LEAF {
            let exponent = dice.below(60) as i32 - 30;
            floats.push((dice.below(2000) as f64 - 999.5) * 2f64.powi(exponent));
        }
        let mut all: Vec<BTreeMap<u64, u64>> = Vec::new();
        for (place, first) in Place::all().flat_map(|place| [(place, 2), (place, LEAF)]) {
            let key = |i: usize| match i {
                0..LEAF => wide((i % first) as u64),
                _ => wide((LEAF + i % 1500) as u64),
            };
            let pairs = floats.par_iter().enumerate().reproducible();
            let pairs = pairs.map(|(i, x)| (key(i), *x));
            let sums = place.run(|| pairs.reduce_by_key(|a, b| *a += b));
            let sums = sums.into_iter().map(|(key, sum)| (key.key, sum.to_bits()));
            all.push(sums.filter(|(key, _)| *key >= LEAF as u64).collect());
        }
        assert_eq!(all[0].len(), 1500);
        assert!(all.iter().all(|sums| *sums == all[0]));
    });
}

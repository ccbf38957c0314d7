//! In the tests' pools pieces really move between threads. Without that, the other tests of this binary would prove little.

use crate::support::{Place, pieces_taken, within};
use filch::ext::*;
use filch::prelude::*;

/// The pools that cut everywhere hand pieces of these algorithms over.
#[test]
fn pieces_are_taken_in_the_pools_that_cut() {
    within(60, || {
        let numbers: Vec<u32> = (0..10_000).collect();
        while pieces_taken() == 0 {
            for place in [Place::CutEverywhere, Place::CutAtRandom] {
                let counts = place.run(|| numbers.par_iter().count_by_key(|&x| x % 10));
                assert!(counts.len() == 10 && counts.values().all(|&n| n == 1000));
            }
        }
    });
}

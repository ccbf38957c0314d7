//! In the tests' pools pieces really move between threads. Without that, the other tests of this binary would prove little.

use crate::support::{Place, pieces_taken, within};
use filch::prelude::*;

/// The pools that cut everywhere hand pieces over.
#[test]
fn pieces_are_taken_in_the_pools_that_cut() {
    within(60, || {
        while pieces_taken() == 0 {
            let sum = |place: Place| place.run(|| (0..10_000u64).into_par_iter().sum::<u64>());
            assert_eq!(sum(Place::CutEverywhere), 49_995_000);
            assert_eq!(sum(Place::CutAtRandom), 49_995_000);
        }
    });
}

//! In the tests' pools pieces really move between threads. Without that, the other tests of this binary would prove little.

use crate::support::{Place, pieces_taken, stolen_of, within};
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

/// What a sort shares is no pieces of iterators, but joins. So few elements are shared in pools that cut everywhere only.
#[test]
fn jobs_of_sorts_are_stolen() {
    let shuffled = || -> Vec<String> { (0..100).map(|i| (i * 37 % 100).to_string()).collect() };
    let mut sorted = shuffled();
    sorted.sort();
    let sorts: [fn(&mut [String]); 3] = [
        |v| v.par_sort(),
        |v| v.par_sort_unstable(),
        |v| v.par_sort_by_cached_key(String::clone),
    ];
    for sort in sorts {
        let sorted = sorted.clone();
        stolen_of(move || {
            let mut v = shuffled();
            sort(&mut v);
            assert_eq!(v, sorted);
        });
    }
}

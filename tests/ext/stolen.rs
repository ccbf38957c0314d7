//! In the tests' pools pieces really move between threads. Without that, the models would prove little.

use crate::support::{Place, pieces_taken, within};

/// The pools that cut everywhere hand pieces of these very iterators over.
#[test]
fn pieces_are_taken_in_the_pools_that_cut() {
    within(60, || {
        while pieces_taken() == 0 {
            Place::CutEverywhere.run(crate::ends::models);
            Place::CutAtRandom.run(crate::prefix::models);
        }
    });
}

//! What the models prove, they prove where pieces move between threads.

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

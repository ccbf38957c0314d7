//! The same models when pieces are cut nowhere, everywhere, or by the toss of a coin. Each in a process of its own, because all of
//! its pools are told how to cut.

use crate::support::{alone, force_everywhere, pool};
use filch::iter::plumbing::Cuts;

fn models(cuts: Cuts) {
    force_everywhere(cuts);
    for threads in [1, 2, 3, 8] {
        pool(threads).install(|| {
            crate::arrays::models();
            crate::cancel::models();
            crate::ends::models();
            crate::ordered::models();
            crate::prefix::models();
            crate::reproducible::models();
            crate::rounds_as_std::models();
            crate::using::models();
        });
    }
}

#[test]
fn never() {
    alone(2, 120, || models(Cuts::Never));
}

#[test]
fn always() {
    alone(2, 120, || models(Cuts::Always));
}

#[test]
fn by_the_toss_of_a_coin() {
    alone(2, 120, || models(Cuts::Random(1)));
}

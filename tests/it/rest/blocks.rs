//! Iterators that go through their input block by block.

use crate::support::{Place, costly, ints, oracle};
use filch::prelude::*;

#[test]
fn results_are_the_same() {
    oracle(
        (ints(), 1..500usize),
        |(v, n)| {
            let v = || v.par_iter().map(|&x| costly(x));
            let uniform: Vec<i32> = v().by_uniform_blocks(*n).collect();
            let growing: Vec<i32> = v().by_exponential_blocks().filter(|x| x % 2 == 0).collect();
            (
                uniform,
                growing,
                v().by_exponential_blocks().find_first(|x| *x > 450),
            )
        },
        |(v, _)| {
            let even = v.iter().copied().filter(|x| x % 2 == 0).collect();
            (v.clone(), even, v.iter().copied().find(|x| *x > 450))
        },
    );
}

/// A search by blocks does not go beyond the block of its match.
#[test]
fn a_search_stays_in_its_block() {
    for place in Place::all() {
        let found = place.run(|| {
            let n = (0..1_000_000usize).into_par_iter().by_uniform_blocks(100);
            n.inspect(|x| assert!(*x < 300)).find_first(|x| *x == 250)
        });
        assert_eq!(found, Some(250), "{place:?}");
    }
}

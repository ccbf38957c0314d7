//! Results of parts that panic when they are dropped, because another part panicked: that panic goes on. One thread does what two might have done, so it is
//! known which parts are done by then.

use crate::support::{caught, planted};
use filch::ThreadPoolBuilder;
use filch::iter::plumbing::{Question, Script};
use filch::prelude::*;
use std::mem::forget;

const ITEMS: usize = 4;

/// Everything is cut that may be, and each offer has this fate; see [`Question::Offer`].
struct Fate(usize);

const TAKEN_FIRST: usize = 1;
const TAKEN_LAST: usize = 2;

impl Script for Fate {
    fn answer(&self, question: Question) -> usize {
        match question {
            Question::Cut => 1,
            Question::Block(_) => 0,
            Question::Offer => self.0,
        }
    }
}

/// Panics when it is dropped.
struct Sharp;

impl Drop for Sharp {
    fn drop(&mut self) {
        planted(ITEMS);
    }
}

#[test]
fn the_panic_of_an_item_goes_on() {
    for (fate, at) in [(TAKEN_FIRST, 0), (TAKEN_LAST, ITEMS - 1)] {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.follow(Box::new(Fate(fate)));
        let outcome = pool.install(|| {
            caught(|| {
                let items = (0..ITEMS).into_par_iter();
                let sharp = items.map(|i| if i == at { planted(i) } else { Sharp });
                forget(sharp.reduce_with(|left, right| {
                    forget(right);
                    left
                }));
            })
        });
        assert_eq!(outcome, Err(at));
    }
}

//! A fold that another thread began holds its items until it is known whether they are wanted. Parts of it that were on offer and came back give it
//! back their positions in the search behind it: else, after 64 of them, there would be none left to order the held items by, and a hit among these
//! would no longer end what lies behind it. One thread does what two might have done, so it is known which items are made.

use filch::ThreadPoolBuilder;
use filch::ext::ParallelWhile;
use filch::iter::plumbing::{Question, Script};
use filch::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// As many items as the first round has, on two threads.
const ITEMS: usize = 1024;
/// The second half is begun by another thread, before the first.
const HELD: usize = ITEMS / 2;
/// What is searched, among the items that are held.
const HIT: usize = HELD + 100;

/// What becomes of an offer; see [`Question::Offer`].
const BACK: usize = 0;
const TAKEN_FIRST: usize = 1;
const TAKEN_LAST: usize = 2;

/// Everything is cut that may be. The next offer has the fate that is said here, and those after a theft of the first half come back.
struct Fates(Arc<AtomicUsize>);

impl Script for Fates {
    fn answer(&self, question: Question) -> usize {
        match question {
            Question::Cut => 1,
            Question::Block(_) => 0,
            Question::Offer => match self.0.load(Relaxed) {
                TAKEN_FIRST => self.0.swap(BACK, Relaxed),
                fate => fate,
            },
        }
    }
}

/// Searches `HIT` behind an adaptor, and returns how many items the adaptor yielded until it was found.
macro_rules! yielded {
    (|$items:ident| $adaptor:expr) => {{
        let fate = Arc::new(AtomicUsize::new(TAKEN_FIRST));
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.follow(Box::new(Fates(Arc::clone(&fate))));
        let (held, yielded) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let found = pool.install(|| {
            let $items = (0..ITEMS).into_par_iter().inspect(|&i| {
                if i == ITEMS - 1 {
                    held.store(yielded.load(Relaxed), Relaxed);
                }
                if i == HELD - 1 {
                    // From here on others take what they can: parts of the held items.
                    fate.store(TAKEN_LAST, Relaxed);
                }
            });
            let all = $adaptor.inspect(|_| _ = yielded.fetch_add(1, Relaxed));
            all.find_first(|&i| i == HIT)
        });
        assert_eq!(found, Some(HIT));
        assert_eq!(
            held.into_inner(),
            0,
            "the second half came first, and was held"
        );
        yielded.into_inner()
    }};
}

#[test]
fn what_take_while_held_is_searched_in_order() {
    assert_eq!(yielded!(|items| items.take_while(|_| true)), HIT + 1);
}

#[test]
fn what_map_while_held_is_searched_in_order() {
    assert_eq!(yielded!(|items| items.map_while(Some)), HIT + 1);
}

#[test]
fn what_skip_while_held_is_searched_in_order() {
    const BORDER: usize = HELD - 10;
    let yielded = yielded!(|items| items.skip_while(|&i| !(BORDER..HELD).contains(&i)));
    assert_eq!(yielded, HIT + 1 - BORDER);
}

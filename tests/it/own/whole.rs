//! Pieces that are folded whole, because a split may cost anything: what a call site learns from them, and what is done when it knows nothing.

use super::states::Moved;
use crate::support::{Muster, within};
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::sync::atomic::AtomicUsize;
use std::thread;
use std::time::Duration;

/// A search at a site that no other test has.
fn search(
    numbers: std::ops::Range<usize>,
    splits: &AtomicUsize,
    look: &(dyn Fn(usize) -> bool + Sync),
) -> Option<usize> {
    let numbers = numbers.collect();
    Moved { numbers, splits }.find_any(|&x| look(x))
}

/// A search that ends with one of its first items has seen few of a piece, which it was given whole. If the time they took were taken for the time of
/// all, a short call at the same place would seem too cheap to share.
#[test]
fn a_search_that_ends_soon_teaches_what_an_item_costs() {
    within(60, || {
        let pool = |threads| {
            ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap()
        };
        let splits = AtomicUsize::new(0);
        let hit = pool(1).install(|| {
            search(0..100_000, &splits, &|x| {
                thread::sleep(Duration::from_micros(200));
                x == 9
            })
        });
        assert_eq!(hit, Some(9));
        let muster = Muster::of(2);
        let hit = pool(2).install(|| {
            search(0..8, &splits, &|_| {
                thread::sleep(Duration::from_millis(1));
                muster.stay(Duration::from_millis(500));
                false
            })
        });
        assert_eq!((hit, muster.seen()), (None, 2), "it was not shared");
    });
}

/// Nothing is known of the site, a split of the producer takes as long as all its items, and one of the consumer clones a value. It is shared all the
/// same, because later is too late, and with few splits.
#[test]
fn a_first_call_with_expensive_splits_is_shared() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (muster, splits) = (Muster::of(2), AtomicUsize::new(0));
        let numbers = (0..64).collect();
        let before = pool.stats();
        let sum: usize = pool.install(|| {
            let moved = Moved {
                numbers,
                splits: &splits,
            };
            let with = moved.map_with(String::from("expensive"), |text, x| {
                thread::sleep(Duration::from_millis(1));
                muster.stay(Duration::from_millis(100));
                x + text.len()
            });
            with.sum()
        });
        let spent = pool.stats() - before;
        assert_eq!(
            (sum, muster.seen()),
            (64 * 63 / 2 + 64 * 9, 2),
            "it was not shared\n{spent}"
        );
        let (splits, taken) = (splits.into_inner(), spent.taken as usize);
        assert!(splits <= 16 * (1 + taken), "{splits} splits\n{spent}");
    });
}

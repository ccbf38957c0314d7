//! Producers without a length, as other crates write them: they have to be cut before it is known what their items cost.

use crate::support::{Muster, within};
use filch::ThreadPoolBuilder;
use filch::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use filch::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The numbers of a range. Counts how often it is split.
struct Numbers<'s> {
    range: Range<usize>,
    splits: &'s AtomicUsize,
}

impl UnindexedProducer for Numbers<'_> {
    type Item = usize;

    fn split(mut self) -> (Self, Option<Self>) {
        if self.range.len() < 2 {
            return (self, None);
        }
        self.splits.fetch_add(1, Relaxed);
        let mid = self.range.start + self.range.len() / 2;
        let range = mid..self.range.end;
        self.range.end = mid;
        let splits = self.splits;
        (self, Some(Numbers { range, splits }))
    }

    fn fold_with<F: Folder<usize>>(self, folder: F) -> F {
        folder.consume_iter(self.range)
    }
}

impl ParallelIterator for Numbers<'_> {
    type Item = usize;

    fn drive_unindexed<C: UnindexedConsumer<usize>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

/// Runs `call` in a pool that no other test uses; returns how often the producer was split.
fn splits(pool: &filch::ThreadPool, call: impl Fn(Numbers<'_>) + Sync) -> usize {
    let splits = AtomicUsize::new(0);
    pool.install(|| {
        call(Numbers {
            range: 0..1000,
            splits: &splits,
        })
    });
    splits.into_inner()
}

/// The system may make a call long, so some call of many at a site has few splits. Those of a first call are many more.
#[test]
fn what_took_little_the_last_time_is_cut_into_few_parts_for_each_thread() {
    within(60, || {
        for threads in [1, 2, 8, 32] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads for the test");
            let call = |numbers: Numbers<'_>| assert_eq!(numbers.sum::<usize>(), 499_500);
            // More, if other threads always take some; eight parts for each thread in a first call.
            while splits(&pool, call) >= 4 * threads {}
        }
    });
}

/// What takes long although it took little before is shared all the same.
#[test]
fn what_takes_long_all_of_a_sudden_is_shared() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let muster = Muster::of(4);
        let call = |numbers: Numbers<'_>, long: bool| {
            numbers.for_each(|_| {
                if long {
                    muster.stay(Duration::from_millis(20));
                }
            });
        };
        for _ in 0..200 {
            splits(&pool, |numbers| call(numbers, false));
        }
        splits(&pool, |numbers| call(numbers, true));
        assert_eq!(muster.seen(), 4);
    });
}

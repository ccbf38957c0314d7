//! Consumers and folders of other crates that have only what has to be there: the provided methods and constants fit them.

use filch::ThreadPoolBuilder;
use filch::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
use filch::prelude::*;
use std::iter;
use std::thread;
use std::time::Duration;

/// Adds up, and is full at a limit.
#[derive(Clone, Copy)]
struct Sum {
    limit: u32,
    seen: u32,
}

fn sum_up_to(limit: u32) -> Sum {
    Sum { limit, seen: 0 }
}

impl Consumer<u32> for Sum {
    type Folder = Sum;
    type Reducer = Sum;
    type Result = u32;

    // Its results do not make others unnecessary.
    const DRIVES_FROM_RIGHT: bool = true;

    fn split_at(self, _: usize) -> (Self, Self, Self) {
        (self, self, self)
    }

    fn into_folder(self) -> Self {
        self
    }

    fn full(&self) -> bool {
        self.limit == 0
    }
}

impl UnindexedConsumer<u32> for Sum {
    fn split_off_left(&self) -> Self {
        *self
    }

    fn to_reducer(&self) -> Self {
        *self
    }
}

impl Folder<u32> for Sum {
    type Result = u32;

    fn consume(mut self, item: u32) -> Self {
        self.seen += item;
        self
    }

    fn complete(self) -> u32 {
        self.seen
    }

    fn full(&self) -> bool {
        self.seen >= self.limit
    }
}

impl Reducer<u32> for Sum {
    fn reduce(self, left: u32, right: u32) -> u32 {
        left + right
    }
}

/// The items behind the one that is enough are not made.
#[test]
fn a_full_folder_takes_no_more() {
    let items = [1, 2].into_iter();
    let items = items.chain(iter::once_with(|| unreachable!("two are enough")));
    assert_eq!(sum_up_to(3).consume_iter(items).complete(), 3);
}

#[test]
fn a_part_that_comes_back_takes_the_place_of_both() {
    let (mut left, right) = (sum_up_to(1), sum_up_to(2));
    UnindexedConsumer::rejoin(&mut left, right);
    assert_eq!(left.limit, 2);
}

/// It cannot split a running fold, so it is split beforehand, also at a site that was always cheap and has become expensive.
#[test]
fn all_items_are_folded_whatever_they_cost() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let sum = |cost: Duration| {
        pool.install(|| {
            let items = (0..8u32).into_par_iter().inspect(|_| {
                if !cost.is_zero() {
                    thread::sleep(cost);
                }
            });
            items.drive_unindexed(sum_up_to(u32::MAX))
        })
    };
    for ms in iter::repeat_n(0, 1000).chain(iter::repeat_n(2, 3)) {
        assert_eq!(sum(Duration::from_millis(ms)), 28);
    }
}

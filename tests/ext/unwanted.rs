//! Items that are left out: if a destructor of one of them panics, what was made of the others is dropped.

use crate::everywhere;
use crate::support::{caught, planted};
use filch::ext::*;
use filch::prelude::*;
use std::sync::atomic::{AtomicIsize, Ordering::SeqCst};

const N: usize = 5_000;

/// An item whose destructor panics if it is the one at `FAILS`.
struct Item<'a> {
    at: usize,
    live: &'a AtomicIsize,
}

const FAILS: usize = 3_000;

impl Drop for Item<'_> {
    fn drop(&mut self) {
        self.live.fetch_sub(1, SeqCst);
        if self.at == FAILS {
            planted(FAILS)
        }
    }
}

/// Each item is dropped if `chain` leaves item [`FAILS`] out.
fn drops_all(name: &str, len: usize, chain: impl FnOnce(Vec<Item>)) {
    let live = AtomicIsize::new(len as isize);
    let items = (0..len).map(|at| Item { at, live: &live }).collect();
    assert_eq!(caught(|| chain(items)), Err(FAILS), "{name}");
    assert_eq!(live.into_inner(), 0, "{name}");
}

#[test]
fn what_was_made_is_dropped() {
    everywhere(|| {
        drops_all("take", N, |v| {
            v.into_par_iter().take(1_000).for_each(drop);
        });
        drops_all("take and collect", N, |v| {
            let taken: Vec<_> = v.into_par_iter().take(1_000).collect();
            drop(taken);
        });
        drops_all("zip", N, |v| {
            v.into_par_iter().zip(0..1_000).for_each(drop);
        });
        drops_all("array_chunks", FAILS + 1, |v| {
            v.into_par_iter().array_chunks::<1_000>().for_each(drop);
        });
        drops_all("take_while", N, |v| {
            let taken: Vec<_> = v.into_par_iter().take_while(|x| x.at < 1_000).collect();
            drop(taken);
        });
        drops_all("map_while", N, |v| {
            let first = v.into_par_iter().map_while(|x| (x.at < 1_000).then_some(x));
            let taken: Vec<_> = first.collect();
            drop(taken);
        });
        drops_all("with_ordered_iter", N, |v| {
            let items = v.into_par_iter();
            let taken: Vec<_> = items.with_ordered_iter(64, |items| items.take(1_000).collect());
            drop(taken);
        });
    });
}

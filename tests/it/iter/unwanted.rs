//! A fold that is full from the start makes no item. That must not depend on how closely a call is looked at, which depends on what the same chain cost before.

use filch::ThreadPoolBuilder;
use filch::ext::{CancelToken, ParallelCancel, ParallelWhile};
use filch::iter::{once, repeat, walk_tree};
use filch::prelude::*;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// More calls than are always measured.
const CALLS: usize = 100;

fn halves(&n: &u32) -> Vec<u32> {
    if n > 1 { vec![n / 2; 2] } else { Vec::new() }
}

/// Calls each chain with all its items wanted, until it is known to be cheap, and then with none.
fn none_is_made() {
    let made = AtomicUsize::new(0);
    let make = |n: u32| {
        made.fetch_add(1, Relaxed);
        n
    };
    let known_and_unwanted = |name: &str, call: &dyn Fn(usize) -> usize| {
        for _ in 0..CALLS {
            assert_eq!(call(black_box(10)), 10, "{name}");
        }
        made.store(0, Relaxed);
        for _ in 0..CALLS {
            assert_eq!(call(black_box(0)), 0, "{name}");
        }
        assert_eq!(made.load(Relaxed), 0, "{name}");
    };
    let ten = || (0..10u32).into_par_iter();
    known_and_unwanted("map", &|n| ten().map(make).take_any(n).count());
    known_and_unwanted("filter", &|n| {
        ten().filter(|&n| make(n) < 10).take_any(n).count()
    });
    known_and_unwanted("state", &|n| {
        let made = ten().map_init(|| 0, |_, n| make(n));
        made.enumerate().take_any(n).count()
    });
    known_and_unwanted("flat_map", &|n| {
        let inner = |n| (n..n + 1).into_par_iter().map(make);
        ten().flat_map(inner).take_any(n).count()
    });
    known_and_unwanted("flat_map_iter", &|n| {
        let inner = |n| Some(make(n));
        ten().flat_map_iter(inner).take_any(n).count()
    });
    known_and_unwanted("chain", &|n| {
        let ten = (0..4)
            .into_par_iter()
            .map(make)
            .chain((0..6).into_par_iter());
        ten.take_any(n).count()
    });
    known_and_unwanted("chain of one", &|n| {
        let ten = once(7).map(make).filter(|_| true).chain(0..9);
        ten.take_any(n).count()
    });
    known_and_unwanted("tree", &|n| {
        let nodes = walk_tree(16, halves).filter(|&n| make(n) > 0);
        nodes.take_any(n).count()
    });
    known_and_unwanted("repeat", &|n| repeat(7).map(make).take_any(n).count());
    known_and_unwanted("cancelled", &|n| {
        let token = CancelToken::new();
        if n == 0 {
            token.cancel();
        }
        ten().map(make).cancellable(&token).count()
    });
}

#[test]
fn what_nobody_wants_is_not_made() {
    for threads in [1, 2] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            none_is_made();
            // Where the clock is not even read.
            let outer = (0..2).into_par_iter().with_min_len(2);
            outer.filter(|&n| n == 0).for_each(|_| none_is_made());
        });
    }
    none_is_made();
}

/// How many of so many items a chain makes on one thread, where the call site is new.
fn made_by(chain: impl FnOnce(&(dyn Fn(usize) -> usize + Sync)) + Send) -> usize {
    let made = AtomicUsize::new(0);
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread").install(|| {
        chain(&|n| {
            made.fetch_add(1, Relaxed);
            n
        })
    });
    made.into_inner()
}

/// Few items of unknown cost are cut as well: a hit at the end leaves out most of them, and threads share the rest.
#[test]
fn a_search_from_the_right_leaves_out_what_is_left_of_a_hit() {
    for len in [8, 30, 64, 65, 1000] {
        let made = made_by(|make| {
            let items = (0..len).into_par_iter().map(make);
            assert_eq!(items.find_last(|_| true), Some(len - 1));
        });
        assert!(made <= len / 2, "{made} of {len}");
    }
}

/// A border ends what comes before it, so accumulators are shown to it soon, as to a search.
#[test]
fn an_accumulator_soon_reaches_a_border() {
    let made = made_by(|make| {
        let sums = (0..10_000).into_par_iter().map(make);
        let sums = sums.fold(|| 0, |sum, n| sum + n).take_while(|_| false);
        assert_eq!(sums.count(), 0);
    });
    assert!(made <= 100, "{made}");
}

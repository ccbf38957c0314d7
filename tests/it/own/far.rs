//! Searches that go on over any number of nested iterators and blocks, of each of which another thread took a part: the hit ends them all the same,
//! however far it is. One thread does what two might have done, so it is known how many items there are before the hit, and none is made behind it.

use filch::ThreadPoolBuilder;
use filch::ext::ParallelWhile;
use filch::iter::plumbing::{Question, Script};
use filch::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// How many nested iterators there are, and how many items each has.
const OUTER: usize = 2_000;
const INNER: usize = 8;
/// The place of the hit in its iterator.
const AT: usize = 3;

/// Everything is cut that may be. Parts of nested iterators are taken, and done after what is before them; others come back.
struct NestedAreTaken(Arc<AtomicBool>);

impl Script for NestedAreTaken {
    fn answer(&self, question: Question) -> usize {
        match question {
            Question::Cut => 1,
            Question::Block(_) => 0,
            Question::Offer if self.0.load(Relaxed) => 2,
            Question::Offer => 0,
        }
    }
}

/// Runs `$check` for hits near and far, with `$items`, which are pairs of numbers, and `$made`, which counts them.
macro_rules! with_hits {
    ($inner:ident, $made:ident, $items:expr, |$all:ident, $hit:ident| $check:expr) => {
        for at in [0, 10, 60, 70, 150, 1000] {
            let ($inner, $made) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
            let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            pool.follow(Box::new(NestedAreTaken(Arc::clone(&$inner))));
            let $hit = (at, AT);
            pool.install(|| {
                let $all = $items;
                $check
            });
            assert_eq!($made.into_inner(), at * INNER + AT + 1, "{:?}", $hit);
        }
    };
}

/// Runs `$check` as above, on nested iterators that are never on offer as a whole, on such as come back when they are, and on blocks.
macro_rules! with_all {
    (|$all:ident, $hit:ident| $check:expr) => {
        for least in [OUTER, 1] {
            with_hits!(
                inner,
                made,
                (0..OUTER)
                    .into_par_iter()
                    .with_min_len(least)
                    .flat_map(|i| {
                        inner.store(true, Relaxed);
                        let items = (0..INNER).into_par_iter().map(move |j| (i, j));
                        items.inspect(|&(_, j)| {
                            made.fetch_add(1, Relaxed);
                            if j == INNER - 1 {
                                inner.store(false, Relaxed);
                            }
                        })
                    }),
                |$all, $hit| $check
            );
        }
        with_hits!(
            inner,
            made,
            {
                inner.store(true, Relaxed);
                let blocks = (0..OUTER * INNER).into_par_iter().by_uniform_blocks(INNER);
                let items = blocks.map(|i| (i / INNER, i % INNER));
                items.inspect(|_| _ = made.fetch_add(1, Relaxed))
            },
            |$all, $hit| $check
        );
    };
}

#[test]
fn a_far_hit_ends_find_first() {
    with_all!(|all, hit| assert_eq!(all.find_first(|&x| x == hit), Some(hit)));
}

#[test]
fn a_far_border_ends_take_while() {
    with_all!(|all, hit| assert_eq!(all.take_while(|&x| x != hit).count(), hit.0 * INNER + hit.1));
}

#[test]
fn a_far_failure_ends_a_sum() {
    with_all!(|all, hit| {
        let sum: Result<usize, (usize, usize)> = all
            .map(|x| if x == hit { Err(x) } else { Ok(1usize) })
            .sum();
        assert_eq!(sum, Err(hit));
    });
}

/// Iterators that are bounded have a fold for each of their parts, on one thread, too.
#[test]
fn a_far_hit_ends_a_search_of_bounded_parts() {
    for threads in [1, 2] {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let made = AtomicUsize::new(0);
        let inner = |i: usize| {
            let parts = (0..INNER).into_par_iter().with_max_len(AT);
            parts
                .map(move |j| (i, j))
                .inspect(|_| _ = made.fetch_add(1, Relaxed))
        };
        let all = (0..1 << 20).into_par_iter().flat_map(inner);
        let hit = (300, AT);
        assert_eq!(pool.install(|| all.find_first(|&x| x == hit)), Some(hit));
        let made = made.into_inner();
        assert!(made < (INNER << 20) / 2, "{threads} threads: {made}");
    }
}

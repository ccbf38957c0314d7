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

/// A nested iterator, of which others take parts until its last item is made. Counts its items.
fn nested(
    i: usize,
    inner: &AtomicBool,
    made: &AtomicUsize,
) -> impl IndexedParallelIterator<Item = (usize, usize)> {
    inner.store(true, Relaxed);
    let items = (0..INNER).into_par_iter().map(move |j| (i, j));
    items.inspect(|&(_, j)| {
        made.fetch_add(1, Relaxed);
        if j == INNER - 1 {
            inner.store(false, Relaxed);
        }
    })
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
                    .flat_map(|i| nested(i, &inner, &made)),
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

#[test]
fn a_far_hit_ends_a_search_behind_adaptors() {
    with_all!(|all, hit| {
        let between = (usize::MAX, 0);
        let items = all.filter(|&(i, _)| i < OUTER).intersperse(between);
        let found = items.map(Some).find_map_first(|x| x.filter(|&x| x == hit));
        assert_eq!(found, Some(hit));
    });
}

#[test]
fn a_far_hit_ends_a_search_of_two_levels() {
    const GROUPS: usize = 20;
    with_hits!(
        inner,
        made,
        (0..GROUPS)
            .into_par_iter()
            .with_min_len(GROUPS)
            .flat_map(|group| {
                let each = OUTER / GROUPS;
                let groups = (group * each..(group + 1) * each).into_par_iter();
                groups
                    .with_min_len(OUTER)
                    .flat_map(|i| nested(i, &inner, &made))
            }),
        |all, hit| assert_eq!(all.find_first(|&x| x == hit), Some(hit))
    );
}

/// One thread closes a fold for each nested iterator here, without any cut.
#[test]
fn a_far_hit_ends_a_search_of_bounded_iterators() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (outer, hit) in [(1 << 16, 300), (1 << 16, 50_000)] {
        let made = AtomicUsize::new(0);
        let found = pool.install(|| {
            let items = (0..outer).into_par_iter().flat_map(|i: usize| {
                let items = (0..INNER).into_par_iter().with_max_len(2);
                items.map(move |j| (i, j))
            });
            items
                .inspect(|_| _ = made.fetch_add(1, Relaxed))
                .find_first(|&x| x == (hit, AT))
        });
        assert_eq!(found, Some((hit, AT)));
        assert_eq!(made.into_inner(), hit * INNER + AT + 1);
    }
}

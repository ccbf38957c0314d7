//! `chain` before ends that depend on positions. The second part is taken by another thread, and finds its hit, before the first part finds its
//! own: the first part has to win all the same.

use crate::support::{Flag, pool};
use filch::ext::{ParallelReproducible, ParallelWhile};
use filch::iter::once;
use filch::iter::plumbing::UnindexedConsumer;
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};

const N: usize = 100_000;
/// The first hit; it lies in the first part.
const HIT: usize = 90_000;
/// What the second part yields.
const SECOND: usize = 7_000_000;

fn is_hit(x: usize) -> bool {
    x == HIT || x >= SECOND
}

/// A pool that no other test uses, for both threads are needed.
fn own_pool() -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(2).build().unwrap()
}

/// Like an iterator of another crate: nothing but the required items.
struct Foreign<I>(I);

impl<I: ParallelIterator> ParallelIterator for Foreign<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        self.0.drive_unindexed(consumer)
    }
}

/// Runs `$check` on chains with first parts of all kinds. The first item of each waits until the second part was seen.
macro_rules! with_every_first_part {
    (|$chain:ident| $check:expr) => {
        with_every_first_part!(@all true, |$chain| $check)
    };
    // In rounds, the first part is over before the second one begins.
    (in rounds |$chain:ident| $check:expr) => {
        with_every_first_part!(@all false, |$chain| $check)
    };
    (@all $waits:expr, |$chain:ident| $check:expr) => {
        own_pool().install(|| {
            for _ in 0..5 {
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.flat_map(|x| [x]));
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.with_max_len(10).filter(|_| true));
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.by_uniform_blocks(1000));
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.by_exponential_blocks());
                with_every_first_part!(@one $waits, |$chain| $check; |first| Foreign(first));
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.reproducible());
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.filter(|_| true));
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.filter(|_| true).chain(Foreign((N..2 * N).into_par_iter())));
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.panic_fuse().flat_map_iter(|x| [x]));
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.map_init(|| (), |_, x| x).filter(|_| true));
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.fold(Vec::new, |mut v, x| { v.push(x); v }).flatten());
                with_every_first_part!(@one $waits, |$chain| $check; |first| first.map(Some).while_some());
            }
        })
    };
    (@one $waits:expr, |$chain:ident| $check:expr; |$first:ident| $part:expr) => {
        let seen = Flag::new();
        let $first = (0..N).into_par_iter().map(|x| {
            if $waits && x == 0 {
                seen.wait();
            }
            x
        });
        let second = once(SECOND).map(|x| {
            seen.set();
            x
        });
        let $chain = ($part).chain(second);
        $check
    };
}

#[test]
fn find_first_finds_the_first_part_s_hit() {
    with_every_first_part!(|chain| assert_eq!(chain.find_first(|&x| is_hit(x)), Some(HIT)));
}

#[test]
fn find_map_first_finds_the_first_part_s_hit() {
    let hit = |x: usize| is_hit(x).then_some(x);
    with_every_first_part!(|chain| assert_eq!(chain.find_map_first(hit), Some(HIT)));
}

#[test]
fn find_last_finds_the_second_part_s_hit() {
    with_every_first_part!(|chain| assert_eq!(chain.find_last(|&x| is_hit(x)), Some(SECOND)));
}

#[test]
fn take_while_ends_at_the_first_part_s_hit() {
    with_every_first_part!(in rounds |chain| {
        let taken: Vec<usize> = chain.take_while(|&x| !is_hit(x)).collect();
        assert!(taken.into_iter().eq(0..HIT));
    });
}

#[test]
fn skip_while_ends_at_the_first_part_s_hit() {
    with_every_first_part!(in rounds |chain| {
        let rest: Vec<usize> = chain.skip_while(|&x| !is_hit(x)).collect();
        assert_eq!((rest[0], rest.last()), (HIT, Some(&SECOND)));
    });
}

#[test]
fn collect_keeps_the_order() {
    with_every_first_part!(|chain| {
        let all: Vec<usize> = chain.collect();
        assert!(all[..N].iter().copied().eq(0..N));
        assert_eq!(all.last(), Some(&SECOND));
    });
}

/// A chain inside a `flat_map` inside a chain: positions are split off folds at three depths.
#[test]
fn chains_inside_chains() {
    pool(3).install(|| {
        for _ in 0..20 {
            let inner = |i: usize| {
                let first = (i * 100..i * 100 + 50).into_par_iter();
                let second = (i * 100 + 50..i * 100 + 100)
                    .into_par_iter()
                    .filter(|_| true);
                first.flat_map(|x| [x]).chain(second)
            };
            let outer = (0..200usize).into_par_iter().flat_map(inner);
            let all = outer
                .chain(once(SECOND))
                .chain((0..10usize).into_par_iter().filter(|_| true));
            assert_eq!(all.clone().find_first(|&x| x >= 15_077), Some(15_077));
            assert_eq!(all.clone().find_last(|&x| x < 20_000), Some(9));
            assert_eq!(all.clone().take_while(|&x| x < 19_950).count(), 19_950);
            assert_eq!(all.clone().skip_while(|&x| x < 19_950).count(), 50 + 1 + 10);
            assert_eq!(all.count(), 20_000 + 11);
        }
    });
}

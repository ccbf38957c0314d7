//! Adaptors that are driven in rounds themselves: what follows them sees the first items before the last are made, and none are kept.

use crate::everywhere;
use crate::support::{Place, pool, within};
use filch::ext::*;
use filch::iter::repeat;
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// So many items are made at most where a few thousand are wanted. An item more is a panic: without it, what is kept would fill the memory.
const ENOUGH: usize = 1 << 20;

/// Lets items through, but no more than [`ENOUGH`].
fn few(made: &AtomicUsize) -> impl Fn(&u64) + Sync + Send + '_ {
    |_| assert!(made.fetch_add(1, Relaxed) < ENOUGH, "too many items")
}

/// Searches through chains without an end, whose adaptors in rounds follow each other. Each returns the number that is wanted.
fn hits(wanted: u64, made: &AtomicUsize) -> Vec<(&'static str, Option<u64>)> {
    let is_it = move |&n: &u64| n == wanted;
    let all = || (0..u64::MAX).into_par_iter().inspect(|n| few(made)(n));
    let after = |n: &u64| *n < 1000;
    let yes = |_: &u64| true;
    let mut hits = Vec::new();
    let mut add = |name, hit| {
        hits.push((name, hit));
        made.store(0, Relaxed);
    };
    add(
        "skip take",
        all().skip_while(after).take_while(yes).find_any(is_it),
    );
    add(
        "skip take first",
        all().skip_while(after).take_while(yes).find_first(is_it),
    );
    add(
        "skip map",
        all().skip_while(after).map_while(Some).find_any(is_it),
    );
    add(
        "skip skip take",
        all()
            .skip_while(after)
            .skip_while(after)
            .take_while(yes)
            .find_any(is_it),
    );
    add(
        "take take",
        all().take_while(yes).take_while(yes).find_any(is_it),
    );
    add(
        "take skip",
        all().take_while(yes).skip_while(after).find_any(is_it),
    );
    add(
        "take skip map",
        all()
            .take_while(yes)
            .skip_while(after)
            .map_while(Some)
            .find_first(is_it),
    );
    add(
        "map filter take",
        all()
            .map_while(Some)
            .filter(yes)
            .take_while(yes)
            .find_any(is_it),
    );
    add(
        "skip ordered",
        all()
            .skip_while(after)
            .with_ordered_iter(64, |mut items| items.find(is_it)),
    );
    add(
        "take ordered",
        all()
            .take_while(yes)
            .with_ordered_iter(64, |mut items| items.find(is_it)),
    );
    add(
        "chain",
        (0..50)
            .into_par_iter()
            .chain(all())
            .take_while(yes)
            .find_any(is_it),
    );
    add(
        "chain first",
        (0..50)
            .into_par_iter()
            .chain(all())
            .take_while(yes)
            .find_first(is_it),
    );
    add(
        "chain nothing",
        (0..0)
            .into_par_iter()
            .chain(0..0)
            .chain(all())
            .map_while(Some)
            .find_any(is_it),
    );
    add(
        "chain skip",
        (0..50)
            .into_par_iter()
            .chain(all())
            .skip_while(after)
            .take_while(yes)
            .find_any(is_it),
    );
    add(
        "chain ordered",
        (0..50)
            .into_par_iter()
            .chain(all())
            .with_ordered_iter(64, |mut items| items.find(is_it)),
    );
    let bridged = || (0..u64::MAX).par_bridge().inspect(|n| few(made)(n));
    add("bridge", bridged().take_while(yes).find_any(is_it));
    add(
        "bridge skip",
        bridged()
            .skip_while(|_| false)
            .take_while(yes)
            .find_any(is_it),
    );
    add(
        "bridge ordered",
        bridged().with_ordered_iter(64, |mut items| items.find(is_it)),
    );
    let in_order = || (0..u64::MAX).par_bridge_ordered().inspect(|n| few(made)(n));
    add(
        "ordered bridge",
        in_order().skip_while(after).take_while(yes).find_any(is_it),
    );
    let nested = || all().flat_map_iter(|n| [n, n]);
    add(
        "flat_map_iter",
        nested().skip_while(after).take_while(yes).find_any(is_it),
    );
    let long = || (0..1usize << 30).into_par_iter();
    let counted = || long().map(|n| n as u64).inspect(|n| few(made)(n));
    add(
        "exponential",
        counted()
            .by_exponential_blocks()
            .take_while(yes)
            .find_any(is_it),
    );
    add(
        "uniform",
        counted()
            .by_uniform_blocks(100)
            .take_while(yes)
            .find_first(is_it),
    );
    let blocks = long()
        .by_uniform_blocks(1000)
        .map(|n| n as u64)
        .inspect(|n| few(made)(n));
    add(
        "uniform ordered",
        blocks.with_ordered_iter(64, |mut items| items.find(is_it)),
    );
    hits
}

#[test]
fn the_end_sees_items_before_the_source_ends() {
    within(60, || {
        for place in Place::all() {
            place.run(|| {
                let made = AtomicUsize::new(0);
                for (name, hit) in hits(20_000, &made) {
                    assert_eq!(hit, Some(20_000), "{name}, {place:?}");
                }
            });
        }
    });
}

/// The only hit is in copies without an end behind the border, or behind what is slow.
#[test]
fn a_hit_behind_the_seam_of_a_chain_ends_the_search() {
    everywhere(|| {
        let made = AtomicUsize::new(0);
        let sevens = repeat(7u64).inspect(|n| few(&made)(n));
        let slow = (0..3000u32).into_par_iter().map(|n| {
            std::hint::black_box((0..100).fold(n, |a, b| a ^ b));
            1
        });
        assert!(slow.chain(sevens).take_while(|_| true).any(|x| x == 7));
    });
}

/// An item that is counted while it lives.
struct Alive<'a>(&'a AtomicUsize);

impl<'a> Alive<'a> {
    fn new(alive: &'a AtomicUsize, most: &AtomicUsize) -> Self {
        most.fetch_max(alive.fetch_add(1, Relaxed) + 1, Relaxed);
        Alive(alive)
    }
}

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// One thread knows of each item what becomes of it, so it keeps none.
#[test]
fn one_thread_keeps_no_items() {
    within(60, || {
        pool(1).install(|| {
            let (alive, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let all = || {
                (0..50_000)
                    .into_par_iter()
                    .map(|_| Alive::new(&alive, &most))
            };
            let bridged = || (0..50_000).par_bridge().map(|_| Alive::new(&alive, &most));
            let asked = AtomicUsize::new(0);
            let early = |_: &Alive<'_>| asked.fetch_add(1, Relaxed) < 10;
            let yes = |_: &Alive<'_>| true;
            let check = |name, count: usize| {
                assert!(count >= 49_000, "{name}: {count} items");
                assert!(most.swap(0, Relaxed) <= 64, "{name}");
                assert_eq!(alive.load(Relaxed), 0);
                asked.store(0, Relaxed);
            };
            check("skip take", all().skip_while(early).take_while(yes).count());
            check(
                "skip skip take",
                all()
                    .skip_while(early)
                    .skip_while(early)
                    .map_while(Some)
                    .count(),
            );
            check("take take", all().take_while(yes).take_while(yes).count());
            check("take skip", all().take_while(yes).skip_while(early).count());
            check("chain", all().chain(all()).take_while(yes).count());
            check(
                "chain skip",
                all().chain(all()).skip_while(early).take_while(yes).count(),
            );
            check(
                "bridge",
                bridged().skip_while(early).take_while(yes).count(),
            );
            let blocks = || (0..50_000).into_par_iter().by_uniform_blocks(500);
            let blocks = blocks().map(|_| Alive::new(&alive, &most));
            check("blocks", blocks.skip_while(early).take_while(yes).count());
            let ordered = all()
                .skip_while(early)
                .with_ordered_iter(32, |items| items.count());
            check("skip ordered", ordered);
            let ordered = all()
                .take_while(yes)
                .chain(all())
                .with_ordered_iter(32, |items| items.count());
            check("take chain ordered", ordered);
        });
    });
}

/// Not more items of an ordered iterator are ready than the bound says, whatever it goes through.
#[test]
fn an_ordered_iterator_is_computed_bit_by_bit() {
    everywhere(|| {
        for bound in [1, 2, 10] {
            let made = AtomicUsize::new(0);
            let all = || {
                (0..300usize)
                    .into_par_iter()
                    .inspect(|_| _ = made.fetch_add(1, Relaxed))
            };
            let bridged = (0..300usize)
                .par_bridge()
                .inspect(|_| _ = made.fetch_add(1, Relaxed));
            let check = |name: &str, items: OrderedIter<'_, usize>| {
                let mut taken = 0;
                for _ in items {
                    taken += 1;
                    let made = made.load(Relaxed);
                    assert!(
                        made - taken < bound.max(2),
                        "{name}, {bound}: {made} for {taken}"
                    );
                }
                assert_eq!(made.swap(0, Relaxed), taken, "{name}");
            };
            let take = all().take_while(|_| true);
            take.with_ordered_iter(bound, |items| check("take_while", items));
            let skip = all().skip_while(|_| false);
            skip.with_ordered_iter(bound, |items| check("skip_while", items));
            let chain = all().chain(all());
            chain.with_ordered_iter(bound, |items| check("chain", items));
            bridged.with_ordered_iter(bound, |items| check("bridge", items));
            let blocks = all().by_uniform_blocks(7);
            blocks.with_ordered_iter(bound, |items| check("uniform", items));
            let blocks = all().by_exponential_blocks();
            blocks.with_ordered_iter(bound, |items| check("exponential", items));
        }
    });
}

/// A fold that has failed takes no more items, so the border may be among those that it leaves. No later fold sees what is behind the border.
#[test]
fn nothing_behind_a_border_that_a_full_fold_left() {
    everywhere(|| {
        let check = |name, items: Vec<Option<u32>>| {
            let most = items.iter().flatten().max();
            assert!(most.is_none_or(|&most| most < 100), "{name}: {most:?}");
            assert!(items.contains(&None), "{name}");
        };
        let yes = |&x: &u32| x != 100;
        let fold = |most: u32, x: u32| (x != 50).then_some(most.max(x));
        let range = || (0..20_000u32).into_par_iter();
        let range_only = range().take_while(yes).try_fold(|| 0, fold);
        check("range", range_only.collect());
        let chain = range().chain(range()).take_while(yes);
        check("chain", chain.try_fold(|| 0, fold).collect());
        let bridge = (0..20_000).par_bridge_ordered().take_while(yes);
        check("bridge", bridge.try_fold(|| 0, fold).collect());
        let blocks = range().by_uniform_blocks(30).take_while(yes);
        check("blocks", blocks.try_fold(|| 0, fold).collect());
    });
}

//! Adaptors that are driven in rounds themselves: what follows them sees the first items before the last are made, and none are kept.

use crate::everywhere;
use crate::support::{Ledger, Place, caught, planted, pool, within};
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

/// The same chain on std's iterators and on ours; `$source(n)` has the numbers below `n`.
macro_rules! same {
    ($source:ident => $chain:expr) => {{
        let ours: Vec<usize> = {
            let $source = |n: usize| (0..n).into_par_iter();
            $chain.collect()
        };
        let std: Vec<usize> = {
            let $source = |n: usize| 0..n;
            $chain.collect()
        };
        assert_eq!(ours, std, "{}", stringify!($chain));
    }};
}

pub fn models() {
    for border in [0usize, 1, 5, 700, 1499, 1500] {
        let n = 1500;
        let below = |x: &usize| *x < border;
        let half = |x: &usize| *x < border / 2;
        let odd = |x: usize| (x % 700 != 699).then_some(x);
        same!(all => all(n).skip_while(half).take_while(below));
        same!(all => all(n).take_while(below).skip_while(half));
        same!(all => all(n).skip_while(half).skip_while(below).map_while(odd));
        same!(all => all(n).take_while(below).map_while(odd).skip_while(half).take_while(below));
        same!(all => all(border).chain(all(n)).take_while(below));
        same!(all => all(border).chain(all(n)).skip_while(below).take_while(half));
        same!(all => all(border).chain(all(n)).chain(all(border)).skip_while(half));
        same!(all => all(0).chain(all(border)).chain(all(0)).chain(all(n)).map_while(odd));
        same!(all => all(n).take_while(below).chain(all(n).skip_while(half)).map_while(odd));
        same!(all => all(n).flat_map(|x| all(x % 3)).skip_while(half).take_while(below));
        same!(all => all(6).flat_map(|x| all(n).skip_while(move |&y| y < x).take_while(below)));
        same!(all => all(6).flat_map(|x| all(x).chain(all(border)).take_while(below)));
        same!(all => all(n).filter(|x| x % 3 == 0).skip_while(half).take_while(below));
        let skipped: Vec<_> = (0..n).skip_while(half).take_while(below).collect();
        let chain = (0..n).into_par_iter().skip_while(half).take_while(below);
        chain.with_ordered_iter(30, |items| assert!(items.eq(skipped.iter().copied())));
        let chain = (0..n)
            .into_par_iter()
            .by_uniform_blocks(40)
            .skip_while(half);
        assert_eq!(chain.take_while(below).collect::<Vec<_>>(), skipped);
        let chain = (0..n)
            .into_par_iter()
            .by_exponential_blocks()
            .skip_while(half);
        assert_eq!(chain.take_while(below).collect::<Vec<_>>(), skipped);
        let chain = (0..n)
            .par_bridge_ordered()
            .skip_while(half)
            .take_while(below);
        assert_eq!(chain.collect::<Vec<_>>(), skipped);
        let nested = (0..n).into_par_iter().flat_map_iter(|x| [x; 2]);
        let nested = nested.skip_while(half).take_while(below);
        let twice: Vec<_> = skipped.iter().flat_map(|&x| [x; 2]).collect();
        assert_eq!(nested.collect::<Vec<_>>(), twice);
        let chain = || (0..border).into_par_iter().chain(0..n).take_while(below);
        assert_eq!(
            chain().find_first(|&x| x + 1 >= border),
            border.checked_sub(1)
        );
        assert_eq!(chain().find_last(|_| true), border.checked_sub(1));
        assert_eq!(chain().sum::<usize>(), (0..border).sum::<usize>() * 2);
        // A bridge has no order: but all that its items have in common holds.
        let bridged = || (0..n).par_bridge().map(|x| x as u64);
        let mut items: Vec<_> = bridged().take_while(|_| true).collect();
        items.sort_unstable();
        assert!(items.into_iter().eq(0..n as u64));
        assert_eq!(bridged().skip_while(|_| true).count(), 0);
        let taken = bridged()
            .skip_while(|_| false)
            .take_while(|&x| x < border as u64);
        assert!(taken.all(|x| x < border as u64));
    }
}

#[test]
fn as_std() {
    everywhere(models);
}

#[test]
fn every_item_is_dropped_once() {
    everywhere(|| {
        for border in [0, 1, 250, 499, 500] {
            let ledger = Ledger::new(500);
            let first = || ledger.tokens().into_par_iter();
            let below = |t: &crate::support::Token| t.id() < border;
            let kept: Vec<_> = first().skip_while(below).take_while(|_| true).collect();
            assert!(kept.iter().map(|t| t.id()).eq(border..500));
            drop(kept);
            ledger.assert_all_gone();
            let kept: Vec<_> = first()
                .take_while(below)
                .skip_while(|t| t.id() < 100)
                .collect();
            assert!(kept.iter().map(|t| t.id()).eq(100..border.max(100)));
            drop(kept);
            ledger.assert_all_gone();
            let both = first().chain(first()).take_while(below);
            assert_eq!(both.count(), if border == 500 { 1000 } else { border });
            ledger.assert_all_gone();
            let bridged = ledger.tokens().into_iter().par_bridge().take_while(below);
            assert!(bridged.all(|t| t.id() < border));
            ledger.assert_all_gone();
            let blocks = first()
                .by_uniform_blocks(30)
                .skip_while(below)
                .take_while(|_| true);
            assert_eq!(blocks.count(), 500 - border);
            ledger.assert_all_gone();
            // Of an iterator that is dropped early, what is left is dropped, too.
            let chain = first().chain(first()).skip_while(below);
            chain.with_ordered_iter(10, |items| drop(items));
            ledger.assert_all_gone();
        }
    });
}

#[test]
fn panics_come_through() {
    everywhere(|| {
        for at in [0, 1, 39, 199, 200, 399] {
            let ledger = Ledger::new(400);
            let first = || ledger.tokens().into_par_iter();
            let check = |id: usize| if id == at { planted(at) } else { true };
            let chain = first()
                .skip_while(|t| t.id() < at)
                .take_while(|t| check(t.id()));
            assert_eq!(caught(|| chain.count()), Err(at));
            ledger.assert_all_gone();
            let chain = first().take_while(|t| check(t.id())).skip_while(|_| true);
            assert_eq!(caught(|| chain.count()), Err(at));
            ledger.assert_all_gone();
            let chain = first()
                .map(|t| (check(t.id()), t))
                .chain(first().map(|t| (true, t)));
            assert_eq!(caught(|| chain.take_while(|_| true).count()), Err(at));
            ledger.assert_all_gone();
            let bridged = ledger.tokens().into_iter().par_bridge();
            let bridged = bridged.take_while(|t| check(t.id()));
            assert_eq!(caught(|| bridged.count()), Err(at));
            ledger.assert_all_gone();
        }
        // A source that panics is not asked again, and the items before it are worked on.
        let (asked, seen) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let source = std::iter::from_fn(|| match asked.fetch_add(1, Relaxed) {
            3000 => planted(7),
            n => Some(n),
        });
        let bridged = source.par_bridge().take_while(|_| true);
        let outcome = caught(|| bridged.for_each(|_| _ = seen.fetch_add(1, Relaxed)));
        assert_eq!(outcome, Err(7));
        assert_eq!(asked.into_inner(), 3001);
    });
}

/// A source that has ended is not asked again, and neither is one of which no more is wanted.
#[test]
fn a_bridge_is_asked_no_more_than_needed() {
    everywhere(|| {
        let over = AtomicUsize::new(0);
        let source = (0..5000).chain(std::iter::from_fn(|| {
            over.fetch_add(1, Relaxed);
            None
        }));
        assert_eq!(source.par_bridge().take_while(|_| true).count(), 5000);
        assert_eq!(over.into_inner(), 1);
        let asked = AtomicUsize::new(0);
        let source = std::iter::repeat_with(|| asked.fetch_add(1, Relaxed));
        assert_eq!(
            source.par_bridge().skip_while(|_| true).take_any(0).count(),
            0
        );
        assert_eq!(asked.into_inner(), 0);
        // Items that come one by one are passed on before the source ends.
        let (sender, receiver) = std::sync::mpsc::channel();
        sender.send(0).unwrap();
        let bridged = receiver.into_iter().par_bridge().skip_while(|_| false);
        let last = AtomicUsize::new(0);
        let sender = std::sync::Mutex::new(Some(sender));
        bridged.for_each(|n: usize| {
            last.store(n, Relaxed);
            let mut sender = sender.lock().unwrap();
            match n {
                3000 => *sender = None,
                n => sender.as_ref().unwrap().send(n + 1).unwrap(),
            }
        });
        assert_eq!(last.into_inner(), 3000);
    });
}

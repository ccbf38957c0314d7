//! Adaptors that are driven in rounds, behind each other: what they yield, drop, and ask for.

use crate::support::{Ledger, Token, caught, planted, within};
use crate::{everywhere, fresh_pool};
use filch::ext::*;
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::time::{Duration, Instant};

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
            let below = |t: &Token| t.id() < border;
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

/// Another thread has kept items that the predicate would skip when the border is found to their left. They are yielded, in order.
#[test]
fn what_was_kept_behind_the_border_is_yielded() {
    within(60, || {
        let pool = fresh_pool(2);
        pool.force_cuts(Cuts::Always);
        for _ in 0..20 {
            let elsewhere = AtomicUsize::new(0);
            let first = AtomicUsize::new(0);
            let kept = pool.install(|| {
                let skips = |&x: &usize| {
                    let this = filch::current_thread_index().map_or(0, |at| at + 1);
                    if x > 0 {
                        let other = first.load(SeqCst) != 0 && first.load(SeqCst) != this;
                        elsewhere.fetch_add(usize::from(other), SeqCst);
                        return true;
                    }
                    first.store(this, SeqCst);
                    let since = Instant::now();
                    while elsewhere.load(SeqCst) < 20 && since.elapsed() < Duration::from_secs(2) {
                        std::thread::yield_now();
                    }
                    false
                };
                (0..900usize)
                    .into_par_iter()
                    .skip_while(skips)
                    .collect::<Vec<_>>()
            });
            assert!(kept.into_iter().eq(0..900));
        }
    });
}

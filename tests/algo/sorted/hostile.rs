//! Comparators that panic, answer at random, or note which thread compares.

use super::{Item, numbered, scramble};
use crate::support::{DISORDERS, Ledger, Place, Token, cases, caught, planted, pool};
use filch::ThreadPool;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// As [`sweep_in`], in a pool that cuts as always. There are many calls.
pub fn sweep(len: usize, f: impl Fn(&mut [Token], &(dyn Fn() + Sync)) + Sync) {
    let f = |tokens: &mut Vec<Token>, hook: &(dyn Fn() + Sync)| f(tokens, hook);
    assert!(sweep_in(pool(2), len, cases(4) as usize, f) > len / 4);
}

/// Runs `f` with a hook that panics at its first call, at its second one, and so on, until `f` ends without; behind the first `near` calls ever rarer. `f` is
/// given tokens that are not sorted; each must be there once after. Returns how many calls there were, about.
pub fn sweep_in(
    pool: &ThreadPool,
    len: usize,
    near: usize,
    f: impl Fn(&mut Vec<Token>, &(dyn Fn() + Sync)) + Sync,
) -> usize {
    let (mut panics_at, mut unwound) = (0, true);
    while unwound {
        let ledger = Ledger::new(len);
        let mut tokens = ledger.tokens();
        tokens.sort_by_key(|t| scramble(t.id() as u32));
        let calls = AtomicUsize::new(0);
        let hook = || {
            if calls.fetch_add(1, Relaxed) == panics_at {
                planted(panics_at);
            }
        };
        let outcome = caught(|| pool.install(|| f(&mut tokens, &hook)));
        unwound = outcome == Err(panics_at);
        assert!(unwound || outcome == Ok(()));
        ledger.assert_each_live(1);
        tokens.sort();
        assert!(tokens.iter().map(Token::id).eq(0..len));
        drop(tokens);
        ledger.assert_all_gone();
        panics_at += 1 + panics_at / near;
    }
    panics_at
}

/// Runs `f` on items with comparators that are no orders. It must return; every item must be there once.
pub fn disorder(f: impl Fn(&mut [Item], &(dyn Fn(&Item, &Item) -> Ordering + Sync)) + Sync) {
    for len in [21, 2000, 20_000] {
        let all = numbered(&(0..len).map(|i| scramble(i) % len).collect::<Vec<_>>());
        for (kind, threads) in (0..DISORDERS.len()).flat_map(|kind| [(kind, 2), (kind, 8)]) {
            let calls = AtomicUsize::new(0);
            let compare =
                |a: &Item, b: &Item| DISORDERS[kind](calls.fetch_add(1, Relaxed), a.0, b.0);
            let mut v = all.clone();
            pool(threads).install(|| f(&mut v, &compare));
            v.sort_by_key(|x| x.1);
            assert!(v == all, "kind {kind}, {threads} threads, {len} items");
        }
    }
}

/// An element that must not be compared by two threads at once, and whose comparison changes it.
pub struct Exclusive {
    pub key: u32,
    taken: AtomicBool,
    // Freed and made anew by every comparison: a bitwise copy of it would be freed twice.
    note: std::cell::RefCell<Box<u32>>,
}

impl Exclusive {
    pub fn all(len: u32, distinct: u32) -> Vec<Self> {
        let key = |i| scramble(i) % distinct;
        (0..len)
            .map(|i| Exclusive {
                key: key(i),
                taken: AtomicBool::new(false),
                note: Box::new(key(i)).into(),
            })
            .collect()
    }

    pub fn touch(&self) -> u32 {
        assert!(!self.taken.swap(true, Relaxed), "touched by two threads");
        let note = **self.note.borrow();
        self.note.replace(Box::new(note));
        self.taken.store(false, Relaxed);
        note
    }

    pub fn compare(&self, other: &Self) -> Ordering {
        self.touch().cmp(&other.touch())
    }

    /// Checks that nothing was lost.
    pub fn check(v: &[Exclusive], len: u32, distinct: u32) {
        assert!(v.iter().all(|x| **x.note.borrow() == x.key));
        let mut keys: Vec<u32> = v.iter().map(|x| x.key).collect();
        let mut wanted: Vec<u32> = (0..len).map(|i| scramble(i) % distinct).collect();
        keys.sort();
        wanted.sort();
        assert!(keys == wanted);
    }
}

/// Runs `f` on such elements, in every place.
pub fn exclusively(f: impl Fn(&mut [Exclusive]) + Sync) {
    for (place, distinct) in Place::all().flat_map(|p| [(p, 3), (p, u32::MAX)]) {
        let mut v = Exclusive::all(40_000, distinct);
        place.run(|| f(&mut v));
        Exclusive::check(&v, 40_000, distinct);
    }
}

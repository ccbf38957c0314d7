//! A comparison, or a key, that panics at each of its calls in turn: every element is still
//! there exactly once.

use crate::support::{Comparator, DISORDERS, Dice, Ledger, Place, Token, caught, planted};
use filch::prelude::*;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts down to a panic.
struct Fuse(AtomicUsize);

impl Fuse {
    fn of(calls: usize) -> Self {
        Fuse(AtomicUsize::new(calls))
    }

    fn burn(&self) {
        if self.0.fetch_sub(1, Relaxed) == 0 {
            planted(1);
        }
    }
}

fn shuffled(ledger: Ledger) -> Vec<Token> {
    let mut v = ledger.tokens();
    let mut dice = Dice::new(v.len() as u64);
    for i in (1..v.len()).rev() {
        v.swap(i, dice.below(i + 1));
    }
    v
}

type Sort = fn(&mut [Token], &Fuse);

fn compare(fuse: &Fuse, a: &Token, b: &Token) -> Ordering {
    fuse.burn();
    a.cmp(b)
}

const SORTS: [(&str, Sort); 5] = [
    ("par_sort_by", |v, fuse| {
        v.par_sort_by(|a, b| compare(fuse, a, b))
    }),
    ("par_sort_unstable_by", |v, fuse| {
        v.par_sort_unstable_by(|a, b| compare(fuse, a, b))
    }),
    ("par_sort_by_key", |v, fuse| {
        v.par_sort_by_key(|t| (fuse.burn(), t.id()))
    }),
    ("par_sort_unstable_by_key", |v, fuse| {
        v.par_sort_unstable_by_key(|t| (fuse.burn(), t.id()))
    }),
    ("par_sort_by_cached_key", |v, fuse| {
        v.par_sort_by_cached_key(|t| (fuse.burn(), t.clone()))
    }),
];

#[track_caller]
fn check(n: usize, calls: usize, name: &str, sort: Sort, place: Place) -> bool {
    let ledger = Ledger::new(n);
    let mut v = shuffled(ledger);
    let outcome = place.run(|| caught(|| sort(&mut v, &Fuse::of(calls))));
    ledger.assert_each_live(1);
    let mut ids: Vec<usize> = v.iter().map(Token::id).collect();
    if outcome.is_ok() {
        assert!(ids.is_sorted(), "{place:?}: {name}");
    }
    ids.sort_unstable();
    assert!(
        ids.into_iter().eq(0..n),
        "{place:?}: {name}: not a permutation"
    );
    drop(v);
    ledger.assert_all_gone();
    outcome.is_err()
}

#[test]
fn at_each_of_the_first_calls() {
    for place in Place::all() {
        for (name, sort) in SORTS {
            for n in [2, 20, 64] {
                let panics = (0..64)
                    .filter(|&at| check(n, at, name, sort, place))
                    .count();
                assert!(panics > 0, "{name} of {n}");
            }
        }
    }
}

/// In inputs that are long enough to be shared out: at calls spread over the whole of it.
#[test]
fn anywhere_in_a_long_sort() {
    const N: usize = 6000;
    for (name, sort) in SORTS {
        for place in [
            Place::Pool(1),
            Place::Pool(3),
            Place::Pool(8),
            Place::Outside,
        ] {
            let mut dice = Dice::new(9);
            let panics = (0..12)
                .filter(|_| check(N, dice.below(N * 8), name, sort, place))
                .count();
            assert!(panics > 0, "{name}");
        }
    }
}

/// Without a panic, as a check of the check.
#[test]
fn none() {
    for place in Place::all() {
        for (name, sort) in SORTS {
            assert!(!check(3000, usize::MAX, name, sort, place));
        }
    }
}

/// Keys that are no total order are sorted somehow, with one thread too: std's sorts may panic when they notice.
#[test]
fn keys_that_are_no_order() {
    for (kind, comparator) in DISORDERS.iter().enumerate() {
        for n in [15, 16, 21, 300, 6000u32] {
            for place in Place::all() {
                let calls = AtomicUsize::new(0);
                let key = |id: &u32| Disordered(*id, comparator, &calls);
                let mut v: Vec<u32> = (0..n).map(|i| i.wrapping_mul(0x9E37_79B9) % n).collect();
                let mut before = v.clone();
                place.run(|| v.par_sort_by_cached_key(key));
                v.sort_unstable();
                before.sort_unstable();
                assert!(v == before, "{place:?}: {n} keys of comparator {kind}");
            }
        }
    }
}

/// A key that a comparator compares, of which it says how often it was asked.
struct Disordered<'a>(u32, &'a Comparator, &'a AtomicUsize);

impl PartialEq for Disordered<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Disordered<'_> {}

impl PartialOrd for Disordered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Disordered<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.1(self.2.fetch_add(1, Relaxed), self.0, other.0)
    }
}

// 106
#[test]
fn a_panic_of_a_sort_inside_a_comparison_travels_unchanged() {
    // The words of std's sorts, as a comparator that sorts by no order might bring them about.
    const WORDS: &str =
        "user-provided comparison function does not correctly implement a total order";
    for len in [5, 30, 300, 50_000u32] {
        for way in 0..4 {
            let fuse = Fuse::of(len as usize * 2);
            let compare = |a: &u32, b: &u32| {
                if fuse.0.fetch_sub(1, Relaxed) == 0 {
                    std::panic::resume_unwind(Box::new(WORDS));
                }
                let mut inner = [*a, *b, 7];
                inner.par_sort();
                inner.sort_unstable_by(|a, b| b.cmp(a));
                a.cmp(b)
            };
            let mut v: Vec<u32> = (0..len)
                .map(|i| i.wrapping_mul(0x9E37_79B9) % len)
                .collect();
            let mut before = v.clone();
            let sort = || match way {
                0 => v.par_sort_by(compare),
                1 => v.par_sort_unstable_by(compare),
                2 => v.par_sort_by(|a, b| compare(b, a)),
                _ => {
                    let mut large: Vec<_> = v.iter().map(|&x| (x, [0u64; 16])).collect();
                    large.par_sort_by(|a, b| compare(&a.0, &b.0));
                }
            };
            let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(sort));
            if fuse.0.load(Relaxed) > len as usize * 2 {
                let payload = unwound.expect_err("the panic of the comparison");
                assert_eq!(payload.downcast_ref(), Some(&WORDS));
            } else {
                assert!(unwound.is_ok());
                assert!(len < 50);
            }
            v.sort();
            before.sort();
            assert_eq!(v, before);
        }
    }
}

/// An order that changes its mind now and then leaves what was nearly sorted as some permutation of it, without a panic.
#[test]
fn an_order_that_changes_its_mind_on_what_is_nearly_sorted() {
    const N: u32 = 40_000;
    let pool = filch::ThreadPoolBuilder::new()
        .num_threads(4)
        .build()
        .unwrap();
    for round in 0..80 {
        let mut v: Vec<u32> = (0..N).collect();
        v.swap(7, N as usize - 9);
        if round % 2 == 1 {
            v.reverse();
        }
        let calls = AtomicUsize::new(round << 32);
        let order = |a: &u32, b: &u32| {
            let call = calls.fetch_add(1, Relaxed) as u64;
            match (call.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) % [10, 50, 200][round % 3] {
                0 => Ordering::Less,
                _ => a.cmp(b),
            }
        };
        pool.install(|| v.par_sort_unstable_by(order));
        v.sort();
        assert!(v.into_iter().eq(0..N));
    }
}

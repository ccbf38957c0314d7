//! Sorts of strings, against std's.

use crate::panics::Fuse;
use crate::support::{Dice, Ledger, Place, caught, oracle, same_everywhere, text};
use filch::ext::*;
use proptest::prelude::*;

/// Strings that share beginnings of many lengths, with bytes that look like padding.
fn strings(n: usize, seed: u64, letters: usize, longest: usize) -> Vec<Vec<u8>> {
    let mut dice = Dice::new(seed);
    let mut all: Vec<Vec<u8>> = Vec::new();
    for _ in 0..n {
        let mut next = match all.is_empty() || dice.below(3) == 0 {
            true => Vec::new(),
            false => {
                let other = &all[dice.below(all.len())];
                other[..dice.below(other.len() + 1)].to_vec()
            }
        };
        let more = dice.below(longest);
        next.extend((0..more).map(|_| dice.below(letters) as u8 * (255 / letters as u8)));
        all.push(next);
    }
    all
}

#[test]
fn any_strings() {
    let input = (0..3000usize, any::<u64>(), 1..256usize, 1..40usize);
    oracle(
        input,
        |&(n, seed, letters, longest)| {
            let mut v = strings(n, seed, letters, longest);
            v.par_sort_bytes();
            v
        },
        |&(n, seed, letters, longest)| {
            let mut v = strings(n, seed, letters, longest);
            v.sort();
            v
        },
    );
}

#[test]
fn words() {
    oracle(
        text(),
        |text| {
            let mut words: Vec<&str> = text.split(' ').collect();
            words.par_sort_bytes();
            let mut owned: Vec<String> = words.iter().rev().map(|w| w.to_string()).collect();
            owned.par_sort_bytes_by_key(|w| w.as_bytes());
            (words.join("|"), owned)
        },
        |text| {
            let mut words: Vec<&str> = text.split(' ').collect();
            words.sort();
            let owned: Vec<String> = words.iter().map(|w| w.to_string()).collect();
            (words.join("|"), owned)
        },
    );
}

/// What is deep: a string each seven bytes of which lead to a smaller set, equal long ones, and a long beginning that all share.
#[test]
fn deep_ones() {
    let staircase: Vec<Vec<u8>> = (0..2000).map(|i| vec![0; i * 7919 % 2000]).collect();
    let equal = vec![vec![b'x'; 100_000]; 50];
    let mut dice = Dice::new(7);
    let paths: Vec<Vec<u8>> = (0..20_000)
        .map(|_| format!("/home/user/projects/filch/{}", dice.below(30_000)).into_bytes())
        .collect();
    for v in [staircase, equal, paths] {
        let sorted = || {
            let mut v = v.clone();
            v.par_sort_bytes();
            v
        };
        let model = || {
            let mut v = v.clone();
            v.sort();
            v
        };
        same_everywhere(sorted, model);
    }
}

#[test]
fn every_end_within_a_digit() {
    let mut v: Vec<Vec<u8>> = Vec::new();
    for len in 0..20 {
        for last in [0, 1, 7, 8, 255] {
            let mut s = vec![0; len];
            s.push(last);
            v.extend([s[..len].to_vec(), s]);
        }
    }
    let mut sorted = v.clone();
    sorted.sort();
    v.par_sort_bytes();
    assert_eq!(v, sorted);
}

/// Bytes that are others each time: some order, and nothing lost. Each is asked once, so a sort sees one.
#[test]
fn strings_that_lie() {
    struct Liar(crate::support::Token, std::sync::atomic::AtomicUsize);
    impl AsRef<[u8]> for Liar {
        fn as_ref(&self) -> &[u8] {
            match self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
                0 => &b"zyxwvutsrqponmlk"[self.0.id() % 16..],
                _ => panic!("asked twice"),
            }
        }
    }
    let ledger = Ledger::new(5000);
    let mut v: Vec<Liar> = ledger
        .tokens()
        .into_iter()
        .map(|t| Liar(t, 0.into()))
        .collect();
    v.par_sort_bytes();
    assert!(v.is_sorted_by_key(|liar| std::cmp::Reverse(liar.0.id() % 16)));
    drop(v);
    ledger.assert_all_gone();
}

#[test]
fn a_panic_of_a_key_moves_nothing() {
    for place in Place::all() {
        for calls in 0..20 {
            let ledger = Ledger::new(20);
            let (mut v, fuse) = (ledger.tokens(), Fuse::of(calls));
            let outcome = place.run(|| {
                caught(|| {
                    v.par_sort_bytes_by_key(|token| {
                        fuse.burn();
                        &b"tsrqponmlkjihgfedcba"[token.id()..]
                    })
                })
            });
            assert_eq!(outcome, Err(1));
            assert!(v.iter().map(|token| token.id()).eq(0..20));
            ledger.assert_each_live(1);
        }
    }
}

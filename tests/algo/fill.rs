//! Slices that are filled, against std's.

use crate::support::{Ledger, Place, Token, same_everywhere};
use filch::ext::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const LENGTHS: [usize; 6] = [0, 1, 100, 8192, 8193, 200_001];

#[test]
fn fills_every_place() {
    for len in LENGTHS {
        let from: Vec<u64> = (0..len as u64).collect();
        let words: Vec<String> = (0..len.min(3000)).map(|i| i.to_string()).collect();
        same_everywhere(
            || {
                let mut v = vec![0; len];
                v.par_copy_from_slice(&from);
                let copied = v == from;
                v.par_fill(7);
                let filled = v.iter().all(|&x| x == 7);
                let calls = AtomicUsize::new(0);
                v.par_fill_with(|| calls.fetch_add(1, Relaxed) as u64);
                v.sort();
                let mut cloned = vec![String::new(); words.len()];
                cloned.par_clone_from_slice(&words);
                [copied, filled, v == from, cloned == words]
            },
            || [true; 4],
        );
    }
}

#[test]
fn drops_what_was_there() {
    const N: usize = 9000;
    for place in Place::all() {
        let ledger = Ledger::new(N);
        let mut v = ledger.tokens();
        let from = ledger.tokens();
        place.run(|| v.par_clone_from_slice(&from));
        ledger.assert_each_live(2);
        place.run(|| v.par_fill(ledger.token(5)));
        assert!(v.iter().all(|t| t.id() == 5));
        assert_eq!(ledger.live(5), N as isize + 1);
        place.run(|| v.par_fill_with(|| ledger.token(6)));
        assert_eq!((ledger.live(5), ledger.live(6)), (1, N as isize + 1));
        assert_eq!(v.iter().map(Token::id).max(), Some(6));
        drop((v, from));
        ledger.assert_all_gone();
    }
}

#[test]
fn nothing_much() {
    let mut units = [(); 5000];
    units.par_fill(());
    units.par_fill_with(|| ());
    units.par_copy_from_slice(&[(); 5000]);
    units.par_clone_from_slice(&[(); 5000]);
}

#[test]
#[should_panic(expected = "3 elements cannot be copied to 2 places")]
fn copies_only_as_much_as_there_is() {
    [1, 2].par_copy_from_slice(&[1, 2, 3]);
}

#[test]
#[should_panic(expected = "0 elements cannot be copied to 2 places")]
fn clones_only_as_much_as_there_is() {
    [1, 2].par_clone_from_slice(&[]);
}

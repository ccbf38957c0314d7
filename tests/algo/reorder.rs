//! Reversal and rotation against std's.

use crate::support::{Ledger, Place, Token, same_everywhere};
use filch::ext::*;

/// Long enough to be shared out: a leaf is 128 KiB.
const LENGTHS: [usize; 7] = [0, 1, 2, 100, 16_384, 16_385, 100_003];

#[test]
fn reverses() {
    for len in LENGTHS {
        let want: Vec<u64> = (0..len as u64).rev().collect();
        same_everywhere(
            || {
                let mut v: Vec<u64> = (0..len as u64).collect();
                v.par_reverse();
                v == want
            },
            || true,
        );
    }
}

#[test]
fn rotates() {
    for len in LENGTHS {
        let mids = [
            0,
            1,
            2,
            7,
            len / 100,
            len / 3,
            len / 2,
            len / 2 + 1,
            len * 6 / 7,
        ];
        for mid in mids.into_iter().filter(|&mid| mid <= len) {
            let mut want: Vec<u64> = (0..len as u64).collect();
            want.rotate_left(mid);
            for place in [1, 2, 8].map(Place::Pool) {
                let mut v: Vec<u64> = (0..len as u64).collect();
                place.run(|| v.par_rotate_left(mid));
                assert!(v == want, "{len} left by {mid}, {place:?}");
                place.run(|| v.par_rotate_right(mid));
                assert!(
                    v.iter().copied().eq(0..len as u64),
                    "{len} right by {mid}, {place:?}"
                );
            }
        }
    }
}

/// Elements of which only a few make a leaf.
#[test]
fn large_elements() {
    type Large = [u16; 20_000];
    for len in [3, 4, 5, 10, 23, 100] {
        for mid in 0..=len {
            let make = || -> Vec<Large> { (0..len).map(|i| [i as u16; 20_000]).collect() };
            let mut v = make();
            Place::Pool(3).run(|| v.par_rotate_left(mid));
            assert!((0..len).all(|i| v[i] == [((i + mid) % len) as u16; 20_000]));
        }
        let mut v: Vec<Large> = (0..len).map(|i| [i as u16; 20_000]).collect();
        Place::Pool(3).run(|| v.par_reverse());
        assert!((0..len).all(|i| v[i] == [(len - 1 - i) as u16; 20_000]));
    }
}

/// Elements of which two are more than a leaf.
#[test]
fn huge_elements() {
    type Huge = [u8; 140_000];
    let make = |len: usize| -> Vec<Huge> { (0..len).map(|i| [i as u8; 140_000]).collect() };
    for len in 0..7 {
        let mut v = make(len);
        Place::Pool(3).run(|| v.par_reverse());
        assert!((0..len).all(|i| v[i] == [(len - 1 - i) as u8; 140_000]));
        for mid in 0..=len {
            let mut v = make(len);
            Place::Pool(3).run(|| v.par_rotate_left(mid));
            assert!((0..len).all(|i| v[i] == [((i + mid) % len) as u8; 140_000]));
        }
    }
}

/// Many threads and few elements: parts of which each is as long as the shorter side, whatever does not divide evenly.
#[test]
fn rotates_parts_of_few_elements() {
    type Large = [u32; 100];
    let pool = filch::ThreadPoolBuilder::new().num_threads(16).build();
    let pool = pool.expect("threads for the test");
    for len in (510..800).chain([1025, 1041]) {
        for mid in [1, 2, 3, 4, len - 4, len - 3, len - 2, len - 1] {
            let mut v: Vec<Large> = (0..len as u32).map(|i| [i; 100]).collect();
            pool.install(|| v.par_rotate_left(mid));
            assert!((0..len).all(|i| v[i][99] as usize == (i + mid) % len));
        }
    }
}

#[test]
fn nothing_is_lost_or_doubled() {
    const N: usize = 20_000;
    let ledger = Ledger::new(N);
    let mut v = ledger.tokens();
    for threads in [3, 8] {
        Place::Pool(threads).run(|| {
            v.par_reverse();
            v.par_rotate_left(N / 3);
            v.par_rotate_right(5);
        });
    }
    ledger.assert_each_live(1);
    assert_eq!(v.iter().map(Token::id).sum::<usize>(), N * (N - 1) / 2);
    drop(v);
    ledger.assert_all_gone();
}

#[test]
fn nothing_much() {
    let mut units = [(); 100];
    units.par_reverse();
    units.par_rotate_left(50);
    units.par_rotate_right(100);
}

#[test]
#[should_panic(expected = "a slice of 2 rotated by 3")]
fn beyond_the_end() {
    [1, 2].par_rotate_left(3);
}
